/* bench_wire -- known URLs a second that a frontier service turns away over tcp
 * on loopback, and what they cost.
 *
 * The service is this program, executed again.  It gets `urls` URLs, in
 * messages of `links` each; then all of them come again, and again, until
 * `seconds` are over: from `threads` threads of the asker, each with `ahead`
 * calls under way.  Messages are made before the clock starts, so that the wire
 * and the service are measured and no client.  Prints one line: URLs a second,
 * CPU of the service and of the asker for a million URLs.
 *
 *   bench_wire [urls=200000] [links=100] [threads=1] [ahead=32] [seconds=3] */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../frontier/service/frontier_client.h"
#include "../../frontier/service/frontier_service.h"
#include "../../frontier/service/message.h"
#include "../folder.h"
#include "base/clock.h"
#include "base/log.h"
#include "proto/endpoint.h"

static struct {
    uint64_t urls, links, threads, ahead, seconds;
} set = {200000, 100, 1, 32, 3};

#define HOSTS 1000u /* as many that URLs are spread over */
#define AHEAD_MAX 256u

static char url[64];

static void
fail(const char *what)
{
    fprintf(stderr, "bench_wire: %s\n", what);
    exit(1);
}

/* ---- the service ---- */

static int
serve(const char *at, const char *dir)
{
    struct frontier_service *s;
    struct opts o;
    sigset_t end;
    int number;

    sigemptyset(&end);
    sigaddset(&end, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &end, NULL);
    log_threshold = LOG_ERROR;
    opts_init(&o);
    o.frontier_url = str_c(at);
    o.frontier_map_gib = 4;
    o.output_disk_free_mib = 0;
    if (frontier_service_start(&s, dir, &o) != ST_OK)
        return 1;
    sigwait(&end, &number);
    frontier_service_stop(s);
    opts_free(&o);
    return 0;
}

/* ---- messages ---- */

/* The i-th put of a sitemap of its host: links of that host. */
static struct buf
message(uint64_t i)
{
    struct arena *a = arena_new();
    struct frontier_link *links =
        ARENA_ARRAY(a, struct frontier_link, set.links);
    struct str host =
        arena_printf(a, "h%llu.example", (unsigned long long)(i % HOSTS));
    Winnow__Frontier__PutRequest q;
    message_request m;
    struct buf out = {0};

    for (uint64_t k = 0; k < set.links; k++)
        links[k] = (struct frontier_link){
            .url = arena_printf(a, "http://%.*s/a-folder/page-%llu-%llu.html",
                                STRF(host), (unsigned long long)i,
                                (unsigned long long)k),
            .domain = host};
    winnow__frontier__request__init(&m);
    winnow__frontier__put_request__init(&q);
    q.owner = arena_cstr(a, host);
    q.url =
        arena_cstr(a, arena_printf(a, "http://%.*s/sitemap.xml", STRF(host)));
    q.links = message_from_links(a, links, set.links);
    q.n_links = set.links;
    m.call_case = WINNOW__FRONTIER__REQUEST__CALL_PUT;
    m.put = &q;
    message_write_request(&out, &m);
    arena_free(a);
    return out;
}

/* One link of every host: what a sitemap lists is taken for known hosts. */
static struct buf
seeds(void)
{
    struct arena *a = arena_new();
    struct frontier_link *links = ARENA_ARRAY(a, struct frontier_link, HOSTS);
    Winnow__Frontier__HelloRequest q;
    message_request m;
    struct buf out = {0};

    for (unsigned i = 0; i < HOSTS; i++) {
        struct str host = arena_printf(a, "h%u.example", i);

        links[i] = (struct frontier_link){
            .url = arena_printf(a, "http://%.*s/", STRF(host)), .domain = host};
    }
    winnow__frontier__request__init(&m);
    winnow__frontier__hello_request__init(&q);
    q.seeds = message_from_links(a, links, HOSTS);
    q.n_seeds = HOSTS;
    m.call_case = WINNOW__FRONTIER__REQUEST__CALL_HELLO;
    m.hello = &q;
    message_write_request(&out, &m);
    arena_free(a);
    return out;
}

/* ---- askers ---- */

struct asker {
    pthread_t thread;
    struct endpoint *e;
    const struct buf *messages;
    uint64_t from, to, calls, until_ms;
};

static void
check(struct asker *k, const struct buf *bytes)
{
    struct arena *a = arena_new();
    message_reply *r;

    if (message_read_reply(&r, a, buf_view(bytes)) != ST_OK ||
        r->code != WINNOW__FRONTIER__CODE__OK || r->put == NULL)
        fail("a put was not accepted");
    k->calls++;
    arena_free(a);
}

#ifdef BENCH_ONE_AT_A_TIME /* to measure trees without endpoint_send() */
static void *
ask(void *self)
{
    struct asker *k = self;
    struct buf reply = {0};

    for (uint64_t i = k->from;; i = i + 1 < k->to ? i + 1 : k->from) {
        if (k->until_ms > 0 ? clock_steady_ms() >= k->until_ms
                            : k->calls == k->to - k->from)
            break;
        if (endpoint_call(k->e, buf_view(&k->messages[i]), &reply, 60000) !=
            ST_OK)
            fail("no answer");
        check(k, &reply);
    }
    buf_free(&reply);
    return NULL;
}
#else
static void *
ask(void *self)
{
    struct asker *k = self;
    struct endpoint_call *calls[AHEAD_MAX];
    struct buf reply = {0};
    uint64_t sent = 0, got = 0, i = k->from;

    for (;;) {
        bool more = k->until_ms > 0 ? clock_steady_ms() < k->until_ms
                                    : sent < k->to - k->from;

        if (more && sent - got < set.ahead) {
            calls[sent++ % AHEAD_MAX] =
                endpoint_send(k->e, buf_view(&k->messages[i]), 60000, NULL);
            i = i + 1 < k->to ? i + 1 : k->from;
            continue;
        }
        if (got == sent)
            break;
        if (endpoint_receive(calls[got++ % AHEAD_MAX], &reply) != ST_OK)
            fail("no answer");
        check(k, &reply);
    }
    buf_free(&reply);
    return NULL;
}
#endif

/* All messages once (until_ms 0) or again and again. */
static struct asker
ask_all(struct endpoint *e, const struct buf *messages, uint64_t n,
        uint64_t until_ms)
{
    struct asker askers[64] = {0}, sum = {0};
    uint64_t threads = set.threads < 64 ? set.threads : 64;

    for (uint64_t t = 0; t < threads; t++) {
        askers[t] = (struct asker){.e = e,
                                   .messages = messages,
                                   .from = n * t / threads,
                                   .to = n * (t + 1) / threads,
                                   .until_ms = until_ms};
        pthread_create(&askers[t].thread, NULL, ask, &askers[t]);
    }
    for (uint64_t t = 0; t < threads; t++) {
        pthread_join(askers[t].thread, NULL);
        sum.calls += askers[t].calls;
    }
    return sum;
}

/* ---- the run ---- */

static double
my_cpu_s(void)
{
    struct rusage mine;

    getrusage(RUSAGE_SELF, &mine);
    return (double)(mine.ru_utime.tv_sec + mine.ru_stime.tv_sec) +
           (double)(mine.ru_utime.tv_usec + mine.ru_stime.tv_usec) / 1e6;
}

static double
cpu_s(pid_t child)
{
    char path[64], line[1024], *p;
    unsigned long user = 0, system = 0;
    FILE *f;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)child);
    if ((f = fopen(path, "re")) != NULL) {
        if (fgets(line, sizeof line, f) && (p = strrchr(line, ')')) != NULL)
            sscanf(p, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
                   &user, &system);
        fclose(f);
    }
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static void
measure(struct endpoint *e, pid_t child)
{
    uint64_t n = set.urls / set.links, began;
    struct buf *messages = calloc(n, sizeof *messages), reply = {0};
    struct buf hello = seeds();
    struct asker sum;
    double cpu, mine, seconds, known;

    for (uint64_t i = 0; i < n; i++)
        messages[i] = message(i);
    if (endpoint_call(e, buf_view(&hello), &reply, 60000) != ST_OK)
        fail("no service");
    sum = ask_all(e, messages, n, 0);
    fprintf(stderr, "loaded: %llu URLs\n",
            (unsigned long long)(sum.calls * set.links));
    cpu = cpu_s(child);
    mine = my_cpu_s();
    began = clock_steady_ms();
    sum = ask_all(e, messages, n, began + set.seconds * 1000);
    seconds = (double)(clock_steady_ms() - began) / 1000;
    cpu = cpu_s(child) - cpu;
    mine = my_cpu_s() - mine;
    known = (double)(sum.calls * set.links);
    printf("threads=%llu ahead=%llu links=%llu: %.0f known URLs a second, "
           "CPU a million: service %.2f s, asker %.2f s\n",
           (unsigned long long)set.threads, (unsigned long long)set.ahead,
           (unsigned long long)set.links, known / seconds, cpu / known * 1e6,
           mine / known * 1e6);
    for (uint64_t i = 0; i < n; i++)
        buf_free(&messages[i]);
    free(messages);
    buf_free(&hello);
    buf_free(&reply);
}

static void
read_settings(char **words)
{
    static const struct {
        const char *name;
        uint64_t *value;
    } names[] = {{"urls=", &set.urls},
                 {"links=", &set.links},
                 {"threads=", &set.threads},
                 {"ahead=", &set.ahead},
                 {"seconds=", &set.seconds}};

    for (; *words != NULL; words++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (strncmp(*words, names[i].name, strlen(names[i].name)) == 0)
                *names[i].value =
                    strtoull(*words + strlen(names[i].name), NULL, 10);
    if (set.ahead > AHEAD_MAX || set.links == 0 || set.threads == 0)
        fail("settings out of range");
}

int
main(int argc, char **argv)
{
    struct endpoint *e;
    pid_t child;

    if (argc == 4 && strcmp(argv[1], "--serve") == 0)
        return serve(argv[2], argv[3]);
    read_settings(argv + 1);
    log_threshold = LOG_ERROR;
    snprintf(url, sizeof url, "tcp://127.0.0.1:%d", 20000 + getpid() % 20000);
    folder_open();
    if ((child = fork()) == 0) {
        execl("/proc/self/exe", "bench_wire", "--serve", url, folder,
              (char *)NULL);
        _exit(127);
    }
    if (endpoint_dial(&e, url, NULL) != ST_OK)
        fail("no endpoint");
    measure(e, child);
    endpoint_close(e);
    kill(child, SIGTERM);
    waitpid(child, NULL, 0);
    folder_close();
    return 0;
}
