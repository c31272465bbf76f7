/* Documents a second through the dedup service, durable before each ack:
 *
 *     bench_dedup [name=value]...
 *
 *     documents   20000
 *     threads     2      senders, each on a connection of its own
 *     batch       50     documents in a message; a sender waits for its ack
 *     rate        0      documents a second all senders together are to send,
 *                        each message at its time; 0: as fast as acks come
 *     text        3000   bytes of each of the two records; 0: one short record
 *     sync        meta   dedup.sync
 *     url         inproc://dedup
 *     dir                with an index (bench_index DOCUMENTS DIR/dedup), or
 *                        empty; a scratch folder
 *     near        on     fingerprints and signatures
 *     option      -      another one, as dedup.save_ms=200; may be repeated
 *
 * Of the documents 15 in 100 nearly equal an earlier one.  They are made before
 * the clock runs.  How long acks take is counted from when the message was due,
 * so a stall counts for all that it holds up.  Beside it stands what a write of
 * 4 KiB and fdatasync() take in that folder, before and after.  It all begins
 * when a virtual machine's host has taken back what memory is free (quiet.h).
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "../folder.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "quiet.h"
#include "seconds.h"
#include "shingle/message/dedup.h"
#include "shingle/service/dedup_service.h"

enum {
    WORDS = SIGNATURE_BITS_MIN / 64,
    TEXTS = 256,
    SENDERS_MAX = 512,
    OPTIONS_MAX = 8
};

static const atomic_bool go_on = false;

static struct {
    uint64_t documents, threads, batch, rate, text;
    const char *sync, *url, *dir, *near;
} set = {20000, 2, 50, 0, 3000, "meta", "inproc://dedup", NULL, "on"};

/* A document without its records, which are of one of TEXTS texts. */
struct made {
    struct fingerprint print;
    struct signature signature;
    uint64_t word[WORDS];
    char url[48];
};

static const char *options[OPTIONS_MAX];
static size_t options_n;
static struct buf texts[TEXTS];

struct sender {
    pthread_t thread;
    struct dedup_client *client;
    struct made *made;
    uint64_t from, to, first; /* first: number of the first document of all */
    uint64_t verdicts[4];
    float *waited_ms;
    double begin_us;
};

static void
make_texts(void)
{
    for (uint64_t i = 0; i < TEXTS; i++) {
        struct random r = random_seed(i);

        do {
            uint64_t word = random_below(&r, 5000);

            buf_printf(&texts[i], "w%llu%s ", (unsigned long long)word,
                       word % 3 ? "en" : "ing");
        } while (texts[i].n < set.text);
        buf_char(&texts[i], '\n');
    }
}

static void
make(struct made *m, uint64_t from, uint64_t i)
{
    struct random r = random_seed(hash_mix(i) | 1);
    uint64_t of = i;

    if (i > from && random_below(&r, 100) < 15)
        of = from + random_below(&r, i - from);
    m->print =
        (struct fingerprint){.values_n = FINGERPRINT_SIZE, .shingles_n = 500};
    r = random_seed(hash_mix(of) & ~1ull);
    for (size_t k = 0; k < FINGERPRINT_SIZE; k++)
        m->print.value[k] = (uint32_t)random_u64(&r);
    for (size_t k = 0; k < WORDS; k++)
        m->word[k] = random_u64(&r) & random_u64(&r);
    for (uint64_t k = 0; of != i && k < 8; k++) {
        r = random_seed(hash_mix(i + k));
        m->print.value[random_below(&r, FINGERPRINT_SIZE)] ^= 1;
        m->word[random_below(&r, WORDS)] ^= 1u << random_below(&r, 31);
    }
    snprintf(m->url, sizeof m->url, "http://bench/%llu", (unsigned long long)i);
    m->signature = (struct signature){
        .word = m->word, .bits_n = SIGNATURE_BITS_MIN, .shingles_n = 500};
}

static int
compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

/* Of n numbers, which are sorted. */
static void
show_times(const char *what, float *ms, size_t n)
{
    qsort(ms, n, sizeof *ms, compare_floats);
    printf("%s: p50 %.2f p90 %.2f p99 %.2f most %.2f ms\n", what,
           (double)ms[n / 2], (double)ms[n - n / 10 - 1],
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
        double from = microseconds(CLOCK_MONOTONIC);

        if (write(fd, block, sizeof block) < 0 || fdatasync(fd) != 0)
            exit(1);
        ms[i] = (float)(microseconds(CLOCK_MONOTONIC) - from) / 1000;
    }
    close(fd);
    unlink(path);
    show_times("fdatasync", ms, WRITES);
}

/* When message number `n` of a sender is due: they take turns. */
static double
due_us(const struct sender *s, uint64_t n)
{
    double each = set.rate > 0 ? (double)(set.threads * set.batch) * 1e6 /
                                     (double)set.rate
                               : 0;

    return s->begin_us + each * (double)n;
}

static void
wait_until(double us)
{
    double left = us - microseconds(CLOCK_MONOTONIC);
    struct timespec t;

    if (left <= 0)
        return;
    t.tv_sec = (time_t)(left / 1e6);
    t.tv_nsec = (long)((left - (double)t.tv_sec * 1e6) * 1e3);
    nanosleep(&t, NULL);
}

static void
fill(struct dedup_document *d, struct dedup_record *records,
     const struct made *m, uint64_t i)
{
    struct str text = buf_view(&texts[i % TEXTS]);

    records[0] = (struct dedup_record){S("jsonl"), text};
    records[1] = (struct dedup_record){S("xml"), text};
    *d = (struct dedup_document){.id = document_id_make(str_c(m->url), i),
                                 .url = str_c(m->url),
                                 .digest = {hash_mix(i), i},
                                 .text_bytes = text.n,
                                 .records = records,
                                 .records_n = set.text > 0 ? 2 : 1};
    if (strcmp(set.near, "on") == 0) {
        d->fingerprint = &m->print;
        d->signature = &m->signature;
    }
}

static void *
send_all(void *arg)
{
    struct sender *s = arg;
    size_t room = set.batch;
    struct dedup_document *doc = calloc(room, sizeof *doc);
    struct dedup_answer *v = calloc(room, sizeof *v);
    struct dedup_record(*records)[2] = calloc(room, sizeof *records);
    uint64_t message = 0, n;

    for (uint64_t at = s->from; at < s->to; at += n, message++) {
        double begin;
        float ms;

        n = s->to - at < room ? s->to - at : room;
        for (uint64_t i = 0; i < n; i++)
            fill(&doc[i], records[i], &s->made[at + i], s->first + at + i);
        wait_until(due_us(s, message));
        begin =
            set.rate > 0 ? due_us(s, message) : microseconds(CLOCK_MONOTONIC);
        if (dedup_client_put_many(s->client, doc, n, &go_on, v) != ST_OK)
            exit(1);
        ms = (float)(microseconds(CLOCK_MONOTONIC) - begin) / 1000;
        for (uint64_t i = 0; i < n; i++) {
            s->waited_ms[at + i] = ms;
            s->verdicts[v[i].verdict]++;
        }
    }
    free(doc);
    free(v);
    free(records);
    return NULL;
}

static void
read_arguments(int argc, char **argv)
{
    const struct {
        const char *name;
        uint64_t *number;
        const char **text;
    } known[] = {{"documents", &set.documents, NULL},
                 {"threads", &set.threads, NULL},
                 {"batch", &set.batch, NULL},
                 {"rate", &set.rate, NULL},
                 {"text", &set.text, NULL},
                 {"sync", NULL, &set.sync},
                 {"url", NULL, &set.url},
                 {"dir", NULL, &set.dir},
                 {"near", NULL, &set.near}};

    for (int i = 1; i < argc; i++) {
        const char *value = strchr(argv[i], '=');
        size_t k = 0, n = value != NULL ? (size_t)(value - argv[i]) : 0;

        if (strncmp(argv[i], "option=", 7) == 0 && options_n < OPTIONS_MAX) {
            options[options_n++] = value + 1;
            continue;
        }
        while (k < sizeof known / sizeof *known &&
               (strlen(known[k].name) != n ||
                strncmp(known[k].name, argv[i], n) != 0))
            k++;
        if (value == NULL || k == sizeof known / sizeof *known) {
            fprintf(stderr, "bench_dedup: %s?\n", argv[i]);
            exit(2);
        }
        if (known[k].number != NULL)
            *known[k].number = strtoull(value + 1, NULL, 10);
        else
            *known[k].text = value + 1;
    }
    set.threads = set.threads < 1             ? 1
                  : set.threads > SENDERS_MAX ? SENDERS_MAX
                                              : set.threads;
    set.batch = set.batch < 1 ? 1 : set.batch;
}

static void
set_option(struct opts *o, const char *name, const char *value)
{
    char text[400];

    snprintf(text, sizeof text, "%s=%s", name, value);
    if (opts_set(o, "bench", str_c(text)) != ST_OK)
        exit(2);
}

static void
run(const struct opts *o, struct made *made, uint64_t first, float *waited)
{
    static struct sender senders[SENDERS_MAX];
    double begin = microseconds(CLOCK_MONOTONIC) + 1000,
           cpu = microseconds(CLOCK_PROCESS_CPUTIME_ID), took;
    uint64_t verdicts[4] = {0};

    for (uint64_t i = 0; i < set.threads; i++) {
        struct sender *s = &senders[i];

        *s = (struct sender){.made = made,
                             .first = first,
                             .from = set.documents * i / set.threads,
                             .to = set.documents * (i + 1) / set.threads,
                             .waited_ms = waited,
                             .begin_us = begin};
        if (set.rate > 0)
            s->begin_us += (double)(i * set.batch) * 1e6 / (double)set.rate;
        if (dedup_client_open(&s->client, o) != ST_OK)
            exit(1);
        pthread_create(&s->thread, NULL, send_all, s);
    }
    for (uint64_t i = 0; i < set.threads; i++) {
        pthread_join(senders[i].thread, NULL);
        dedup_client_close(senders[i].client);
        for (size_t k = 0; k < 4; k++)
            verdicts[k] += senders[i].verdicts[k];
    }
    took = (microseconds(CLOCK_MONOTONIC) - begin) / 1e6;
    printf("documents=%llu threads=%llu batch=%llu rate=%llu text=%llu sync=%s "
           "seconds=%.2f per_second=%.0f cpu_us_a_document=%.1f kept=%llu "
           "near=%llu\n",
           (unsigned long long)set.documents, (unsigned long long)set.threads,
           (unsigned long long)set.batch, (unsigned long long)set.rate,
           (unsigned long long)set.text, set.sync, took,
           (double)set.documents / took,
           (microseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu) /
               (double)set.documents,
           (unsigned long long)verdicts[VERDICT_KEPT],
           (unsigned long long)verdicts[VERDICT_NEAR_DUPLICATE]);
    show_times("acks", waited, set.documents);
}

int
main(int argc, char **argv)
{
    struct dedup_service *service;
    struct made *made;
    float *waited;
    struct opts o;
    uint64_t first;

    read_arguments(argc, argv);
    log_threshold = LOG_WARN;
    opts_init(&o);
    if (set.dir == NULL) {
        folder_open();
        set.dir = folder;
    }
    set_option(&o, "dedup.sync", set.sync);
    set_option(&o, "dedup.url", set.url);
    set_option(&o, "output.disk_free_mib", "0");
    for (size_t i = 0; i < options_n; i++)
        if (opts_set(&o, "bench", str_c(options[i])) != ST_OK)
            exit(2);
    arena_keep(ARENA_KEEP_MESSAGES); /* as winnow dedup */
    make_texts();
    made = calloc(set.documents, sizeof *made);
    waited = calloc(set.documents, sizeof *waited);
    first = clock_wall_ms() << 24; /* visits that no run had before */
    for (uint64_t i = 0; made != NULL && i < set.documents; i++)
        make(&made[i], first, first + i);
    if (made == NULL || waited == NULL ||
        dedup_service_start(&service, set.dir, &o) != ST_OK)
        return 1;
    wait_for_memory();
    time_disk(set.dir);
    run(&o, made, first, waited);
    time_disk(set.dir);
    dedup_service_stop(service);
    free(made);
    free(waited);
    opts_free(&o);
    for (size_t i = 0; i < TEXTS; i++)
        buf_free(&texts[i]);
    if (set.dir == folder)
        folder_close();
    return 0;
}
