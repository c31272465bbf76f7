/* The parts of the frontier without a store: keys, rows, scorers, and the
 * agenda against a naive list. */
#include <math.h>

#include "../../frontier/agenda.h"
#include "../../frontier/row.h"
#include "../../frontier/scorer.h"
#include "test.h"
#include "winnow/random.h"

static void
queue_keys_sort_by_host_then_priority_then_age(void)
{
    const struct row_place in_order[] = {
        {1, 65535, 9}, {1, 65534, 8}, {1, 65534, 300}, {1, 2, 7},
        {1, 1, 1},     {2, 65534, 5}, {256, 3, 2},     {70000, 9, 1}};

    for (size_t i = 0; i < sizeof in_order / sizeof *in_order; i++) {
        struct row_key a = row_queue_key(in_order[i]), b;
        struct row_place back;

        CHECK(row_queue_place(&back, row_bytes(&a)));
        CHECK(back.host == in_order[i].host &&
              back.priority == in_order[i].priority &&
              back.sequence == in_order[i].sequence);
        if (i == 0)
            continue;
        b = row_queue_key(in_order[i - 1]);
        CHECK(str_cmp(row_bytes(&b), row_bytes(&a)) < 0);
    }
}

static void
later_keys_sort_by_time(void)
{
    struct row_key a = row_later_key(255, (struct row_place){9, 1, 9});
    struct row_key b = row_later_key(256, (struct row_place){1, 9, 1});
    struct row_place place;
    uint64_t due;

    CHECK(str_cmp(row_bytes(&a), row_bytes(&b)) < 0);
    CHECK(row_later_place(&place, &due, row_bytes(&a)) && due == 255 &&
          place.host == 9);
}

static void
pages_of_one_host_are_neighbours_in_seen(void)
{
    struct row_seen_key a = row_seen_key(S("a.nl"), S("http://a.nl/1"));
    struct row_seen_key b = row_seen_key(S("a.nl"), S("https://a.nl/1"));
    struct row_seen_key c = row_seen_key(S("b.nl"), S("http://b.nl/1"));

    CHECK(memcmp(a.bytes, b.bytes, 8) == 0);
    CHECK(memcmp(a.bytes, b.bytes, 16) != 0);
    CHECK(memcmp(a.bytes, c.bytes, 8) != 0);
}

static void
urls_are_taken_apart_at_the_authority(void)
{
    struct row_url u;

    CHECK(row_url_split(&u, S("https://a.nl:8443/x?y=/z")));
    CHECK(u.https && u.plain && str_eq(u.authority, S("a.nl:8443")) &&
          str_eq(u.rest, S("/x?y=/z")));
    CHECK(row_url_split(&u, S("http://me:pw@a.nl/x@y")));
    CHECK(!u.https && !u.plain && str_eq(u.authority, S("a.nl")));
    CHECK(row_url_split(&u, S("http://[::1]:80/")));
    CHECK(str_eq(u.authority, S("[::1]:80")));
    CHECK(!row_url_split(&u, S("ftp://a.nl/")));
    CHECK(!row_url_split(&u, S("http:///x")));
    CHECK(!row_url_split(&u, S("http://")));
    CHECK(!row_url_split(&u, S("")));
}

static void
rows_read_back_as_written_and_no_shorter(void)
{
    struct row_queued q = {.facts = {.depth = 7,
                                     .redirects = 2,
                                     .relation = 2,
                                     .badness = 12.34f,
                                     .boilerplate = 0.4321f,
                                     .has_badness = true,
                                     .parent = PARENT_LANGUAGE,
                                     .parent_host = 77,
                                     .parent_hash = 0x0123456789abcdef},
                           .https = true,
                           .attempts = 300,
                           .rest = STR("/path")},
                      q2;
    struct row_seen s = {.state = ROW_FAILED,
                         .place = {.priority = 1234},
                         .facts = q.facts,
                         .outcome = OUTCOME_FAILED,
                         .ended_ms = 1800000000123,
                         .reason = STR("http_404")},
                    s2;
    struct row_host h = {.name = STR("a.nl"),
                         .domain = STR("nl"),
                         .next_contact_ms = 1800000000123,
                         .robots = {.version = 3, .pending = true},
                         .queued = 12,
                         .head_priority = 65535,
                         .head_sequence = 99,
                         .causes = {1, 2, 3},
                         .lease = {.out = true,
                                   .crawler = UINT64_MAX,
                                   .started_ms = 10,
                                   .deadline_ms = 20,
                                   .place = {0, 5, 6}}},
                    h2;
    struct buf b = {0};

    row_queued_write(&b, &q);
    CHECK(row_queued_read(&q2, buf_view(&b)));
    CHECK(q2.facts.depth == 7 && q2.facts.parent_hash == q.facts.parent_hash);
    CHECK(q2.facts.badness == 12.34f && q2.facts.boilerplate == 0.4321f);
    CHECK(q2.https && !q2.whole && q2.attempts == 300 &&
          str_eq(q2.rest, q.rest));
    for (size_t n = 0; n < b.n - q.rest.n; n++)
        CHECK(!row_queued_read(&q2, str_n(b.p, n)));
    row_seen_write(&b, &s);
    CHECK(row_seen_read(&s2, buf_view(&b)));
    CHECK(s2.state == ROW_FAILED && s2.ended_ms == s.ended_ms &&
          str_eq(s2.reason, s.reason) && s2.place.priority == 1234);
    for (size_t n = 0; n < b.n; n++)
        CHECK(!row_seen_read(&s2, str_n(b.p, n)));
    row_host_write(&b, &h);
    CHECK(row_host_read(&h2, buf_view(&b)));
    CHECK(str_eq(h2.name, h.name) && h2.robots.pending && h2.queued == 12 &&
          h2.causes[2] == 3 && h2.lease.out && h2.lease.crawler == UINT64_MAX &&
          h2.lease.deadline_ms == 20 && h2.lease.place.sequence == 6);
    for (size_t n = 0; n < b.n; n++)
        CHECK(!row_host_read(&h2, str_n(b.p, n)));
    buf_free(&b);
}

static void
queued_urls_cost_little_more_than_their_path(void)
{
    struct row_queued q = {.facts = {.depth = 3,
                                     .badness = 4,
                                     .has_badness = true,
                                     .parent_host = 100000,
                                     .parent_hash = 1},
                           .rest = STR("/articles/2024/some-title.html")};
    struct row_seen s = {.state = ROW_QUEUED};
    struct buf b = {0};

    row_queued_write(&b, &q);
    CHECK(b.n <= q.rest.n + 21);
    row_seen_write(&b, &s);
    CHECK(b.n == 12);
    buf_free(&b);
}

/* ---- scorers ---- */

static double
score(const char *name, struct link_signals s)
{
    struct random r = random_seed(1);

    return scorer_find(str_c(name))->score(&s, &r);
}

static struct link_signals
from(double badness, double boilerplate)
{
    return (struct link_signals){.has_badness = true,
                                 .badness = (float)badness,
                                 .boilerplate = (float)boilerplate,
                                 .depth = 1};
}

static void
every_scorer_stays_between_0_and_1(void)
{
    const float odd[] = {0, 0.5f, 1, -1, 7, 1e30f, -1e30f, (float)NAN};

    for (const struct scorer *sc = scorer_table; sc->name != NULL; sc++) {
        struct random r = random_seed(3);

        CHECK(scorer_find(str_c(sc->name)) == sc);
        for (size_t i = 0; i < 64; i++) {
            struct link_signals s = {.badness = odd[i % 8],
                                     .boilerplate = odd[i / 8],
                                     .has_badness = i % 3 != 0,
                                     .depth = (uint32_t)(i * i)};
            double v = sc->score(&s, &r);

            CHECK(v >= 0 && v <= 1);
        }
    }
    CHECK(scorer_find(S("best")) == NULL);
}

static void
bfs_knows_depth_only(void)
{
    struct link_signals near = from(50, 1), far = from(0, 0);

    near.depth = 3;
    far.depth = 4;
    CHECK(score("bfs", near) > score("bfs", far));
    far.depth = 3;
    CHECK(score("bfs", near) == score("bfs", far));
}

static void
paper_puts_good_documents_before_seeds_before_bad_documents(void)
{
    struct link_signals seed = {.seed = true};

    CHECK(score("paper", from(0, 0)) > score("paper", from(0, 1)));
    CHECK(score("paper", from(3, 1)) > score("paper", seed));
    CHECK(score("paper", from(3, 0)) > score("paper", from(12, 0)));
    CHECK(score("paper", from(25, 0)) < score("paper", seed));
    CHECK(score("paper", from(50, 0)) < 0.1);
    CHECK(score("paper", from(50, 1)) < score("paper", from(50, 0)));
}

static void
badness_and_block_each_look_at_one_part(void)
{
    CHECK(score("badness", from(2, 0)) == score("badness", from(2, 1)));
    CHECK(score("badness", from(2, 0)) > score("badness", from(20, 0)));
    CHECK(score("block", from(2, .3)) == score("block", from(40, .3)));
    CHECK(score("block", from(2, .3)) > score("block", from(2, .4)));
}

static void
a_page_in_another_language_counts_less_than_a_list_in_the_right_one(void)
{
    struct link_signals list = from(46, 0.5), other = from(46, 0.5),
                        brief = from(46, 0.5), seed = {.seed = true};

    list.parent = PARENT_DOUBTFUL;
    brief.parent = PARENT_SHORT;
    other.parent = PARENT_LANGUAGE;
    CHECK(score("paper", seed) > score("paper", list));
    CHECK(score("paper", list) > score("paper", brief));
    CHECK(score("paper", brief) > score("paper", other));
}

/* ---- shapes ---- */

static bool
alike(const char *a, const char *b)
{
    return shape_id(str_c(a)) == shape_id(str_c(b));
}

static void
urls_that_differ_in_numbers_and_names_have_one_shape(void)
{
    CHECK(alike("/pmb1.html", "/pmb20345.html"));
    CHECK(alike("/book/v2/ch01-a.html", "/book/v3/ch12-b-2.html"));
    CHECK(alike("/posts/some-title", "/posts/another"));
    CHECK(alike("/x?id=1", "/y?id=77"));
    CHECK(!alike("/pmb1.html", "/L1.html"));
    CHECK(!alike("/pmb1.html", "/pmb1.xml"));
    CHECK(!alike("/posts/x", "/tags/x"));
    CHECK(!alike("/x", "/x?id=1"));
    CHECK(alike("", "")); /* and nothing is read past the end */
    CHECK(alike("/", "/"));
}

static void
a_shape_of_wasted_fetches_sinks_and_a_mixed_one_does_not(void)
{
    struct shapes s = {0};

    shapes_note(&s, 1, true);
    shapes_note(&s, 1, true);
    CHECK(shapes_priority(&s, 1, 60000) == 60000); /* too early to say */
    shapes_note(&s, 1, true);
    CHECK(shapes_priority(&s, 1, 60000) < 10000);
    CHECK(shapes_priority(&s, 2, 60000) == 60000);
    CHECK(shapes_bad_wasted(&s) == 3);
    for (int i = 0; i < 30; i++)
        shapes_note(&s, 2, i % 3 == 0);
    CHECK(shapes_priority(&s, 2, 60000) == 60000);
    for (uint32_t i = 0; i < 1000; i++) /* many shapes: the table is bounded */
        shapes_note(&s, 100 + i, true);
    CHECK(s.n == SHAPES_MAX);
    CHECK(shapes_priority(&s, 1, 60000) < 10000);
}

/* ---- agenda ---- */

#define HOSTS 60u

struct naive {
    struct agenda_entry e[HOSTS];
    bool used[HOSTS];
};

static bool
naive_best(const struct naive *m, uint64_t now, uint32_t *host)
{
    const struct agenda_entry *best = NULL;

    for (uint32_t i = 0; i < HOSTS; i++) {
        const struct agenda_entry *e = &m->e[i];

        if (!m->used[i] || e->out || e->due_ms > now)
            continue;
        if (best == NULL || e->priority > best->priority ||
            (e->priority == best->priority &&
             (e->fetched < best->fetched ||
              (e->fetched == best->fetched && e->sequence < best->sequence))))
            best = e;
    }
    if (best != NULL)
        *host = best->host;
    return best != NULL;
}

static void
the_agenda_agrees_with_a_naive_list(void)
{
    struct random r = random_seed(7);
    struct agenda *a = agenda_new();
    struct naive m = {0};
    uint64_t now = 0, due, waiting;

    for (uint64_t step = 0; step < 20000; step++) {
        uint32_t i = (uint32_t)random_below(&r, HOSTS), host, want;
        bool some;

        switch (random_below(&r, 4)) {
        case 0:
        case 1:
            m.used[i] = true;
            m.e[i] = (struct agenda_entry){
                .host = i * 7919,
                .due_ms = now + random_below(&r, 200) -
                          random_below(&r, now < 100 ? now + 1 : 100),
                .sequence = step,
                .fetched = (uint32_t)random_below(&r, 3),
                .priority = (uint16_t)random_below(&r, 4),
                .out = random_below(&r, 4) == 0};
            agenda_set(a, &m.e[i]);
            break;
        case 2:
            m.used[i] = false;
            agenda_drop(a, i * 7919);
            break;
        default: /* the clock runs, and now and then is set back */
            now += random_below(&r, 50);
            if (random_below(&r, 20) == 0)
                now -= random_below(&r, now < 30 ? now + 1 : 30);
        }
        while (agenda_advance(a, now, &host)) { /* an ended lease */
            CHECK(m.used[host / 7919] && m.e[host / 7919].out &&
                  m.e[host / 7919].due_ms <= now);
            m.e[host / 7919].out = false;
            agenda_set(a, &m.e[host / 7919]);
        }
        some = naive_best(&m, now, &want);
        CHECK(agenda_best(a, &host) == some && (!some || host == want));
        agenda_count(a, now, &due, &waiting);
        for (i = 0; i < HOSTS; i++) {
            if (m.used[i] && !m.e[i].out && m.e[i].due_ms <= now)
                due--;
            else if (m.used[i] && !m.e[i].out)
                waiting--;
        }
        CHECK(due == 0 && waiting == 0);
    }
    agenda_free(a);
}

static const struct test tests[] = {
    TEST(queue_keys_sort_by_host_then_priority_then_age),
    TEST(later_keys_sort_by_time),
    TEST(pages_of_one_host_are_neighbours_in_seen),
    TEST(urls_are_taken_apart_at_the_authority),
    TEST(rows_read_back_as_written_and_no_shorter),
    TEST(queued_urls_cost_little_more_than_their_path),
    TEST(every_scorer_stays_between_0_and_1),
    TEST(bfs_knows_depth_only),
    TEST(paper_puts_good_documents_before_seeds_before_bad_documents),
    TEST(badness_and_block_each_look_at_one_part),
    TEST(a_page_in_another_language_counts_less_than_a_list_in_the_right_one),
    TEST(urls_that_differ_in_numbers_and_names_have_one_shape),
    TEST(a_shape_of_wasted_fetches_sinks_and_a_mixed_one_does_not),
    TEST(the_agenda_agrees_with_a_naive_list),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
