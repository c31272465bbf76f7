/* How fast markup is read: bench_tokenizer [-r ROUNDS] FILE-OR-FOLDER...
 *
 * All files are read into memory first; one thread.  Prints MB/s (10^6 bytes)
 * for UTF-8 validation, charset_decode(), and the tokenizer over its result,
 * best of ROUNDS, and the number of tokens so that two builds can be seen to
 * do the same. */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/buf.h"
#include "clean/charset/charset.h"
#include "clean/markup/tokenizer.h"
#include "seconds.h"

struct page {
    struct str bytes, utf8;
};

static struct page *pages;
static size_t pages_n, pages_cap, bytes_n, utf8_n;

struct count {
    uint64_t texts, text_bytes, tags, attributes, others;
};

static void
add_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    struct buf b = {0};
    size_t got;

    if (f == NULL) {
        perror(path);
        exit(1);
    }
    do {
        buf_reserve(&b, 65536);
        got = fread(b.p + b.n, 1, 65536, f);
        b.n += got;
    } while (got > 0);
    fclose(f);
    if (pages_n == pages_cap) {
        pages_cap = pages_cap ? 2 * pages_cap : 1024;
        pages = realloc(pages, pages_cap * sizeof *pages);
        if (pages == NULL)
            abort();
    }
    pages[pages_n++] = (struct page){.bytes = buf_view(&b)}; /* kept */
    bytes_n += b.n;
}

static int
visit(const char *path, const struct stat *sb, int kind, struct FTW *ftw)
{
    (void)sb, (void)ftw;
    if (kind == FTW_F)
        add_file(path);
    return 0;
}

static void
count_text(void *self, struct str s)
{
    ((struct count *)self)->texts++;
    ((struct count *)self)->text_bytes += s.n;
}

static void
count_tag(void *self, const struct tag_token *tag)
{
    ((struct count *)self)->tags++;
    ((struct count *)self)->attributes += tag->attributes_n;
}

static void
count_comment(void *self, struct str s)
{
    (void)s;
    ((struct count *)self)->others++;
}

static double
time_validation(void)
{
    double from = seconds(CLOCK_MONOTONIC);
    size_t valid = 0;

    for (size_t i = 0; i < pages_n; i++)
        valid += utf8_valid(pages[i].bytes);
    printf("%zu of %zu pages valid UTF-8; ", valid, pages_n);
    return seconds(CLOCK_MONOTONIC) - from;
}

static double
time_decoding(struct arena *a)
{
    double took = 0, from;

    utf8_n = 0;
    for (size_t i = 0; i < pages_n; i++) {
        struct charset_result r;
        enum status st;

        arena_reset(a);
        from = seconds(CLOCK_MONOTONIC);
        st = charset_decode(&r, a, CHARSET_WHATWG, pages[i].bytes,
                            S("text/html"));
        took += seconds(CLOCK_MONOTONIC) - from;
        if (st != ST_OK)
            r.utf8 = S("");
        if (pages[i].utf8.p == NULL) {
            char *copy = malloc(r.utf8.n + 1);

            if (copy == NULL)
                abort();
            memcpy(copy, r.utf8.p, r.utf8.n);
            pages[i].utf8 = str_n(copy, r.utf8.n);
        }
        utf8_n += r.utf8.n;
    }
    return took;
}

static double
time_tokens(struct tokenizer *t, struct count *count)
{
    struct token_sink sink = {.self = count,
                              .text = count_text,
                              .start_tag = count_tag,
                              .end_tag = count_tag,
                              .comment = count_comment};
    double from = seconds(CLOCK_MONOTONIC);

    *count = (struct count){0};
    for (size_t i = 0; i < pages_n; i++)
        tokenizer_run(t, pages[i].utf8, &sink);
    return seconds(CLOCK_MONOTONIC) - from;
}

int
main(int argc, char **argv)
{
    struct tokenizer *t = tokenizer_new();
    struct arena *a = arena_new();
    double best[3] = {1e9, 1e9, 1e9};
    struct count count = {0};
    int first = 1, rounds = 5;

    if (argc > 2 && strcmp(argv[1], "-r") == 0) {
        rounds = atoi(argv[2]);
        first = 3;
    }
    for (int i = first; i < argc; i++)
        nftw(argv[i], visit, 16, FTW_PHYS);
    if (pages_n == 0) {
        fprintf(stderr, "usage: bench_tokenizer [-r ROUNDS] FILE-OR-FOLDER\n");
        return 2;
    }
    for (int k = 0; k < rounds; k++) {
        double took[3] = {time_validation(), time_decoding(a),
                          time_tokens(t, &count)};

        printf("round %d\n", k + 1);
        for (int i = 0; i < 3; i++)
            if (took[i] < best[i])
                best[i] = took[i];
    }
    printf("%zu pages, %.1f MB\n", pages_n, (double)bytes_n / 1e6);
    printf("validation %8.0f MB/s\n", (double)bytes_n / best[0] / 1e6);
    printf("decoding   %8.0f MB/s\n", (double)bytes_n / best[1] / 1e6);
    printf("tokenizer  %8.0f MB/s\n", (double)utf8_n / best[2] / 1e6);
    printf("%llu texts (%llu bytes), %llu tags, %llu attributes, %llu "
           "comments\n",
           (unsigned long long)count.texts,
           (unsigned long long)count.text_bytes, (unsigned long long)count.tags,
           (unsigned long long)count.attributes,
           (unsigned long long)count.others);
    arena_free(a);
    tokenizer_free(t);
    return 0;
}
