/* Aim: of a page, a host and a domain only so many URLs are queued, the best of
 * all that were found; what is dropped is counted and may come back.  Method:
 * random pages with random scores against a naive model that keeps sorted
 * lists; the score of a URL is a function of it. */
#include "base/random.h"
#include "frontier/intake/known.h"
#include "frontier/intake/quota.h"
#include "frontier_help.h"

#define T0 1800000000000u

enum {
    HOSTS = 5,
    URLS = 400, /* of a host */
    PAGE = 60,
    ROUNDS = 300
};

static struct opts o;
static struct frontier *f;
static struct arena *a;
static const char *dir;
static struct random r;

static void
set_up(void)
{
    dir = help_folder();
    o = help_opts();
    o.frontier_page_links_max = 0;
    o.frontier_host_queue_max = 0;
    o.frontier_domain_queue_max = 0;
    o.politeness_delay_ms = 0;
    a = arena_new();
    r = random_seed(7);
}

/* The same score for every tenth. */
static double
score(void *self, struct str url)
{
    (void)self;
    return 0.1 + (double)(hash64(url) % 40) / 50;
}

static void
start(void)
{
    CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
    frontier_set_greedy_oracle(f, score, NULL);
}

static void
tear_down(void)
{
    frontier_close(f);
    folder_remove(dir);
    arena_free(a);
    opts_free(&o);
}

static struct str
url(size_t host, size_t i)
{
    static const char *const kinds[] = {"", "news/", "tag/x/", "a/b/c/"};

    return arena_printf(a, "http://h%zu.d%zu.nl/%s%zu.html", host, host % 2,
                        kinds[i % 4], i);
}

static struct frontier_link
link_to(size_t host, size_t i)
{
    return (struct frontier_link){
        .url = url(host, i), .domain = arena_printf(a, "d%zu.nl", host % 2)};
}

static struct row_link_counts
put(const struct frontier_link *links, size_t n)
{
    const struct row_parent p = {.facts = {.depth = 1}};
    struct row_link_counts counts = {0};

    CHECK(intake_put(f->in, links, n, &p, &counts) == ST_OK);
    return counts;
}

static struct frontier_totals
totals(void)
{
    struct frontier_totals t;

    frontier_totals(f, &t, T0);
    return t;
}

/* ---- what is in the queues ---- */

struct queue {
    size_t n;
    struct entry {
        struct str url;
        uint16_t priority;
        uint64_t order;
    } entry[URLS + PAGE];
};

static bool
has(const struct queue *q, struct str wanted)
{
    for (size_t i = 0; i < q->n; i++)
        if (str_eq(q->entry[i].url, wanted))
            return true;
    return false;
}

static int
best_first(const void *x, const void *y)
{
    const struct entry *p = x, *q = y;

    if (p->priority != q->priority)
        return p->priority > q->priority ? -1 : 1;
    return (p->order > q->order) - (p->order < q->order);
}

static size_t
host_of(struct str u)
{
    return (size_t)(u.p[8] - '0');
}

/* Of this page the best, then of each host. */
static void
model_put(struct queue *model, const struct frontier_link *links, size_t n,
          uint64_t *order)
{
    struct queue page = {0};

    for (size_t i = 0; i < n; i++) {
        struct str u = links[i].url;

        if (has(&page, u) || has(&model[host_of(u)], u))
            continue;
        page.entry[page.n++] =
            (struct entry){u, scorer_priority(score(NULL, u)), ++*order};
    }
    qsort(page.entry, page.n, sizeof *page.entry, best_first);
    if (o.frontier_page_links_max > 0 && page.n > o.frontier_page_links_max)
        page.n = o.frontier_page_links_max;
    for (size_t i = 0; i < page.n; i++) {
        struct queue *q = &model[host_of(page.entry[i].url)];

        q->entry[q->n++] = page.entry[i];
    }
    for (size_t h = 0; h < HOSTS; h++) {
        struct queue *q = &model[h];

        qsort(q->entry, q->n, sizeof *q->entry, best_first);
        if (o.frontier_host_queue_max > 0 && q->n > o.frontier_host_queue_max)
            q->n = o.frontier_host_queue_max;
    }
}

static void
compare(const struct queue *model)
{
    struct str key, row;
    size_t n = 0, all = 0;
    enum status st;

    for (size_t h = 0; h < HOSTS; h++)
        all += model[h].n;
    CHECK(frontier_begin(f) == ST_OK);
    st = tables_seek(f->db->tables, TABLE_QUEUE, S(""), &key, &row);
    for (; st == ST_OK; n++) {
        struct row_position place;
        struct row_queued q;
        struct host *h;
        struct str u;

        CHECK(row_queue_position(&place, key) && row_queued_read(&q, row));
        CHECK(url_store_host(f->db, place.host, &h) == ST_OK);
        u = row_queued_url(&q, h->row.name, a);
        CHECK(has(&model[host_of(u)], u));
        st = tables_next(f->db->tables, TABLE_QUEUE, &key, &row);
    }
    CHECK(n == all && totals().queued == all && totals().seen == all);
    frontier_abort(f);
}

/* Every second page has links twice. */
static size_t
random_page(struct frontier_link *links, size_t hosts)
{
    size_t n = 1 + (size_t)random_below(&r, PAGE);

    for (size_t i = 0; i < n; i++)
        links[i] = i % 2 == 1 && i < 20
                       ? links[i - 1]
                       : link_to((size_t)random_below(&r, hosts),
                                 (size_t)random_below(&r, URLS));
    return n;
}

static void
against_the_model(uint64_t page, uint64_t host)
{
    static struct queue model[HOSTS];
    struct frontier_link links[PAGE];
    uint64_t order = 0;

    memset(model, 0, sizeof model);
    set_up();
    o.frontier_page_links_max = page;
    o.frontier_host_queue_max = host;
    o.frontier_domain_queue_max = 1000000; /* counted */
    start();
    for (int i = 0; i < ROUNDS; i++) {
        size_t n = random_page(links, HOSTS);
        bool undone = i % 7 == 3;

        CHECK(frontier_begin(f) == ST_OK);
        (void)put(links, n);
        if (undone) {
            frontier_abort(f);
        } else {
            CHECK(frontier_commit(f) == ST_OK);
            model_put(model, links, n, &order);
        }
        if (i % 20 == 0 || i + 1 == ROUNDS)
            compare(model);
    }
    for (size_t d = 0; d < 2; d++) {
        uint64_t n = 0;

        for (size_t h = d; h < HOSTS; h += 2)
            n += model[h].n;
        CHECK(domains_n(f->in->domains, arena_printf(a, "d%zu.nl", d)) == n);
    }
    CHECK(totals().links_dropped > 0);
    help_check(f);
    tear_down();
}

static void
the_best_of_a_host_stay(void)
{
    against_the_model(0, 50);
    against_the_model(0, 1);
}

static void
the_best_of_a_page_stay(void)
{
    against_the_model(10, 0);
    against_the_model(20, 30);
}

/* ---- domains ---- */

static uint64_t
queued_of_domain(size_t d)
{
    return domains_n(f->in->domains, arena_printf(a, "d%zu.nl", d));
}

static void
a_domain_has_a_bound_and_its_hosts_too(void)
{
    struct frontier_link links[PAGE];
    uint64_t hosts;

    set_up();
    o.frontier_domain_queue_max = 100;
    start();
    for (int i = 0; i < ROUNDS; i++) {
        size_t n = random_page(links, HOSTS);

        CHECK(frontier_begin(f) == ST_OK);
        (void)put(links, n);
        if (i % 5 == 0)
            frontier_abort(f);
        else
            CHECK(frontier_commit(f) == ST_OK);
        CHECK(queued_of_domain(0) <= 100 && queued_of_domain(1) <= 100);
    }
    CHECK(queued_of_domain(0) == 100 && queued_of_domain(1) == 100);
    CHECK(totals().queued == 200);
    hosts = totals().hosts;
    for (size_t i = 0; i < PAGE; i++) /* names without end */
        links[i] = (struct frontier_link){
            .url = arena_printf(a, "http://x%zu.d1.nl/", i),
            .domain = S("d1.nl")};
    HELP_OK(f, (put(links, PAGE), ST_OK));
    CHECK(totals().hosts == hosts && totals().queued == 200);
    help_check(f);
    frontier_close(f);
    start(); /* they are counted again */
    CHECK(queued_of_domain(0) == 100 && queued_of_domain(1) == 100);
    tear_down();
}

/* ---- details ---- */

static void
what_is_dropped_comes_back_when_there_is_room(void)
{
    struct frontier_link l[4];
    size_t best = 0;

    set_up();
    o.frontier_host_queue_max = 3;
    start();
    for (size_t i = 0; i < 4; i++)
        l[i] = link_to(0, i);
    HELP_OK(f, (put(l, 4), ST_OK));
    CHECK(totals().queued == 3 && totals().seen == 3);
    CHECK(totals().links_dropped == 1);
    HELP_OK(f, (put(l, 4), ST_OK)); /* there is none */
    CHECK(totals().queued == 3 && totals().links_dropped == 2);
    for (size_t i = 0; i < 3; i++) {
        struct frontier_done d =
            help_done(help_lease(f, T0 + i * 9000, a, NULL).url,
                      OUTCOME_FETCHED, T0 + i * 9000);

        help_report(f, &d, T0 + i * 9000);
        best += d.url.n > 0;
    }
    CHECK(best == 3 && totals().done == 3 && totals().queued == 0);
    HELP_OK(f, (put(l, 4), ST_OK));
    CHECK(totals().queued == 1 && totals().seen == 4);
    help_check(f);
    tear_down();
}

static void
seeds_and_what_is_leased_stay(void)
{
    struct frontier_link l[PAGE];
    struct frontier_lease leased;

    set_up();
    o.frontier_host_queue_max = 2;
    start();
    for (size_t i = 0; i < 5; i++)
        help_seed(f, url(0, i).p, T0);
    CHECK(totals().queued == 5);
    for (size_t i = 0; i < PAGE; i++)
        l[i] = link_to(0, 10 + i);
    HELP_OK(f, (put(l, PAGE), ST_OK));
    CHECK(totals().queued == 5 && totals().links_dropped == PAGE);
    for (size_t i = 0; i < 5; i++) { /* what was dropped would be new */
        const struct frontier_link seed = link_to(0, i);
        size_t fresh = 1;

        HELP_OK(f, frontier_seed(f, &seed, 1, T0, &fresh));
        CHECK(fresh == 0);
    }
    HELP_OK(f, (put(&(struct frontier_link){.url = S("http://h1.d1.nl/1")}, 1),
                ST_OK));
    for (size_t i = 0; i < 20; i++) { /* until that is out */
        leased = help_lease(f, T0, a, NULL);
        if (leased.url.n == 0)
            break;
    }
    for (size_t i = 0; i < PAGE; i++)
        l[i] = link_to(1, 10 + i);
    HELP_OK(f, (put(l, PAGE), ST_OK));
    CHECK(totals().leased == 2);
    help_check(f);
    tear_down();
}

/* The log of a large store: what is merged later has the same bounds. */
static void
links_from_the_log_have_quotas_too(void)
{
    struct frontier_link links[PAGE];
    uint64_t again, now = T0;

    set_up();
    o.frontier_merge_from = 0;
    o.frontier_host_queue_max = 40;
    start();
    for (int i = 0; i < ROUNDS; i++) {
        size_t n = random_page(links, HOSTS);

        f->db->now_ms = T0;
        HELP_OK(f, (put(links, n), ST_OK));
    }
    do
        CHECK(frontier_maintain(f, now += 1000, &again) == ST_OK);
    while (again != UINT64_MAX);
    CHECK(totals().queued == 40 * HOSTS && totals().seen == 40 * HOSTS);
    help_check(f);
    tear_down();
}

/* Links until there is no room, in pieces of one so that nothing is left but
 * what is kept; then leases and outcomes go on. */
static void
a_full_store_takes_no_links_and_goes_on(void)
{
    const struct row_parent p = {.facts = {.depth = 1}};
    struct row_link_counts counts = {0};
    uint64_t seen, done = 0;
    enum status st = ST_OK;
    struct frontier_link l;

    set_up();
    CHECK(frontier_open_sized(&f, dir, &o, 4 << 20) == ST_OK);
    frontier_set_greedy_oracle(f, score, NULL);
    for (size_t i = 0; st == ST_OK && i < 100000; i++) {
        l.url = arena_printf(a, "http://h%zu.nl/%0200zu", i % 3000, i);
        l = help_link(l.url.p);
        CHECK(frontier_begin(f) == ST_OK);
        st = intake_put(f->in, &l, 1, &p, &counts);
        if (st == ST_OK)
            st = frontier_commit(f);
        else
            frontier_abort(f);
    }
    CHECK(st == ST_FULL);
    seen = totals().seen;
    CHECK(seen > 3000);
    for (uint64_t i = 0; i < 1500; i++) {
        struct frontier_done d;

        arena_reset(a);
        d = help_done(help_lease(f, T0, a, NULL).url, OUTCOME_FETCHED, T0);
        help_report(f, &d, T0);
        done += d.url.n > 0;
    }
    CHECK(done == 1500 && totals().done == 1500 && totals().seen == seen);
    help_check(f);
    frontier_close(f);
    start(); /* a larger map */
    HELP_OK(f,
            intake_put(f->in, &(struct frontier_link){.url = S("http://n.nl/")},
                       1, &p, &counts));
    CHECK(totals().seen == seen + 1);
    tear_down();
}

static void
why_says_that_a_queue_is_full(void)
{
    struct frontier_link l[PAGE];
    struct buf out = {0};

    set_up();
    o.frontier_host_queue_max = 5;
    start();
    for (size_t i = 0; i < PAGE; i++)
        l[i] = link_to(0, i);
    HELP_OK(f, (put(l, PAGE), ST_OK));
    HELP_OK(f, frontier_why(f, S("http://h0.d0.nl/nowhere"), T0, &out));
    CHECK(strstr(out.p, "frontier.host_queue_max") != NULL);
    buf_free(&out);
    tear_down();
}

static const struct test tests[] = {
    TEST(the_best_of_a_host_stay),
    TEST(the_best_of_a_page_stay),
    TEST(a_domain_has_a_bound_and_its_hosts_too),
    TEST(what_is_dropped_comes_back_when_there_is_room),
    TEST(seeds_and_what_is_leased_stay),
    TEST(links_from_the_log_have_quotas_too),
    TEST(a_full_store_takes_no_links_and_goes_on),
    TEST(why_says_that_a_queue_is_full),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
