/* The frontier against a naive model: thousands of random operations (seeds,
 * leases by two crawlers, every outcome, repeated reports, reports of crawlers
 * that hung past their deadlines while others have the URL, restarts of
 * crawlers, aborted transactions, reopened stores, time that passes), and after
 * each the same answers, states and totals, and never two requests to a host
 * within its delay.  Both as a small store works and as a large one does, where
 * links wait in the log. */
#include "base/log.h"
#include "frontier/intake/pending.h"
#include "frontier_model_case.h"

#define STEPS 10000
#define LARGE 1000000 /* frontier.merge_from of a small store */

/* ---- operations on both ---- */

/* Does the link wait already, and would a seed not raise it? */
static bool
waits(int to, uint32_t priority)
{
    for (int i = 0; i < m.wait_n; i++)
        if (m.wait[i].to == to && priority < m.wait[i].priority + 65534 / 20)
            return true;
    return false;
}

static void
seed(void)
{
    struct frontier_link links[4];
    struct link_signals s = {.seed = true};
    size_t n = 1 + below(4), fresh, want = 0;

    for (size_t k = 0; k < n; k++) {
        int i = (int)below(URLS);

        links[k] = help_link(m_name(i));
        if (waits(i, m_priority(&o, &s)))
            continue;
        want += m.url[i].state == UNSEEN;
        m_put(&m, i, m_priority(&o, &s), 0, 0, true);
    }
    CHECK(frontier_seed(f, links, n, m.now, &fresh) == ST_OK);
    CHECK(fresh == want);
}

/* Is a before b in the order of leasing? */
static bool
better(int a, int b)
{
    int url[2], hop[2];
    uint32_t p[2];
    uint64_t order[2];

    m_head(&m, &o, a, &url[0], &hop[0]);
    m_head(&m, &o, b, &url[1], &hop[1]);
    for (int i = 0; i < 2; i++) {
        p[i] = hop[i] >= 0 ? 65535 : m_effective(&m, &o, url[i]);
        order[i] = hop[i] >= 0 ? m.hop[hop[i]].order : m.url[url[i]].order;
    }
    if (p[0] != p[1])
        return p[0] > p[1];
    if (m.host[a].fetched != m.host[b].fetched)
        return m.host[a].fetched < m.host[b].fetched;
    return order[0] < order[1];
}

static void
expect_lease(const struct frontier_lease *l, int host, uint64_t crawler,
             uint64_t call)
{
    struct m_host *h = &m.host[host];
    char text[64];

    /* Politeness, judged apart from the model's clocks. */
    CHECK(contacted[host] == 0 ||
          m.now >= contacted[host] + o.politeness_delay_ms);
    h->out = true;
    h->crawler = crawler;
    h->call = call;
    h->started = m.now;
    h->deadline = m.now + o.frontier_lease_seconds * 1000;
    m_head(&m, &o, host, &h->url, &h->hop);
    snprintf(text, sizeof text, "h%d.test", host);
    CHECK(str_eq(l->authority, str_c(text)));
    h->out_robots = h->hop >= 0 || h->version == 0 || h->expiry <= m.now;
    CHECK(l->kind == (h->out_robots ? FRONTIER_ROBOTS : FRONTIER_PAGE));
    if (h->hop >= 0) {
        CHECK(str_eq(l->url, str_c(m.hop[h->hop].url)));
        snprintf(text, sizeof text, "h%d.test", m.hop[h->hop].owner);
        CHECK(str_eq(l->owner, str_c(text)));
    } else if (h->out_robots) {
        snprintf(text, sizeof text, "%s://h%d.test/robots.txt",
                 h->url % 3 == 0 ? "https" : "http", host);
        CHECK(str_eq(l->url, str_c(text)));
        h->url = -1;
    } else {
        const struct m_url *u = &m.url[h->url];

        CHECK(str_eq(l->url, str_c(m_name(h->url))));
        if (o.frontier_merge_from == 0) /* what waited may be merged by now */
            m.url[h->url].redirects = l->redirects;
        CHECK((l->depth == u->depth || o.frontier_merge_from == 0) &&
              l->redirects == u->redirects && l->attempts == u->attempts &&
              l->robots_version == h->version);
    }
    if (h->out_robots)
        h->url = -1;
    h->gone = -1;
    CHECK(l->call == call);
}

static void
lease(void)
{
    static uint64_t call;
    struct frontier_lease *leases;
    uint64_t crawler = 1 + below(2), wake;
    size_t max = 1 + below(4), n, again_n;

    m_tick(&m, &o);
    for (uint64_t c = 1; c <= 2; c++) /* they live: test_suspects.c */
        schedule_crawler(f->sched, c)->heard_ms = m.now;
    call++;
    CHECK(frontier_lease(f, crawler, call, max, m.now, arena, &leases, &n,
                         &wake) == ST_OK);
    for (size_t k = 0; k < max; k++) {
        int best = -1;

        for (int i = 0; i < HOSTS; i++)
            if (m_due(&m, &o, i) && (best < 0 || better(i, best)))
                best = i;
        CHECK((best >= 0) == (k < n));
        if (best < 0 || k >= n)
            break;
        expect_lease(&leases[k], best, crawler, call);
    }
    CHECK(wake > 0 || (n == 0 && wake == 0));
    CHECK(frontier_lease(f, crawler, call, max, m.now, arena, &leases, &again_n,
                         &wake) == ST_OK);
    CHECK(again_n == n); /* the answer was lost */
}

static void
hello(void)
{
    uint64_t crawler = 1 + below(2);

    CHECK(frontier_hello(f, crawler, m.now) == ST_OK);
    for (int i = 0; i < HOSTS; i++)
        if (m.host[i].out && m.host[i].crawler == crawler) {
            m_return(&m, i, &o);
            contacted[i] = m.now; /* it may have been asked just now */
        }
    for (int i = 0; i < URLS; i++)
        if (m.url[i].state == UNREPORTED && m.url[i].crawler == crawler)
            m_take_back(&m, i);
}

static void
operation(void)
{
    switch (below(30)) {
    case 0: seed(); break;
    case 1: below(4) ? late_report() : repeated_report(); break;
    case 2: late_report(); break;
    case 3:
        if (below(6) == 0)
            hello();
        break;
    case 4:
    case 5:
    case 6:
    case 7:
    case 8:
    case 9:
    case 10: lease(); break;
    case 11:
    case 12:
    case 24:
    case 25:
    case 26:
    case 27: request_ended(); break;
    case 28:
    case 29: unreported_done(); break;
    case 13: m.now += below(20) ? below(800) : below(30000); break;
    default: some_outcome();
    }
}

/* ---- comparison ---- */

static void
compare(uint64_t step)
{
    struct frontier_totals got, want;
    int before = test_failed;

    frontier_totals(f, &got, m.now);
    m_totals(&m, &o, &want);
    want.hosts_ready += want.hosts_waiting; /* ripe leases count either way */
    got.hosts_ready += got.hosts_waiting;
    want.hosts_waiting = got.hosts_waiting = 0;
    want.robots = got.robots;
    want.late_reports = m.late;
    CHECK(memcmp(&got, &want, sizeof got) == 0);
    for (int i = 0; i < HOSTS; i++) {
        if (!m.host[i].met)
            continue;
        CHECK(frontier_begin(f) == ST_OK);
        CHECK(real_host(i).next_contact_ms == m.host[i].next);
        CHECK(real_host(i).lease.out == m.host[i].out);
        CHECK(real_host(i).robots.pending == m.host[i].pending);
        CHECK(frontier_commit(f) == ST_OK);
    }
    if (test_failed != before) {
        fprintf(stderr, "at step %llu\n", (unsigned long long)step);
        exit(1);
    }
}

static void
reopen(const char *dir)
{
    frontier_close(f);
    if (o.limits_host_pages > 0)
        o.limits_host_pages = 4 + below(5);
    CHECK(frontier_open(&f, dir, &o, m.now) == ST_OK);
}

/* Everything that waits is merged; before that the process may end. */
static void
settle(const char *dir)
{
    if (m.wait_n > 0 && below(10) == 0)
        reopen(dir);
    while (pending_n(f->in->pending) > 0) {
        CHECK(frontier_begin(f) == ST_OK);
        pending_wanted(f->in->pending, true);
        CHECK(pending_feed(f->in->pending) == ST_OK);
        if (below(8) == 0)
            frontier_abort(f);
        else
            CHECK(frontier_commit(f) == ST_OK);
    }
    m_merge(&m);
}

static bool
nearly_done(void)
{
    int left = 0;

    for (int i = 0; i < URLS; i++)
        left += m.url[i].state < DONE;
    return left < URLS / 4;
}

static void
run(uint64_t first, const char *scorer, uint64_t merge_from)
{
    const char *dir = help_folder();
    static struct store_model saved;
    static uint64_t saved_contacted[HOSTS];

    o = help_opts();
    o.frontier_scorer = str_c(scorer);
    o.frontier_merge_from = merge_from;
    o.politeness_robots = true;
    o.politeness_robots_ttl_seconds = 60;
    o.politeness_retry_ms = 400;
    o.frontier_lease_seconds = 15;
    o.frontier_host_unreported_max = 1 + first % 3;
    o.limits_host_pages = first % 2 == 0 ? 5 : 0;
    o.fetch_redirects_max = 2;
    o.frontier_random_seed = first;
    r = random_seed(first);
    m = (struct store_model){.now = 1000000};
    memset(contacted, 0, sizeof contacted);
    CHECK(frontier_open(&f, dir, &o, m.now) == ST_OK);
    for (uint64_t step = 0; step < STEPS; step++) {
        size_t n = 1 + below(4);
        bool abort_it = below(12) == 0;

        saved = m;
        memcpy(saved_contacted, contacted, sizeof contacted);
        CHECK(frontier_begin(f) == ST_OK);
        for (size_t i = 0; i < n; i++)
            operation();
        if (abort_it) {
            uint64_t now = m.now;

            frontier_abort(f);
            m = saved;
            m.now = now;
            memcpy(contacted, saved_contacted, sizeof contacted);
        } else {
            CHECK(frontier_commit(f) == ST_OK);
        }
        settle(dir);
        compare(step);
        arena_reset(arena);
        if (step % 97 == 0)
            help_check(f);
        if (below(150) == 0)
            reopen(dir);
        if (nearly_done() && below(40) == 0) { /* a new world */
            frontier_close(f);
            folder_remove(dir);
            m = (struct store_model){.now = m.now};
            memset(contacted, 0, sizeof contacted);
            CHECK(frontier_open(&f, dir, &o, m.now) == ST_OK);
        }
    }
    help_check(f);
    frontier_close(f);
    folder_remove(dir);
    opts_free(&o);
}

static void
the_frontier_agrees_with_the_model_under_paper(void)
{
    run(1, "paper", LARGE);
    run(2, "paper", LARGE);
}

static void
the_frontier_agrees_with_the_model_under_bfs(void)
{
    run(3, "bfs", LARGE);
}

static void
the_frontier_agrees_with_the_model_under_block(void)
{
    run(4, "block", LARGE);
}

static void
the_frontier_agrees_with_the_model_when_links_wait_in_the_log(void)
{
    run(5, "block", 0);
    run(6, "block", 0);
    printf("%ld late reports of what somebody else had\n", late_out);
    CHECK(late_out > 40);
    printf("%ld reports of what was unreported\n", unreported_n);
    CHECK(unreported_n > 400);
}

static const struct test tests[] = {
    TEST(the_frontier_agrees_with_the_model_under_paper),
    TEST(the_frontier_agrees_with_the_model_under_bfs),
    TEST(the_frontier_agrees_with_the_model_under_block),
    TEST(the_frontier_agrees_with_the_model_when_links_wait_in_the_log),
    {0},
};

int
main(int argc, char **argv)
{
    int rc;

    log_threshold = LOG_WARN;
    arena = arena_new();
    rc = test_main(tests, argc, argv);
    arena_free(arena);
    return rc;
}
