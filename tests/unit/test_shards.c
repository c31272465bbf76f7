/* Aim: a table of bands that is spread over shards gives the verdicts of one
 * that is not, whichever process is killed and started anew.  Method: the same
 * documents, which replace, resemble and equal each other, to an index without
 * shards and to one with; in one process, where shards come and go between two
 * batches, and in three that are killed while they work. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../shingle/store/corpus_file.h"
#include "../../shingle/index/index.h"
#include "../../shingle/shards/shard.h"
#include "../../shingle/shards/shards.h"
#include "base/clock.h"
#include "base/log.h"
#include "dedup_world.h"

enum { FAMILIES = 200, BATCH = 7, SHARDS = 2 };

/* Document i of a stream that is the same in every run. */
static void
make(struct util_doc *d, uint64_t i)
{
    struct random r = random_seed(hash_mix(i + 1));
    uint64_t family = random_below(&r, FAMILIES);

    util_doc(d, i, i % 7 == 0 ? family : i, 1);
    d->print = util_mutate(util_print(family), (int)(i % 4), i);
    d->doc.text_bytes = 500 + random_below(&r, 5000);
}

static struct index *
open_index(const char *name, struct shards *shards)
{
    struct store_options o = {.map_gib = 1,
                              .sync = STR("none"),
                              .shards = shards,
                              .checkpoint_bytes = 1};
    struct path p = path_printf("%s/%s", folder, name);
    struct index *x = NULL;

    (void)mkdir(p.z, 0700);
    CHECK(index_open(&x, p.z, 0.8, &o) == ST_OK);
    return x;
}

static struct shards *
open_shards(const char *first, const char *second)
{
    struct str url[SHARDS] = {str_c(first), str_c(second)};
    struct opt_list list = {url, SHARDS};
    struct shards *s = NULL;

    CHECK(shards_open(&s, &list, NULL) == ST_OK && s != NULL);
    return s;
}

static void
an_address_stands_there_once(void)
{
    struct str url[2] = {S("ipc:///tmp/a.sock"), S("ipc:///tmp/a.sock")};
    struct opt_list list = {url, 2};
    struct shards *s;

    CHECK(shards_open(&s, &list, NULL) == ST_USAGE && s == NULL);
    CHECK(shards_check(&list, NULL) == ST_USAGE);
    url[1] = S("foo://x");
    CHECK(shards_check(&list, NULL) == ST_USAGE);
    url[1] = S("ipc:///tmp/b.sock");
    CHECK(shards_check(&list, NULL) == ST_OK);
}

static struct band_shard *
start_shard(const char *url)
{
    struct band_shard *s = NULL;
    struct opts o;

    opts_init(&o);
    CHECK(shard_start(&s, str_c(url), &o) == ST_OK);
    opts_free(&o);
    return s;
}

/* Ask until the shards are there; not longer than a minute. */
static bool
ask(struct index *x, struct util_doc *d, size_t n)
{
    for (int i = 0; i < 600; i++) {
        enum status st;

        for (size_t k = 0; k < n; k++)
            index_want(x, &d[k].doc);
        if ((st = index_ask(x)) != ST_BUSY)
            return st == ST_OK;
        clock_sleep_ms(100);
    }
    return false;
}

/* A batch, undone once before: its verdicts. */
static void
judge(struct index *x, uint64_t from, struct index_verdict *out)
{
    static struct util_doc d[BATCH];

    for (uint64_t k = 0; k < BATCH; k++)
        make(&d[k], from + k);
    for (int again = 0; again < 2; again++) {
        CHECK(ask(x, d, BATCH));
        CHECK(index_begin(x) == ST_OK);
        for (uint64_t k = 0; k < BATCH; k++)
            CHECK(index_decide(x, &d[k].doc, &out[k]) == ST_OK);
        if (again == 0)
            index_abort(x);
    }
    CHECK(index_commit(x) == ST_OK);
}

static size_t
differences(const struct index_verdict *a, const struct index_verdict *b)
{
    size_t n = 0;

    for (size_t i = 0; i < BATCH; i++)
        n += a[i].answer.verdict != b[i].answer.verdict ||
             strcmp(a[i].answer.of.z, b[i].answer.of.z) != 0 ||
             a[i].replaced_n != b[i].replaced_n || a[i].known != b[i].known;
    return n;
}

static void
verdicts_are_those_of_one_table(void)
{
    enum { DOCUMENTS = 2100 };
    struct band_shard *shard[SHARDS];
    struct shards *shards;
    struct index *one, *spread;
    size_t wrong = 0, near = 0, replaced = 0;
    struct dedup_stat a, b;

    folder_open();
    shard[0] = start_shard("inproc://shard-a");
    shard[1] = start_shard("inproc://shard-b");
    shards = open_shards("inproc://shard-a", "inproc://shard-b");
    one = open_index("one", NULL);
    spread = open_index("spread", shards);
    for (uint64_t i = 0; i < DOCUMENTS; i += BATCH) {
        struct index_verdict x[BATCH], y[BATCH];

        if (i == 40 * BATCH || i == 120 * BATCH) { /* one has lost its table */
            size_t which = i > 100 * BATCH;

            shard_stop(shard[which]);
            shard[which] =
                start_shard(which ? "inproc://shard-b" : "inproc://shard-a");
        }
        if (i == 200 * BATCH) { /* the service is another process */
            index_close(spread);
            shards_close(shards);
            shards = open_shards("inproc://shard-a", "inproc://shard-b");
            spread = open_index("spread", shards);
        }
        judge(one, i, x);
        judge(spread, i, y);
        wrong += differences(x, y);
        for (size_t k = 0; k < BATCH; k++) {
            near += x[k].answer.verdict == VERDICT_NEAR_DUPLICATE;
            replaced += x[k].replaced_n;
        }
    }
    CHECK(wrong == 0 && near > 500 && replaced > 100);
    CHECK(index_stat(one, &a) == ST_OK && index_stat(spread, &b) == ST_OK);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
    index_close(spread);
    shards_close(shards);

    /* With all of the table again, and the other one without. */
    spread = open_index("spread", NULL);
    index_close(one);
    shards = open_shards("inproc://shard-a", "inproc://shard-b");
    clock_sleep_ms(5100); /* they were another service's */
    one = open_index("one", shards);
    for (uint64_t i = DOCUMENTS; i < DOCUMENTS + 20 * BATCH; i += BATCH) {
        struct index_verdict x[BATCH], y[BATCH];

        judge(one, i, x);
        judge(spread, i, y);
        wrong += differences(x, y);
    }
    CHECK(wrong == 0);
    index_close(one);
    index_close(spread);
    shards_close(shards);
    shard_stop(shard[0]);
    shard_stop(shard[1]);
    folder_close();
}

static void
a_shard_serves_one_service(void)
{
    struct band_shard *shard[SHARDS];
    struct shards *first, *second;
    struct index *x, *y;
    struct index_verdict v[BATCH];
    struct util_doc d;

    folder_open();
    shard[0] = start_shard("inproc://shard-a");
    shard[1] = start_shard("inproc://shard-b");
    first = open_shards("inproc://shard-a", "inproc://shard-b");
    second = open_shards("inproc://shard-a", "inproc://shard-b");
    x = open_index("one", first);
    y = open_index("spread", second);
    for (uint64_t i = 0; i < 20 * BATCH; i += BATCH)
        judge(x, i, v);
    make(&d, 1);
    index_want(y, &d.doc);
    CHECK(index_ask(y) == ST_BUSY);
    judge(x, 20 * BATCH, v); /* it was not disturbed */
    CHECK(ask(y, &d, 1));    /* and when it is silent, goes to the other */
    index_close(x);
    index_close(y);
    shards_close(first);
    shards_close(second);
    shard_stop(shard[0]);
    shard_stop(shard[1]);
    folder_close();
}

static void
without_a_shard_nothing_is_judged(void)
{
    struct shards *shards;
    struct index *x;
    struct util_doc d;

    folder_open();
    shards = open_shards("inproc://shard-nobody", "inproc://shard-nowhere");
    x = open_index("one", shards);
    make(&d, 1);
    index_want(x, &d.doc);
    CHECK(index_ask(x) == ST_BUSY);
    d.doc.fingerprint = NULL; /* in no band */
    index_want(x, &d.doc);
    CHECK(index_ask(x) == ST_OK);
    index_close(x);
    shards_close(shards);
    folder_close();
}

/* ---- processes ---- */

static int
serve(const char *what, const char *dir, char **settings)
{
    struct dedup_service *service;
    struct band_shard *shard;
    struct opts o;

    opts_init(&o);
    for (; *settings != NULL; settings++)
        if (opts_set(&o, "test", str_c(*settings)) != ST_OK)
            return 1;
    log_threshold = LOG_ERROR;
    if (strcmp(what, "--serve") == 0
            ? dedup_service_start(&service, dir, &o) != ST_OK
            : shard_start(&shard, str_c(what), &o) != ST_OK)
        return 1;
    for (;;)
        pause();
}

static pid_t
start_child(const char *what, const char *url, const char *shards)
{
    pid_t child = fork();

    if (child == 0) {
        execl("/proc/self/exe", "test_shards", what, folder, "dedup.map_gib=1",
              "output.disk_free_mib=0", url, shards, (char *)NULL);
        _exit(127);
    }
    return child;
}

static void
kill_child(pid_t child)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

/* What the service answers of document i is what the index says. */
static size_t
ship(struct world *w, struct index *one, uint64_t from)
{
    static struct util_doc d[BATCH];
    struct dedup_document doc[BATCH];
    struct dedup_answer a[BATCH];
    struct index_verdict v[BATCH];
    size_t wrong = 0;

    for (uint64_t k = 0; k < BATCH; k++) {
        make(&d[k], from + k);
        doc[k] = d[k].doc;
    }
    judge(one, from, v);
    if (dedup_client_put_many(w->client, doc, BATCH, &go_on, a) != ST_OK)
        return BATCH;
    for (size_t k = 0; k < BATCH; k++)
        wrong += a[k].verdict != v[k].answer.verdict ||
                 strcmp(a[k].of.z, v[k].answer.of.z) != 0;
    return wrong;
}

static void
killed_processes_change_no_verdict(void)
{
    enum { DOCUMENTS = 1400 };
    struct path url[SHARDS];
    struct path service, shards;
    struct random r = random_seed(11);
    pid_t child[SHARDS + 1];
    struct index *one;
    size_t wrong = 0, kills = 0;
    struct world w;

    world_init(&w, (const char *const[]){NULL});
    url[0] = path_printf("ipc://%s/a", folder);
    url[1] = path_printf("ipc://%s/b", folder);
    service = path_printf("dedup.url=ipc://%s/s", folder);
    shards = path_printf("dedup.shards=%s %s", url[0].z, url[1].z);
    for (size_t i = 0; i < SHARDS; i++)
        child[i] = start_child(url[i].z, service.z, shards.z);
    child[SHARDS] = start_child("--serve", service.z, shards.z);
    CHECK(opts_set(&w.opts, "test", str_c(service.z)) == ST_OK);
    CHECK(dedup_client_open(&w.client, &w.opts) == ST_OK);
    one = open_index("one", NULL);
    for (uint64_t i = 0; i < DOCUMENTS; i += BATCH) {
        if (i % (20 * BATCH) == 19 * BATCH) {
            size_t which = kills++ % (SHARDS + 1);

            clock_sleep_ms(random_below(&r, 5));
            kill_child(child[which]);
            child[which] =
                start_child(which == SHARDS ? "--serve" : url[which].z,
                            service.z, shards.z);
        }
        wrong += ship(&w, one, i);
    }
    CHECK(wrong == 0 && kills == 10);
    index_close(one);
    dedup_client_close(w.client);
    for (size_t i = 0; i <= SHARDS; i++)
        kill_child(child[i]);
    world_end(&w);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(an_address_stands_there_once),
        TEST(verdicts_are_those_of_one_table),
        TEST(a_shard_serves_one_service),
        TEST(without_a_shard_nothing_is_judged),
        TEST(killed_processes_change_no_verdict),
        {0}};

    if (argc > 3)
        return serve(argv[1], argv[2], argv + 3);
    log_threshold = LOG_ERROR;
    return test_main(table, argc, argv);
}
