/* Aim: a scorer that changes its mind.  What is leased is the best by what is
 * thought of it now, while rows stay where they are.
 * Method: random crawls with a scorer whose view of URLs sinks, against a naive
 * model that looks at all of them. */
#include "../../frontier/score/scoring_inside.h"
#include "../../frontier/store/lowered.h"
#include "base/random.h"
#include "frontier_case.h"

enum {
    HOSTS = 4,
    URLS = 60, /* of a host */
    GROUPS = 3,
    STEP = 400, /* more than what is not worth a change */
    ROUNDS = 700
};

static uint16_t sunk[GROUPS]; /* how far what is thought of a group has */

/* /a/7.html of host h2.nl: number 7 of host 2; kinds differ in size. */
static uint16_t
value_of(size_t host, size_t i)
{
    return (uint16_t)(40000 + STEP * (i * 7 % 11) + 100 * host -
                      sunk[i % GROUPS]);
}

static size_t
number_in(struct str s)
{
    size_t at = 0, n = 0;

    while (at < s.n && !ascii_digit(s.p[at]))
        at++;
    for (; at < s.n && ascii_digit(s.p[at]); at++)
        n = 10 * n + (size_t)(s.p[at] - '0');
    return n;
}

static double
score(const struct link_signals *s, const struct scorer_tools *t)
{
    (void)t;
    return scorer_score(value_of(number_in(s->host), number_in(s->rest))) +
           1e-6;
}

static const struct scorer sinking = {
    .name = "paper", .score = score, .fresh = true};

static void
open_with(const struct scorer *scorer)
{
    struct host *h;

    o.traps_lower = false;
    o.politeness_delay_ms = 0;
    o.politeness_response_factor = 0;
    open_it(T0);
    f->sc->scorer = scorer;
    CHECK(frontier_begin(f) == ST_OK);
    for (uint32_t id = 1; id <= f->db->counters.host; id++)
        if (url_store_host(f->db, id, &h) == ST_OK)
            schedule_host(f->sched, id, &h->row);
    CHECK(frontier_commit(f) == ST_OK);
}

static void
begin(const struct scorer *scorer)
{
    memset(sunk, 0, sizeof sunk);
    set_up();
    open_with(scorer);
}

static struct str
url(size_t host, size_t i)
{
    static const char *const kinds[] = {"", "a/", "a/", "a/", "a/b/c/"};

    return arena_printf(a, "http://h%zu.nl/%s%zu.html", host, kinds[i % 5], i);
}

static void
seed(size_t host, size_t i)
{
    help_seed(f, url(host, i).p, T0);
}

/* ---- against a model ---- */

static struct {
    bool known, queued;
} pages[HOSTS][URLS];

static struct str
best(size_t *host, size_t *number)
{
    int most = -1;

    for (size_t h = 0; h < HOSTS; h++)
        for (size_t i = 0; i < URLS; i++)
            if (pages[h][i].queued && value_of(h, i) > most) {
                most = value_of(h, i);
                *host = h;
                *number = i;
            }
    return most < 0 ? S("") : url(*host, *number);
}

/* Are two of a host worth the same?  Then the older one is, too. */
static bool
is_as_good(struct str leased, struct str wanted, size_t host, size_t number)
{
    return str_eq(leased, wanted) ||
           (number_in(leased) == host &&
            value_of(host, number) ==
                value_of(host,
                         number_in(str_sub(leased, str_find(leased, '.', 0),
                                           leased.n))));
}

static void
fetch(struct str leased)
{
    struct frontier_done d = help_done(leased, OUTCOME_FETCHED, T0);
    size_t host = number_in(leased);

    pages[host][number_in(str_sub(leased, str_find(leased, '.', 0), leased.n))]
        .queued = false;
    help_report(f, &d, T0);
}

static void
lease_is_undone(void)
{
    struct frontier_lease *leases;
    uint64_t wake;
    size_t n = 0;

    CHECK(frontier_begin(f) == ST_OK);
    CHECK(frontier_lease(f, 1, 0, 1, T0, a, &leases, &n, &wake) == ST_OK);
    frontier_abort(f);
}

static void
random_step(struct random *r)
{
    size_t host = random_below(r, HOSTS), i = random_below(r, URLS);

    switch (random_below(r, 8)) {
    case 0: /* what is thought of some of them sinks */
        sunk[random_below(r, GROUPS)] +=
            (uint16_t)(STEP * (1 + random_below(r, 2)));
        break;
    case 1:
        frontier_close(f); /* and memory is gone */
        open_with(&sinking);
        break;
    case 2: lease_is_undone(); break;
    default:
        if (!pages[host][i].known) {
            pages[host][i].known = pages[host][i].queued = true;
            seed(host, i);
        }
    }
}

static void
the_best_by_what_is_thought_now_is_leased(void)
{
    struct random r = random_seed(5);
    size_t host = 0, number = 0, leases = 0;

    begin(&sinking);
    memset(pages, 0, sizeof pages);
    for (int round = 0; round < ROUNDS; round++) {
        struct str wanted, leased;

        random_step(&r);
        if (round % 3 != 0)
            continue;
        wanted = best(&host, &number);
        leased = help_lease(f, T0, a, NULL).url;
        CHECK(is_as_good(leased, wanted, host, number));
        if (leased.n > 0)
            fetch(leased);
        leases += leased.n > 0;
    }
    CHECK(leases > 100);
    tear_down();
}

/* ---- what is written ---- */

/* The scheduler's best host is looked at, and what of that is to be written. */
static size_t
rows_written_by_a_look(void)
{
    struct host *h;
    size_t looks = 100, n;
    enum status st;

    CHECK(frontier_begin(f) == ST_OK);
    CHECK(schedule_best(f->sched, &looks, &h, &st) && st == ST_OK);
    n = tables_changes(f->db->tables);
    CHECK(frontier_commit(f) == ST_OK);
    return n;
}

/* All of these sink: how many rows are written until the best one is known? */
static size_t
rows_written_of(size_t urls)
{
    size_t n;

    begin(&sinking);
    for (size_t i = 0; i < urls; i++)
        seed(1, 5 * i + 1); /* of one URL class */
    for (size_t i = 0; i < GROUPS; i++)
        sunk[i] = 20 * STEP; /* below what any of them was worth */
    n = rows_written_by_a_look();
    tear_down();
    return n;
}

static void
rows_of_few_urls_of_a_class_are_not_moved(void)
{
    CHECK(rows_written_of(LOWERED_ROWS) == 0);
    CHECK(rows_written_of(LOWERED_ROWS + 1) > 0);
}

static struct row_seen
seen_of(const char *url)
{
    struct row_seen seen = {0};

    HELP_OK(f, url_store_seen_get(
                   f->db, row_seen_key(ROW_KEYS_NEW, S("h1.nl"), str_c(url)),
                   &seen));
    return seen;
}

/* Whatever a row says. */
static void
what_a_url_counts_for_is_what_others_get_of_it(void)
{
    static const char *const page = "http://h1.nl/a/3.html";
    struct frontier_link target = help_link("http://h1.nl/a/18.html");
    struct frontier_done d = help_done(str_c(page), OUTCOME_REDIRECT, T0);

    begin(&sinking);
    seed(1, 3);
    CHECK(seen_of(page).position.priority == 44100);
    sunk[0] += STEP;
    CHECK(rows_written_by_a_look() == 0);
    CHECK(seen_of(page).position.priority == 44100);
    CHECK(lowered_priority(f->db, seen_of(page).position) == 43700);
    CHECK(leased(T0, page));
    d.links = &target;
    d.links_n = 1;
    help_report(f, &d, T0);
    CHECK(seen_of(page).position.priority == 43700);
    CHECK(seen_of("http://h1.nl/a/18.html").position.priority == 43700);
    tear_down();
}

static void
a_url_that_is_found_again_is_compared_with_what_it_counts_for(void)
{
    static const char *const page = "http://h1.nl/a/3.html";

    begin(&sinking);
    seed(1, 3);
    sunk[0] += 20 * STEP;
    CHECK(rows_written_by_a_look() == 0); /* from 44100 to 36100 */
    sunk[0] -= 10 * STEP;
    seed(1, 3); /* found again, and 40100 by now */
    CHECK(seen_of(page).position.priority == 40100);
    CHECK(lowered_priority(f->db, seen_of(page).position) == 40100);
    tear_down();
}

static void
what_is_remembered_is_of_what_is_queued(void)
{
    struct host *h;
    size_t looks = 100;
    enum status st;

    begin(&sinking);
    seed(1, 3);
    sunk[0] += STEP;
    CHECK(frontier_begin(f) == ST_OK);
    CHECK(schedule_best(f->sched, &looks, &h, &st) && st == ST_OK);
    CHECK(f->db->lowered.n == 1);
    frontier_abort(f);
    CHECK(f->db->lowered.n == 0);
    CHECK(rows_written_by_a_look() == 0 && f->db->lowered.n == 1);
    CHECK(leased(T0, "http://h1.nl/a/3.html"));
    fetch_with("http://h1.nl/a/3.html", T0, 0, NULL, 0);
    CHECK(f->db->lowered.n == 0);
    tear_down();
}

static void
a_row_that_leaves_takes_no_other_with_it(void)
{
    struct row_position p[] = {{9, 7, 30, 3}, {9, 7, 20, 4}, {9, 7, 10, 5}};
    const uint16_t counts[] = {8, 7, 6};
    const struct url_class none = {0};

    begin(&sinking);
    CHECK(frontier_begin(f) == ST_OK);
    for (size_t i = 0; i < 3; i++)
        CHECK(lowered_set(f->db, p[i], counts[i]) == ST_OK);
    CHECK(lowered_leaving(f->db, p[0]) == ST_OK);
    CHECK(lowered_priority(f->db, p[0]) == 30);
    CHECK(lowered_priority(f->db, p[1]) == 7);
    CHECK(lowered_priority(f->db, p[2]) == 6);
    CHECK(lowered_head(f->db, 9, 7, &none).position.priority == 20);
    frontier_abort(f);
    tear_down();
}

static void
what_is_remembered_is_bounded(void)
{
    struct row_position p = {.url_class = 7, .priority = 9, .sequence = 1};
    uint32_t n = 0;

    begin(&sinking);
    CHECK(frontier_begin(f) == ST_OK);
    for (p.host = 1; lowered_set(f->db, p, 5) == ST_OK; p.host++)
        n++;
    CHECK(n == LOWERED_MAX);
    p.host = n;
    CHECK(lowered_priority(f->db, p) == 5);
    CHECK(lowered_set(f->db, p, 4) == ST_OK); /* that is known already */
    CHECK(lowered_priority(f->db, p) == 4);
    p.sequence = (uint64_t)1 << 32 | 1;
    CHECK(lowered_priority(f->db, p) == 9); /* another one */
    lowered_clear(f->db);
    p.sequence = 1;
    CHECK(lowered_priority(f->db, p) == 9);
    frontier_abort(f);
    tear_down();
}

static const struct test tests[] = {
    TEST(the_best_by_what_is_thought_now_is_leased),
    TEST(rows_of_few_urls_of_a_class_are_not_moved),
    TEST(what_a_url_counts_for_is_what_others_get_of_it),
    TEST(a_url_that_is_found_again_is_compared_with_what_it_counts_for),
    TEST(what_is_remembered_is_of_what_is_queued),
    TEST(a_row_that_leaves_takes_no_other_with_it),
    TEST(what_is_remembered_is_bounded),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
