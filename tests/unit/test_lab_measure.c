/* Measures against values worked out by hand or by a naive count. */
#include <math.h>

#include "../../crawler/lab/findings.h"
#include "../../crawler/lab/lab_report.h"
#include "../../crawler/lab/pareto.h"
#include "../../crawler/lab/threshold.h"
#include "../../crawler/lab/within.h"
#include "base/log.h"
#include "base/random.h"
#include "lab_make.h"

static bool
near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

static void
a_confusion_matrix_is_counted(void)
{
    struct predict_tally *t = predict_new();
    struct predict p;

    predict_add(t, 0.9, true, true);
    predict_add(t, 0.8, true, true);
    predict_add(t, 0.7, true, false);
    predict_add(t, 0.2, false, true);
    predict_add(t, 0.1, false, false);
    predict_measure(&p, t);
    CHECK(p.true_positive == 2 && p.false_positive == 1);
    CHECK(p.false_negative == 1 && p.true_negative == 1);
    CHECK(near(p.precision, 2.0 / 3) && near(p.recall, 2.0 / 3));
    CHECK(near(p.f1, 2.0 / 3));
    CHECK(near(p.auc, 5.0 / 6));     /* of 6 pairs only .2 < .7 is wrong */
    CHECK(near(p.best_f1, 6.0 / 7)); /* all but the last */
    free(t);
}

static void
auc_agrees_with_counting_all_pairs(void)
{
    enum { N = 300 };
    struct predict_tally *t = predict_new();
    struct random r = random_seed(5);
    struct predict p;
    double score[N], right = 0, pairs = 0;
    bool kept[N];

    for (size_t i = 0; i < N; i++) {
        score[i] = (double)random_below(&r, 40) / 39; /* many ties */
        kept[i] = random_unit(&r) < score[i];
        predict_add(t, score[i], true, kept[i]);
    }
    for (size_t i = 0; i < N; i++) {
        for (size_t k = 0; k < N; k++) {
            if (!kept[i] || kept[k])
                continue;
            pairs++;
            right += score[i] > score[k] ? 1 : score[i] == score[k] ? 0.5 : 0;
        }
    }
    predict_measure(&p, t);
    CHECK(near(p.auc, right / pairs));
    free(t);
}

static void
a_calibrated_score_has_no_calibration_error(void)
{
    struct predict_tally *t = predict_new();
    struct predict_bin bin[PREDICT_BINS];

    for (int i = 0; i < 4; i++) {
        predict_add(t, 0.25, false, i == 0);
        predict_add(t, 0.75, true, i != 0);
    }
    CHECK(near(predict_bins(bin, t), 0));
    CHECK(bin[2].n == 4 && bin[2].kept == 1 && near(bin[2].score, 0.25));
    predict_add(t, 0.75, true, false);
    predict_add(t, 0.75, true, false);
    CHECK(near(predict_bins(bin, t), 1.5 / 10));
    free(t);
}

/* A web of one page with n links to another host, and a run that has found
 * them.  Every third leads to the page's own host. */
static struct web *
many_links(struct sim_run *r, size_t n)
{
    struct web *w = web_new();
    uint32_t from = make_page(w, "http://a.nl/", VERDICT_NONE);
    struct web_link *l;
    char url[64];

    for (size_t i = 0; i < n; i++) {
        snprintf(url, sizeof url, "http://%s.nl/%zu", i % 3 ? "a" : "b", i);
        make_page(w, url, VERDICT_NONE);
    }
    l = web_add_links(w, from, n);
    *r = (struct sim_run){.link = calloc(n, sizeof *r->link),
                          .fetch = calloc(n, sizeof *r->fetch),
                          .links_n = n};
    for (size_t i = 0; i < n; i++) {
        l[i] = (struct web_link){.to = from + 1 + (uint32_t)i};
        r->link[i] = (struct sim_link){.link = (uint32_t)i, .page = from};
    }
    make_done(w);
    return w;
}

/* F1 of the links of the run that are predicted. */
static double
f1_of(const struct sim_run *r, const bool *told, const bool *would)
{
    double right = 0, wrong = 0, missed = 0;

    for (size_t i = 0; i < r->links_n; i++) {
        right += told[i] && would[i];
        wrong += told[i] && !would[i];
        missed += !told[i] && would[i];
    }
    return predict_f1(right, wrong, missed);
}

/* Nothing has a chance of one half, so a cut there would predict nothing.  By
 * hand: the better fifth leads to .2 * .4 that is kept, all links to .08 +
 * .008; F1 = 2 * .08 / (.2 + .088). */
static void
while_nothing_has_come_out_chances_promise_the_best_f1(void)
{
    enum { N = 30000 };
    static bool would[N];
    struct random random = random_seed(11);
    struct sim_run r;
    struct web *w = many_links(&r, N);
    bool *told, *cross;
    size_t n = 0;

    for (size_t i = 0; i < N; i++) {
        double chance = random_unit(&random) < 0.2 ? 0.4 : 0.01;

        r.link[i].score = (float)chance;
        would[i] = random_unit(&random) < chance;
    }
    told = threshold_predict(w, &r, false);
    cross = threshold_predict(w, &r, true);
    CHECK(fabs(f1_of(&r, told, would) - 0.16 / 0.288) < 0.02);
    for (size_t i = 0; i < N; i++) {
        CHECK(!cross[i] || threshold_is_cross(w, &r.link[i]));
        n += cross[i];
    }
    CHECK(n > N / 3 / 6 && n < N / 3 / 4);
    free(told);
    free(cross);
    r.links_n = 0; /* nothing was scored: nothing is predicted */
    free(threshold_predict(w, &r, false));
    sim_free(&r);
    web_free(w);
}

/* Scores are far from chances here: .8 is hardly ever kept, .9 mostly.  Links
 * come out a hundred fetches later, and their cut is between the two. */
static void
the_cut_is_learnt_from_links_that_have_come_out(void)
{
    enum { N = 9000 };
    static bool would[N];
    struct random random = random_seed(3);
    struct sim_run r;
    struct web *w = many_links(&r, N);
    bool *told;

    for (size_t i = 0; i < N; i++) {
        bool good = random_unit(&random) < 0.3;

        would[i] = random_unit(&random) < (good ? 0.9 : 0.05);
        r.link[i].score = good ? 0.9F : 0.8F;
        r.link[i].at = (uint32_t)i;
        r.fetch[i].page = w->link[i >= 100 ? i - 100 : 0].to;
        r.fetch[i].kept = would[i >= 100 ? i - 100 : 0];
    }
    r.fetches_n = N;
    told = threshold_predict(w, &r, false);
    CHECK(told[0] && told[50]); /* nothing is known yet: both look good */
    CHECK(f1_of(&r, told, would) > 0.85); /* always yes has .48 */
    for (size_t i = 1000; i < N; i++)
        CHECK(told[i] == (r.link[i].score > 0.85F));
    free(told);
    for (size_t i = 0; i < N; i++)
        r.link[i].at = N; /* all are found at the end: nothing is predicted by
                             what comes out with them */
    r.fetches_n = 0;
    told = threshold_predict(w, &r, false);
    CHECK(told[N - 1] && told[1]);
    free(told);
    sim_free(&r);
    web_free(w);
}

static void
auc_within_hosts_counts_pairs_of_one_host(void)
{
    /* host 1: .9 kept, .5 not; host 2: .3 kept, .3 and .4 not. */
    struct within_link l[] = {{2, .4F, false},
                              {1, .9F, true},
                              {2, .3F, true},
                              {1, .5F, false},
                              {2, .3F, false}};
    struct within_link alone[] = {{1, .1F, true}, {2, .9F, false}};

    CHECK(near(within_auc(l, 5), 1.5 / 3)); /* 1 + 0 + a half of 3 pairs */
    CHECK(isnan(within_auc(alone, 2)));
    CHECK(isnan(within_auc(NULL, 0)));
}

static void
the_pareto_front_is_who_is_not_beaten_in_both(void)
{
    const double a[] = {1, 2, 3, 2, 1, (double)NAN, 3},
                 b[] = {9, 8, 1, 5, 9, 9, (double)NAN};
    const bool wanted[] = {true, true, true, false, true, false, false};
    bool front[7];

    pareto_front(a, b, 7, front);
    for (size_t i = 0; i < 7; i++)
        CHECK(front[i] == wanted[i]);
}

static void
a_spread_is_the_mean_and_the_range(void)
{
    const double x[] = {3, (double)NAN, 1, 5};
    struct spread s = spread_of(x, 4);

    CHECK(near(s.mean, 3) && near(s.low, 1) && near(s.high, 5));
    CHECK(isnan(spread_of(x + 1, 1).mean) && isnan(spread_of(x, 0).low));
}

/* Two runs: 4 fetches of 10 ms each, kept the 1st and the 3rd; 2 fetches of
 * 100 ms each, both kept. */
static void
a_curve_is_the_mean_of_runs_that_keep_what_they_have(void)
{
    struct sim_fetch one[] = {{.kept = true, .at_ms = 10},
                              {.at_ms = 20},
                              {.kept = true, .at_ms = 30},
                              {.at_ms = 40}};
    struct sim_fetch two[] = {{.kept = true, .at_ms = 100},
                              {.kept = true, .at_ms = 200}};
    struct sim_run run[] = {{.fetch = one, .fetches_n = 4, .kept = 2},
                            {.fetch = two, .fetches_n = 2, .kept = 2}};
    const struct experiment_arm arm = {.run = run, .runs_n = 2};
    struct curve_point p[4];
    uint64_t fetched;

    CHECK(curve_make(&arm, CURVE_FETCHES, p, 4) == 4);
    CHECK(near(p[1].at, 2) && near(p[1].kept, 1.5) && p[1].low == 1 &&
          p[1].high == 2);
    CHECK(near(p[3].kept, 2) && near(p[3].fetched, 3));
    CHECK(curve_make(&arm, CURVE_TIME, p, 2) == 2);
    CHECK(near(p[0].at, 100) && near(p[0].kept, 1.5));
    CHECK(curve_kept(&run[0], CURVE_TIME, 29, &fetched) == 1 && fetched == 2);
    run[0].fetches_n = run[1].fetches_n = 0;
    CHECK(curve_make(&arm, CURVE_TIME, p, 2) == 0);
}

static void
a_line_through_points_is_found(void)
{
    const double x[] = {1, 2, 3, 4}, y[] = {3, 5, 7, 9}, z[] = {1, 3, 2, 4};
    struct measure_fit fit;

    measure_line(x, y, 4, &fit);
    CHECK(near(fit.slope, 2) && near(fit.intercept, 1) && near(fit.r2, 1));
    measure_line(x, z, 4, &fit);
    CHECK(near(fit.slope, 0.8) && near(fit.r2, 0.64));
    CHECK(near(fit.adjusted, 1 - 0.36 * 3 / 2));
    measure_line(x, x, 1, &fit);
    CHECK(isnan(fit.r2) && isnan(fit.adjusted));
}

/* One run that never changed says nothing of how well a line fits the others.
 */
static void
a_mean_fit_is_that_of_the_runs_that_have_one(void)
{
    const double x[] = {1, 2, 3, 4}, y[] = {3, 5, 7, 9}, same[] = {4, 4, 4, 4};
    struct measure_fit fit[2] = {{0}, {0}}, mean;

    measure_line(x, y, 4, &fit[0]);
    measure_line(x, same, 4, &fit[1]);
    measure_mean_fit(fit, 2, &mean);
    CHECK(near(mean.slope, 1) && near(mean.r2, 1) && near(mean.adjusted, 1));
    measure_mean_fit(fit + 1, 1, &mean);
    CHECK(isnan(mean.r2) && isnan(mean.adjusted) && near(mean.intercept, 4));
}

/* A web of `hosts` hosts with a start page each, half of them kept, and some
 * pages below. */
static struct web *
many_hosts(unsigned hosts)
{
    struct web *w = web_new();
    char url[4][64];

    for (unsigned h = 0; h < hosts; h++) {
        uint32_t root;

        for (unsigned i = 0; i < 4; i++)
            snprintf(url[i], sizeof url[i], "http://h%u.nl/%u", h, i);
        root = make_page(w, url[0], h % 2 ? VERDICT_NONE : VERDICT_LANGUAGE);
        for (unsigned i = 1; i < 4; i++)
            make_page(w, url[i],
                      h % 2 && i != 3 ? VERDICT_NONE : VERDICT_SHORT);
        make_links(w, root, 3, url[1], url[2], url[3]);
        web_add_seed(w, root);
    }
    make_done(w);
    return w;
}

static void
bias_and_intervals_are_those_of_the_hosts(void)
{
    struct web *w = many_hosts(40);
    struct opts o = make_opts();
    struct experiment e = {.web = w,
                           .opts = &o,
                           .seed = w->seed,
                           .seeds_n = w->seeds_n,
                           .threads_n = 2,
                           .scorer = {S("paper"), S("bfs")},
                           .scorers_n = 2,
                           .pages_max = 160};
    struct findings *f;

    CHECK(experiment_prepare(&e) == ST_OK);
    CHECK(e.pages == 160 && e.kept_total == 60);
    CHECK(experiment_run(&e) == ST_OK);
    f = findings_make(&e, 1);
    CHECK(f->of[0].bias.hosts == 20);
    CHECK(near(f->of[0].bias.top, 1.0 / 20));
    CHECK(near(f->of[0].bias.entropy, log2(20)));
    CHECK(near(f->of[0].bias.distance, 0));
    CHECK(f->of[0].coverage[3].mean > f->of[1].coverage[3].mean);
    for (size_t i = 0; i < 2; i++)
        for (size_t m = 0; m < FINDINGS_MARKS; m++) {
            CHECK(f->of[i].coverage_hosts[m].low <= f->of[i].coverage[m].mean);
            CHECK(f->of[i].coverage_hosts[m].high >= f->of[i].coverage[m].mean);
        }
    findings_free(f);
    experiment_free(&e);
    opts_free(&o);
    web_free(w);
}

/* One host has all that is kept, twenty have nothing but what is gone. */
static void
hosts_without_pages_are_drawn_too(void)
{
    struct web *w = web_new();
    struct opts o = make_opts();
    struct experiment e = {.web = w,
                           .opts = &o,
                           .threads_n = 1,
                           .scorer = {S("bfs")},
                           .scorers_n = 1,
                           .pages_max = 40};
    struct findings *f;
    char url[32];

    for (unsigned i = 0; i < 20; i++) {
        snprintf(url, sizeof url, "http://gone%u.nl/", i);
        web_add_seed(w, make_missing(w, url));
        snprintf(url, sizeof url, "http://good.nl/%u", i);
        web_add_seed(w, make_page(w, url, VERDICT_NONE));
    }
    make_done(w);
    e.seed = w->seed;
    e.seeds_n = w->seeds_n;
    CHECK(experiment_prepare(&e) == ST_OK);
    CHECK(experiment_run(&e) == ST_OK);
    f = findings_make(&e, 1);
    CHECK(f->of[0].coverage_hosts[3].low < f->of[0].coverage_hosts[3].high);
    findings_free(f);
    experiment_free(&e);
    opts_free(&o);
    web_free(w);
}

/* A link to a redirect leads where the redirect leads. */
static void
what_a_redirect_leads_to_is_what_its_links_promise(void)
{
    struct web *w = web_new();
    struct opts o = make_opts();
    struct experiment e = {.web = w, .opts = &o, .threads_n = 1};
    uint32_t root = make_page(w, "http://a.nl/", VERDICT_SHORT),
             old = make_missing(w, "http://a.nl/old"),
             fresh = make_page(w, "http://a.nl/new", VERDICT_NONE);

    w->page[old].status = 301;
    w->page[old].location = intern_add(&w->texts, S("/new"), NULL);
    w->page[old].target = fresh;
    make_links(w, root, 1, "http://a.nl/old");
    web_add_seed(w, root);
    make_done(w);
    e.seed = w->seed;
    e.seeds_n = w->seeds_n;
    CHECK(experiment_prepare(&e) == ST_OK);
    CHECK(e.pages == 2 && e.kept_total == 1);
    CHECK(e.good[fresh] && e.good[old] && !e.good[root]);
    experiment_free(&e);
    opts_free(&o);
    web_free(w);
}

/* Counted naively.  Those that know the web need not predict. */
static void
predictions_are_compared_on_links_that_all_runs_have_scored(void)
{
    struct web *w = many_hosts(40);
    struct opts o = make_opts();
    struct experiment e = {.web = w,
                           .opts = &o,
                           .seed = w->seed,
                           .seeds_n = w->seeds_n,
                           .threads_n = 1,
                           .scorer = {S("paper"), S("bfs"), S("ceiling")},
                           .scorers_n = 3,
                           .chances_n = 3,
                           .pages_max = 30};
    struct findings *f;
    size_t known = 0, paper = 0, bfs = 0;

    CHECK(experiment_prepare(&e) == ST_OK);
    CHECK(experiment_run(&e) == ST_OK);
    CHECK(e.arms_n == 3 && e.runs_n == 3 + 1 + 1);
    f = findings_make(&e, 1);
    for (uint32_t l = 0; l < w->links_n; l++) {
        bool in_all = true;

        for (size_t r = 0; r < 4; r++) { /* all but the ceiling */
            bool in = false;

            for (size_t i = 0; i < e.run[r].links_n; i++)
                in |= e.run[r].link[i].link == l;
            in_all &= in;
            paper += r == 0 && in;
            bfs += r == 3 && in;
        }
        known += in_all;
    }
    CHECK(known > 0 && known <= paper && known < bfs);
    CHECK(f->links == known);
    for (size_t i = 0; i < 2; i++)
        CHECK(f->of[i].link[LINKS_ALL].n == known);
    CHECK(f->plain[LINKS_ALL][BY_ALWAYS].n == known);
    CHECK(f->plain[LINKS_ALL][BY_ALWAYS].recall == 1);
    findings_free(f);
    experiment_free(&e);
    opts_free(&o);
    web_free(w);
}

static void
every_arm_has_its_patience_and_its_seeds_of_chance(void)
{
    struct web *w = many_hosts(20);
    struct opts o = make_opts();
    struct experiment e = {.web = w,
                           .opts = &o,
                           .seed = w->seed,
                           .seeds_n = w->seeds_n,
                           .threads_n = 2,
                           .scorer = {S("random"), S("ceiling"), S("greedy")},
                           .scorers_n = 3,
                           .patience = {0.5, 0},
                           .patiences_n = 2,
                           .chances_n = 4,
                           .fetch_ms = 10};
    struct findings *f;

    o.politeness_delay_ms = 1000;
    CHECK(experiment_prepare(&e) == ST_OK);
    CHECK(experiment_run(&e) == ST_OK);
    CHECK(e.arms_n == 6 && e.runs_n == 8 + 4);
    CHECK(str_eq(e.arm[0].name, S("random, patience 0.5")));
    CHECK(str_eq(e.arm[2].name,
                 S("ceiling without delays, patience 0.5"))); /* no bound */
    CHECK(str_eq(e.arm[5].name, S("greedy oracle, patience 0")));
    CHECK(e.arm[0].run[0].idle_ms > 0 && e.arm[1].run[0].idle_ms == 0);
    CHECK(e.arm[0].run[0].ms > e.arm[1].run[0].ms);
    f = findings_make(&e, 1);
    CHECK(f->of[0].kept.low < f->of[0].kept.high);
    CHECK(f->of[0].kept.low <= f->of[0].kept.mean);
    CHECK(f->of[2].kept.low == f->of[2].kept.high);
    CHECK(f->seconds_n > 0);
    CHECK(f->of[1].price[0].front && !f->of[3].price[0].front);
    CHECK(f->of[1].price[0].fetches.mean < f->of[1].price[1].fetches.mean);
    for (size_t i = 1; i < f->seconds_n; i++)
        CHECK(f->of[0].at_time[i].mean >= f->of[0].at_time[i - 1].mean);
    findings_free(f);
    experiment_free(&e);
    opts_free(&o);
    web_free(w);
}

static void
hosts_know_when_they_were_found(void)
{
    struct web *w = many_hosts(10);
    struct opts o = make_opts();
    struct experiment e = {.web = w,
                           .opts = &o,
                           .seed = w->seed,
                           .seeds_n = w->seeds_n,
                           .threads_n = 1,
                           .scorer = {S("bfs")},
                           .scorers_n = 1,
                           .pages_max = 14};
    struct found *found;
    uint32_t h;

    CHECK(experiment_prepare(&e) == ST_OK);
    CHECK(experiment_run(&e) == ST_OK);
    found = found_make(&e, &e.arm[0]);
    h = w->page[w->seed[1]].host; /* its root is kept, so are two below it */
    CHECK(e.had[h] == 3 && e.reached[h] == 4);
    CHECK(near(found[h].first, 2));
    CHECK(near(found[h].kept, 2) && near(found[h].half, 12));
    h = w->page[w->seed[9]].host; /* nothing below it was fetched */
    CHECK(near(found[h].kept, 1) && near(found[h].first, 10));
    CHECK(isnan(found[h].half));
    CHECK(isnan(found[w->page[w->seed[0]].host].first));
    free(found);
    experiment_free(&e);
    opts_free(&o);
    web_free(w);
}

/* Everything that is written, with so many threads. */
static void
write_all(struct lab_report *r, size_t threads, uint64_t seed, struct arena *a)
{
    struct web *w = many_hosts(30);
    struct opts o = make_opts();
    struct experiment e = {.web = w,
                           .opts = &o,
                           .seed = w->seed,
                           .seeds_n = w->seeds_n,
                           .threads_n = threads,
                           .scorer = {S("random"), S("paper"), S("oracle")},
                           .scorers_n = 3};
    struct findings *f;

    o.frontier_random_seed = seed;
    CHECK(experiment_prepare(&e) == ST_OK);
    CHECK(experiment_run(&e) == ST_OK);
    f = findings_make(&e, seed);
    lab_report_findings(r, f, a);
    findings_free(f);
    experiment_free(&e);
    opts_free(&o);
    web_free(w);
}

static void
same_input_and_seed_give_the_same_bytes(void)
{
    struct lab_report one = {0}, again = {0}, other = {0};
    struct arena *a = arena_new();

    write_all(&one, 1, 7, a);
    write_all(&again, 3, 7, a);
    write_all(&other, 1, 8, a);
    CHECK(str_eq(buf_view(&one.json), buf_view(&again.json)));
    CHECK(str_eq(buf_view(&one.html), buf_view(&again.html)));
    CHECK(str_eq(buf_view(&one.markdown), buf_view(&again.markdown)));
    CHECK(!str_eq(buf_view(&one.json), buf_view(&other.json)));
    lab_report_free(&one);
    lab_report_free(&again);
    lab_report_free(&other);
    arena_free(a);
}

static bool
no_row_twice(const struct lab_table *t)
{
    for (size_t i = t->columns_n; i < t->cells_n; i += t->columns_n) {
        for (size_t k = i + t->columns_n; k < t->cells_n; k += t->columns_n) {
            size_t c = 0;

            while (c < t->columns_n && str_eq(t->cell[i + c], t->cell[k + c]))
                c++;
            if (c == t->columns_n)
                return false;
        }
    }
    return true;
}

static void
every_preset_fills_its_tables(void)
{
    struct arena *a = arena_new();

    for (const struct preset *const *p = preset_table; *p != NULL; p++) {
        struct web *w = many_hosts(60);
        struct opts o = make_opts();
        struct experiment e = {.web = w,
                               .opts = &o,
                               .seed = w->seed,
                               .seeds_n = w->seeds_n,
                               .threads_n = 2,
                               .scorer = {S("paper"), S("oracle")},
                               .scorers_n = 2};
        struct lab_report r = {0};

        CHECK(experiment_prepare(&e) == ST_OK);
        preset_choose_scorers(&e);
        CHECK(e.scorers_n == 2 && str_eq(e.scorer[0], S("bfs")));
        CHECK((*p)->run(&e, a, &r.tables, &r.plots) == ST_OK);
        CHECK(r.tables.n >= 1);
        for (size_t i = 0; i < r.tables.n; i++) {
            const struct lab_table *t = r.tables.table[i];

            CHECK(t->cells_n > t->columns_n);
            CHECK(t->cells_n % t->columns_n == 0);
            CHECK(no_row_twice(t));
        }
        lab_report_preset(&r, *p, &e);
        CHECK(str_starts(buf_view(&r.json), S("{\"preset\":")));
        lab_report_free(&r);
        experiment_free(&e);
        opts_free(&o);
        web_free(w);
    }
    arena_free(a);
}

static const struct test tests[] = {
    TEST(a_confusion_matrix_is_counted),
    TEST(auc_agrees_with_counting_all_pairs),
    TEST(a_calibrated_score_has_no_calibration_error),
    TEST(while_nothing_has_come_out_chances_promise_the_best_f1),
    TEST(the_cut_is_learnt_from_links_that_have_come_out),
    TEST(auc_within_hosts_counts_pairs_of_one_host),
    TEST(the_pareto_front_is_who_is_not_beaten_in_both),
    TEST(a_spread_is_the_mean_and_the_range),
    TEST(a_curve_is_the_mean_of_runs_that_keep_what_they_have),
    TEST(a_line_through_points_is_found),
    TEST(a_mean_fit_is_that_of_the_runs_that_have_one),
    TEST(bias_and_intervals_are_those_of_the_hosts),
    TEST(hosts_without_pages_are_drawn_too),
    TEST(what_a_redirect_leads_to_is_what_its_links_promise),
    TEST(predictions_are_compared_on_links_that_all_runs_have_scored),
    TEST(every_arm_has_its_patience_and_its_seeds_of_chance),
    TEST(hosts_know_when_they_were_found),
    TEST(same_input_and_seed_give_the_same_bytes),
    TEST(every_preset_fills_its_tables),
    {0},
};

int
main(int argc, char **argv)
{
    log_threshold = LOG_ERROR;
    return test_main(tests, argc, argv);
}
