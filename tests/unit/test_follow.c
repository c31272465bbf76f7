/* Aim: what the dedup service stores can be read beside it, in the order of its
 * verdicts, with every record whole and at the place that is told: while the
 * tail grows, after it has become a member, over the ends of parts, after a
 * restart, with parts moved away, and never more than is committed.  Method: a
 * real service with tiny parts; what is followed is compared with what was
 * shipped, and the places with the text of the files as zcat gives it.  The
 * service is another process, as in life: LMDB allows none a second opening. */
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../shingle/corpus/stream.h"
#include "../../shingle/store/corpus_file.h"
#include "../../shingle/tools/follow.h"
#include "base/clock.h"
#include "dedup_util.h"
#include "shingle/service/dedup_service.h"
#include "shingle/tools/repair.h"

static const atomic_bool go_on = false;

/* A dedup service of `folder` in a process of its own, and a client of it. */
struct beside {
    struct opts opts;
    struct dedup_client *client;
    pid_t pid;
    int line; /* the service has started when it speaks; it ends with this */
    uint64_t shipped;
};

static void
set_options(struct opts *o, const char *dir)
{
    static const char *const settings[] = {
        "dedup.map_gib=1", "output.disk_free_mib=0", "dedup.sync=none",
        "output.split_mib=1", "dedup.save_ms=1"};

    opts_init(o);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        CHECK(opts_set(o, "test", str_c(settings[i])) == ST_OK);
    CHECK(opts_set(o, "test",
                   str_c(path_printf("dedup.url=ipc://%s/service", dir).z)) ==
          ST_OK);
}

/* What that process does; standard input is the line. */
static int
serve(const char *dir, const char *pub)
{
    struct dedup_service *service;
    struct opts o;
    char c = 0;

    set_options(&o, dir);
    CHECK(opts_set(&o, "test", str_c(path_printf("dedup.pub=%s", pub).z)) ==
          ST_OK);
    if (dedup_service_start(&service, dir, &o) != ST_OK ||
        write(STDIN_FILENO, &c, 1) != 1)
        return 1;
    CHECK(read(STDIN_FILENO, &c, 1) == 0);
    CHECK(dedup_service_stop(service) == ST_OK);
    opts_free(&o);
    return test_failed != 0;
}

static void
world_start(struct beside *w, const char *pub)
{
    int line[2];
    char c;

    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line) == 0);
    w->line = line[0];
    if ((w->pid = fork()) == 0) {
        dup2(line[1], STDIN_FILENO);
        execl("/proc/self/exe", "test_follow", "--serve", folder, pub,
              (char *)NULL);
        _exit(127);
    }
    close(line[1]);
    CHECK(w->pid > 0 && read(w->line, &c, 1) == 1);
    CHECK(dedup_client_open(&w->client, &w->opts) == ST_OK);
}

static void
world_stop(struct beside *w)
{
    int status = -1;

    dedup_client_close(w->client);
    close(w->line);
    CHECK(waitpid(w->pid, &status, 0) == w->pid && status == 0);
}

#define PUBLISHED "ipc:///not/used"

static void
world_init(struct beside *w)
{
    *w = (struct beside){0};
    folder_open();
    set_options(&w->opts, folder);
}

static void
world_open(struct beside *w)
{
    world_init(w);
    world_start(w, PUBLISHED);
}

static void
world_end(struct beside *w)
{
    opts_free(&w->opts);
    folder_close();
}

static void
world_close(struct beside *w)
{
    world_stop(w);
    world_end(w);
}

/* The records of document i: `size` bytes and a short one. */
static void
make_records(uint64_t i, size_t size, struct buf *json, struct buf *xml)
{
    struct random r = random_seed(i);

    buf_clear(json);
    buf_clear(xml);
    buf_printf(json, "{\"i\":%llu,\"x\":\"", (unsigned long long)i);
    while (json->n < size)
        buf_printf(json, "%llx", (unsigned long long)random_u64(&r));
    buf_c(json, "\"}\n");
    buf_printf(xml, "<doc n=\"%llu\">\n\n</doc>\n", (unsigned long long)i);
}

/* Long ones fill the log of verdicts, too. */
static void
make_url(uint64_t i, size_t size, struct buf *url)
{
    buf_clear(url);
    buf_printf(url, "http://h/%llu?", (unsigned long long)i);
    while (url->n < size)
        buf_char(url, 'x');
}

/* Every third repeats the text of the one before: an exact duplicate; every
 * seventh is rejected. */
static enum verdict
expected(uint64_t i)
{
    return i % 7 == 0   ? VERDICT_REJECTED
           : i % 3 == 0 ? VERDICT_EXACT_DUPLICATE
                        : VERDICT_KEPT;
}

static struct follow *
follow(void)
{
    struct follow *f;

    CHECK(follow_open(&f, folder, 1) == ST_OK);
    return f;
}

static void
put(struct beside *w, size_t n, size_t size)
{
    struct buf json = {0}, xml = {0}, url = {0};
    struct dedup_answer v;

    for (size_t k = 0; k < n; k++) {
        uint64_t i = ++w->shipped;
        bool again = expected(i) == VERDICT_EXACT_DUPLICATE;
        struct util_doc d;

        util_doc(&d, i,
                 again && (i - 1) % 7 != 0 ? i - 1
                 : again                   ? i - 2
                                           : i,
                 2);
        make_records(i, size, &json, &xml);
        make_url(i, size, &url);
        d.doc.url = buf_view(&url);
        d.records[0].bytes = buf_view(&json);
        d.records[1].bytes = buf_view(&xml);
        if (expected(i) == VERDICT_REJECTED)
            d.doc.reject = VERDICT_BADNESS;
        CHECK(dedup_client_put(w->client, &d.doc, &go_on, &v) == ST_OK);
        CHECK(v.verdict == expected(i));
    }
    buf_free(&url);
    buf_free(&json);
    buf_free(&xml);
}

/* Wait until all that was put is in the files; f: the reader that is open. */
static void
settle(const struct beside *w, struct follow *f)
{
    struct follow *own = f == NULL ? follow() : NULL;
    uint64_t n = 0;

    for (int i = 0; i < 20000 && n < w->shipped; i++) {
        clock_sleep_ms(i > 0);
        CHECK(follow_last(f != NULL ? f : own, &n) == ST_OK);
    }
    CHECK(n == w->shipped);
    follow_close(own);
}

static void
ship(struct beside *w, struct follow *f, size_t n, size_t size)
{
    put(w, n, size);
    settle(w, f);
}

/* The next document is number i, with its records. */
static void
check_next(struct follow *f, uint64_t i, size_t size)
{
    struct buf json = {0}, xml = {0}, got = {0}, url = {0};
    struct followed d;
    struct util_doc u;

    util_doc(&u, i, i, 2);
    make_records(i, size, &json, &xml);
    make_url(i, size, &url);
    CHECK(follow_next(f, &d) == ST_OK && d.line.number == i &&
          d.line.verdict == expected(i) &&
          str_eq(d.line.id, str_c(u.doc.id.z)) &&
          str_eq(d.line.url, buf_view(&url)));
    CHECK((d.line.of.n > 0) == (expected(i) == VERDICT_EXACT_DUPLICATE));
    CHECK(d.line.reason ==
          (expected(i) == VERDICT_REJECTED ? VERDICT_BADNESS : VERDICT_NONE));
    CHECK(d.line.places_n == (expected(i) == VERDICT_EXACT_DUPLICATE ? 0 : 2));
    if (d.line.places_n == 2) {
        CHECK(follow_record(f, &d.line.place[0], &got) == ST_OK &&
              str_eq(buf_view(&got), buf_view(&json)));
        CHECK(follow_record(f, &d.line.place[1], &got) == ST_OK &&
              str_eq(buf_view(&got), buf_view(&xml)));
    }
    CHECK(follow_record(f, &d.place, &got) == ST_OK &&
          str_eq(buf_view(&got), d.text));
    buf_free(&url);
    buf_free(&json);
    buf_free(&xml);
    buf_free(&got);
}

static void
check_no_next(struct follow *f)
{
    struct followed d;

    CHECK(follow_next(f, &d) == ST_NONE);
}

static void
follows_while_it_is_stored(void)
{
    struct beside w;
    struct follow *f;

    world_open(&w);
    ship(&w, NULL, 5, 100);
    f = follow(); /* from now on */
    check_no_next(f);
    for (uint64_t i = 6; i <= 40; i++) {
        ship(&w, f, 1, 100);
        check_next(f, i, 100);
        check_no_next(f);
    }
    CHECK(follow_seek(f, 3) == ST_OK);
    for (uint64_t i = 3; i <= 40; i++)
        check_next(f, i, 100);
    check_no_next(f);
    CHECK(follow_seek(f, 1000) == ST_OK);
    check_no_next(f);
    follow_close(f);
    world_close(&w);
}

/* 200 documents of 60 KiB: tails become members all the time, a part ends
 * after 17.  Who follows is up to date now and lags behind then. */
static void
follows_over_members_and_parts(void)
{
    enum { N = 200, SIZE = 60000 };
    struct random r = random_seed(5);
    struct beside w;
    struct follow *f;
    uint64_t next = 1;

    world_open(&w);
    f = follow();
    while (w.shipped < N) {
        bool lags = w.shipped / 50 % 2 == 1;

        ship(&w, f, 1 + random_below(&r, 6), SIZE);
        for (size_t k = lags ? random_below(&r, 4) : N;
             k > 0 && next <= w.shipped; k--)
            check_next(f, next++, SIZE);
    }
    while (next <= w.shipped)
        check_next(f, next++, SIZE);
    check_no_next(f);
    CHECK(access(path_printf("%s/corpus/part-000003.jsonl.gz", folder).z,
                 F_OK) == 0 &&
          access(path_printf("%s/verdicts/part-000003.jsonl.gz", folder).z,
                 F_OK) == 0);
    world_stop(&w); /* all tails become members */
    CHECK(follow_seek(f, N - 10) == ST_OK);
    for (uint64_t i = N - 10; i <= w.shipped; i++)
        check_next(f, i, SIZE);
    world_start(&w, PUBLISHED); /* and on */
    ship(&w, f, 1, SIZE);
    check_next(f, w.shipped, SIZE);
    follow_close(f);
    world_close(&w);
}

/* What stands at a place of the file, as the manual says to read it. */
static void
places_are_those_of_zcat(void)
{
    struct beside w;
    struct follow *f;
    struct followed d;
    struct buf got = {0}, cut = {0};
    char command[600];

    world_open(&w);
    ship(&w, NULL, 90, 30000);
    world_stop(&w);
    f = follow();
    for (uint64_t i = 1; i <= 90; i += 11) {
        CHECK(follow_seek(f, i) == ST_OK);
        CHECK(follow_next(f, &d) == ST_OK);
        for (size_t k = 0; k < d.line.places_n; k++) {
            const struct verdict_place *p = &d.line.place[k];
            struct buf name = {0};

            stream_text(&name, p->group, p->part, p->suffix);
            snprintf(command, sizeof command,
                     "zcat %s/%.*s.gz | tail -c +%llu | head -c %llu", folder,
                     STRF(buf_view(&name)), (unsigned long long)p->at + 1,
                     (unsigned long long)p->bytes);
            util_run(command, &cut);
            CHECK(follow_record(f, p, &got) == ST_OK &&
                  str_eq(buf_view(&got), buf_view(&cut)));
            buf_free(&name);
        }
    }
    follow_close(f);
    buf_free(&got);
    buf_free(&cut);
    world_start(&w, PUBLISHED);
    world_close(&w);
}

/* A kill between writing and committing leaves files that are longer. */
static void
what_is_not_committed_is_not_followed(void)
{
    struct beside w;
    struct follow *f;
    FILE *tail;

    world_open(&w);
    ship(&w, NULL, 4, 100);
    f = follow();
    tail = fopen(
        path_printf("%s/verdicts/part-000001.jsonl.tail-000001", folder).z,
        "ab");
    CHECK(tail != NULL);
    fputs("{\"n\":99,\"verdict\":\"kept\",\"id\":\"x\"}\n", tail);
    fclose(tail);
    check_no_next(f);
    CHECK(follow_seek(f, 99) == ST_OK);
    check_no_next(f);
    CHECK(follow_seek(f, 4) == ST_OK);
    check_next(f, 4, 100);
    check_no_next(f);
    follow_close(f);
    world_close(&w);
}

/* The oldest part of the log, or of records, is somewhere else by now. */
static void
parts_may_be_moved_away(void)
{
    enum { SIZE = 60000 };
    struct beside w;
    struct follow *f;
    struct followed d;
    struct buf got = {0};

    world_open(&w);
    ship(&w, NULL, 60, SIZE);
    world_stop(&w);
    CHECK(unlink(path_printf("%s/corpus/part-000001.jsonl.gz", folder).z) == 0);
    f = follow();
    CHECK(follow_seek(f, 1) == ST_OK && follow_next(f, &d) == ST_OK);
    CHECK(d.line.number == 1 &&
          follow_record(f, &d.line.place[0], &got) == ST_NONE);
    CHECK(follow_record(f, &d.line.place[1], &got) == ST_OK);
    CHECK(unlink(path_printf("%s/verdicts/part-000001.jsonl.gz", folder).z) ==
          0);
    CHECK(follow_seek(f, 1) == ST_OK && follow_next(f, &d) == ST_OK);
    CHECK(d.line.number > 1 && d.place.part == 2 && d.place.at == 0);
    CHECK(follow_seek(f, 50) == ST_OK);
    for (uint64_t i = 50; i <= 60; i++)
        check_next(f, i, SIZE);
    follow_close(f);
    buf_free(&got);
    world_start(&w, PUBLISHED);
    world_close(&w);
}

/* The rows of streams are lost, and made again from the files: places go on
 * behind what the parts hold. */
static void
places_go_on_after_a_repair(void)
{
    enum { SIZE = 20000 };
    const struct store_options o = {.map_gib = 1, .sync = S("none")};
    unsigned char state[STREAM_STATE_BYTES] = {0};
    struct path dedup;
    struct beside w;
    struct store *store;
    struct buf out = {0};
    struct follow *f;

    world_open(&w);
    ship(&w, NULL, 20, SIZE);
    world_stop(&w);
    dedup = path_printf("%s/dedup", folder);
    CHECK(store_open(&store, dedup.z, &o) == ST_OK);
    memset(state, 1, sizeof state); /* longer than any file */
    CHECK(store_begin(store) == ST_OK &&
          store_put(store, STORE_FILES, S("corpus/part.jsonl"),
                    str_n((const char *)state, sizeof state)) == ST_OK &&
          store_commit(store) == ST_OK);
    store_close(store);
    CHECK(dedup_repair(folder, &w.opts, &out) == ST_OK);
    world_start(&w, PUBLISHED);
    ship(&w, NULL, 5, SIZE);
    f = follow();
    CHECK(follow_seek(f, 1) == ST_OK);
    for (uint64_t i = 1; i <= 25; i++)
        check_next(f, i, SIZE);
    check_no_next(f);
    follow_close(f);
    buf_free(&out);
    world_close(&w);
}

static void
without_a_log_there_is_nothing_to_follow(void)
{
    struct beside w;
    struct follow *f;

    world_init(&w);
    CHECK(follow_open(&f, folder, 1) == ST_NONE && f == NULL);
    world_start(&w, "");
    put(&w, 2, 100);
    world_stop(&w);
    CHECK(follow_open(&f, folder, 1) == ST_NONE && f == NULL);
    CHECK(access(path_printf("%s/verdicts", folder).z, F_OK) != 0);
    world_start(&w, PUBLISHED); /* switched on later: numbers go on */
    ship(&w, NULL, 1, 100);
    world_stop(&w);
    f = follow();
    CHECK(follow_seek(f, 3) == ST_OK);
    check_next(f, 3, 100);
    follow_close(f);
    world_end(&w);
}

int
main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(follows_while_it_is_stored),
        TEST(follows_over_members_and_parts),
        TEST(places_are_those_of_zcat),
        TEST(what_is_not_committed_is_not_followed),
        TEST(parts_may_be_moved_away),
        TEST(places_go_on_after_a_repair),
        TEST(without_a_log_there_is_nothing_to_follow),
        {0}};

    if (argc == 4 && strcmp(argv[1], "--serve") == 0)
        return serve(argv[2], argv[3]);
    return test_main(tests, argc, argv);
}
