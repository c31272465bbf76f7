/* The frontier's process is killed with SIGKILL at any moment, hundreds of
 * times, while it accepts links, leases, takes reports, aborts and merges: what
 * a commit has promised is there afterwards, nothing else is, every invariant
 * holds, and the next process goes on.
 *
 * The child notes in shared memory what it is about to offer and what was
 * committed; the parent kills it and compares. */
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/random.h"
#include "frontier/intake/pending.h"
#include "frontier_help.h"

enum {
    HOSTS = 40,
    PATHS = 200,
    URLS = HOSTS * PATHS,
    KILLS = 250,
    WORLD = 25,
    LARGE = 1000000
};

static struct ledger { /* shared with the child */
    unsigned char offered[URLS], accepted[URLS], reported[URLS], ended[URLS];
    uint64_t commits;
} * ledger;

static struct opts o;
static struct random r;
static uint64_t now = 1800000000000;
static struct arena *arena;

static uint64_t
below(uint64_t n)
{
    return random_below(&r, n);
}

static struct str
url_of(int i, struct arena *a)
{
    return arena_printf(a, "http%s://h%d.test/dir%d/p%d", i % 5 ? "" : "s",
                        i / PATHS, i % PATHS % 7, i % PATHS);
}

static int
number_of(struct str url)
{
    char text[80];
    int host, path;

    snprintf(text, sizeof text, "%.*s", STRF(url));
    if (sscanf(text, "%*[^:]://h%d.test/dir%*d/p%d", &host, &path) != 2)
        return -1;
    return host * PATHS + path;
}

/* ---- the process that is killed ---- */

struct kill_work { /* of one transaction: what its commit promises */
    int link[256], ended[32];
    size_t links_n, ended_n;
};

static void
some_links(struct kill_work *w, struct frontier_link *links, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int to = (int)below(URLS);

        links[i] = (struct frontier_link){.url = url_of(to, arena),
                                          .boilerplate = (float)below(11) / 10};
        ledger->offered[to] = 1;
        w->link[w->links_n++] = to;
    }
}

static void
report(struct frontier *f, struct kill_work *w, struct str url,
       enum frontier_outcome outcome)
{
    struct frontier_done d = help_done(url, outcome, now);
    struct frontier_link links[8];
    size_t fresh, known, refused;

    if (d.outcome == OUTCOME_FETCHED) {
        d.links = links;
        d.links_n = below(8);
        some_links(w, links, d.links_n);
    }
    ledger->reported[number_of(url)] = 1; /* the last retry ends it, too */
    if (d.outcome == OUTCOME_FETCHED || d.outcome == OUTCOME_FAILED)
        w->ended[w->ended_n++] = number_of(url);
    CHECK(frontier_done(f, &d, now, &fresh, &known, &refused) == ST_OK);
}

/* What is unreported is reported some transactions later, if at all. */
static int later[64];
static size_t later_n;

static void
request_ended(struct frontier *f, struct str url)
{
    struct frontier_done d = help_done(url, OUTCOME_FETCHED, now);

    CHECK(frontier_request_ended(f, &d, now) == ST_OK);
    if (later_n < sizeof later / sizeof *later)
        later[later_n++] = number_of(url);
}

/* Of what an abort has undone, or of what is reported for the second time after
 * its lease was void, a report counts for nothing. */
static bool
is_awaited(struct frontier *f, struct str url)
{
    struct row_seen s = {0};
    struct row_url parts;

    return row_url_split(&parts, url) &&
           url_store_seen_get(f->db,
                              row_seen_key(ROW_KEYS_NEW, parts.authority, url),
                              &s) == ST_OK &&
           !row_has_ended(s.state);
}

static void
report_some(struct frontier *f, struct kill_work *w)
{
    for (int i = 0; i < 8 && later_n > 0 && below(3) != 0; i++) {
        struct str url = url_of(later[--later_n], arena);

        if (is_awaited(f, url))
            report(f, w, url, OUTCOME_FETCHED);
    }
}

static void
transaction(struct frontier *f)
{
    static const enum frontier_outcome outcomes[] = {
        OUTCOME_FETCHED, OUTCOME_FETCHED, OUTCOME_FETCHED,
        OUTCOME_FAILED,  OUTCOME_RETRY,   OUTCOME_RETURNED};
    struct kill_work w = {.links_n = 0};
    struct frontier_link seeds[4];
    struct frontier_lease *l;
    uint64_t wake;
    size_t n;

    arena_reset(arena);
    now += below(300);
    CHECK(frontier_begin(f) == ST_OK);
    if (below(4) == 0) {
        some_links(&w, seeds, 4);
        CHECK(frontier_seed(f, seeds, 4, now, &n) == ST_OK);
    }
    CHECK(frontier_lease(f, 1, 0, below(6), now, arena, &l, &n, &wake) ==
          ST_OK);
    report_some(f, &w);
    for (size_t i = 0; i < n; i++)
        if (below(4) == 0)
            request_ended(f, l[i].url);
        else if (is_awaited(f, l[i].url))
            report(f, &w, l[i].url, outcomes[below(6)]);
    if (below(10) == 0) {
        frontier_abort(f);
        return;
    }
    CHECK(frontier_commit(f) == ST_OK);
    for (size_t i = 0; i < w.links_n; i++)
        ledger->accepted[w.link[i]] = 1;
    for (size_t i = 0; i < w.ended_n; i++)
        ledger->ended[w.ended[i]] = 1;
    ledger->commits++;
}

static void __attribute__((noreturn)) work_until_killed(const char *dir)
{
    struct frontier *f;

    CHECK(frontier_open(&f, dir, &o, now) == ST_OK);
    CHECK(frontier_begin(f) == ST_OK);
    CHECK(frontier_hello(f, 1, now) == ST_OK);
    CHECK(frontier_commit(f) == ST_OK);
    while (test_failed == 0)
        transaction(f);
    _exit(1);
}

/* ---- the judge ---- */

static unsigned char waits[URLS];

static enum status
note(void *self, const struct candidate *c)
{
    struct str url = row_queued_url(&c->q, c->authority, arena);
    int i = number_of(url);

    (void)self;
    CHECK(i >= 0);
    if (i >= 0)
        waits[i] = 1;
    return ST_OK;
}

static void
judge(struct frontier *f)
{
    struct frontier_totals t;
    uint64_t seen_n = 0;

    memset(waits, 0, sizeof waits);
    CHECK(frontier_begin(f) == ST_OK);
    CHECK(pending_each(f->in->pending, note, NULL) == ST_OK);
    for (int i = 0; i < URLS; i++) {
        struct row_url url;
        struct row_seen s = {0};
        struct str text = url_of(i, arena);
        enum status st;

        CHECK(row_url_split(&url, text));
        st = url_store_seen_get(
            f->db, row_seen_key(ROW_KEYS_NEW, url.authority, text), &s);
        CHECK(st == ST_OK || st == ST_NONE);
        seen_n += st == ST_OK;
        CHECK(!ledger->accepted[i] || st == ST_OK || waits[i]);
        CHECK(ledger->offered[i] || (st == ST_NONE && !waits[i]));
        CHECK(!ledger->ended[i] || (st == ST_OK && row_has_ended(s.state)));
        CHECK(ledger->reported[i] || st == ST_NONE || !row_has_ended(s.state));
        /* What was not promised may have been done all the same. */
        ledger->accepted[i] = st == ST_OK || waits[i];
        ledger->ended[i] = st == ST_OK && row_has_ended(s.state);
        arena_reset(arena);
    }
    frontier_totals(f, &t, now);
    CHECK(t.seen == seen_n);
    frontier_abort(f);
    help_check(f);
}

static void
what_was_committed_survives_kill_9(void)
{
    const char *dir = help_folder();
    uint64_t commits = 0, merged = 0;

    for (int i = 0; i < KILLS && test_failed == 0; i++) {
        struct frontier *f;
        pid_t child;
        int how;

        if (i % WORLD == 0) {
            folder_remove(dir);
            memset(ledger, 0, sizeof *ledger);
            o.frontier_merge_from = (uint64_t[]){0, 0, 500, LARGE}[below(4)];
        }
        fflush(NULL);
        child = fork();
        if (child == 0)
            work_until_killed(dir);
        usleep((useconds_t)below(25000));
        kill(child, SIGKILL);
        CHECK(waitpid(child, &how, 0) == child && WIFSIGNALED(how));
        now += 1000000; /* more than the child can have got ahead */
        CHECK(frontier_open(&f, dir, &o, now) == ST_OK);
        judge(f);
        commits += ledger->commits;
        merged += pending_n(f->in->pending) > 0;
        ledger->commits = 0;
        frontier_close(f);
        r = random_seed((uint64_t)i + 77);
    }
    printf("%llu transactions, %llu times killed while links waited\n",
           (unsigned long long)commits, (unsigned long long)merged);
    CHECK(commits > KILLS && merged > 0);
    folder_remove(dir);
}

static const struct test tests[] = {
    TEST(what_was_committed_survives_kill_9),
    {0},
};

int
main(int argc, char **argv)
{
    int rc;

    log_threshold = LOG_ERROR;
    arena = arena_new();
    o = help_opts();
    o.politeness_delay_ms = 100;
    o.politeness_retry_ms = 200;
    r = random_seed(1);
    ledger = mmap(NULL, sizeof *ledger, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (ledger == MAP_FAILED)
        return 1;
    rc = test_main(tests, argc, argv);
    munmap(ledger, sizeof *ledger);
    arena_free(arena);
    opts_free(&o);
    return rc;
}
