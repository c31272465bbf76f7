/* What a page costs: bench_clean [--json] [--rounds N] [--pages N] [--list
 * FILE] [PATH...], PATH a file or a folder.  tests/bench/clean runs it over the
 * open web.
 *
 * Pages are read before any clock starts.  In one run, over the same pages:
 *
 *   chain    every stage, one thread, in CPU time of that thread, so that a
 *            busy machine disturbs it little; best of --rounds (5)
 *   stages   the same, each stage for itself; best round of each
 *   xmllint  user time of `xmllint --html --noout` over the same files
 *   threads  two threads over all pages against one: in wall-clock time, which
 *            needs an idle machine, and in CPU time, which shows what they
 *            cost each other on any; best of --rounds
 *   memory   --pages (100,000) pages through one thread: the most that its
 *            arena ever held, and how much the process grew
 *
 * A part that cannot be measured (no xmllint) is left out. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/resource.h>
#include <sys/wait.h>

#include "base/json.h"
#include "clean/cleaner/cleaner_chain.h"
#include "page_set.h"
#include "seconds.h"

#define ARGUMENTS_BYTES ((size_t)1 << 20) /* of one call of xmllint */

struct bench {
    struct page_set pages;
    struct cleaner *cleaner;
    size_t rounds, memory_pages;
    bool json;
};

struct result {
    double chain_us, stage_us[CHAIN_STAGES_MAX]; /* of all pages */
    double xmllint_us;                           /* negative: none */
    double wall_factor, cpu_factor;              /* of two threads; at best 2 */
    size_t text, tokens;
    size_t arena_high, grown_bytes, later_bytes;
};

static struct document
document(struct arena *a, struct str bytes)
{
    return (struct document){.arena = a,
                             .url_text = S("http://a.example/b/c"),
                             .bytes = bytes,
                             .content_type = S(""),
                             .x_robots_tag = S(""),
                             .robots_agent = S("winnow")};
}

static void
run_chain(const struct bench *b, struct arena *a, size_t page,
          struct document *d)
{
    *d = document(a, b->pages.bytes[page]);
    if (cleaner_run(b->cleaner, d, false) != ST_OK)
        abort();
}

static void
least(double *best, double x)
{
    if (*best == 0 || x < *best)
        *best = x;
}

static void
measure_chain(const struct bench *b, struct arena *a, struct result *r)
{
    for (size_t round = 0; round < b->rounds; round++) {
        double start = microseconds(CLOCK_THREAD_CPUTIME_ID);

        r->text = r->tokens = 0;
        for (size_t i = 0; i < b->pages.n; i++) {
            struct document d;

            run_chain(b, a, i, &d);
            r->text += d.kept_chars;
            r->tokens += d.tokens_n;
            arena_reset(a);
        }
        least(&r->chain_us, microseconds(CLOCK_THREAD_CPUTIME_ID) - start);
    }
}

/* What asking the clock takes. */
static double
clock_us(void)
{
    enum { TIMES = 10000 };
    double start = microseconds(CLOCK_THREAD_CPUTIME_ID);

    for (int i = 0; i < TIMES; i++)
        (void)microseconds(CLOCK_THREAD_CPUTIME_ID);
    return (microseconds(CLOCK_THREAD_CPUTIME_ID) - start) / (double)TIMES;
}

static void
measure_stages(const struct bench *b, struct arena *a, struct result *r)
{
    const struct chain *c = cleaner_chain(b->cleaner);
    double clock = clock_us();

    for (size_t round = 0; round < b->rounds; round++) {
        double us[CHAIN_STAGES_MAX] = {0};

        for (size_t i = 0; i < b->pages.n; i++) {
            struct document d = document(a, b->pages.bytes[i]);

            for (size_t s = 0; s < chain_stages_n(c); s++) {
                double start = microseconds(CLOCK_THREAD_CPUTIME_ID);

                if (chain_run_one(c, s, &d, false) != ST_OK)
                    abort();
                us[s] += microseconds(CLOCK_THREAD_CPUTIME_ID) - start - clock;
            }
            arena_reset(a);
        }
        for (size_t s = 0; s < chain_stages_n(c); s++)
            least(&r->stage_us[s], us[s] > 0 ? us[s] : 0);
    }
}

/* One call of xmllint over pages from *at on, as many as fit; user time. */
static double
xmllint_some(const struct page_set *pages, size_t *at)
{
    const char **argv = calloc(pages->n - *at + 5, sizeof *argv);
    struct rusage used = {0};
    size_t n = 0, bytes = 0;
    pid_t child;

    argv[n++] = "xmllint";
    argv[n++] = "--html";
    argv[n++] = "--noout";
    argv[n++] = "--nowarning";
    for (; *at < pages->n && bytes < ARGUMENTS_BYTES; ++*at) {
        argv[n++] = pages->path[*at];
        bytes += strlen(pages->path[*at]) + 1 + sizeof *argv;
    }
    child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);

        dup2(null, STDERR_FILENO); /* its complaints about the pages */
        execvp(argv[0], (char **)(void *)argv);
        _exit(127);
    }
    free(argv);
    if (child < 0)
        return -1;
    int status;
    while (wait4(child, &status, 0, &used) < 0 && errno == EINTR)
        ;
    if (!WIFEXITED(status) || WEXITSTATUS(status) == 127)
        return -1;
    return (double)used.ru_utime.tv_sec * 1e6 + (double)used.ru_utime.tv_usec;
}

static void
measure_xmllint(const struct bench *b, struct result *r)
{
    for (size_t round = 0; round < (b->rounds + 1) / 2; round++) {
        double us = 0;

        for (size_t at = 0; at < b->pages.n;) {
            double some = xmllint_some(&b->pages, &at);

            if (some < 0) {
                r->xmllint_us = -1;
                return;
            }
            us += some;
        }
        least(&r->xmllint_us, us);
    }
}

static void *
all_pages(void *arg)
{
    struct bench *b = arg;
    struct arena *a = arena_new();

    for (size_t i = 0; i < b->pages.n; i++) {
        struct document d;

        run_chain(b, a, i, &d);
        arena_reset(a);
    }
    arena_free(a);
    return NULL;
}

/* All pages by each of n threads: the least time so far. */
static void
time_threads(struct bench *b, size_t n, double *wall_us, double *cpu_us)
{
    double wall = microseconds(CLOCK_MONOTONIC);
    double cpu = microseconds(CLOCK_PROCESS_CPUTIME_ID);
    pthread_t thread[2];

    for (size_t i = 0; i < n; i++)
        if (pthread_create(&thread[i], NULL, all_pages, b) != 0)
            abort();
    for (size_t i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
    least(wall_us, microseconds(CLOCK_MONOTONIC) - wall);
    least(cpu_us, microseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu);
}

static void
measure_threads(struct bench *b, struct result *r)
{
    double wall_1 = 0, wall_2 = 0, cpu_1 = 0, cpu_2 = 0;

    for (size_t round = 0; round < b->rounds; round++) {
        time_threads(b, 1, &wall_1, &cpu_1);
        time_threads(b, 2, &wall_2, &cpu_2);
    }
    r->wall_factor = 2 * wall_1 / wall_2;
    r->cpu_factor = 2 * 2 * cpu_1 / cpu_2;
}

/* Memory of the process that is in use. */
static size_t
resident_bytes(void)
{
    FILE *f = fopen("/proc/self/statm", "r");
    unsigned long all = 0, resident = 0;

    if (f == NULL || fscanf(f, "%lu %lu", &all, &resident) != 2)
        resident = 0;
    if (f != NULL)
        fclose(f);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

static size_t
above(size_t x, size_t base)
{
    return x > base ? x - base : 0;
}

struct memory_run {
    const struct bench *bench;
    struct result *result;
};

/* In a thread of its own, so that all it keeps is new. */
static void *
count_memory(void *arg)
{
    const struct bench *b = ((struct memory_run *)arg)->bench;
    struct result *r = ((struct memory_run *)arg)->result;
    size_t start = resident_bytes(), tenth = 0;
    struct arena *a = arena_new();

    for (size_t i = 0; i < b->memory_pages; i++) {
        struct document d;

        run_chain(b, a, i % b->pages.n, &d);
        arena_reset(a);
        if (i == b->memory_pages / 10)
            tenth = resident_bytes();
    }
    r->arena_high = arena_high(a);
    r->grown_bytes = above(resident_bytes(), start);
    r->later_bytes = above(resident_bytes(), tenth);
    arena_free(a);
    return NULL;
}

static void
measure_memory(const struct bench *b, struct result *r)
{
    struct memory_run run = {b, r};
    pthread_t thread;

    if (b->memory_pages == 0)
        return;
    if (pthread_create(&thread, NULL, count_memory, &run) != 0)
        abort();
    pthread_join(thread, NULL);
}

static void
show(const struct bench *b, const struct result *r)
{
    const struct chain *c = cleaner_chain(b->cleaner);
    double pages = (double)b->pages.n, bytes = (double)b->pages.bytes_n;

    printf("%zu pages, mean %.1f kB, of which kept %.1f kB of text, %.0f "
           "words\n\n",
           b->pages.n, bytes / 1e3 / pages, (double)r->text / 1e3 / pages,
           (double)r->tokens / pages);
    for (size_t s = 0; s < chain_stages_n(c); s++)
        if (r->stage_us[s] / pages >= 0.05)
            printf("%-12s %8.1f us/page\n", chain_stage_name(c, s),
                   r->stage_us[s] / pages);
    printf("%-12s %8.1f us/page = %.0f pages/s, %.1f MB/s, one thread\n",
           "whole chain", r->chain_us / pages, pages / r->chain_us * 1e6,
           bytes / r->chain_us);
    if (r->xmllint_us > 0)
        printf("%-12s %8.1f us/page = %.2f times the chain\n", "xmllint",
               r->xmllint_us / pages, r->xmllint_us / r->chain_us);
    printf("%-12s %8.2f times the pages of one; %.2f by CPU time\n",
           "two threads", r->wall_factor, r->cpu_factor);
    if (b->memory_pages > 0)
        printf("%-12s %8.1f MB at most in the arena, %.1f MB more in the "
               "process after %zu pages, %.1f MB of it after the first tenth\n",
               "memory", (double)r->arena_high / 1e6,
               (double)r->grown_bytes / 1e6, b->memory_pages,
               (double)r->later_bytes / 1e6);
}

static void
show_json(const struct bench *b, const struct result *r)
{
    const struct chain *c = cleaner_chain(b->cleaner);
    double pages = (double)b->pages.n, bytes = (double)b->pages.bytes_n;
    struct buf out = {0};
    struct json j = {.out = &out};

    json_object(&j);
    json_ku64(&j, "pages", b->pages.n);
    json_ku64(&j, "bytes", b->pages.bytes_n);
    json_key(&j, "stage_us_per_page");
    json_object(&j);
    for (size_t s = 0; s < chain_stages_n(c); s++)
        json_kreal(&j, chain_stage_name(c, s), r->stage_us[s] / pages);
    json_object_end(&j);
    json_kreal(&j, "chain_us_per_page", r->chain_us / pages);
    json_kreal(&j, "pages_per_second", pages / r->chain_us * 1e6);
    json_kreal(&j, "mb_per_second", bytes / r->chain_us);
    if (r->xmllint_us > 0) {
        json_kreal(&j, "xmllint_us_per_page", r->xmllint_us / pages);
        json_kreal(&j, "xmllint_ratio", r->xmllint_us / r->chain_us);
    }
    json_kreal(&j, "two_threads_factor", r->wall_factor);
    json_kreal(&j, "two_threads_factor_cpu", r->cpu_factor);
    if (b->memory_pages > 0) {
        json_ku64(&j, "memory_pages", b->memory_pages);
        json_ku64(&j, "arena_high_bytes", r->arena_high);
        json_ku64(&j, "grown_bytes", r->grown_bytes);
        json_ku64(&j, "grown_bytes_after_first_tenth", r->later_bytes);
    }
    json_object_end(&j);
    printf("%.*s\n", STRF(buf_view(&out)));
    buf_free(&out);
}

static bool
number(const char *word, size_t *n)
{
    uint64_t x;

    if (word == NULL || !str_u64(str_c(word), &x))
        return false;
    *n = (size_t)x;
    return true;
}

static bool
read_arguments(struct bench *b, char **argv)
{
    bool good = true;

    while (good && *++argv != NULL) {
        if (strcmp(*argv, "--json") == 0)
            b->json = true;
        else if (strcmp(*argv, "--rounds") == 0)
            good = number(*++argv, &b->rounds) && b->rounds > 0;
        else if (strcmp(*argv, "--pages") == 0)
            good = number(*++argv, &b->memory_pages);
        else if (strcmp(*argv, "--list") == 0)
            good = *++argv != NULL && page_set_list(&b->pages, *argv);
        else
            good = page_set_add(&b->pages, *argv);
        if (*argv == NULL)
            break;
    }
    if (good && b->pages.n > 0)
        return true;
    fprintf(stderr, "usage: bench_clean [--json] [--rounds N] [--pages N] "
                    "[--list FILE] [PATH...]\n");
    return false;
}

int
main(int argc, char **argv)
{
    struct bench b = {.rounds = 5, .memory_pages = 100000};
    struct result r = {0};
    struct arena *a = arena_new();
    struct opts o;
    bool good;

    (void)argc;
    opts_init(&o);
    page_set_init(&b.pages);
    good = read_arguments(&b, argv) && opts_read_env(&o) == ST_OK &&
           cleaner_open(&b.cleaner, &o) == ST_OK;
    if (good) {
        measure_chain(&b, a, &r);
        measure_stages(&b, a, &r);
        measure_xmllint(&b, &r);
        measure_threads(&b, &r);
        measure_memory(&b, &r);
        (b.json ? show_json : show)(&b, &r);
    }
    page_set_free(&b.pages);
    arena_free(a);
    cleaner_close(b.cleaner);
    opts_free(&o);
    return good ? 0 : 2;
}
