/* Documents a second through the dedup service, near-duplicate detection on:
 * bench_dedup [documents] [threads] [text bytes] [sync] [url] [folder].  Texts
 * are random words; one in ten is an exact and one in ten a near-duplicate.
 * Each is a call that waits for its ack; how long they wait is said.  A folder
 * may have an index already (bench_index DOCUMENTS FOLDER/dedup).  Beside it
 * stands what a write of 4 KiB and fdatasync() take there. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "../folder.h"
#include "winnow/clock.h"
#include "winnow/dedup.h"
#include "winnow/dedup_service.h"
#include "winnow/log.h"
#include "winnow/random.h"

static const atomic_bool go_on = false;
static size_t text_bytes;

struct sender {
    pthread_t thread;
    struct dedup_client *client;
    uint64_t from, to;
    uint64_t verdicts[4];
    float *waited_ms;
};

enum { TOKENS_MAX = 1 << 16 };

struct tokens {
    uint64_t hash[TOKENS_MAX], shingle[TOKENS_MAX];
    size_t n;
};

static struct fingerprinter *fingerprinter;

static void
add_token(struct tokens *t, uint64_t hash)
{
    if (t->n < TOKENS_MAX)
        t->hash[t->n++] = hash;
}

static void
make_text(uint64_t seed, struct buf *out, struct tokens *s)
{
    struct random r = random_seed(hash_mix(seed));

    buf_clear(out);
    s->n = 0;
    while (out->n < text_bytes) {
        uint64_t word = random_below(&r, 5000);
        size_t from = out->n;

        buf_printf(out, "w%llu%s ", (unsigned long long)word,
                   word % 3 ? "en" : "ing");
        add_token(s, hash64(str_n(out->p + from, out->n - from)));
    }
}

static double
now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int
compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

/* p50, p99 and the longest of n numbers, which are sorted. */
static void
show_times(const char *what, float *ms, size_t n)
{
    qsort(ms, n, sizeof *ms, compare_floats);
    printf("%s: p50 %.2f p99 %.2f most %.2f ms\n", what, (double)ms[n / 2],
           (double)ms[n - n / 100 - 1], (double)ms[n - 1]);
}

/* What the disk needs for a small write. */
static void
time_disk(const char *dir)
{
    enum { WRITES = 300 };
    static const char block[4096] = "x";
    float ms[WRITES];
    char path[512];
    int fd;

    snprintf(path, sizeof path, "%s/disk", dir);
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (int i = 0; fd >= 0 && i < WRITES; i++) {
        double from = now_us();

        if (write(fd, block, sizeof block) < 0 || fdatasync(fd) != 0)
            exit(1);
        ms[i] = (float)(now_us() - from) / 1000;
    }
    close(fd);
    unlink(path);
    show_times("fdatasync", ms, WRITES);
}

static void *
send_all(void *arg)
{
    struct sender *s = arg;
    struct buf text = {0};
    struct tokens *tokens = calloc(1, sizeof *tokens);
    struct arena *arena = arena_new();
    struct fingerprint print;
    struct signature signature;

    for (uint64_t i = s->from; i < s->to; i++) {
        struct dedup_record records[2];
        struct dedup_document d;
        struct dedup_answer v;
        char url[40];
        size_t n;
        double from_us;

        make_text(i % 10 == 9 && i > s->from + 10 ? i - 5 : i, &text, tokens);
        if (i % 10 == 8 && i > s->from + 10) { /* a few words more */
            make_text(i - 5, &text, tokens);
            buf_printf(&text, "and %llu", (unsigned long long)i);
            add_token(tokens, i);
        }
        arena_reset(arena);
        n = shingles_make(tokens->hash, tokens->n, 5, tokens->shingle);
        fingerprinter_make(fingerprinter, tokens->shingle, n, &print);
        signature_make(tokens->shingle, n, arena, &signature);
        snprintf(url, sizeof url, "http://bench/%llu", (unsigned long long)i);
        records[0] = (struct dedup_record){S("jsonl"), buf_view(&text)};
        records[1] = (struct dedup_record){S("xml"), buf_view(&text)};
        d = (struct dedup_document){.id = document_id_make(str_c(url), i),
                                    .url = str_c(url),
                                    .digest = hash128(buf_view(&text)),
                                    .fingerprint = &print,
                                    .signature = &signature,
                                    .text_bytes = text.n,
                                    .records = records,
                                    .records_n = 2};
        from_us = now_us();
        if (dedup_client_put(s->client, &d, &go_on, &v) != ST_OK)
            exit(1);
        s->waited_ms[i - s->from] = (float)(now_us() - from_us) / 1000;
        s->verdicts[v.verdict]++;
    }
    buf_free(&text);
    free(tokens);
    arena_free(arena);
    return NULL;
}

int
main(int argc, char **argv)
{
    uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000;
    uint64_t threads = argc > 2 ? strtoull(argv[2], NULL, 10) : 4;
    char sync[64], url[300];
    const char *dir = argc > 6 ? argv[6] : folder;
    float *waited;
    struct sender senders[512] = {0};
    struct dedup_service *service;
    struct dedup_client *client;
    struct dedup_stat stat;
    struct fingerprint_scheme scheme;
    struct opts o;
    uint64_t from_ms;
    double seconds;

    text_bytes = argc > 3 ? strtoull(argv[3], NULL, 10) : 3000;
    threads = threads < 1 ? 1 : threads > 512 ? 512 : threads;
    log_threshold = LOG_WARN;
    opts_init(&o);
    scheme = fingerprint_scheme_of(&o);
    if (fingerprinter_open(&fingerprinter, &scheme) != ST_OK)
        return 1;
    snprintf(sync, sizeof sync, "dedup.sync=%s", argc > 4 ? argv[4] : "meta");
    snprintf(url, sizeof url, "dedup.url=%s",
             argc > 5 ? argv[5] : "inproc://dedup");
    folder_open();
    if ((waited = calloc(n, sizeof *waited)) == NULL ||
        opts_set(&o, "bench", str_c(sync)) != ST_OK ||
        opts_set(&o, "bench", str_c(url)) != ST_OK ||
        dedup_service_start(&service, dir, &o) != ST_OK ||
        dedup_client_open(&client, &o) != ST_OK)
        return 1;
    from_ms = clock_steady_ms();
    for (uint64_t i = 0; i < threads; i++) {
        senders[i] = (struct sender){.client = client,
                                     .from = n * i / threads,
                                     .to = n * (i + 1) / threads,
                                     .waited_ms = waited + n * i / threads};
        pthread_create(&senders[i].thread, NULL, send_all, &senders[i]);
    }
    for (uint64_t i = 0; i < threads; i++)
        pthread_join(senders[i].thread, NULL);
    seconds = (double)(clock_steady_ms() - from_ms) / 1000;
    if (dedup_client_stat(client, &stat, 10000) != ST_OK)
        return 1;
    printf("documents=%llu threads=%llu text_bytes=%zu %s seconds=%.2f "
           "per_second=%.0f kept=%llu exact=%llu near=%llu\n",
           (unsigned long long)n, (unsigned long long)threads, text_bytes, sync,
           seconds, (double)n / seconds, (unsigned long long)stat.documents,
           (unsigned long long)stat.exact_duplicates,
           (unsigned long long)stat.near_duplicates);
    show_times("acks", waited, n);
    time_disk(dir);
    free(waited);
    dedup_client_close(client);
    dedup_service_stop(service);
    opts_free(&o);
    fingerprinter_close(fingerprinter);
    folder_close();
    return 0;
}
