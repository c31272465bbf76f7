/* Sorted runs of n-grams against a table in memory, and runs that are damaged.
 */
#include "base/hash.h"
#include "corpus/run/ngram_runs.h"
#include "folder.h"

enum { BUCKETS = 3, KINDS = 400, CODE_MAX = (1 << NGRAM_CODE_BITS) - 1 };

static uint32_t kind[KINDS][NGRAM_WORDS_MAX];
static uint64_t times[KINDS], found[KINDS];
static size_t out_of_order, unknown;

/* N-grams of one to five words that begin alike; the last are as large as can
 * be. */
static void
make_kinds(void)
{
    for (uint32_t i = 0; i < KINDS; i++) {
        unsigned n = 1 + i % NGRAM_WORDS_MAX;

        memset(kind[i], 0, sizeof kind[i]);
        for (unsigned w = 0; w < n; w++)
            kind[i][w] = i == KINDS - 1 ? CODE_MAX
                                        : 1 + (uint32_t)(i >> (8 - 2 * w)) * 77;
        kind[i][n - 1] = i == KINDS - 1 ? CODE_MAX : 1 + i * 60000;
        times[i] = 0;
    }
}

static unsigned
length(uint32_t i)
{
    unsigned n = NGRAM_WORDS_MAX;

    while (kind[i][n - 1] == 0)
        n--;
    return n;
}

static void
take(void *self, const uint32_t code[NGRAM_WORDS_MAX], uint64_t count)
{
    uint32_t *last = self;
    bool later = false;
    uint32_t i = 0;

    for (unsigned w = 0; w < NGRAM_WORDS_MAX && !later; w++) {
        later = code[w] > last[w];
        if (code[w] < last[w])
            break;
    }
    out_of_order += !later;
    memcpy(last, code, sizeof *kind);
    while (i < KINDS && memcmp(kind[i], code, sizeof *kind) != 0)
        i++;
    if (i == KINDS)
        unknown++;
    else
        found[i] += count;
}

static struct spill *
written(size_t run_grams, unsigned n)
{
    struct spill *s;
    struct ngram_writer *w;

    CHECK(spill_make(&s, in_folder("runs"), BUCKETS, 1, 0) == ST_OK);
    w = ngram_writer_new(s, run_grams);
    make_kinds();
    for (unsigned i = 0; i < n; i++) {
        /* Some are frequent: more often than stands in one byte. */
        uint32_t k = (uint32_t)(hash_mix(i) % KINDS);

        k = i % 3 == 0 ? k % 5 : k;
        ngram_put(w, k % BUCKETS, kind[k], length(k));
        times[k]++;
    }
    ngram_writer_end(w);
    CHECK(spill_check(s) == ST_OK);
    return s;
}

static enum status
merge_all(const struct spill *s)
{
    enum status st = ST_OK;

    memset(found, 0, sizeof found);
    out_of_order = unknown = 0;
    for (unsigned b = 0; b < BUCKETS && st == ST_OK; b++) {
        uint32_t last[NGRAM_WORDS_MAX] = {0};

        st = ngram_merge(s, b, take, last);
    }
    return st;
}

static void
merged_runs_have_each_ngram_once_in_order_with_its_count(void)
{
    static const size_t run_grams[] = {1, 7, 500, 100000};

    for (size_t i = 0; i < 4; i++) {
        struct spill *s = written(run_grams[i], 20000);

        CHECK(merge_all(s) == ST_OK);
        CHECK(out_of_order == 0 && unknown == 0);
        CHECK(memcmp(found, times, sizeof times) == 0);
        CHECK(times[0] > 1000 && times[KINDS - 1] > 0);
        spill_close(s);
    }
}

static void
nothing_put_is_nothing_found(void)
{
    struct spill *s = written(10, 0);

    CHECK(merge_all(s) == ST_OK);
    CHECK(memcmp(found, times, sizeof times) == 0);
    spill_close(s);
}

/* Every fifth byte is changed in turn. */
static void
damaged_runs_are_refused(void)
{
    struct spill *s = written(50, 300);
    size_t bytes = (size_t)spill_all_n(s), refused = 0, changed = 0;
    FILE *f = fopen(in_folder("runs"), "r+be");

    CHECK(f != NULL);
    for (size_t at = 0; at < bytes; at += 5) {
        int c;

        fseek(f, (long)at, SEEK_SET);
        c = getc(f);
        fseek(f, (long)at, SEEK_SET);
        putc(c ^ (at % 10 ? 0x80 : 0xff), f);
        fflush(f);
        refused += merge_all(s) == ST_IO;
        changed++;
        fseek(f, (long)at, SEEK_SET);
        putc(c, f);
        fflush(f);
    }
    fclose(f);
    CHECK(refused == changed && changed > 100);
    CHECK(merge_all(s) == ST_OK);
    CHECK(memcmp(found, times, sizeof times) == 0);
    spill_close(s);
}

static void
count(void *self, const uint32_t code[NGRAM_WORDS_MAX], uint64_t n)
{
    *(uint64_t *)self += n * code[0];
}

/* Bytes with a right head: in order and whole, or refused. */
static void
a_run_in_its_bytes_is_what_the_head_says(void)
{
    static const struct {
        const char *bytes;
        size_t n;
        uint64_t sum;
        enum status st;
    } runs[] = {{"\x08\x01\x02\0\x11\x03\x05\x06\x07", 9, 3, ST_OK},
                {"\x08\x01\x02\0\x11\x03\x05\x06", 8, 1, ST_IO}, /* cut */
                {"\x08\x01\0\x08\0\0", 6, 1, ST_IO},     /* no difference */
                {"\x08\x01\0\x0d\x01\0", 6, 1, ST_IO},   /* six words */
                {"\x08\x01\0\x0a\x01\0", 6, 1, ST_IO},   /* behind the end */
                {"\0\x01\0", 3, 0, ST_IO},               /* never */
                {"\x08\x80\x80\x80\x10\0", 6, 0, ST_IO}, /* 26 bits */
                {"", 0, 0, ST_IO}};
    unsigned char run[64];

    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        uint64_t sum = 0;
        size_t n = runs[i].n;

        memcpy(run + NGRAM_RUN_HEAD, runs[i].bytes, n);
        ngram_run_seal(run, n);
        CHECK(ngram_runs_merge(run, NGRAM_RUN_HEAD + n, count, &sum) ==
              runs[i].st);
        CHECK(sum == runs[i].sum);
        CHECK(ngram_runs_merge(run, NGRAM_RUN_HEAD + n - 1, count, &sum) ==
              ST_IO);
    }
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(merged_runs_have_each_ngram_once_in_order_with_its_count),
        TEST(nothing_put_is_nothing_found),
        TEST(damaged_runs_are_refused),
        TEST(a_run_in_its_bytes_is_what_the_head_says),
        {0}};

    return folder_main(table, argc, argv);
}
