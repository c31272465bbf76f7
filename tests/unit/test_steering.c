/* What scorer learned makes of a link beyond the chance of its page: what the
 * page opens, what it proves, how its siblings ended; and that no host is given
 * up for good. */
#include "frontier_help.h"

#include "../../frontier/score/fetch_value.h"
#include "base/file.h"

#include <unistd.h>

#define T0 ((uint64_t)1700000000000)

/* ---- siblings ---- */

static void
siblings_are_counted_by_page_and_forgotten_for_others(void)
{
    struct siblings *s = siblings_new();
    struct sibling_counts n;
    uint32_t known = 0;

    CHECK(siblings_of(s, 1, 7).ended == 0);
    for (int i = 0; i < 5; i++)
        siblings_count(s, 1, 7, i<2, i> 2);
    n = siblings_of(s, 1, 7);
    CHECK(n.ended == 5 && n.dead == 2 && n.kept == 2);
    CHECK(siblings_of(s, 2, 7).ended == 0 && siblings_of(s, 1, 8).ended == 0);
    for (uint32_t page = 0; page < 100000; page++)
        siblings_count(s, 3, page, true, false);
    for (uint32_t page = 0; page < 100000; page++) {
        n = siblings_of(s, 3, page);
        CHECK(n.ended <= 1 && n.dead == n.ended && n.kept == 0);
        known += n.ended;
    }
    CHECK(known > 1000); /* a table of fixed size has the latest */
    CHECK(siblings_of(s, 3, 99999).ended == 1);
    for (int i = 0; i < 100000; i++)
        siblings_count(s, 1, 7, true, false);
    n = siblings_of(s, 1, 7);
    CHECK(n.ended > 50000 && n.dead == n.ended); /* no counter runs over */
    siblings_free(s);
}

/* ---- worth ---- */

struct yields {
    struct scorer_yields y;
    struct outcome_counts host, url_class;
};

static const struct scorer_yields *
with(struct yields *s, uint64_t queued)
{
    s->y.host = &s->host;
    s->y.url_class = &s->url_class;
    s->y.queued = s->y.url_class_queued = queued;
    return &s->y;
}

static double
value(const struct scorer_yields *y, double good, double works)
{
    return fetch_value(y, &(struct fetch_chances){good, works, works, works});
}

static void
a_page_is_worth_what_it_opens(void)
{
    struct yields hub = {.host = {{[CLASS_KEPT] = 60,
                                   [CLASS_OTHER] = 20,
                                   [CLASS_ERROR] = 20,
                                   [CLASS_OPENED] = 200,
                                   [CLASS_OUTLINKS] = 100,
                                   [CLASS_OUTLINKS_KEPT] = 60}},
                         .url_class = {{[CLASS_OTHER] = 20,
                                        [CLASS_OPENED] = 200,
                                        [CLASS_OUTLINKS] = 100,
                                        [CLASS_OUTLINKS_KEPT] = 60}}};
    struct yields barren = hub;

    barren.url_class.n[CLASS_OPENED] = barren.url_class.n[CLASS_OUTLINKS] = 0;
    barren.url_class.n[CLASS_OUTLINKS_KEPT] = 0;
    CHECK(value(with(&hub, 10), 0.001, 0.9) > 0.4);
    CHECK(value(with(&barren, 10), 0.001, 0.9) < 0.3);
    barren.url_class.n[CLASS_OPENED] = 200; /* many links, to nothing */
    barren.url_class.n[CLASS_OUTLINKS] = 100;
    CHECK(value(with(&barren, 10), 0.001, 0.9) < 0.1);
    /* A page that is good itself loses nothing by what it links to. */
    CHECK(value(with(&barren, 10), 0.8, 0.9) >= 0.72);
}

static void
a_host_tried_in_vain_sinks_and_never_to_nothing(void)
{
    struct yields untried = {.host = {{0}}},
                  tried = {.host = {{[CLASS_LANGUAGE] = 30}}};
    double last = exploration_bonus(with(&untried, 50), -1), all = last;

    for (uint32_t pages = 1; pages < 1000; pages *= 2) {
        struct yields vain = {.host = {{[CLASS_LANGUAGE] = pages}}};
        double hope = exploration_bonus(with(&vain, 50), -1);

        CHECK(hope > 0 && hope <= last);
        last = hope;
    }
    CHECK(last < all / 50);
    /* What may prove a host is worth more than its own chance, the more so the
       more is queued there; of a proven host only what is untried. */
    CHECK(value(with(&untried, 50), 0.05, 1) > 3 * 0.05);
    CHECK(value(with(&tried, 1), 0.05, 1) < value(with(&tried, 50), 0.05, 1));
    untried.host.n[CLASS_KEPT] = 100;
    CHECK(exploration_bonus(with(&untried, 50), -1) > 0);
    untried.url_class.n[CLASS_KEPT] = 1;
    CHECK(exploration_bonus(with(&untried, 50), -1) <= 0);
}

static void
pages_of_another_language_lead_to_such_pages(void)
{
    /* Of a host that gives much, a URL class of which nothing came yet. */
    struct yields other = {.host = {{[CLASS_KEPT] = 60,
                                     [CLASS_LANGUAGE] = 20,
                                     [CLASS_OPENED] = 400}},
                           .url_class =
                               {{[CLASS_LANGUAGE] = 20, [CLASS_OPENED] = 200}}},
                  list = other;

    list.url_class.n[CLASS_LANGUAGE] = 0;
    list.url_class.n[CLASS_OTHER] = 20;
    CHECK(value(with(&other, 0), 0.001, 0.9) <
          0.2 * value(with(&list, 0), 0.001, 0.9));
    other.url_class.n[CLASS_LANGUAGE] = 1; /* little says that it is one */
    CHECK(value(with(&other, 0), 0.001, 0.9) >
          0.5 * value(with(&list, 0), 0.001, 0.9));
}

/* French on a host that gives much in Dutch leads to French; the archive of a
 * month is not kept itself either, but has shown what it leads to. */
static void
a_page_unlike_its_host_is_not_believed_to_lead_to_what_the_host_has(void)
{
    struct yields fresh = {.host = {{[CLASS_KEPT] = 60, [CLASS_OPENED] = 400}}},
                  shown = fresh;

    CHECK(value(with(&fresh, 0), 0.0005, 0.9) <
          0.2 * value(with(&fresh, 0), 0.05, 0.9));
    shown.url_class.n[CLASS_OTHER] = 20;
    shown.url_class.n[CLASS_OPENED] = 200;
    shown.url_class.n[CLASS_OUTLINKS] = 50;
    shown.url_class.n[CLASS_OUTLINKS_KEPT] = 40;
    CHECK(value(with(&shown, 0), 0.0005, 0.9) > 0.5);
}

static void
a_page_that_is_there_after_all_proves_the_links_of_its_host(void)
{
    struct yields untried = {.host = {{0}}};
    struct fetch_chances doubtful = {0.2, 0.05, 0.05, 0.05}, c = doubtful;

    c.proven = 0.8;
    CHECK(fetch_value(with(&untried, 50), &c) >
          3 * fetch_value(with(&untried, 50), &doubtful));
}

/* ---- the prior ---- */

static void
a_prior_names_features_and_nothing_else(void)
{
    static const char *const bad[] = {
        "BIAS\n",       "BIAS\tx\n",   "BIAS\t1 2\n", "BIAS\t\n",
        "NO_SUCH\t1\n", "BIAS\tnan\n", "BIAS\t1e9\n", "\t1\n",
        "BIAS\t1\nx",   "bias\t1\n",   "BIAS\t-inf\n"};
    float weights[LEARNER_NAMED_MAX];

    CHECK(learner_prior(weights, S("# a comment\n\nBIAS\t-2.5\n")));
    CHECK(weights[0] == -2.5f && weights[1] == 0);
    CHECK(learner_prior(weights, S("")) && weights[0] == 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(!learner_prior(weights, str_c(bad[i])));
}

static void
a_prior_of_ones_own_is_used_or_refused(void)
{
    const char *dir = help_folder();
    struct opts o = help_opts();
    struct frontier *f;
    char path[128];

    snprintf(path, sizeof path, "%s/prior.tsv", dir);
    o.frontier_scorer = (struct str)STR("learned");
    o.frontier_prior = str_c(path);
    CHECK(frontier_open(&f, dir, &o, T0) == ST_USAGE); /* it is not there */
    CHECK(file_write(path, S("BIAS\tmuch\n")) == ST_OK);
    CHECK(frontier_open(&f, dir, &o, T0) == ST_USAGE);
    CHECK(file_write(path, S("BIAS\t-2.5\n")) == ST_OK);
    CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
    CHECK(model_weight(help_learner(f)->model, 0) == -2.5f);
    frontier_close(f);
    folder_remove(dir);
    opts_free(&o);
}

static void
what_it_does_without_is_not_looked_at(void)
{
    static struct str off[] = {STR("MARK"), STR("word_of_the_path")};
    static struct str wrong[] = {STR("MARK"), STR("NO_SUCH")};
    const struct link_signals s = {.host = S("a.org"), .rest = S("/nl/tuin")};
    struct opts o = help_opts();
    struct learner l;
    struct learner_case all, some;
    static struct str code = STR("nl");

    o.clean_language = (struct opt_list){&code, 1};
    CHECK(learner_open(&l, &o) == ST_OK);
    all.n = some.n = 0;
    learner_link(&l, &all, &s);
    learner_close(&l);
    o.frontier_without = (struct opt_list){off, 2};
    CHECK(learner_open(&l, &o) == ST_OK);
    learner_link(&l, &some, &s);
    learner_close(&l);
    CHECK(all.n == some.n + 3); /* the mark, nl and tuin */
    o.frontier_without = (struct opt_list){wrong, 2};
    CHECK(learner_open(&l, &o) == ST_USAGE);
    o.frontier_without = (struct opt_list){0};
    opts_free(&o);
}

static float
weight_of_words(enum link_words words, enum link_parent parent)
{
    static const char prior[] =
        "WORDS_WANTED_SURE\t1\nWORDS_WANTED\t2\nWORDS_EITHER\t3\n"
        "WORDS_OTHER\t4\nWORDS_OTHER_SURE\t5\n"
        "WORDS_WANTED_SURE_LANGUAGE\t6\nWORDS_WANTED_LANGUAGE\t7\n"
        "WORDS_EITHER_LANGUAGE\t8\nWORDS_OTHER_LANGUAGE\t9\n"
        "WORDS_OTHER_SURE_LANGUAGE\t10\n";
    struct link_signals s = {.parent = parent,
                             .host = S("a.org"),
                             .rest = S("/"),
                             .features.language =
                                 (uint8_t)url_language_of_words(words)};
    float named[LEARNER_NAMED_MAX], sum = 0;
    struct opts o = help_opts();
    struct learner l;
    struct learner_case c = {.n = 0};

    CHECK(learner_prior(named, str_c(prior)));
    CHECK(learner_open(&l, &o) == ST_OK);
    learner_link(&l, &c, &s);
    for (size_t i = 0; i < c.n; i++)
        if (c.kind[i] == NULL)
            sum += named[c.f[i].at] * c.f[i].x;
    learner_close(&l);
    opts_free(&o);
    return sum;
}

static void
every_word_of_a_links_language_has_its_feature(void)
{
    static const enum link_words words[] = {
        LINK_WORDS_WANTED_SURE, LINK_WORDS_WANTED, LINK_WORDS_EITHER,
        LINK_WORDS_OTHER, LINK_WORDS_OTHER_SURE};

    for (size_t i = 0; i < 5; i++) {
        CHECK(weight_of_words(words[i], PARENT_KEPT) == (float)(i + 1));
        CHECK(weight_of_words(words[i], PARENT_LANGUAGE) == (float)(i + 6));
    }
    CHECK(weight_of_words(LINK_WORDS_NONE, PARENT_KEPT) == 0);
}

/* All that is known of a seed is its URL. */
static void
a_seed_whose_words_are_of_the_language_goes_first(void)
{
    const char *dir = help_folder();
    struct opts o = help_opts();
    struct arena *arena = arena_new();
    struct frontier_link seeds[3] = {help_link("http://a.org/x"),
                                     help_link("http://b.org/y"),
                                     help_link("http://c.org/z")};
    struct frontier_lease l;
    struct frontier *f;
    size_t fresh;

    o.frontier_scorer = (struct str)STR("learned");
    o.frontier_prior = str_c(arena_printf(arena, "%s.tsv", dir).p);
    CHECK(file_write(o.frontier_prior.p, S("WORDS_WANTED_SURE\t4\n")) == ST_OK);
    seeds[1].words = LINK_WORDS_WANTED_SURE;
    CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
    HELP_OK(f, frontier_seed(f, seeds, 3, T0, &fresh));
    frontier_close(f); /* its row keeps it */
    CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
    l = help_lease(f, T0, arena, NULL);
    CHECK(str_eq(l.url, S("http://b.org/y")));
    frontier_close(f);
    folder_remove(dir);
    unlink(o.frontier_prior.p);
    o.frontier_prior = (struct str){0};
    opts_free(&o);
    arena_free(arena);
}

/* ---- a crawl ---- */

struct world {
    enum verdict verdict;
    char url[8][64];
    struct frontier_link link[8];
    size_t n;
    bool other_language;
};

static void
add(struct world *w, const char *format, int a, int b)
{
    snprintf(w->url[w->n], sizeof w->url[0], format, a, b);
    w->link[w->n] = help_link(w->url[w->n]);
    w->link[w->n].boilerplate = 0.5f;
    w->n++;
}

/* a.nl: an archive of 40 pages that are not kept, each with five articles,
 * three of them there.  b.nl: a document in a sea of links that are dead.  30
 * hosts in another language; in one of them what is wanted begins with the
 * ninth page. */
static void
answer_hosts(struct world *w, const char *url)
{
    int a, b;

    *w = (struct world){.verdict = VERDICT_LANGUAGE, .other_language = true};
    if (sscanf(url, "http://a.nl/archive/%d/", &a) == 1) {
        w->verdict = VERDICT_NOINDEX;
        w->other_language = false;
        for (int i = 0; i < 5; i++)
            add(w, "http://a.nl/%d-%d.html", a, i);
        if (a < 40)
            add(w, "http://a.nl/archive/%d/", a + 1, 0);
    } else if (sscanf(url, "http://a.nl/%d-%d.html", &a, &b) == 2) {
        w->verdict = b < 3 ? VERDICT_KEPT : verdict_http(404);
    } else if (sscanf(url, "http://b.nl/%d.html", &a) == 1) {
        w->verdict = a % 40 == 0 ? VERDICT_KEPT : verdict_http(404);
        for (int i = 1; i <= 8 && a % 40 == 0 && a < 1600; i++)
            add(w, "http://b.nl/%d.html", a + 5 * i, 0);
        w->other_language = false;
    } else if (sscanf(url, "http://h%d.com/%d.html", &a, &b) == 2) {
        if (a == 17 && b > 8) {
            w->verdict = VERDICT_KEPT;
            w->other_language = false;
        }
        for (int i = 1; i <= 3 && b < 60; i++)
            add(w, "http://h%d.com/%d.html", a, b + i);
    }
}

static uint64_t now = T0; /* of all crawls: a fetch takes a millisecond */

static uint64_t
crawl(struct frontier *f, void (*answer)(struct world *, const char *),
      int fetches, uint64_t *late)
{
    struct arena *arena = arena_new();
    struct world w;
    uint64_t kept = 0;

    for (int i = 0; i < fetches; i++, now++) {
        struct frontier_lease l = help_lease(f, now, arena, NULL);
        struct frontier_done d;

        if (l.url.n == 0)
            break;
        answer(&w, arena_cstr(arena, l.url));
        d = help_done(
            l.url, w.verdict < VERDICT_HTTP ? OUTCOME_FETCHED : OUTCOME_FAILED,
            now);
        d.verdict = w.verdict;
        d.has_badness = true;
        d.badness = w.other_language ? 60 : 3;
        d.other_language = w.other_language;
        d.links = w.link;
        d.links_n = w.n;
        help_report(f, &d, now);
        kept += d.verdict == VERDICT_KEPT;
        *late += d.verdict == VERDICT_KEPT &&
                 strstr(arena_cstr(arena, l.url), "//h17") != NULL;
        arena_reset(arena);
    }
    arena_free(arena);
    return kept;
}

static struct opts
opts_of_learned(void)
{
    static struct str code = STR("nl");
    struct opts o = help_opts();

    o.clean_language = (struct opt_list){&code, 1};
    o.frontier_scorer = (struct str)STR("learned");
    o.politeness_delay_ms = 0;
    o.traps_growth_pages = 0; /* it is all new here */
    return o;
}

static void
no_host_is_given_up_for_good(void)
{
    const char *dir = help_folder();
    struct opts o = opts_of_learned();
    struct frontier *f;
    uint64_t late = 0, kept;
    char url[64];

    CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
    help_seed(f, "http://a.nl/archive/1/", T0);
    help_seed(f, "http://b.nl/0.html", T0);
    for (int i = 0; i < 30; i++) {
        snprintf(url, sizeof url, "http://h%d.com/0.html", i);
        help_seed(f, url, T0);
    }
    kept = crawl(f, answer_hosts, 1200, &late);
    CHECK(kept - late >= 155); /* of 161 */
    CHECK(late >= 40);         /* of 54 */
    help_check(f);
    frontier_close(f);
    folder_remove(dir);
    opts_free(&o);
}

/* One host; its list pages link to pages called here, which are kept, and to
 * pages called gone, which are not there. */
static void
answer_lists(struct world *w, const char *url)
{
    int a;

    *w = (struct world){.verdict = VERDICT_NOINDEX};
    if (sscanf(url, "http://a.nl/list/%d/", &a) == 1) {
        for (int i = 0; i < 3; i++) {
            add(w, "http://a.nl/%d/here-%d.html", a, i);
            add(w, "http://a.nl/%d/gone-%d.html", a, i);
        }
        add(w, "http://a.nl/list/%d/", a + 1, 0);
    } else {
        w->verdict =
            strstr(url, "gone") != NULL ? verdict_http(404) : VERDICT_KEPT;
    }
}

static struct learner_sums
sums_of(const struct frontier *f, const char *rest)
{
    const struct link_signals s = {.parent = PARENT_KEPT,
                                   .depth = 2,
                                   .host = S("b.nl"),
                                   .rest = str_c(rest)};

    return learner_link_sums(help_learner(f), &s);
}

static void
dead_links_come_in_kinds_and_say_nothing_of_what_is_there(void)
{
    const char *dir = help_folder();
    struct opts o = opts_of_learned();
    struct frontier *f;
    struct learner_sums here, gone, none, again;
    uint64_t late = 0;

    CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
    none = sums_of(f, "/x/gone.html");
    CHECK(none.there > -1e-9 && none.there < 1e-9);
    help_seed(f, "http://a.nl/list/0/", T0);
    CHECK(crawl(f, answer_lists, 200, &late) > 80);
    here = sums_of(f, "/x/here.html");
    gone = sums_of(f, "/x/gone.html");
    CHECK(gone.there < here.there - 0.2);
    CHECK(gone.good > none.good - 0.2);
    frontier_close(f); /* both models are in the store */
    CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
    again = sums_of(f, "/x/gone.html");
    CHECK(again.there > gone.there - 1e-9 && again.there < gone.there + 1e-9);
    CHECK(again.good > gone.good - 1e-9 && again.good < gone.good + 1e-9);
    help_check(f);
    frontier_close(f);
    folder_remove(dir);
    opts_free(&o);
}

/* Pages are kept, and each links to eight more; later all are gone. */
static void
answer_kept(struct world *w, const char *url)
{
    static int last;

    (void)url;
    *w = (struct world){.verdict = VERDICT_KEPT};
    for (int i = 0; i < 8; i++)
        add(w, "http://a.nl/%d.html", ++last, 0);
}

static void
answer_gone(struct world *w, const char *url)
{
    (void)url;
    *w = (struct world){.verdict = verdict_http(404)};
}

static void
what_is_gone_might_have_been_kept(void)
{
    const char *dir = help_folder();
    struct opts o = opts_of_learned();
    struct learner_sums before, after;
    struct frontier *f;
    uint64_t late = 0;

    CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
    help_seed(f, "http://a.nl/", T0);
    CHECK(crawl(f, answer_kept, 60, &late) == 60);
    before = sums_of(f, "/7.html");
    CHECK(crawl(f, answer_gone, 60, &late) == 0);
    after = sums_of(f, "/7.html");
    CHECK(after.there < before.there - 0.5);
    CHECK(after.good > before.good - 0.1);
    frontier_close(f);
    folder_remove(dir);
    opts_free(&o);
}

/* What is queued, deferred and bears a trap's sign, but stays above what is
 * deferred. */
static void
answer_url_classes(struct world *w, const char *url)
{
    *w = (struct world){.verdict = VERDICT_KEPT};
    if (strcmp(url, "http://a.nl/") != 0)
        return;
    for (int i = 1; i <= 4; i++)
        add(w, "http://a.nl/p/%d.html", i, 0);
    add(w, "https://a.nl/p/%d.html", 1, 0); /* a twin */
    for (int i = 1; i <= 3; i++)
        add(w, "http://a.nl/q/?k=a&k=b&k=c&n=%d", i, 0);
}

static struct row_seen
seen_of(struct frontier *f, const char *url)
{
    struct row_seen seen = {0};
    struct row_url parts;

    CHECK(row_url_split(&parts, str_c(url)));
    HELP_OK(f,
            url_store_seen_get(
                f->db, row_seen_key(ROW_KEYS_NEW, parts.authority, str_c(url)),
                &seen));
    return seen;
}

static uint16_t
priority_of(struct frontier *f, const char *url)
{
    struct row_seen seen = seen_of(f, url);

    CHECK(seen.state == ROW_QUEUED);
    return seen.position.priority;
}

/* Of the pages of /p/, which are all alike, the one that is still queued. */
static uint16_t
priority_of_the_last(struct frontier *f)
{
    uint16_t priority = 0;
    int queued = 0;

    for (int i = 1; i <= 4; i++) {
        char url[32];

        snprintf(url, sizeof url, "http://a.nl/p/%d.html", i);
        if (seen_of(f, url).state == ROW_QUEUED) {
            priority = priority_of(f, url);
            queued++;
        }
    }
    CHECK(queued == 1);
    return priority;
}

static void
the_head_of_a_url_class_follows_what_is_learnt(void)
{
    const char *dir = help_folder();
    struct opts o = opts_of_learned();
    struct frontier *f;
    uint64_t late = 0;
    uint16_t first, trap;

    CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
    help_seed(f, "http://a.nl/", T0);
    CHECK(crawl(f, answer_url_classes, 1, &late) == 1);
    first = priority_of(f, "http://a.nl/p/4.html");
    trap = priority_of(f, "http://a.nl/q/?k=a&k=b&k=c&n=2");
    CHECK(priority_of(f, "https://a.nl/p/1.html") <= ROW_PRIORITY_DEFERRED);
    CHECK(trap < first / 2 && trap > ROW_PRIORITY_DEFERRED);
    CHECK(crawl(f, answer_url_classes, 3, &late) == 3); /* of /p/ */
    CHECK(priority_of_the_last(f) > first);
    CHECK(crawl(f, answer_url_classes, 1, &late) == 1); /* the last one */
    CHECK(priority_of(f, "https://a.nl/p/1.html") <= ROW_PRIORITY_DEFERRED);
    CHECK(crawl(f, answer_url_classes, 1, &late) == 1); /* the first of /q/ */
    CHECK(priority_of(f, "http://a.nl/q/?k=a&k=b&k=c&n=2") < first / 2);
    help_check(f);
    frontier_close(f);
    folder_remove(dir);
    opts_free(&o);
}

static const struct test tests[] = {
    TEST(siblings_are_counted_by_page_and_forgotten_for_others),
    TEST(a_page_is_worth_what_it_opens),
    TEST(a_host_tried_in_vain_sinks_and_never_to_nothing),
    TEST(pages_of_another_language_lead_to_such_pages),
    TEST(a_page_unlike_its_host_is_not_believed_to_lead_to_what_the_host_has),
    TEST(a_page_that_is_there_after_all_proves_the_links_of_its_host),
    TEST(a_prior_names_features_and_nothing_else),
    TEST(a_prior_of_ones_own_is_used_or_refused),
    TEST(what_it_does_without_is_not_looked_at),
    TEST(every_word_of_a_links_language_has_its_feature),
    TEST(a_seed_whose_words_are_of_the_language_goes_first),
    TEST(no_host_is_given_up_for_good),
    TEST(the_head_of_a_url_class_follows_what_is_learnt),
    TEST(dead_links_come_in_kinds_and_say_nothing_of_what_is_there),
    TEST(what_is_gone_might_have_been_kept),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
