/* The parts of the frontier without a store: keys, rows, scorers, and the
 * scheduler against a naive list. */
#include <math.h>

#include "base/options/scorer_way.h"
#include "base/random.h"
#include "frontier/schedule/scheduler.h"
#include "frontier/score/scorer.h"
#include "frontier/store/row.h"
#include "frontier_help.h"

static void
queue_keys_sort_by_host_then_url_class_then_priority_then_age(void)
{
    const struct row_position in_order[] = {
        {1, 0, 65535, 9}, {1, 0, 65534, 8}, {1, 0, 65534, 300},
        {1, 0, 2, 7},     {1, 0, 1, 1},     {1, 31, 65534, 4},
        {2, 0, 65534, 5}, {256, 3, 3, 2},   {70000, 1, 9, 1}};

    for (size_t i = 0; i < sizeof in_order / sizeof *in_order; i++) {
        struct row_key a = row_queue_key(in_order[i]), b;
        struct row_position back;

        CHECK(row_queue_position(&back, row_bytes(&a)));
        CHECK(back.host == in_order[i].host &&
              back.url_class == in_order[i].url_class &&
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
    struct row_key a = row_later_key(255, (struct row_position){9, 0, 1, 9});
    struct row_key b = row_later_key(256, (struct row_position){1, 0, 9, 1});
    struct row_position position;
    uint64_t due;

    CHECK(str_cmp(row_bytes(&a), row_bytes(&b)) < 0);
    CHECK(row_later_position(&position, &due, row_bytes(&a)) && due == 255 &&
          position.host == 9);
}

static void
pages_of_one_host_are_neighbours_in_seen(void)
{
    struct row_seen_key a =
        row_seen_key(ROW_KEYS_NEW, S("a.nl"), S("http://a.nl/1"));
    struct row_seen_key b =
        row_seen_key(ROW_KEYS_NEW, S("a.nl"), S("https://a.nl/1"));
    struct row_seen_key c =
        row_seen_key(ROW_KEYS_NEW, S("b.nl"), S("http://b.nl/1"));

    CHECK(memcmp(a.bytes, b.bytes, 8) == 0);
    CHECK(memcmp(a.bytes, b.bytes, 16) != 0);
    CHECK(memcmp(a.bytes, c.bytes, 8) != 0);
}

static void
urls_are_taken_apart_at_the_authority(void)
{
    struct row_url u;

    CHECK(row_url_split(&u, S("https://a.nl:8443/x?y=/z")));
    CHECK(u.https && str_eq(u.authority, S("a.nl:8443")) &&
          str_eq(u.rest, S("/x?y=/z")));
    CHECK(!row_url_split(&u, S("http://me:pw@a.nl/x"))); /* not canonical */
    CHECK(row_url_split(&u, S("http://a.nl/x@y")));
    CHECK(!u.https && str_eq(u.authority, S("a.nl")));
    CHECK(row_url_split(&u, S("http://[::1]:80/")));
    CHECK(str_eq(u.authority, S("[::1]:80")));
    CHECK(!row_url_split(&u, S("ftp://a.nl/")));
    CHECK(!row_url_split(&u, S("http:///x")));
    CHECK(!row_url_split(&u, S("http://")));
    CHECK(!row_url_split(&u, S("")));
}

/* What has the looks of a row by chance, or of one of another form. */
static void
a_row_of_another_form_is_refused(void)
{
    static const char before[] = "\x01\x05\x07\x02\x04\xd2\x10\xe1\x4d"
                                 "\x01\x23\x45\x67\x89\xab\xcd\xef\x03/path";
    struct row_queued q = {.facts = {.features = {.words = 5, .url_class = 31}},
                           .rest = STR("/x")},
                      r;
    struct buf b = {0};
    size_t at = 0;

    CHECK(!row_queued_read(&r, str_n(before, sizeof before - 1)));
    row_queued_write(&b, &q);
    while (at + 1 < b.n && (b.p[at] != 0x58 || b.p[at + 1] != 31))
        at++;
    CHECK(at + 1 < b.n && row_queued_read(&r, buf_view(&b)));
    b.p[at] = 0x50;
    CHECK(!row_queued_read(&r, buf_view(&b)));
    b.p[at] = 0x58;
    CHECK(row_queued_read(&r, buf_view(&b)));
    b.p[0] = (char)(b.p[0] & ~8); /* a flag that every row has */
    CHECK(!row_queued_read(&r, buf_view(&b)));
    buf_free(&b);
}

static void
rows_read_back_as_written_and_no_shorter(void)
{
    struct row_queued q = {.facts = {.depth = 7,
                                     .redirects = 2,
                                     .nesting = 3,
                                     .relation = 2,
                                     .badness = 12.34f,
                                     .boilerplate = 0.4321f,
                                     .has_badness = true,
                                     .parent = PARENT_LANGUAGE,
                                     .parent_host = 77,
                                     .parent_hash = 0x0123456789,
                                     .features = {.words = 5,
                                                  .url_class = 31,
                                                  .within = 129,
                                                  .language = URL_LANGUAGE_LAST,
                                                  .path = 0xbeef}},
                           .https = true,
                           .attempts = 300,
                           .rest = STR("/path")},
                      q2;
    struct row_seen s = {.state = ROW_FAILED,
                         .position = {.priority = 1234, .url_class = 31},
                         .facts = q.facts,
                         .outcome = OUTCOME_FAILED,
                         .ended_ms = 1800000000123,
                         .verdict = verdict_http(404)},
                    s2;
    struct url_class url_class[] = {
        {.kind = 7, .outcomes = {{1, 2, 3}}},
        {.kind = UINT32_MAX,
         .queued = 12,
         .head_priority = 65535,
         .head_sequence = 99,
         .outcomes = {{[CLASS_REDIRECT] = 300, [0] = 4}}}};
    struct row_host h = {.name = STR("a.nl"),
                         .domain = STR("nl"),
                         .next_contact_ms = 1800000000123,
                         .growth = 200,
                         .robots = {.version = 3, .pending = true},
                         .url_classes = {url_class, 2, 2},
                         .lease = {.out = true,
                                   .crawler = UINT64_MAX,
                                   .started_ms = 10,
                                   .deadline_ms = 20,
                                   .position = {0, 1, 5, 6}}},
                    h2;
    struct url_class room[URL_CLASSES_MAX];
    struct row_lease l;
    struct buf b = {0};

    row_queued_write(&b, &q);
    CHECK(row_queued_read(&q2, buf_view(&b)));
    CHECK(q2.facts.depth == 7 && q2.facts.parent_hash == q.facts.parent_hash);
    CHECK(q2.facts.redirects == 2 && q2.facts.nesting == 3);
    CHECK(q2.facts.badness == 12.34f && q2.facts.boilerplate == 0.4321f);
    CHECK(q2.https && q2.attempts == 300 && str_eq(q2.rest, q.rest));
    CHECK(q2.facts.features.words == 5 && q2.facts.features.url_class == 31 &&
          q2.facts.features.within == 129 && q2.facts.features.path == 0xbeef &&
          q2.facts.features.language == URL_LANGUAGE_LAST);
    for (size_t n = 0; n < b.n - q.rest.n; n++)
        CHECK(!row_queued_read(&q2, str_n(b.p, n)));
    row_seen_write(&b, &s);
    CHECK(row_seen_read(&s2, buf_view(&b)));
    CHECK(s2.state == ROW_FAILED && s2.ended_ms == s.ended_ms &&
          s2.verdict == s.verdict && s2.position.priority == 1234);
    for (size_t n = 0; n < b.n; n++)
        CHECK(!row_seen_read(&s2, str_n(b.p, n)));
    row_host_write(&b, &h);
    CHECK(row_host_read(&h2, buf_view(&b), room));
    CHECK(str_eq(h2.name, h.name) && h2.robots.pending && h2.queued == 12 &&
          h2.growth == 200 && !h2.lease.out);
    CHECK(h2.url_classes.n == 2 && room[1].kind == UINT32_MAX &&
          room[1].head_priority == 65535 && room[1].head_sequence == 99 &&
          room[0].queued == 0 && room[0].head_priority == 0);
    CHECK(h2.outcomes.n[CLASS_KEPT] == 5 &&
          h2.outcomes.n[CLASS_LANGUAGE] == 3 &&
          h2.outcomes.n[CLASS_REDIRECT] == 300 && room[0].outcomes.n[1] == 2);
    for (size_t n = 0; n < b.n; n++)
        CHECK(!row_host_read(&h2, str_n(b.p, n), room));
    row_lease_write(&b, &h.lease);
    CHECK(row_lease_read(&l, buf_view(&b)));
    CHECK(l.out && l.crawler == UINT64_MAX && l.deadline_ms == 20 &&
          l.position.sequence == 6 && l.position.url_class == 1);
    for (size_t n = 0; n < b.n; n++)
        CHECK(!row_lease_read(&l, str_n(b.p, n)));
    buf_free(&b);
}

static void
a_host_of_which_nothing_is_known_is_a_small_row(void)
{
    struct url_class one = {
        .kind = 1, .queued = 1, .head_priority = 1, .head_sequence = 1u << 30};
    struct row_host h = {.name = STR("www.example.nl"),
                         .domain = STR("example.nl"),
                         .url_classes = {&one, 1, 1}};
    struct buf b = {0};

    row_host_write(&b, &h);
    CHECK(b.n <= h.name.n + h.domain.n + 32);
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
    CHECK(b.n <= q.rest.n + 23); /* and two bytes a word of the anchor */
    row_seen_write(&b, &s);
    CHECK(b.n == 13);
    buf_free(&b);
}

/* ---- scorers ---- */

static double
score(const char *name, struct link_signals s)
{
    struct random r = random_seed(1);
    const struct scorer_tools t = {.random = &r};

    return scorer_find(str_c(name))->score(&s, &t);
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
    struct opts o = help_opts();
    const float odd[] = {0, 0.5f, 1, -1, 7, 1e30f, -1e30f, (float)NAN};

    for (size_t k = 0; scorer_table[k] != NULL; k++) {
        const struct scorer *sc = scorer_table[k];
        struct random r = random_seed(3);
        struct scorer_tools t = {&r, NULL};

        CHECK(sc->open == NULL || sc->open(&t.state, &o) == ST_OK);
        CHECK(scorer_find(str_c(sc->name)) == sc);
        CHECK(scorer_chooses(str_c(sc->name)) == (sc->next != NULL));
        for (size_t i = 0; i < 64; i++) {
            struct link_signals s = {.badness = odd[i % 8],
                                     .boilerplate = odd[i / 8],
                                     .has_badness = i % 3 != 0,
                                     .depth = (uint32_t)(i * i)};
            double v = sc->score(&s, &t);

            CHECK(v >= 0 && v <= 1);
        }
        if (sc->close != NULL)
            sc->close(t.state);
    }
    CHECK(scorer_find(S("best")) == NULL);
    opts_free(&o);
}

static void
a_page_in_another_language_is_a_worse_place_for_links(void)
{
    struct link_signals own = from(2, 0.1), other = own;

    other.parent = PARENT_LANGUAGE;
    CHECK(score("badness", other) < 0.6 * score("badness", own));
    CHECK(score("paper", other) < 0.6 * score("paper", own));
}

static void
pages_are_told_apart_to_their_last_byte(void)
{
    const struct str host = S("www.a.nl");
    const struct row_seen_key one = row_seen_key(
                                  ROW_KEYS_NEW, host,
                                  S("http://www.a.nl/folder/of/pages/1")),
                              two = row_seen_key(
                                  ROW_KEYS_NEW, host,
                                  S("http://www.a.nl/folder/of/pages/2")),
                              other = row_seen_key(
                                  ROW_KEYS_NEW, S("www.b.nl"),
                                  S("http://www.a.nl/folder/of/pages/1"));

    CHECK(memcmp(one.bytes, two.bytes, 8) == 0); /* neighbours in the table */
    CHECK(memcmp(one.bytes + 8, two.bytes + 8, 8) != 0);
    CHECK(memcmp(one.bytes, other.bytes, 8) != 0);
}

static void
priorities_of_pages_begin_at_one(void)
{
    CHECK(scorer_priority(0) == 1 && scorer_priority(-1) == 1);
    CHECK(scorer_priority(1) == ROW_PRIORITY_MAX &&
          scorer_priority(7) == ROW_PRIORITY_MAX);
    CHECK(scorer_score(1) == 0 && scorer_score(ROW_PRIORITY_MAX) == 1);
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

/* ---- URL classes ---- */

static bool
alike_at(size_t level, const char *a, const char *b)
{
    return url_class_kinds(str_c(a)).level[level] ==
           url_class_kinds(str_c(b)).level[level];
}

static bool
alike(const char *a, const char *b)
{
    return alike_at(0, a, b);
}

static void
urls_that_differ_in_numbers_and_names_are_of_one_kind(void)
{
    CHECK(alike("/pmb1.html", "/pmb20345.html"));
    CHECK(alike("/book/v2/ch01-a.html", "/book/v3/ch12-b-2.html"));
    CHECK(alike("/posts/some-title", "/posts/another"));
    CHECK(alike("/x?id=1", "/y?id=77"));
    CHECK(alike("/x#here", "/x"));
    CHECK(!alike("/pmb1.html", "/L1.html"));
    CHECK(!alike("/pmb1.html", "/pmb1.xml"));
    CHECK(!alike("/posts/x", "/tags/x"));
    CHECK(!alike("/x", "/x?id=1"));
    CHECK(!alike("/x?id=1", "/x?page=1"));
    CHECK(alike("", "")); /* and nothing is read past the end */
    CHECK(alike("/", "/"));
    CHECK(!alike_at(1, "/posts/x", "/tags/x"));
    CHECK(alike_at(1, "/posts/a/x", "/posts/b/x7"));
    CHECK(alike_at(2, "/posts/x", "/tags/x"));
    for (size_t level = 0; level < URL_CLASS_LEVELS; level++) { /* languages */
        CHECK(!alike_at(level, "/docs/git/de", "/docs/git/fr"));
        CHECK(!alike_at(level, "/docs/2.4/de/x.html", "/docs/2.4/fr/x.html"));
        CHECK(!alike_at(level, "/x.de.html", "/x.html"));
        CHECK(!alike_at(level, "/x?lang=de", "/x?lang=fr"));
        CHECK(!alike_at(level, "/a/pt-br/", "/a/"));
        CHECK(alike_at(level, "/a/b/c/d/e/f/g/", "/a/b/9c/8d/e/f/g/"));
    }
}

static void
a_host_has_a_bounded_number_of_url_classes_which_keep_their_numbers(void)
{
    struct arena *a = arena_new();
    struct url_classes s = {0};
    char url[64];
    struct url_class_kinds k = url_class_kinds(S("/first/x"));

    CHECK(url_class_find(&s, &k, a) == 0);
    for (int i = 0; i < 100000; i++) {
        struct url_class_kinds other;

        snprintf(url, sizeof url, "/%c%c%c/%c.x%d", 'a' + i % 26,
                 'a' + i / 26 % 26, 'a' + i / 676 % 26, 'a' + i % 7, i);
        other = url_class_kinds(str_c(url));
        CHECK(url_class_find(&s, &other, a) < URL_CLASSES_MAX);
    }
    CHECK(s.n == URL_CLASSES_MAX &&
          s.item[URL_CLASSES_MAX - 1].kind == URL_CLASS_REST);
    CHECK(url_class_find(&s, &k, a) == 0);
    CHECK(url_class_find(&s, NULL, a) == URL_CLASSES_MAX - 1);
    s = (struct url_classes){0}; /* robots.txt of others comes first */
    CHECK(url_class_find(&s, NULL, a) == 0 && url_class_find(&s, &k, a) == 1);
    arena_free(a);
}

static double
competes(const char *name, double link, struct outcome_counts url_class,
         struct outcome_counts rest)
{
    const struct scorer *sc = scorer_find(str_c(name));
    struct outcome_counts host = url_class;
    struct opts o = help_opts();
    struct learner learner;
    const struct scorer_tools t = {.state = &learner};
    const struct scorer_yields y = {
        .url_class = &url_class,
        .host = &host,
        .bad_wasted =
            scorer_bad_url_class(&url_class) ? outcomes_wasted(&url_class) : 0};
    double x;

    for (int i = 0; i < CLASS_N; i++)
        host.n[i] += rest.n[i];
    learner_open(&learner, &o);
    x = sc->now(link, &y, &t);
    learner_close(&learner);
    opts_free(&o);
    return x;
}

static void
a_url_class_of_wasted_fetches_sinks_and_a_mixed_one_does_not(void)
{
    const struct outcome_counts few = {{[CLASS_ERROR] = 2}},
                                gone = {{[CLASS_ERROR] = 9}},
                                copies =
                                    {{[CLASS_NEAR] = 5, [CLASS_EXACT] = 4}},
                                mixed = {{[CLASS_KEPT] = 9, [CLASS_ERROR] = 9}},
                                good = {{[CLASS_KEPT] = 9}}, none = {{0}};

    CHECK(!scorer_bad_url_class(&few) && scorer_bad_url_class(&gone) &&
          scorer_bad_url_class(&copies) && !scorer_bad_url_class(&mixed));
    CHECK(competes("paper", .9, none, none) == .9);
    CHECK(competes("host", .5, good, none) >
          1.5 * competes("host", .5, gone, none));
    CHECK(competes("paper", .9, gone, good) < .1);
    CHECK(competes("paper", .9, copies, good) < .1);
    CHECK(competes("paper", .9, good, none) == .9);
    CHECK(competes("paper", .9, mixed, none) <
          competes("paper", .9, good, none));
    CHECK(competes("paper", .9, mixed, none) >
          competes("paper", .9, gone, none));
}

/* Of learned, as scorer.c packs it: the order, how likely it is there, a seed
 * or not.  Links that are as likely there are ordered as they compete. */
static double
learned_score(double order, int there, bool seed)
{
    int code = (int)(order * 1022) * 32 + (seed ? 0 : there);

    return (code + (seed ? 1023 * 32 : 0) + 0.5) / 65533;
}

static void
a_better_link_never_competes_with_less(void)
{
    struct random r = random_seed(5);

    for (size_t k = 0; scorer_table[k] != NULL; k++) {
        const struct scorer *sc = scorer_table[k];
        for (int i = 0; i < 1000 && sc->now != NULL; i++) {
            struct outcome_counts url_class, rest;
            double low = random_unit(&r), high = random_unit(&r);

            for (int c = 0; c < CLASS_N; c++) {
                url_class.n[c] = (uint32_t)random_below(&r, 9);
                rest.n[c] = (uint32_t)random_below(&r, 9);
            }
            url_class.n[CLASS_LINKS] += url_class.n[CLASS_LINKS_DEAD];
            rest.n[CLASS_LINKS] += rest.n[CLASS_LINKS_DEAD];
            if (sc->chance != NULL) {
                low = learned_score(low, i % 32, i & 32);
                high = learned_score(high, i % 32, i & 32);
            }
            CHECK((low < high) == (competes(sc->name, low, url_class, rest) <
                                   competes(sc->name, high, url_class, rest)));
        }
    }
}

/* ---- scheduler ---- */

#define HOSTS 60u

struct naive {
    struct scheduler_entry e[HOSTS];
    bool used[HOSTS];
};

static bool
naive_best(const struct naive *m, uint64_t now, uint32_t *host)
{
    const struct scheduler_entry *best = NULL;

    for (uint32_t i = 0; i < HOSTS; i++) {
        const struct scheduler_entry *e = &m->e[i];

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
check_first(const struct scheduler *a, struct naive m, uint64_t now, size_t max)
{
    struct scheduler_entry e[SCHEDULER_FIRST_MAX];
    size_t n = scheduler_first(a, e, max);
    uint32_t host = 0;

    for (size_t i = 0; i < n; i++) {
        CHECK(naive_best(&m, now, &host) && e[i].host == host);
        m.used[host / 7919] = false;
    }
    CHECK(n == max || !naive_best(&m, now, &host));
}

static void
the_scheduler_agrees_with_a_naive_list(void)
{
    struct random r = random_seed(7);
    struct scheduler *a = scheduler_new();
    struct naive m = {0};
    uint64_t now = 0, due, waiting;

    for (uint64_t step = 0; step < 20000; step++) {
        uint32_t i = (uint32_t)random_below(&r, HOSTS), host, want;
        bool some;

        switch (random_below(&r, 4)) {
        case 0:
        case 1:
            m.used[i] = true;
            m.e[i] = (struct scheduler_entry){
                .host = i * 7919,
                .due_ms = now + random_below(&r, 200) -
                          random_below(&r, now < 100 ? now + 1 : 100),
                .sequence = hash_mix(step) >> 24, /* of 40 bits */
                .fetched = (uint32_t)random_below(&r, 3) * 70000u,
                .priority = (uint16_t)random_below(&r, 4),
                .out = random_below(&r, 4) == 0};
            scheduler_set(a, &m.e[i]);
            break;
        case 2:
            m.used[i] = false;
            scheduler_drop(a, i * 7919);
            break;
        default: /* the clock runs, and now and then is set back */
            now += random_below(&r, 50);
            if (random_below(&r, 20) == 0)
                now -= random_below(&r, now < 30 ? now + 1 : 30);
        }
        while (scheduler_advance(a, now, &host)) { /* an ended lease */
            CHECK(m.used[host / 7919] && m.e[host / 7919].out &&
                  m.e[host / 7919].due_ms <= now);
            m.e[host / 7919].out = false;
            scheduler_set(a, &m.e[host / 7919]);
        }
        some = naive_best(&m, now, &want);
        CHECK(scheduler_best(a, &host) == some && (!some || host == want));
        if (step % 16 == 0)
            check_first(a, m, now, random_below(&r, HOSTS + 1));
        scheduler_count(a, now, &due, &waiting);
        for (i = 0; i < HOSTS; i++) {
            if (m.used[i] && !m.e[i].out && m.e[i].due_ms <= now)
                due--;
            else if (m.used[i] && !m.e[i].out)
                waiting--;
        }
        CHECK(due == 0 && waiting == 0);
    }
    scheduler_free(a);
}

static const struct test tests[] = {
    TEST(queue_keys_sort_by_host_then_url_class_then_priority_then_age),
    TEST(later_keys_sort_by_time),
    TEST(pages_of_one_host_are_neighbours_in_seen),
    TEST(urls_are_taken_apart_at_the_authority),
    TEST(rows_read_back_as_written_and_no_shorter),
    TEST(a_row_of_another_form_is_refused),
    TEST(a_host_of_which_nothing_is_known_is_a_small_row),
    TEST(queued_urls_cost_little_more_than_their_path),
    TEST(every_scorer_stays_between_0_and_1),
    TEST(a_page_in_another_language_is_a_worse_place_for_links),
    TEST(pages_are_told_apart_to_their_last_byte),
    TEST(priorities_of_pages_begin_at_one),
    TEST(bfs_knows_depth_only),
    TEST(paper_puts_good_documents_before_seeds_before_bad_documents),
    TEST(badness_and_block_each_look_at_one_part),
    TEST(a_page_in_another_language_counts_less_than_a_list_in_the_right_one),
    TEST(urls_that_differ_in_numbers_and_names_are_of_one_kind),
    TEST(a_host_has_a_bounded_number_of_url_classes_which_keep_their_numbers),
    TEST(a_url_class_of_wasted_fetches_sinks_and_a_mixed_one_does_not),
    TEST(a_better_link_never_competes_with_less),
    TEST(the_scheduler_agrees_with_a_naive_list),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
