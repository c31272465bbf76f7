/* The links of a segment, sorted and joined ahead of the merge, against a
 * plain list of them. */
#include "base/random.h"
#include "frontier/intake/prefetch_links.h"
#include "frontier_help.h"

enum { LINKS = 20000, URLS = 9000 };

static struct arena *arena;
static const char *dir;
static struct log_segment *g;
static struct expected {
    struct row_seen_key key;
    uint16_t priority; /* the best */
    uint32_t depth;    /* the least */
    uint32_t links;
    uint64_t sequence; /* the first one's */
    struct str rest;
} expected[URLS];
static size_t expected_n;

static int
by_key(const void *x, const void *y)
{
    const struct expected *a = x, *b = y;

    return memcmp(a->key.bytes, b->key.bytes, sizeof a->key.bytes);
}

static void
add(struct candidate *c, struct expected *e, uint64_t sequence)
{
    struct buf record = {0}, queued = {0};

    c->sequence = sequence;
    if (e->links++ == 0) {
        e->key = c->key;
        e->sequence = sequence;
        e->depth = c->q.facts.depth;
        e->rest = c->q.rest;
    }
    if (c->priority > e->priority)
        e->priority = c->priority;
    if (c->q.facts.depth < e->depth)
        e->depth = c->q.facts.depth;
    candidate_record(&record, &queued, c);
    log_segment_push(g, &c->key, journal_end(g->journal));
    journal_add(g->journal, buf_view(&record));
    buf_free(&record);
    buf_free(&queued);
}

static void
set_up(uint64_t seed)
{
    struct random r = random_seed(seed);
    struct expected all[URLS] = {0};

    arena = arena_new();
    dir = help_folder();
    CHECK(log_segment_new(&g, arena_printf(arena, "%s/links", dir).p, 1, 0,
                          false) == ST_OK);
    for (uint64_t i = 0; i < LINKS; i++) {
        size_t url = random_below(&r, URLS);
        struct candidate c = {
            .authority = arena_printf(arena, "h%zu.nl", url % 40),
            .domain = S("nl"),
            .steer = true,
            .links = 1,
            .priority = (uint16_t)(1 + random_below(&r, 65534)),
            .q = {.facts.depth = (uint32_t)random_below(&r, 9),
                  .rest = arena_printf(arena, "/%zu", url)}};
        struct str whole = row_queued_url(&c.q, c.authority, arena);

        c.key = row_seen_key(ROW_KEYS_NEW, c.authority, whole);
        add(&c, &all[url], i + 1);
    }
    CHECK(journal_write(g->journal, false) == ST_OK);
    expected_n = 0;
    for (size_t i = 0; i < URLS; i++)
        if (all[i].links > 0)
            expected[expected_n++] = all[i];
    qsort(expected, expected_n, sizeof *expected, by_key);
}

static void
tear_down(void)
{
    log_segment_free(g);
    arena_free(arena);
    folder_remove(dir);
}

static void
agrees(const struct candidate *c, const struct expected *e)
{
    struct row_queued q;
    struct str other;

    CHECK(memcmp(c->key.bytes, e->key.bytes, sizeof e->key.bytes) == 0);
    CHECK(c->priority == e->priority && c->links == e->links &&
          c->sequence == e->sequence && c->q.facts.depth == e->depth &&
          str_eq(c->q.rest, e->rest));
    other = arena_printf(arena, "https://%.*s%.*s", STRF(c->authority),
                         STRF(c->q.rest));
    CHECK(memcmp(row_seen_key(ROW_KEYS_NEW, c->authority, other).bytes,
                 c->twin.bytes, sizeof c->twin.bytes) == 0);
    if (c->row.n > 0) /* what goes into the queue says the same */
        CHECK(row_queued_read(&q, c->row) && q.facts.depth == e->depth);
}

/* Takes all there is behind expected[from - 1]. */
static void
take_all(size_t from, struct random *r)
{
    struct prefetch_links *a = prefetch_links_start(
        g, from > 0 ? &expected[from - 1].key : NULL, ROW_KEYS_NEW, NULL);
    struct candidate **c;
    size_t n, want;
    enum status st;

    for (;;) {
        want = 1 + random_below(r, 3000);
        if ((st = prefetch_links_take(a, want, true, &c, &n)) != ST_OK)
            break;
        CHECK(n > 0 && from + n <= expected_n);
        for (size_t i = 0; i < n; i++)
            agrees(c[i], &expected[from + i]);
        from += n;
    }
    CHECK(st == ST_NONE && from == expected_n);
    CHECK(prefetch_links_take(a, 1, true, &c, &n) == ST_NONE);
    prefetch_links_stop(a);
}

static void
each_url_comes_once_in_order_from_wherever_it_is_begun(void)
{
    struct random r = random_seed(7);

    for (uint64_t seed = 1; seed <= 3; seed++) {
        set_up(seed);
        take_all(0, &r);
        take_all(1, &r);
        take_all(random_below(&r, expected_n), &r);
        take_all(expected_n, &r);
        tear_down();
    }
}

static void
it_can_be_stopped_at_any_time_and_begun_again(void)
{
    struct random r = random_seed(9);
    struct candidate **c;
    struct prefetch_links *a;
    size_t n;

    set_up(4);
    for (int i = 0; i < 20; i++) {
        a = prefetch_links_start(g, NULL, ROW_KEYS_NEW, NULL);
        for (uint64_t k = random_below(&r, 9); k > 0; k--)
            if (prefetch_links_take(a, 2000, true, &c, &n) == ST_OK)
                CHECK(n > 0 && c[0]->trap == TRAP_NONE);
        prefetch_links_stop(a);
    }
    prefetch_links_stop(NULL);
    take_all(0, &r);
    tear_down();
}

static void
a_garbled_link_ends_it(void)
{
    const struct row_seen_key key = {{0}};
    struct candidate **c;
    struct prefetch_links *a;
    size_t n;

    set_up(5);
    log_segment_push(g, &key, journal_end(g->journal));
    journal_add(g->journal, S("no link"));
    CHECK(journal_write(g->journal, false) == ST_OK);
    a = prefetch_links_start(g, NULL, ROW_KEYS_NEW, NULL);
    CHECK(prefetch_links_take(a, 100, true, &c, &n) == ST_STORE);
    CHECK(prefetch_links_take(a, 100, true, &c, &n) == ST_STORE);
    prefetch_links_stop(a);
    tear_down();
}

/* What the URL looks like is found out when the link comes in, and stands in
 * its record. */
static void
a_record_says_what_trap_it_is(void)
{
    for (int trap = TRAP_NONE; trap <= TRAP_N; trap++)
        for (int steer = 0; steer < 2; steer++) {
            struct candidate c = {.authority = S("a.nl"),
                                  .priority = 7,
                                  .steer = steer,
                                  .trap = (enum trap)trap,
                                  .q.rest = S("/x")},
                             read;
            struct buf record = {0}, queued = {0}, room = {0};

            candidate_record(&record, &queued, &c);
            CHECK(candidate_read(&read, buf_view(&record)) == (trap < TRAP_N));
            if (trap < TRAP_N) {
                candidate_prepare(&read, ROW_KEYS_NEW, &room);
                CHECK((int)read.trap == trap && read.steer == (steer != 0));
            }
            buf_free(&record);
            buf_free(&queued);
            buf_free(&room);
        }
}

static const struct test tests[] = {
    TEST(a_record_says_what_trap_it_is),
    TEST(each_url_comes_once_in_order_from_wherever_it_is_begun),
    TEST(it_can_be_stopped_at_any_time_and_begun_again),
    TEST(a_garbled_link_ends_it),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
