/* Aim: the service answers as promised over inproc and ipc, and a killed one
 * loses nothing and stores nothing twice.  Method: real sockets, real files;
 * the service that is killed is this test binary, executed again (nng must not
 * be used after fork).  The moments of the kills are seeded. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "../../shingle/store/corpus_file.h"
#include "../../shingle/message/dedup_message.h"
#include "base/clock.h"
#include "base/log.h"
#include "dedup_world.h"
#include "proto/endpoint.h"
#include "shingle/service/dedup_service.h"

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static enum verdict
ship(struct world *w, const struct dedup_document *doc, struct dedup_answer *a)
{
    struct dedup_answer own;

    a = a != NULL ? a : &own;
    CHECK(dedup_client_put(w->client, doc, &go_on, a) == ST_OK);
    return a->verdict;
}

/* The text of all parts DIR/sub of a suffix (tails too). */
static void
read_all(const char *sub, const char *suffix, struct buf *out)
{
    char command[1024];

    snprintf(command, sizeof command,
             "cd %s/%s 2>/dev/null && { for f in *.%s.gz; do [ ! -e $f ] || "
             "zcat $f || exit 1; done; cat *.%s.tail-* 2>/dev/null || :; } || "
             "[ ! -d %s/%s ]",
             folder, sub, suffix, suffix, folder, sub);
    util_run(command, out);
}

static size_t
count_in(const char *sub, const char *suffix, const char *what)
{
    struct buf text = {0};
    size_t n;

    read_all(sub, suffix, &text);
    n = util_occurrences(buf_view(&text), what);
    buf_free(&text);
    return n;
}

static void
check_verdicts(struct world *w)
{
    struct util_doc a, b, c, d, e;
    struct dedup_stat stat;
    struct dedup_answer v;

    util_doc(&a, 1, 1, 2);
    util_doc(&b, 2, 1, 2); /* the same text elsewhere */
    util_doc(&c, 3, 3, 2); /* nearly the same */
    c.print = util_mutate(a.print, 8, 3);
    util_doc(&d, 4, 4, 2); /* too different */
    d.print = util_mutate(a.print, 30, 4);
    util_doc(&e, 5, 5, 2);
    e.doc.reject = VERDICT_BADNESS;

    for (int round = 0; round < 3; round++) { /* sent again: the same */
        CHECK(ship(w, &a.doc, &v) == VERDICT_KEPT && v.of.z[0] == '\0');
        CHECK(ship(w, &b.doc, &v) == VERDICT_EXACT_DUPLICATE);
        CHECK(strcmp(v.of.z, a.id) == 0);
        CHECK(ship(w, &c.doc, &v) == VERDICT_NEAR_DUPLICATE);
        CHECK(strcmp(v.of.z, a.id) == 0);
        CHECK(ship(w, &d.doc, &v) == VERDICT_KEPT && v.of.z[0] == '\0');
        CHECK(ship(w, &e.doc, NULL) == VERDICT_REJECTED);
    }
    e = a; /* fetched anew: another capture of the same visit */
    e.doc.id = document_id_make(a.doc.url, 4711);
    CHECK(ship(w, &e.doc, &v) == VERDICT_KEPT);
    CHECK(document_id_equal(&v.id, &a.doc.id));
    CHECK(dedup_client_stat(w->client, &stat, 10000) == ST_OK);
    CHECK(stat.documents == 2 && stat.exact_duplicates == 1);
    CHECK(stat.near_duplicates == 1 && stat.rejected == 1);
    CHECK(stat.text_bytes == 2000 && stat.index_entries == 5);
}

static void
documents_are_judged_and_written_once(void)
{
    for (int t = 0; t < 2; t++) {
        char url[300] = "dedup.url=inproc://judged";
        struct world w;

        world_init(&w, SETTINGS("output.keep_rejected=on"));
        if (t == 1)
            snprintf(url, sizeof url, "dedup.url=ipc://%s/sock", folder);
        CHECK(opts_set(&w.opts, "test", str_c(url)) == ST_OK);
        for (int round = 0; round < 2; round++) { /* and after a restart */
            world_start(&w);
            check_verdicts(&w);
            world_stop(&w);
        }
        CHECK(count_in("corpus", "jsonl", "\"id\"") == 2);
        CHECK(count_in("corpus", "xml", "<doc ") == 2);
        CHECK(count_in("corpus", "xml", "t1<") == 1);
        CHECK(count_in("rejected", "xml", "<doc ") == 3);
        CHECK(count_in("rejected", "jsonl", "t5 ") == 1);
        world_end(&w);
    }
}

/* A longer copy that comes later replaces the first: the corpus gets a line. */
static void
what_a_longer_copy_replaces_is_in_the_corpus(void)
{
    struct world w;
    struct util_doc a, b;
    struct dedup_answer v;
    struct dedup_stat stat;
    char line[160];

    world_init(&w, SETTINGS("dedup.url=inproc://replaced"));
    world_start(&w);
    util_doc(&a, 1, 1, 1);
    util_doc(&b, 2, 2, 1);
    b.print = util_mutate(a.print, 5, 3);
    b.doc.text_bytes = a.doc.text_bytes + 1;
    CHECK(ship(&w, &a.doc, NULL) == VERDICT_KEPT);
    for (int round = 0; round < 3; round++) { /* told once */
        CHECK(ship(&w, &b.doc, &v) == VERDICT_KEPT && v.of.z[0] == '\0');
        world_stop(&w);
        world_start(&w);
    }
    util_doc(&a, 3, 1, 1); /* the text that was replaced, elsewhere */
    CHECK(ship(&w, &a.doc, &v) == VERDICT_NEAR_DUPLICATE);
    CHECK(strcmp(v.of.z, b.id) == 0);
    CHECK(v.estimate > 0.9 && v.estimate < 1);
    CHECK(dedup_client_stat(w.client, &stat, 10000) == ST_OK);
    CHECK(stat.documents == 2 && stat.replaced == 1);
    world_stop(&w);
    CHECK(count_in("corpus", "jsonl", "\"id\"") == 2);
    util_doc(&a, 1, 1, 1);
    snprintf(line, sizeof line, "%s %s 0.9", a.id, b.id);
    CHECK(count_in("replaced", "ids", line) == 1);
    CHECK(count_in("replaced", "ids", "\n") == 1);
    world_end(&w);
}

static void
fingerprints_of_another_family_are_refused(void)
{
    struct world w;
    struct util_doc d;
    struct dedup_service *other = NULL;
    struct dedup_answer v;

    log_threshold = LOG_ERROR + 1;
    world_init(&w, SETTINGS("dedup.url=inproc://family"));
    world_start(&w);
    util_doc(&d, 1, 1, 1);
    d.doc.scheme = S("rabin/100/5/1"); /* the first, and not of our job */
    CHECK(dedup_client_put(w.client, &d.doc, &go_on, &v) == ST_INVALID);
    d.doc.scheme = S("onepermutation/100/5/0");
    CHECK(ship(&w, &d.doc, NULL) == VERDICT_KEPT);
    util_doc(&d, 2, 2, 1);
    d.doc.scheme = S("rabin/100/5/1");
    CHECK(dedup_client_put(w.client, &d.doc, &go_on, &v) == ST_INVALID);
    d.doc.scheme = S("onepermutation/100/7/0");
    CHECK(dedup_client_put(w.client, &d.doc, &go_on, &v) == ST_INVALID);
    d.doc.scheme = S("none");
    CHECK(dedup_client_put(w.client, &d.doc, &go_on, &v) == ST_INVALID);
    d.doc.scheme = S("onepermutation/100/5/0");
    CHECK(ship(&w, &d.doc, NULL) == VERDICT_KEPT);
    world_stop(&w);
    CHECK(opts_set(&w.opts, "test", S("dedup.fingerprint=minima")) == ST_OK);
    CHECK(dedup_service_start(&other, folder, &w.opts) == ST_USAGE);
    CHECK(other == NULL);
    CHECK(count_in("corpus", "jsonl", "\"id\"") == 2);
    log_threshold = LOG_ERROR;
    world_end(&w);
}

static void
with_near_0_only_equal_texts_are_duplicates(void)
{
    struct world w;
    struct util_doc a, b, c;

    world_init(&w, SETTINGS("dedup.url=inproc://off", "dedup.near=0"));
    world_start(&w);
    util_doc(&a, 1, 1, 1);
    util_doc(&b, 2, 2, 1);
    b.print = a.print;
    util_doc(&c, 3, 1, 1);
    CHECK(ship(&w, &a.doc, NULL) == VERDICT_KEPT);
    CHECK(ship(&w, &b.doc, NULL) == VERDICT_KEPT);
    CHECK(ship(&w, &c.doc, NULL) == VERDICT_EXACT_DUPLICATE);
    world_stop(&w);
    CHECK(count_in("corpus", "jsonl", "\"id\"") == 2);
    CHECK(count_in("rejected", "jsonl", "\"id\"") == 0); /* keep_rejected off */
    world_end(&w);
}

static void
the_corpus_is_split_by_size(void)
{
    struct world w;
    struct util_doc d;
    struct buf big = {0}, names = {0};
    char command[512];

    world_init(&w, SETTINGS("dedup.url=inproc://split", "output.split_mib=1"));
    world_start(&w);
    for (uint64_t i = 0; i < 60; i++) {
        util_doc(&d, i, i, 1);
        buf_clear(&big);
        buf_c(&big, d.json);
        big.n--; /* the line end comes last */
        for (int k = 0; k < 100000; k++)
            buf_char(&big, (char)('a' + (k * (int)(i + 3)) % 26));
        buf_char(&big, '\n');
        d.records[0].bytes = buf_view(&big);
        CHECK(ship(&w, &d.doc, NULL) == VERDICT_KEPT);
    }
    world_stop(&w);
    snprintf(command, sizeof command, "ls %s/corpus", folder);
    util_run(command, &names);
    CHECK(util_occurrences(buf_view(&names), ".jsonl.gz") >= 4);
    CHECK(util_occurrences(buf_view(&names), "tail") == 0);
    CHECK(count_in("corpus", "jsonl", "\"id\"") == 60);
    buf_free(&big);
    buf_free(&names);
    world_end(&w);
}

static void
unusable_requests_are_bad_and_harm_no_other(void)
{
    struct world w;
    struct util_doc d;
    struct buf request = {0}, bytes = {0};
    struct endpoint *e = NULL;
    struct dedup_reply reply;
    struct arena *a = arena_new();
    struct dedup_answer v;

    world_init(&w, SETTINGS("dedup.url=inproc://bad"));
    world_start(&w);
    CHECK(endpoint_dial(&e, "inproc://bad", NULL) == ST_OK);
    CHECK(endpoint_call(e, S("garbage"), &bytes, 10000) == ST_OK);
    CHECK(dedup_message_read_reply(buf_view(&bytes), a, &reply) == ST_OK);
    CHECK(reply.code == MESSAGE_BAD);
    endpoint_close(e);

    util_doc(&d, 1, 1, 1);
    memcpy(d.doc.id.z, "../../../etc/passwd/and/so/on/the/..", 37);
    CHECK(dedup_client_put(w.client, &d.doc, &go_on, &v) == ST_INVALID);
    util_doc(&d, 1, 1, 1);
    d.records[0].suffix = S("../x");
    CHECK(dedup_client_put(w.client, &d.doc, &go_on, &v) == ST_INVALID);
    util_doc(&d, 1, 1, 0);
    CHECK(dedup_client_put(w.client, &d.doc, &go_on, &v) == ST_INVALID);
    for (int i = 0; i < 40; i++) { /* formats without end */
        char suffix[16];

        snprintf(suffix, sizeof suffix, "f%d", i);
        util_doc(&d, (uint64_t)(100 + i), (uint64_t)(100 + i), 1);
        d.records[0].suffix = str_c(i == 39 ? "txt" : suffix); /* not named */
        CHECK(dedup_client_put(w.client, &d.doc, &go_on, &v) == ST_INVALID);
        CHECK(count_in("corpus", suffix, "text") == 0);
    }
    util_doc(&d, 200, 200, 2); /* its own are still taken */
    CHECK(dedup_client_put(w.client, &d.doc, &go_on, &v) == ST_OK);
    CHECK(v.verdict == VERDICT_KEPT);
    world_stop(&w);
    buf_free(&request);
    buf_free(&bytes);
    arena_free(a);
    world_end(&w);
}

/* Many in a call: each is answered as if alone, and one that is refused takes
 * no other along. */
static void
many_documents_are_put_at_once(void)
{
    enum { MANY = 3 * DEDUP_PUT_MAX + 7, BAD = 200, LIKE_0 = 300 };
    static struct util_doc d[MANY];
    static struct dedup_document doc[MANY];
    static struct dedup_answer v[MANY];
    const atomic_bool stopped = true;
    struct world w;

    world_init(&w, SETTINGS("dedup.url=inproc://many"));
    world_start(&w);
    for (uint64_t i = 0; i < MANY; i++) {
        util_doc(&d[i], i, i == LIKE_0 ? 0 : i, 1);
        doc[i] = d[i].doc;
    }
    d[BAD].records[0].suffix = S("../x");
    CHECK(dedup_client_put_many(w.client, doc, MANY, &stopped, v) ==
          ST_STOPPED);
    CHECK(dedup_client_put_many(w.client, doc, 0, &go_on, v) == ST_OK);
    for (int round = 0; round < 2; round++) { /* sent again: the same */
        size_t kept = 0;

        CHECK(dedup_client_put_many(w.client, doc, MANY, &go_on, v) ==
              ST_INVALID);
        for (size_t i = 0; i < MANY; i++) {
            CHECK(v[i].status == (i == BAD ? ST_INVALID : ST_OK));
            CHECK(i == BAD || document_id_equal(&v[i].id, &doc[i].id));
            kept += v[i].status == ST_OK && v[i].verdict == VERDICT_KEPT;
        }
        CHECK(kept == MANY - 2);
        CHECK(v[LIKE_0].verdict == VERDICT_EXACT_DUPLICATE);
        CHECK(strcmp(v[LIKE_0].of.z, d[0].id) == 0);
    }
    world_stop(&w);
    CHECK(count_in("corpus", "jsonl", "\"id\"") == MANY - 2);
    world_end(&w);
}

static void
a_folder_in_use_is_refused(void)
{
    struct world w;
    struct dedup_service *second = NULL;
    struct opts other;

    world_init(&w, SETTINGS("dedup.url=inproc://first"));
    world_start(&w);
    opts_init(&other);
    CHECK(opts_set(&other, "test", S("dedup.url=inproc://second")) == ST_OK);
    CHECK(dedup_service_start(&second, folder, &other) == ST_USAGE);
    CHECK(second == NULL);
    opts_free(&other);
    world_stop(&w);
    world_end(&w);
}

static void *
stop_soon(void *arg)
{
    clock_sleep_ms(300);
    *(atomic_bool *)arg = true;
    return NULL;
}

static void
a_client_without_a_service_waits_until_it_is_stopped(void)
{
    struct world w;
    struct util_doc d;
    atomic_bool stop = false;
    struct dedup_answer v;
    pthread_t stopper;

    world_init(&w, SETTINGS("dedup.url=inproc://absent"));
    CHECK(dedup_client_open(&w.client, &w.opts) == ST_OK);
    util_doc(&d, 1, 1, 1);
    pthread_create(&stopper, NULL, stop_soon, (void *)(uintptr_t)&stop);
    CHECK(dedup_client_put(w.client, &d.doc, &stop, &v) == ST_STOPPED);
    pthread_join(stopper, NULL);
    dedup_client_close(w.client);
    world_end(&w);
}

/* ---- a full disk ---- */

struct shipper {
    pthread_t thread;
    struct dedup_client *client;
    uint64_t from, n;
    size_t wrong;
    atomic_size_t acked; /* looked at while it ships */
};

static void *
ship_many(void *arg)
{
    struct shipper *s = arg;

    for (uint64_t i = s->from; i < s->from + s->n; i++) {
        struct util_doc d;
        struct dedup_answer v;
        /* Every tenth text is one that another thread ships too. */
        uint64_t text = i % 10 == 9 ? 1000000 + (i - s->from) : i;

        util_doc(&d, i, text, 2);
        if (dedup_client_put(s->client, &d.doc, &go_on, &v) != ST_OK)
            s->wrong++;
        s->acked++;
    }
    return NULL;
}

static void
a_full_disk_pauses_until_space_returns(void)
{
    struct world w;
    struct shipper s = {.n = 3000};
    struct stat st;
    size_t before;
    char path[300];
    int fd;

    world_init(&w, SETTINGS("dedup.url=inproc://full", "dedup.near=0"));
    if (mount("tmpfs", folder, "tmpfs", 0, "size=3m") != 0) {
        printf("skipped: no tmpfs can be mounted here\n");
        world_end(&w);
        return;
    }
    world_start(&w);
    snprintf(path, sizeof path, "%s/ballast", folder);
    fd = open(path, O_WRONLY | O_CREAT, 0600);
    CHECK(posix_fallocate(fd, 0, 2700 << 10) == 0);
    close(fd);
    s.client = w.client;
    pthread_create(&s.thread, NULL, ship_many, &s);
    do { /* until nothing moves any more */
        before = s.acked;
        clock_sleep_ms(1500);
    } while (s.acked != before);
    CHECK(s.acked < s.n);
    CHECK(stat(path, &st) == 0 && unlink(path) == 0);
    pthread_join(s.thread, NULL);
    CHECK(s.wrong == 0);
    world_stop(&w);
    CHECK(count_in("corpus", "jsonl", "\"id\"") == 3000);
    CHECK(count_in("corpus", "xml", "<doc ") == 3000);
    CHECK(umount(folder) == 0);
    world_end(&w);
}

static void
too_little_free_space_pauses_before_anything_is_written(void)
{
    struct world w;
    struct util_doc d;
    atomic_bool stop = false;
    struct dedup_answer v;
    pthread_t stopper;

    world_init(
        &w, SETTINGS("dedup.url=inproc://low", "output.disk_free_mib=1048576"));
    world_start(&w);
    util_doc(&d, 1, 1, 1);
    pthread_create(&stopper, NULL, stop_soon, (void *)(uintptr_t)&stop);
    CHECK(dedup_client_put(w.client, &d.doc, &stop, &v) == ST_STOPPED);
    pthread_join(stopper, NULL);
    world_stop(&w);
    CHECK(count_in("corpus", "jsonl", "\"id\"") == 0);
    world_end(&w);
}

/* ---- kill -9 ---- */

static int
serve(const char *dir, const char *url)
{
    struct dedup_service *service;
    struct opts o;

    opts_init(&o);
    if (opts_set(&o, "test", S("dedup.map_gib=1")) != ST_OK ||
        opts_set(&o, "test", S("output.disk_free_mib=0")) != ST_OK ||
        opts_set(&o, "test", S("output.split_mib=1")) != ST_OK ||
        opts_set(&o, "test", str_c(url)) != ST_OK)
        return 1;
    log_threshold = LOG_ERROR;
    if (dedup_service_start(&service, dir, &o) != ST_OK)
        return 1;
    for (;;)
        pause();
}

static pid_t
start_child(const char *url)
{
    pid_t child = fork();

    if (child == 0) {
        execl("/proc/self/exe", "test_dedup", "--serve", folder, url,
              (char *)NULL);
        _exit(127);
    }
    return child;
}

/* Every text that was shipped is in the corpus once. */
static void
check_texts(uint64_t each)
{
    static const char *const suffixes[] = {"jsonl", "xml"};
    static const char *const forms[] = {"\"t%llu of", ">t%llu<"};
    struct buf text = {0};
    char what[64];

    for (int s = 0; s < 2; s++) {
        size_t texts = 0, wrong = 0;

        read_all("corpus", suffixes[s], &text);
        for (uint64_t i = 0; i < 4 * each; i++) {
            uint64_t n = i % 10 == 9 ? 1000000 + i % each : i;

            if (i % 10 == 9 && i >= each)
                continue; /* the text of an earlier one */
            snprintf(what, sizeof what, forms[s], (unsigned long long)n);
            wrong += util_occurrences(buf_view(&text), what) != 1;
            texts++;
        }
        CHECK(wrong == 0);
        CHECK(util_occurrences(buf_view(&text), "\n") == texts);
    }
    buf_free(&text);
}

static void
a_killed_service_loses_and_doubles_nothing(void)
{
    enum { EACH = 500 };
    const char *more = getenv("WINNOW_TEST_KILLS"); /* 100, to be sure */
    const int kills = more != NULL ? atoi(more) : 20;
    struct random r = random_seed(9);
    struct shipper shippers[4] = {0};
    struct world w;
    char url[300];
    size_t acked_at_kills = 0;
    pid_t child;

    world_init(&w, SETTINGS("dedup.near=0"));
    snprintf(url, sizeof url, "dedup.url=ipc://%s/sock", folder);
    CHECK(opts_set(&w.opts, "test", str_c(url)) == ST_OK);
    child = start_child(url);
    CHECK(dedup_client_open(&w.client, &w.opts) == ST_OK);
    for (uint64_t i = 0; i < 4; i++) {
        shippers[i].client = w.client;
        shippers[i].from = i * EACH;
        shippers[i].n = EACH;
        pthread_create(&shippers[i].thread, NULL, ship_many, &shippers[i]);
    }
    for (int k = 0; k < kills; k++) {
        /* Not before some more were acked, then at a random moment. */
        size_t target = (size_t)(4 * EACH * k / (kills + 4)), acked;

        do {
            clock_sleep_ms(1);
            acked = 0;
            for (int i = 0; i < 4; i++)
                acked += shippers[i].acked;
        } while (acked < target);
        clock_sleep_ms(random_below(&r, 12));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        acked_at_kills = acked;
        child = start_child(url);
    }
    CHECK(acked_at_kills < 4 * EACH); /* killed while at work */
    for (int i = 0; i < 4; i++) {
        pthread_join(shippers[i].thread, NULL);
        CHECK(shippers[i].wrong == 0);
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    dedup_client_close(w.client);

    world_start(&w); /* what was acknowledged is in the files, with tails */
    check_texts(EACH);
    world_stop(&w); /* and after a clean end */
    check_texts(EACH);
    world_end(&w);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(documents_are_judged_and_written_once),
        TEST(what_a_longer_copy_replaces_is_in_the_corpus),
        TEST(fingerprints_of_another_family_are_refused),
        TEST(with_near_0_only_equal_texts_are_duplicates),
        TEST(the_corpus_is_split_by_size),
        TEST(unusable_requests_are_bad_and_harm_no_other),
        TEST(many_documents_are_put_at_once),
        TEST(a_folder_in_use_is_refused),
        TEST(a_client_without_a_service_waits_until_it_is_stopped),
        TEST(a_full_disk_pauses_until_space_returns),
        TEST(too_little_free_space_pauses_before_anything_is_written),
        TEST(a_killed_service_loses_and_doubles_nothing),
        {0}};

    if (argc > 3 && strcmp(argv[1], "--serve") == 0)
        return serve(argv[2], argv[3]);
    log_threshold = LOG_ERROR;
    return test_main(table, argc, argv);
}
