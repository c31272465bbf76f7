/* The log of leases: what it says after a kill, a cut or damage, and that it
 * belongs to one commit of the store. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "frontier_case.h"

/* ---- the log alone ---- */

enum { HOSTS = 300, RECORDS = 40 };

static const struct row_counters counters = {.totals.leased = 7};

static struct leaselog_entry
entry_of(uint32_t host, uint64_t call)
{
    return (struct leaselog_entry){
        .host = host,
        .lease = {.out = true,
                  .crawler = host * 31,
                  .call = call,
                  .started_ms = T0,
                  .deadline_ms = T0 + 1000 + call,
                  .url_hash = hash_mix(call),
                  .position = {host, 1, (uint16_t)(host + 1), call + 1}}};
}

static bool
same(const struct row_lease *x, const struct row_lease *y)
{
    return x->out == y->out && x->crawler == y->crawler && x->call == y->call &&
           x->started_ms == y->started_ms && x->deadline_ms == y->deadline_ms &&
           x->url_hash == y->url_hash && x->position.host == y->position.host &&
           x->position.url_class == y->position.url_class &&
           x->position.priority == y->position.priority &&
           x->position.sequence == y->position.sequence;
}

static void
check_log(const struct leaselog *l, const uint64_t *call, size_t n)
{
    CHECK(leaselog_n(l) == n);
    for (uint32_t h = 0; h < HOSTS; h++) {
        const struct leaselog_entry *e = leaselog_find(l, h),
                                    want = entry_of(h, call[h]);

        CHECK((e != NULL) == (call[h] > 0));
        CHECK(e == NULL || (e->host == h && same(&e->lease, &want.lease)));
    }
}

static void
check_file(const uint64_t *call, size_t n, uint64_t base)
{
    struct row_counters c = {0};
    struct leaselog *l;

    CHECK(leaselog_open(&l, dir, true) == ST_OK);
    CHECK(leaselog_load(l, base, &c) == ST_OK);
    check_log(l, call, n);
    CHECK(c.totals.leased == (n > 0 ? counters.totals.leased : 0));
    leaselog_close(l);
}

static void
the_log_agrees_with_a_naive_list_commit_after_commit(void)
{
    static const uint64_t none[HOSTS];
    struct random r = random_seed(5);
    struct leaselog *l;

    set_up();
    CHECK(leaselog_open(&l, dir, false) == ST_OK);
    for (uint64_t base = 1; base < 30; base++) {
        uint64_t call[HOSTS] = {0}, records = random_below(&r, RECORDS);
        size_t n = 0;

        for (uint64_t i = 0; i < records; i++) {
            bool undo = random_below(&r, 5) == 0;

            for (size_t k = random_below(&r, 20); k-- > 0;) {
                uint32_t h = (uint32_t)random_below(&r, HOSTS);
                struct leaselog_entry e = entry_of(h, base * 1000 + i);

                CHECK(leaselog_add(l, &e));
                if (undo)
                    continue;
                n += call[h] == 0;
                call[h] = base * 1000 + i;
            }
            if (undo)
                leaselog_undo(l);
            else
                CHECK(leaselog_write(l, base, &counters) == ST_OK);
        }
        check_log(l, call, n);
        check_file(call, n, base);
        check_file(none, 0, base + 1);
        leaselog_clear(l);
        check_log(l, none, 0);
    }
    leaselog_close(l);
    tear_down();
}

static void
it_takes_no_more_than_it_has_room_for(void)
{
    struct leaselog *l;
    struct leaselog_entry e = {0};

    set_up();
    CHECK(leaselog_open(&l, dir, false) == ST_OK);
    for (uint32_t i = 0; i < LEASELOG_MAX; i++) {
        e = entry_of(i, 1);
        CHECK(leaselog_add(l, &e));
    }
    CHECK(!leaselog_add(l, &e));
    CHECK(leaselog_write(l, 1, &counters) == ST_OK);
    CHECK(leaselog_n(l) == LEASELOG_MAX && !leaselog_add(l, &e));
    leaselog_close(l);
    tear_down();
}

static void
leases_that_cannot_be_written_are_not_held(void)
{
    const struct leaselog_entry first = entry_of(1, 1), second = entry_of(2, 2);
    struct rlimit old, low;
    struct leaselog *l;

    set_up();
    CHECK(leaselog_open(&l, dir, false) == ST_OK);
    CHECK(leaselog_add(l, &first));
    CHECK(leaselog_write(l, 9, &counters) == ST_OK);
    signal(SIGXFSZ, SIG_IGN);
    CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
    low = old;
    low.rlim_cur = 100;
    CHECK(setrlimit(RLIMIT_FSIZE, &low) == 0);
    CHECK(leaselog_add(l, &second));
    CHECK(leaselog_write(l, 9, &counters) != ST_OK);
    CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
    CHECK(leaselog_n(l) == 1 && leaselog_find(l, 2) == NULL);
    CHECK(leaselog_add(l, &second));
    CHECK(leaselog_write(l, 9, &counters) == ST_OK && leaselog_n(l) == 2);
    leaselog_close(l);
    tear_down();
}

static void
count(void *self, const struct leaselog_entry *e)
{
    (void)e;
    ++*(size_t *)self;
}

static void
a_cut_or_damaged_log_ends_there(void)
{
    struct row_counters c;
    struct leaselog *l;
    char path[200], bytes[4096];
    size_t n, whole = 0, met;
    FILE *in;

    set_up();
    CHECK(leaselog_open(&l, dir, false) == ST_OK);
    for (uint32_t i = 0; i < 5; i++) {
        const struct leaselog_entry e = entry_of(i, i + 1);

        CHECK(leaselog_add(l, &e));
        CHECK(leaselog_write(l, 9, &counters) == ST_OK);
    }
    leaselog_close(l);
    snprintf(path, sizeof path, "%s/leases.log", dir);
    in = fopen(path, "rb");
    CHECK(in != NULL);
    n = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    CHECK(leaselog_parse(str_n(bytes, n), 9, count, &whole, &c) == n);
    CHECK(whole == 5);
    for (size_t i = 0; i < n; i++) {
        char kept = bytes[i];
        size_t end;

        met = 0;
        end = leaselog_parse(str_n(bytes, i), 9, count, &met, &c);
        CHECK(end <= i && met < 5);
        bytes[i] = (char)(kept ^ 0x20);
        met = 0;
        end = leaselog_parse(str_n(bytes, n), 9, count, &met, &c);
        CHECK(end <= i && met < 5);
        bytes[i] = kept;
    }
    tear_down();
}

/* ---- in the store ---- */

/* A process leases two hosts' URLs and is killed. */
static void
kill_with_leases(void)
{
    pid_t child = fork();
    int how = 0;

    if (child == 0) {
        open_it(T0);
        (void)help_lease(f, T0, a, NULL);
        (void)help_lease(f, T0 + 1, a, NULL);
        raise(SIGKILL);
    }
    CHECK(waitpid(child, &how, 0) == child && WIFSIGNALED(how));
}

static void
fill(void)
{
    open_it(T0);
    help_seed(f, "http://a.nl/1", T0);
    help_seed(f, "http://b.nl/1", T0);
    help_seed(f, "http://c.nl/1", T0);
    frontier_close(f);
}

static void
check_leased(uint64_t leased)
{
    struct frontier_totals t;

    frontier_totals(f, &t, T0);
    CHECK(t.leased == leased && t.queued == 3 - leased);
    help_check(f);
}

static void
a_killed_process_leaves_its_leases_to_the_next(void)
{
    uint64_t before, after;

    for (int compact = 0; compact < 2; compact++) {
        struct frontier_lease l;

        set_up();
        fill();
        kill_with_leases();
        CHECK(frontier_open_reader(&f, dir, &o) == ST_OK);
        CHECK(frontier_begin(f) == ST_OK); /* it looks at a moment */
        frontier_abort(f);
        check_leased(2);
        frontier_close(f);
        if (compact)
            CHECK(frontier_compact(dir, &o, &before, &after) == ST_OK);
        open_it(T0);
        check_leased(2);
        l = help_lease(f, T0 + 2, a, NULL);
        CHECK(str_eq(l.url, S("http://c.nl/1")));
        CHECK(help_lease(f, T0 + 3, a, NULL).url.n == 0);
        check_leased(3);
        HELP_OK(f, frontier_hello(f, 1, T0 + 4));
        check_leased(0);
        frontier_close(f);
        open_it(T0);
        check_leased(0);
        tear_down();
    }
}

static void
a_lease_writes_nothing_into_the_store_unless_it_must_be_on_the_disk(void)
{
    for (int full = 0; full < 2; full++) {
        uint64_t version;

        set_up();
        fill();
        o.frontier_sync = full ? S("full") : S("none");
        open_it(T0);
        version = tables_version(f->db->tables);
        (void)help_lease(f, T0, a, NULL);
        (void)help_lease(f, T0 + 1, a, NULL);
        CHECK((tables_version(f->db->tables) == version) == !full);
        check_leased(2);
        tear_down();
    }
}

static void
a_report_of_what_was_leased_leaves_no_trace_of_the_lease(void)
{
    struct frontier_lease l;
    struct frontier_done d;

    set_up();
    fill();
    open_it(T0);
    l = help_lease(f, T0, a, NULL);
    CHECK(leaselog_n(f->db->leases) == 1);
    d = help_done(l.url, OUTCOME_FETCHED, T0 + 5);
    help_report(f, &d, T0 + 5);
    CHECK(leaselog_n(f->db->leases) == 0);
    help_check(f);
    frontier_close(f);
    open_it(T0);
    CHECK(schedule_out(f->sched, NULL, 0) == 0);
    help_check(f);
    tear_down();
}

static const struct test tests[] = {
    TEST(the_log_agrees_with_a_naive_list_commit_after_commit),
    TEST(it_takes_no_more_than_it_has_room_for),
    TEST(leases_that_cannot_be_written_are_not_held),
    TEST(a_cut_or_damaged_log_ends_there),
    TEST(a_killed_process_leaves_its_leases_to_the_next),
    TEST(a_lease_writes_nothing_into_the_store_unless_it_must_be_on_the_disk),
    TEST(a_report_of_what_was_leased_leaves_no_trace_of_the_lease),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
