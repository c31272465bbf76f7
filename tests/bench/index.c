/* The index of the dedup service alone: bench_index [documents] [folder]
 * [sync]. Synthetic fingerprints, and signatures of 500 shingles, 15 in 100 of
 * them of an earlier document with some of them changed; batches of 1,000.
 * Verdicts a CPU second at each million (powers of two of it), memory and disk
 * a kept document, and how long the index takes to open again. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "../../shingle/index/index.h"
#include "../folder.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "seconds.h"

enum { BATCH = 1000, SHINGLES = 500, OTHER = 20 };

/* kB of anonymous memory. */
static uint64_t
memory_kb(void)
{
    FILE *f = fopen("/proc/self/status", "r");
    char line[256];
    unsigned long long kb = 0;

    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, "RssAnon: %llu kB", &kb) == 1)
            break;
    if (f != NULL)
        fclose(f);
    return kb;
}

struct made {
    struct dedup_document doc;
    struct fingerprint print;
    struct signature signature;
    char url[40];
};

/* The values and shingles of document `of`; as many of `i` in the place of the
 * first `other` shingles, and of eight values, if that is another one. */
static void
make(struct made *m, uint64_t i, struct arena *a)
{
    struct random r = random_seed(i * 2 + 1);
    uint64_t of = i, shingle[SHINGLES];

    if (i > 1000 && random_below(&r, 100) < 15) /* of one before */
        of = random_below(&r, i);
    m->print = (struct fingerprint){.values_n = FINGERPRINT_SIZE,
                                    .shingles_n = SHINGLES};
    r = random_seed(of * 2);
    for (size_t k = 0; k < FINGERPRINT_SIZE; k++)
        m->print.value[k] = (uint32_t)random_u64(&r);
    for (size_t k = 0; k < SHINGLES; k++)
        shingle[k] = random_u64(&r);
    if (of != i) {
        r = random_seed(i);
        for (int k = 0; k < 8; k++)
            m->print.value[random_below(&r, FINGERPRINT_SIZE)] ^= 1;
        for (size_t k = 0; k < OTHER; k++)
            shingle[k] = random_u64(&r);
    }
    snprintf(m->url, sizeof m->url, "http://h/%llu", (unsigned long long)i);
    signature_make(shingle, SHINGLES, a, &m->signature);
    m->doc = (struct dedup_document){.id = document_id_make(str_c(m->url), i),
                                     .url = str_c(m->url),
                                     .digest = {hash_mix(i), i},
                                     .fingerprint = &m->print,
                                     .signature = &m->signature,
                                     .text_bytes = 3000};
}

static void
report(struct index *x, const char *dir, uint64_t done, uint64_t in_step,
       double cpu, uint64_t memory_before)
{
    struct dedup_stat counts;
    struct stat sb = {0};
    char path[512];

    snprintf(path, sizeof path, "%s/" INDEX_LOG, dir);
    if (index_stat(x, &counts) != ST_OK || counts.documents == 0 ||
        stat(path, &sb) != 0)
        return;
    printf("documents=%llu kept=%llu near=%llu verdicts_per_cpu_second=%.0f "
           "ram_per_kept=%.0f disk_per_kept=%.0f\n",
           (unsigned long long)done, (unsigned long long)counts.documents,
           (unsigned long long)counts.near_duplicates, (double)in_step / cpu,
           (double)(memory_kb() - memory_before) * 1024 /
               (double)counts.documents,
           (double)sb.st_size / (double)counts.documents);
    fflush(stdout);
}

int
main(int argc, char **argv)
{
    uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
    const char *dir = argc > 2 ? argv[2] : NULL;
    const struct store_options o = {.map_gib = 64,
                                    .checkpoint_bytes = 64 << 20,
                                    .sync = str_c(argc > 3 ? argv[3] : "none")};
    struct made *batch = calloc(BATCH, sizeof *batch);
    struct arena *arena = arena_new();
    struct index *x = NULL;
    uint64_t step = 1000000, last = 0, memory = memory_kb();
    double cpu = 0, from;

    log_threshold = LOG_WARN;
    if (dir == NULL) {
        folder_open();
        dir = folder;
    } else if (file_make_folders(dir) != ST_OK) {
        perror(dir);
        return 1;
    }
    if (batch == NULL || index_open(&x, dir, 0.8, &o) != ST_OK)
        return 1;
    for (uint64_t i = 0; i < n; i += BATCH) {
        arena_reset(arena);
        for (uint64_t k = 0; k < BATCH; k++)
            make(&batch[k], i + k, arena);
        from = seconds(CLOCK_PROCESS_CPUTIME_ID);
        if (index_begin(x) != ST_OK)
            return 1;
        for (uint64_t k = 0; k < BATCH; k++) {
            struct index_verdict v;

            if (index_decide(x, &batch[k].doc, &v) != ST_OK)
                return 1;
        }
        if (index_commit(x) != ST_OK)
            return 1;
        cpu += seconds(CLOCK_PROCESS_CPUTIME_ID) - from;
        if (i + BATCH == step || i + BATCH >= n) {
            report(x, dir, i + BATCH, i + BATCH - last, cpu, memory);
            last = i + BATCH;
            step *= 2;
            cpu = 0;
        }
    }
    index_close(x);
    from = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (index_open(&x, dir, 0.8, &o) != ST_OK)
        return 1;
    printf("opened again in %.2f CPU seconds\n",
           seconds(CLOCK_PROCESS_CPUTIME_ID) - from);
    index_close(x);
    free(batch);
    arena_free(arena);
    if (argc <= 2)
        folder_close();
    return 0;
}
