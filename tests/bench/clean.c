/* What a page costs, stage by stage: bench_clean [-n ROUNDS] FILE...
 *
 * Files are read before the clock starts.  Every stage is timed for itself, in
 * CPU time of its one thread, so that a busy machine disturbs it little. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../clean/cleaner_chain.h"
#include "winnow/buf.h"
#include "winnow/log.h"

#define FILES_MAX 100000

static double
now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static bool
read_file(const char *path, struct buf *bytes)
{
    FILE *f = fopen(path, "rb");
    size_t n;

    if (f == NULL) {
        perror(path);
        return false;
    }
    do {
        buf_reserve(bytes, 65536);
        n = fread(bytes->p + bytes->n, 1, 65536, f);
        bytes->n += n;
    } while (n > 0);
    fclose(f);
    return true;
}

static void
report(const struct chain *c, const double *us, size_t pages, size_t bytes,
       size_t text, size_t tokens)
{
    double sum = 0;

    for (size_t i = 0; i < chain_stages_n(c); i++)
        sum += us[i];
    for (size_t i = 0; i < chain_stages_n(c); i++)
        printf("%-12s %9.1f us/page %5.1f %%\n", chain_stage_name(c, i),
               us[i] / (double)pages, 100 * us[i] / sum);
    printf("%-12s %9.1f us/page, %.0f pages/s, %.1f MB/s of bytes; mean page "
           "%.1f kB, %.1f kB kept text, %.0f words\n",
           "all", sum / (double)pages, (double)pages / sum * 1e6,
           (double)bytes / sum, (double)bytes / 1e3 / (double)pages,
           (double)text / 1e3 / (double)pages, (double)tokens / (double)pages);
}

int
main(int argc, char **argv)
{
    struct opts o;
    struct cleaner *cleaner;
    struct arena *a = arena_new();
    struct buf *page;
    double us[CHAIN_STAGES_MAX] = {0};
    size_t rounds = 3, n = 0, bytes = 0, text = 0, tokens = 0, pages = 0;
    int first = 1;

    if (argc > 2 && strcmp(argv[1], "-n") == 0) {
        rounds = strtoul(argv[2], NULL, 10);
        first = 3;
    }
    opts_init(&o);
    if (opts_read_env(&o) != ST_OK || cleaner_open(&cleaner, &o) != ST_OK)
        return 1;
    if ((page = calloc((size_t)argc, sizeof *page)) == NULL)
        return 1;
    for (int i = first; i < argc && n < FILES_MAX; i++)
        n += read_file(argv[i], &page[n]);
    for (size_t round = 0; round < rounds; round++)
        for (size_t i = 0; i < n; i++) {
            const struct chain *c = cleaner_chain(cleaner);
            struct document d = {.arena = a,
                                 .url_text = S("http://a.example/b/c"),
                                 .bytes = buf_view(&page[i]),
                                 .content_type = S(""),
                                 .x_robots_tag = S(""),
                                 .robots_agent = S("winnow")};

            for (size_t s = 0; s < chain_stages_n(c); s++) {
                double start = now_us();

                if (chain_run_one(c, s, &d, false) != ST_OK)
                    return 1;
                us[s] += now_us() - start;
            }
            pages++;
            bytes += d.bytes.n;
            text += d.kept_chars;
            tokens += d.tokens_n;
            arena_reset(a);
        }
    if (pages > 0)
        report(cleaner_chain(cleaner), us, pages, bytes, text, tokens);
    for (size_t i = 0; i < n; i++)
        buf_free(&page[i]);
    free(page);
    arena_free(a);
    cleaner_close(cleaner);
    opts_free(&o);
    return 0;
}
