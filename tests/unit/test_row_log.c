/* The log of rows before LMDB: whatever becomes of the process or of the last
 * bytes, the store has every transaction that was committed and none by half.
 */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "frontier/store/row_log.h"
#include "frontier/store/tables.h"
#include "frontier_case.h"

enum { KEYS = 40, TURNS = 60, LARGE = 2500 };

static struct tables *t;
static const char *const sync_names[] = {"none", "meta", "full"};

static void
open_tables(const char *sync, bool later)
{
    const struct tables_config config = {.map_size = (size_t)64 << 20,
                                         .sync = str_c(sync)};

    CHECK(tables_open(&t, dir, &config) == ST_OK);
    if (later)
        CHECK(tables_save_later(t, 5) == ST_OK);
}

/* A row of a made-up table: number `key` has the value of turn `v`, or is gone
 * (v 0). */
static enum status
put(unsigned key, unsigned v)
{
    char k[16], value[200];
    int n = snprintf(k, sizeof k, "%06u", key);
    int m = snprintf(value, sizeof value, "%0*u", 8 + (int)(v % 100), v);
    enum status st;

    if (v > 0)
        return tables_put(t, TABLE_CONTROL, str_n(k, (size_t)n),
                          str_n(value, (size_t)m));
    st = tables_delete(t, TABLE_CONTROL, str_n(k, (size_t)n));
    return st == ST_NONE ? ST_OK : st;
}

static unsigned
get(unsigned key)
{
    char k[16], text[16];
    int n = snprintf(k, sizeof k, "%06u", key);
    struct str value;

    if (tables_get(t, TABLE_CONTROL, str_n(k, (size_t)n), &value) != ST_OK)
        return 0;
    CHECK(value.n >= 8);
    snprintf(text, sizeof text, "%.*s", 8,
             value.p + (value.n > 8 ? value.n - 8 : 0));
    return (unsigned)strtoul(text, NULL, 10);
}

static void
check_rows(const unsigned *want)
{
    CHECK(tables_peek(t) == ST_OK);
    for (unsigned i = 0; i < KEYS; i++)
        CHECK(get(i) == want[i]);
    tables_abort(t);
}

/* One transaction of some changes; the naive list follows if it is kept. */
static void
turn(struct random *r, unsigned number, unsigned *want)
{
    unsigned now[KEYS];
    size_t n = 1 + random_below(r, 6);
    bool keep = random_below(r, 4) > 0;

    memcpy(now, want, sizeof now);
    CHECK(tables_begin(t) == ST_OK);
    CHECK(tables_changes(t) == 0);
    for (size_t i = 0; i < n; i++) {
        unsigned key = (unsigned)random_below(r, KEYS);

        now[key] = random_below(r, 3) == 0 ? 0 : number;
        CHECK(put(key, now[key]) == ST_OK);
    }
    if (random_below(r, 8) == 0) /* too many for a record */
        for (unsigned i = 0; i < LARGE; i++)
            CHECK(put(KEYS + i, number) == ST_OK);
    CHECK(tables_changes(t) > 0);
    if (keep) {
        CHECK(tables_commit(t) == ST_OK);
        memcpy(want, now, sizeof now);
    } else {
        tables_abort(t);
    }
    if (random_below(r, 10) == 0)
        CHECK(tables_sync(t) == ST_OK);
}

/* What `turns` turns have made, in a process that is killed then. */
static void
killed_after(unsigned turns, const char *sync, uint64_t seed)
{
    const struct tables_config config = {
        .map_size = (size_t)64 << 20, .sync = str_c(sync), .as_it_is = true};
    pid_t child = fork();
    int how = 0;

    if (child == 0) {
        struct random r = random_seed(seed);
        unsigned want[KEYS] = {0};

        CHECK(tables_open(&t, dir, &config) == ST_OK);
        CHECK(tables_save_later(t, 5) == ST_OK);
        for (unsigned i = 1; i <= turns; i++)
            turn(&r, i, want);
        check_rows(want);
        raise(SIGKILL);
    }
    CHECK(waitpid(child, &how, 0) == child && WIFSIGNALED(how) &&
          WTERMSIG(how) == SIGKILL);
}

static void
a_killed_process_leaves_every_commit_to_the_next(void)
{
    for (unsigned turns = 0; turns < TURNS; turns += 3) {
        unsigned want[KEYS] = {0};
        struct random r = random_seed(turns);
        const char *sync = sync_names[turns % 3];

        set_up();
        open_tables(sync, true);
        for (unsigned i = 1; i <= turns; i++)
            turn(&r, i, want);
        check_rows(want);
        tables_close(t);
        CHECK(
            !redo_log_exists(&row_log, dir)); /* a clean end leaves one file */
        open_tables(sync, false);
        check_rows(want);
        tables_close(t);
        tear_down();
        set_up();
        killed_after(turns, sync, turns);
        open_tables(sync, turns % 2 == 0);
        check_rows(want);
        tables_close(t);
        tear_down();
    }
}

/* Rows by the log alone: what a reader sees without a writer. */
static void
a_reader_sees_what_a_killed_process_has_left(void)
{
    const struct tables_config look = {.read_only = true};
    unsigned want[KEYS] = {0};
    struct random r = random_seed(7);

    set_up();
    open_tables("meta", true);
    for (unsigned i = 1; i <= 20; i++)
        turn(&r, i, want);
    tables_close(t);
    tear_down();
    set_up();
    killed_after(20, "meta", 7);
    CHECK(redo_log_exists(&row_log, dir));
    CHECK(tables_open(&t, dir, &look) == ST_OK);
    check_rows(want);
    tables_close(t);
    tear_down();
}

/* A killed process of an earlier version: its log is brought in before the
 * store takes this version's form. */
static void
an_earlier_version_leaves_every_commit_to_this_one(void)
{
    uint32_t schema = tables_schema() - 1;

    for (unsigned turns = 20; turns < 23; turns++) {
        unsigned want[KEYS] = {0};
        struct random r = random_seed(turns);
        const char *sync = sync_names[turns % 3];

        set_up();
        open_tables(sync, true);
        for (unsigned i = 1; i <= turns; i++)
            turn(&r, i, want);
        tables_close(t);
        tear_down();
        set_up();
        open_tables(sync, false);
        CHECK(tables_begin(t) == ST_OK);
        CHECK(tables_put(t, TABLE_META, S("schema"),
                         str_n((const char *)&schema, sizeof schema)) == ST_OK);
        CHECK(tables_commit(t) == ST_OK);
        tables_close(t);
        killed_after(turns, sync, turns);
        log_mute(true);
        open_tables(sync, true);
        log_mute(false);
        check_rows(want);
        tables_close(t);
        tear_down();
    }
}

/* ---- the file ---- */

static enum status
count(void *self, const struct row_change *c)
{
    unsigned *n = self;

    CHECK(c->table == TABLE_CONTROL && !c->gone && c->key.n == 6);
    CHECK(c->key.p[5] == (char)('0' + ++*n));
    return ST_OK;
}

static enum status
tally(void *self, const struct row_change *c)
{
    CHECK(c->table == TABLE_CONTROL);
    ++*(unsigned *)self;
    return ST_OK;
}

static void
record_of(struct redo_log *log, unsigned number)
{
    struct buf changes = {0};
    char key[16];

    snprintf(key, sizeof key, "%06u", number);
    row_change_add(&changes,
                   &(struct row_change){TABLE_CONTROL, false, str_c(key),
                                        S("some value of a row")});
    CHECK(row_log_append(log, buf_view(&changes), false) == ST_OK);
    buf_free(&changes);
}

/* Segments go on from one commit to the next, but not across one whose rows
 * are in no record, nor into what an older one has left in the file. */
static void
segments_are_read_as_they_follow(void)
{
    struct redo_log *log;

    for (int whole = 0; whole < 2; whole++) {
        unsigned n = 0;
        bool gap;

        set_up();
        CHECK(redo_log_open(&log, &row_log, dir) == ST_OK);
        row_log_begin(log, 4, true);
        for (unsigned i = 1; i <= 3; i++)
            record_of(log, i);
        row_log_begin(log, 5, true);
        record_of(log, 4);
        CHECK(row_log_replay(log, 4, count, &n, &gap) == ST_OK && n == 4);
        n = 0;
        CHECK(row_log_replay(log, 0, count, &n, &gap) == ST_OK && n == 4);
        row_log_begin(log, 6, true); /* over the first ones */
        n = 3;
        CHECK(row_log_replay(log, 5, count, &n, &gap) == ST_OK && n == 4);
        record_of(log, 5);
        row_log_begin(log, 7, whole == 1);
        record_of(log, 6);
        n = 4;
        CHECK(row_log_replay(log, 6, count, &n, &gap) == ST_OK);
        CHECK(n == (whole == 1 ? 6 : 5));
        n = 0;
        CHECK(row_log_replay(log, 8, count, &n, &gap) == ST_OK && n == 0);
        redo_log_close(log);
        tear_down();
    }
}

/* A disk that is full: the transaction has not happened, those before have. */
static void
what_cannot_be_written_has_not_happened(void)
{
    const struct rlimit none = {200, RLIM_INFINITY};
    struct rlimit old;
    unsigned want[KEYS] = {0};

    signal(SIGXFSZ, SIG_IGN);
    set_up();
    open_tables("none", true);
    for (unsigned i = 1; i <= 2; i++) {
        CHECK(tables_begin(t) == ST_OK && put(i, i) == ST_OK);
        CHECK(tables_commit(t) == ST_OK);
        want[i] = i;
    }
    CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
    CHECK(setrlimit(RLIMIT_FSIZE, &none) == 0);
    CHECK(tables_begin(t) == ST_OK && put(1, 9) == ST_OK && put(3, 9) == ST_OK);
    CHECK(tables_commit(t) == ST_FULL);
    check_rows(want);
    CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
    CHECK(tables_begin(t) == ST_OK && put(4, 4) == ST_OK);
    CHECK(tables_commit(t) == ST_OK);
    want[4] = 4;
    check_rows(want);
    tables_close(t);
    open_tables("none", false);
    check_rows(want);
    tables_close(t);
    tear_down();
}

static atomic_bool disk_fails;

/* In the place of the C library's. */
int
fdatasync(int fd)
{
    CHECK(fd >= 0);
    errno = EIO;
    return disk_fails ? -1 : 0;
}

/* Nor is it in the log for who comes after a kill: its links are cut off.  With
 * `meta` it is the thread that syncs later which fails. */
static void
what_cannot_be_synced_has_not_happened(void)
{
    for (size_t i = 1; i < 3; i++) {
        unsigned want[KEYS] = {0}, n = 0, seen = 0;
        struct redo_log *log;
        enum status st;
        bool gap;

        set_up();
        open_tables(sync_names[i], true);
        log_mute(true);
        do {
            want[1] = n++;
            CHECK(tables_begin(t) == ST_OK && put(1, n) == ST_OK);
            st = tables_commit(t);
            disk_fails = true;
            clock_sleep_ms(1);
        } while (st == ST_OK);
        CHECK(st == ST_STORE && n > 1);
        disk_fails = false;
        log_mute(false);
        CHECK(redo_log_open(&log, &row_log, dir) == ST_OK);
        CHECK(row_log_replay(log, 0, tally, &seen, &gap) == ST_OK && !gap);
        CHECK(seen == n - 1);
        redo_log_close(log);
        check_rows(want);
        CHECK(tables_begin(t) == ST_OK && put(1, n + 1) == ST_OK);
        for (unsigned k = 0; k < LARGE; k++)
            CHECK(put(KEYS + k, 1) == ST_OK);
        st = tables_commit(t); /* no record, but LMDB's commit */
        CHECK(st == (i == 1 ? ST_STORE : ST_OK));
        if (st == ST_OK)
            want[1] = n + 1;
        check_rows(want);
        tables_close(t);
        open_tables(sync_names[i], false);
        check_rows(want);
        tables_close(t);
        tear_down();
    }
}

/* ---- in the frontier ---- */

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
    CHECK(totals(T0 + 2).leased == leased);
    CHECK(schedule_out(f->sched, NULL, 0) == leased);
}

static void
a_killed_process_leaves_its_leases_to_the_next(void)
{
    struct frontier_lease l;
    pid_t child;
    int how = 0;

    set_up();
    fill();
    if ((child = fork()) == 0) {
        open_it(T0);
        CHECK(frontier_save_later(f, &o) == ST_OK);
        (void)help_lease(f, T0, a, NULL);
        (void)help_lease(f, T0 + 1, a, NULL);
        raise(SIGKILL);
    }
    CHECK(waitpid(child, &how, 0) == child && WIFSIGNALED(how));
    open_it(T0);
    check_leased(2);
    l = help_lease(f, T0 + 2, a, NULL);
    CHECK(str_eq(l.url, S("http://c.nl/1")));
    CHECK(help_lease(f, T0 + 3, a, NULL).url.n == 0);
    HELP_OK(f, frontier_hello(f, 1, T0 + 4));
    check_leased(0);
    tear_down();
}

/* What writes pages of LMDB is counted by its commits. */
static void
leases_and_reports_write_nothing_into_the_store(void)
{
    struct frontier_lease l;
    struct frontier_done d;
    uint64_t version;

    set_up();
    fill();
    open_it(T0);
    CHECK(frontier_save_later(f, &o) == ST_OK);
    version = tables_version(f->db->tables);
    for (unsigned i = 0; i < 3; i++) {
        l = help_lease(f, T0 + i, a, NULL);
        d = help_done(l.url, OUTCOME_FETCHED, T0 + 5);
        help_report(f, &d, T0 + 5);
        CHECK(frontier_maintain_due(f, T0 + 5) <= 5000);
    }
    CHECK(totals(T0 + 6).done == 3);
    CHECK(tables_version(f->db->tables) == version);
    CHECK(tables_sync(f->db->tables) == ST_OK);
    CHECK(tables_version(f->db->tables) == version + 1);
    CHECK(frontier_maintain_due(f, T0 + 5) == UINT64_MAX);
    frontier_close(f);
    open_it(T0);
    CHECK(totals(T0 + 6).done == 3);
    tear_down();
}

/* With this map LMDB commits after 256 rows. */
static void
change_rows(enum table table, unsigned n)
{
    CHECK(tables_begin(t) == ST_OK);
    for (unsigned i = 0; i < n; i++) {
        char k[16];
        int m = snprintf(k, sizeof k, "%06u", i);

        CHECK(tables_put(t, table, str_n(k, (size_t)m), S("x")) == ST_OK);
    }
    CHECK(tables_commit(t) == ST_OK);
}

static void
saves_come_behind_what_is_no_lease(void)
{
    uint64_t version;

    set_up();
    open_tables("none", true);
    version = tables_version(t);
    change_rows(TABLE_LEASES, 255);
    change_rows(TABLE_LEASES, 256); /* 511: not before this, nor behind it */
    CHECK(tables_version(t) == version);
    change_rows(TABLE_LEASES, 1);
    CHECK(tables_version(t) == version);
    change_rows(TABLE_LEASES, 1); /* there was twice as much before it */
    CHECK(tables_version(t) == version + 1);
    change_rows(TABLE_CONTROL, 254);
    CHECK(tables_version(t) == version + 1);
    change_rows(TABLE_CONTROL, 1); /* the 256th */
    CHECK(tables_version(t) == version + 2);
    tables_close(t);
    tear_down();
}

static const struct test tests[] = {
    TEST(a_killed_process_leaves_every_commit_to_the_next),
    TEST(a_reader_sees_what_a_killed_process_has_left),
    TEST(an_earlier_version_leaves_every_commit_to_this_one),
    TEST(segments_are_read_as_they_follow),
    TEST(what_cannot_be_written_has_not_happened),
    TEST(what_cannot_be_synced_has_not_happened),
    TEST(a_killed_process_leaves_its_leases_to_the_next),
    TEST(leases_and_reports_write_nothing_into_the_store),
    TEST(saves_come_behind_what_is_no_lease),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
