/* Looking at a frontier: why, and a reader beside the writer. */
#include <sys/wait.h>

#include "base/log.h"
#include "frontier_case.h"

static bool
why_says(struct str url, const char *text)
{
    struct buf b = {0};
    bool found;

    HELP_OK(f, frontier_why(f, url, T0, &b));
    buf_char(&b, '\0');
    found = strstr(b.p, text) != NULL;
    if (!found)
        fprintf(stderr, "no \"%s\" in:\n%s", text, b.p);
    buf_free(&b);
    return found;
}

static void
why_tells_each_state(void)
{
    struct frontier_link links[] = {help_link("http://b.nl/1"),
                                    help_link("http://b.nl/2")};

    set_up();
    open_it(T0);
    help_seed(f, "http://a.nl/", T0);
    CHECK(why_says(S("http://a.nl/"), "queued, not fetched yet"));
    CHECK(why_says(S("http://a.nl/"), "given as a seed"));
    help_lease(f, T0, a, NULL);
    CHECK(why_says(S("http://a.nl/"), "leased to crawler"));
    links[1].boilerplate = 0.75f;
    fetch_with("http://a.nl/", T0, 2.5, links, 2);
    CHECK(why_says(S("http://a.nl/"), "done, reason: kept"));
    CHECK(why_says(S("http://b.nl/2"), "badness of the linking page: 2.50"));
    CHECK(why_says(S("http://b.nl/2"), "0.7500"));
    CHECK(why_says(S("http://b.nl/2"), "before it: 1 of its URL class"));
    CHECK(why_says(S("http://b.nl/2"), "a page of a.nl"));
    CHECK(why_says(S("http://a.nl/9"), "never seen"));
    CHECK(why_says(S("http://z.nl/"), "never met"));
    CHECK(why_says(S("mailto:x"), "not an http"));
    tear_down();
}

static void
why_counts_the_tries(void)
{
    struct frontier_done d;

    set_up();
    open_it(T0);
    help_seed(f, "http://a.nl/", T0);
    CHECK(leased(T0, "http://a.nl/"));
    d = help_done(S("http://a.nl/"), OUTCOME_RETRY, T0);
    d.verdict = verdict_http(503);
    help_report(f, &d, T0);
    CHECK(why_says(d.url, "queued, try 1 failed, tried again in"));
    CHECK(leased(T0 + 60000, "http://a.nl/"));
    d = help_done(d.url, OUTCOME_RETURNED, T0 + 60000);
    help_report(f, &d, T0 + 60000);
    CHECK(why_says(d.url, "queued, try 1 failed, tried again soon"));
    tear_down();
}

/* One that is garbled, so that it lies in a URL class that its host has not. */
static void
why_believes_no_position(void)
{
    const struct row_seen_key key =
        row_seen_key(ROW_KEYS_NEW, S("a.nl"), S("http://a.nl/"));
    struct row_queued q;
    struct row_seen s;
    struct row_key at;
    struct buf row = {0}, said = {0};

    set_up();
    open_it(T0);
    help_seed(f, "http://a.nl/", T0);
    CHECK(frontier_begin(f) == ST_OK);
    CHECK(url_store_seen_get(f->db, key, &s) == ST_OK);
    CHECK(url_store_queue_read(f->db, s.position, &q) == ST_OK);
    row_queued_write(&row, &q);
    s.position.url_class = 250;
    at = row_queue_key(s.position);
    CHECK(tables_put(f->db->tables, TABLE_QUEUE, row_bytes(&at),
                     buf_view(&row)) == ST_OK);
    CHECK(url_store_seen_put(f->db, key, &s) == ST_OK);
    log_threshold = LOG_ERROR + 1;
    CHECK(frontier_why(f, S("http://a.nl/"), T0, &said) == ST_STORE);
    log_threshold = LOG_ERROR;
    frontier_abort(f);
    buf_free(&row);
    buf_free(&said);
    tear_down();
}

/* In a process of its own, beside the writer, as the command does it. */
static void
a_reader_looks_on_while_the_frontier_is_open(void)
{
    int status = -1;
    pid_t pid;

    set_up();
    open_it(T0);
    help_seed(f, "http://a.nl/1", T0);
    help_seed(f, "http://a.nl/2", T0);
    help_lease(f, T0, a, NULL);
    fflush(stdout);
    if ((pid = fork()) == 0) {
        struct frontier *r;
        struct frontier_totals t;
        char *text = NULL;
        size_t n = 0;
        FILE *to = open_memstream(&text, &n);

        if (frontier_open_reader(&r, dir, &o) != ST_OK ||
            frontier_begin(r) != ST_OK || frontier_dump(r, to) != ST_OK)
            _exit(1);
        fclose(to);
        frontier_totals(r, &t, T0);
        frontier_abort(r);
        _exit(t.queued == 1 && t.leased == 1 &&
                      strstr(text, "\"state\":\"leased\"") &&
                      strstr(text, "http://a.nl/2")
                  ? 0
                  : 2);
    }
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    tear_down();
}

static bool
takes_job(const char *facts, bool change, bool first)
{
    struct buf differences = {0};
    bool taken;

    HELP_OK(f, frontier_job(f, str_c(facts), change, first, &differences));
    taken = differences.n == 0;
    buf_free(&differences);
    return taken;
}

/* What was begun with another job, and brought nothing, binds nobody; a crawler
 * that is at it does. */
static void
crawlers_have_one_job(void)
{
    set_up();
    open_it(T0);
    CHECK(takes_job("scope.tld = be\n", false, true));
    CHECK(takes_job("scope.tld = nl\n", false, true));
    CHECK(!takes_job("scope.tld = be\n", false, false));
    CHECK(takes_job("scope.tld = nl\n", false, false));
    CHECK(takes_job("scope.tld = fr\n", true, false));
    help_seed(f, "http://a.nl/", T0);
    help_lease(f, T0, a, NULL);
    fetch_with("http://a.nl/", T0, 2.5, NULL, 0);
    CHECK(!takes_job("scope.tld = be\n", false, true));
    CHECK(takes_job("scope.tld = fr\n", false, true));
    tear_down();
}

static const struct test tests[] = {
    TEST(why_tells_each_state),
    TEST(why_counts_the_tries),
    TEST(why_believes_no_position),
    TEST(crawlers_have_one_job),
    TEST(a_reader_looks_on_while_the_frontier_is_open),
    {0},
};

int
main(int argc, char **argv)
{
    log_threshold = LOG_ERROR;
    return test_main(tests, argc, argv);
}
