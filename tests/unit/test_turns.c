/* Aim: a lease overtakes what is being loaded, a call is answered when all it
 * brought is durable and not before, and every call is answered.  Method: the
 * service's handler is called with groups made here. */
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "frontier/service/turns.h"
#include "frontier_help.h"
#include "proto/server.h"

enum { CALLS = 16, PAGES = 200, LINKS = 50, TURNS_MAX = 10000 };

static struct opts o;
static const char *dir;
static struct frontier_service *s;
static struct arena *a;

/* A service without a server. */
static void
set_up(void)
{
    dir = help_folder();
    o = help_opts();
    a = arena_new();
    s = calloc(1, sizeof *s);
    CHECK(frontier_open(&s->frontier, dir, &o, clock_wall_ms()) == ST_OK);
}

static void
tear_down(void)
{
    frontier_close(s->frontier);
    turns_free(&s->turns);
    free(s);
    folder_remove(dir);
    arena_free(a);
    opts_free(&o);
}

static struct server_call
call_of(const message_request *m)
{
    struct server_call c = {0};
    struct buf bytes = {0};

    message_write_request(&bytes, m);
    c.request = arena_str(a, buf_view(&bytes));
    buf_free(&bytes);
    return c;
}

static struct str
page(int call, int i)
{
    return arena_printf(a, "http://h%d.nl/%d/%d", i, call, i);
}

static void
seed_pages(int calls)
{
    for (int c = 0; c < calls; c++)
        for (int i = 0; i < PAGES; i++)
            help_seed(s->frontier, page(c, i).p, clock_wall_ms());
}

/* Reports of PAGES pages, with LINKS links each but the first. */
static struct server_call
reports(int call)
{
    Winnow__Frontier__DoneRequest q = WINNOW__FRONTIER__DONE_REQUEST__INIT;
    message_request m = WINNOW__FRONTIER__REQUEST__INIT;

    q.done = ARENA_ARRAY(a, message_done *, PAGES);
    q.n_done = PAGES;
    for (int i = 0; i < PAGES; i++) {
        struct frontier_link *l = ARENA_ARRAY(a, struct frontier_link, LINKS);
        struct frontier_done d =
            help_done(page(call, i), OUTCOME_FETCHED, clock_wall_ms());

        for (int k = 0; k < LINKS; k++)
            l[k].url = arena_printf(a, "http://h%d.nl/%d/%d/%d", k, call, i, k);
        d.links = l;
        d.links_n = i == 0 ? 0 : LINKS; /* which could be taken alone */
        q.done[i] = message_from_done(a, &d, clock_wall_ms());
    }
    m.call_case = WINNOW__FRONTIER__REQUEST__CALL_DONE;
    m.done = &q;
    return call_of(&m);
}

static struct server_call
lease(uint64_t number)
{
    Winnow__Frontier__LeaseRequest q = WINNOW__FRONTIER__LEASE_REQUEST__INIT;
    message_request m = WINNOW__FRONTIER__REQUEST__INIT;

    q.crawler = 7;
    q.max = 1;
    q.call = number;
    m.call_case = WINNOW__FRONTIER__REQUEST__CALL_LEASE;
    m.lease = &q;
    return call_of(&m);
}

static message_reply *
reply_of(const struct server_call *c)
{
    message_reply *r = NULL;

    CHECK(message_read_reply(&r, a, buf_view(&c->reply)) == ST_OK);
    return r;
}

static uint64_t
pages_done(void)
{
    struct frontier_totals t;

    frontier_totals(s->frontier, &t, 0);
    return t.done;
}

/* What that other process does. */
static int
look_for_promised(const char *store, uint64_t answered)
{
    struct frontier *reader;
    struct frontier_totals t;

    o = help_opts();
    CHECK(frontier_open_reader(&reader, store, &o) == ST_OK);
    CHECK(frontier_begin(reader) == ST_OK);
    frontier_totals(reader, &t, 0);
    CHECK(t.done >= answered * PAGES);
    CHECK(t.seen + t.links_waiting >= answered * (PAGES * (LINKS + 1) - LINKS));
    frontier_abort(reader);
    frontier_close(reader);
    opts_free(&o);
    return test_failed != 0;
}

/* Is what the answers promise in the store, for another process?  LMDB allows
 * none a second opening. */
static void
check_promised(uint64_t answered)
{
    char number[24];
    int status = -1;
    pid_t pid = fork();

    if (pid == 0) {
        snprintf(number, sizeof number, "%llu", (unsigned long long)answered);
        execl("/proc/self/exe", "test_turns", "--promised", dir, number,
              (char *)NULL);
        _exit(127);
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
}

/* Drop the answered calls; how many are left. */
static size_t
clear_away(struct server_call *calls, size_t n, uint64_t *answered,
           bool *leased)
{
    size_t left = 0;

    for (size_t i = 0; i < n; i++) {
        message_reply *r;

        if (calls[i].kept) {
            calls[left] = calls[i];
            calls[left++].kept = false;
            continue;
        }
        r = reply_of(&calls[i]);
        CHECK(r->code == WINNOW__FRONTIER__CODE__OK);
        if (r->result_case == WINNOW__FRONTIER__REPLY__RESULT_LEASE) {
            *leased = true;
        } else {
            CHECK(r->result_case == WINNOW__FRONTIER__REPLY__RESULT_DONE);
            ++*answered;
        }
        buf_free(&calls[i].reply);
    }
    return left;
}

static void
leases_overtake_a_load(uint64_t merge_from)
{
    struct server_call calls[CALLS + 1];
    uint64_t answered = 0, alone = 0, turns = 0;
    size_t n = CALLS;

    o.frontier_merge_from = merge_from;
    seed_pages(CALLS);
    for (int i = 0; i < CALLS; i++)
        calls[i] = reports(i);
    turns_handle(s, calls, n); /* all at once: there is no lease yet */
    for (; n > 0 && turns < TURNS_MAX; turns++) {
        uint64_t before, promised = answered;
        bool leased = false;

        n = clear_away(calls, n, &answered, &leased);
        if (answered > promised)
            check_promised(answered);
        if (n == 0)
            break;
        calls[n] = lease(turns + 1);
        before = pages_done();
        turns_handle(s, calls, n + 1);
        CHECK(!calls[n].kept);           /* no lease is kept waiting ... */
        alone += pages_done() == before; /* ... some see no work */
        n++;
    }
    CHECK(answered == CALLS && n == 0);
    CHECK(turns >= 2 && alone >= 1); /* how many is up to the machine */
    CHECK(pages_done() == CALLS * PAGES);
    help_check(s->frontier);
}

static void
leases_overtake_a_load_of_a_small_store(void)
{
    set_up();
    leases_overtake_a_load(200000);
    tear_down();
}

static void
leases_overtake_a_load_of_a_large_store(void)
{
    set_up();
    frontier_close(s->frontier);
    o.frontier_merge_from = 0;
    CHECK(frontier_open(&s->frontier, dir, &o, clock_wall_ms()) == ST_OK);
    leases_overtake_a_load(0);
    tear_down();
}

/* One transaction for what comes together, reports first. */
static void
a_lease_sees_what_a_report_beside_it_has_freed(void)
{
    Winnow__Frontier__DoneRequest q = WINNOW__FRONTIER__DONE_REQUEST__INIT;
    message_request m = WINNOW__FRONTIER__REQUEST__INIT;
    struct frontier_done d;
    struct server_call calls[2];
    message_reply *r;

    set_up();
    o.politeness_delay_ms = 0;
    frontier_close(s->frontier);
    CHECK(frontier_open(&s->frontier, dir, &o, clock_wall_ms()) == ST_OK);
    help_seed(s->frontier, "http://a.nl/1", clock_wall_ms());
    help_seed(s->frontier, "http://a.nl/2", clock_wall_ms());
    calls[0] = lease(1);
    turns_handle(s, calls, 1);
    r = reply_of(&calls[0]);
    CHECK(r->lease->n_leases == 1);
    d = help_done(str_c(r->lease->leases[0]->url), OUTCOME_FETCHED,
                  clock_wall_ms());
    buf_free(&calls[0].reply);
    calls[0] = lease(2);
    q.crawler = 7;
    q.done = ARENA_ARRAY(a, message_done *, 1);
    q.done[0] = message_from_done(a, &d, clock_wall_ms());
    q.done[0]->call = 1;
    q.n_done = 1;
    m.call_case = WINNOW__FRONTIER__REQUEST__CALL_DONE;
    m.done = &q;
    calls[1] = call_of(&m);
    turns_handle(s, calls, 2);
    if (calls[1].kept)
        turns_handle(s, &calls[1], 1);
    CHECK(!calls[0].kept && !calls[1].kept);
    CHECK(reply_of(&calls[0])->lease->n_leases == 1);
    buf_free(&calls[0].reply);
    buf_free(&calls[1].reply);
    tear_down();
}

/* Too little space on the disk: what brings links is told so, and of its
 * reports none is taken; the others are served. */
static void
a_full_disk_stops_only_what_brings_links(void)
{
    struct server_call calls[3];
    struct frontier_done d;
    struct statvfs disk;
    Winnow__Frontier__DoneRequest q = WINNOW__FRONTIER__DONE_REQUEST__INIT;
    message_request m = WINNOW__FRONTIER__REQUEST__INIT;

    set_up();
    seed_pages(1);
    frontier_close(s->frontier);
    CHECK(statvfs(dir, &disk) == 0);
    o.output_disk_free_mib = /* two thirds of it are free */
        (uint64_t)disk.f_bavail * disk.f_frsize / 2 * 3 >> 20;
    CHECK(frontier_open(&s->frontier, dir, &o, clock_wall_ms()) == ST_OK);
    d = help_done(page(0, 1), OUTCOME_FETCHED, clock_wall_ms());
    q.done = ARENA_ARRAY(a, message_done *, 1);
    q.done[0] = message_from_done(a, &d, clock_wall_ms());
    q.n_done = 1;
    m.call_case = WINNOW__FRONTIER__REQUEST__CALL_DONE;
    m.done = &q;
    calls[0] = reports(0);
    calls[1] = call_of(&m);
    calls[2] = lease(1);
    turns_handle(s, calls, 3);
    CHECK(!calls[0].kept && !calls[2].kept);
    if (calls[1].kept) /* a busy machine: its turn comes next */
        turns_handle(s, &calls[1], 1);
    CHECK(!calls[1].kept);
    CHECK(reply_of(&calls[0])->code == WINNOW__FRONTIER__CODE__FULL);
    CHECK(reply_of(&calls[1])->code == WINNOW__FRONTIER__CODE__OK);
    CHECK(reply_of(&calls[2])->lease->n_leases == 1);
    CHECK(pages_done() == 1);
    for (int i = 0; i < 3; i++)
        buf_free(&calls[i].reply);
    tear_down();
}

static const struct test tests[] = {
    TEST(a_full_disk_stops_only_what_brings_links),
    TEST(leases_overtake_a_load_of_a_small_store),
    TEST(leases_overtake_a_load_of_a_large_store),
    TEST(a_lease_sees_what_a_report_beside_it_has_freed),
    {0},
};

int
main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--promised") == 0)
        return look_for_promised(argv[2], strtoull(argv[3], NULL, 10));
    return test_main(tests, argc, argv);
}
