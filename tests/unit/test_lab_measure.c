/* Measures against values worked out by hand or by a naive count. */
#include <math.h>

#include "../../crawler/lab/findings.h"
#include "../../crawler/lab/foretell.h"
#include "../../crawler/lab/lab_report.h"
#include "lab_make.h"
#include "winnow/log.h"
#include "winnow/random.h"

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

/* Links of which `share` have the better of two chances and the rest the other,
 * all of them true; every third leads to another host. */
static struct sim_run
links_with_true_chances(double share, double better, double other, bool *would)
{
    enum { N = 30000 };
    struct sim_run r = {.link = calloc(N, sizeof *r.link), .links_n = N};
    struct random random = random_seed(11);

    for (uint32_t i = 0; i < N; i++) {
        double chance = random_unit(&random) < share ? better : other;

        r.link[i] = (struct sim_link){
            .to = i, .score = (float)chance, .cross = i % 3 == 0};
        would[i] = random_unit(&random) < chance;
    }
    return r;
}

/* F1 of the links of the run that are foretold. */
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

/* Nothing has a chance of one half, so a cut there would foretell nothing.  By
 * hand: the better fifth leads to .2 * .4 that is kept, all links to .08 +
 * .008; F1 = 2 * .08 / (.2 + .088). */
static void
what_is_foretold_promises_the_best_f1(void)
{
    static bool would[30000];
    struct sim_run r = links_with_true_chances(0.2, 0.4, 0.01, would);
    bool *told = foretell(&r, false), *cross = foretell(&r, true);
    size_t n = 0;

    CHECK(fabs(f1_of(&r, told, would) - 0.16 / 0.288) < 0.02);
    for (size_t i = 0; i < r.links_n; i++) {
        CHECK(!cross[i] || r.link[i].cross);
        n += cross[i];
    }
    CHECK(n > r.links_n / 3 / 6 && n < r.links_n / 3 / 4);
    free(told);
    free(cross);
    r.links_n = 0; /* nothing was scored: nothing is foretold */
    free(foretell(&r, false));
    free(r.link);
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
    measure_line(x, x, 1, &fit);
    CHECK(isnan(fit.r2));
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
        root = make_page(w, url[0], h % 2 ? REJECT_NONE : REJECT_LANGUAGE);
        for (unsigned i = 1; i < 4; i++)
            make_page(w, url[i], h % 2 && i != 3 ? REJECT_NONE : REJECT_SHORT);
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
    CHECK(f->of[0].coverage[3] > f->of[1].coverage[3]);
    for (size_t i = 0; i < 2; i++)
        for (size_t m = 0; m < FINDINGS_MARKS; m++) {
            CHECK(f->of[i].coverage_range[m].low <= f->of[i].coverage[m]);
            CHECK(f->of[i].coverage_range[m].high >= f->of[i].coverage[m]);
        }
    findings_free(f);
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
                               .scorer = {S("paper")},
                               .scorers_n = 1};
        struct lab_report r = {0};

        CHECK(experiment_prepare(&e) == ST_OK);
        CHECK((*p)->run(&e, a, &r.tables) == ST_OK);
        CHECK(r.tables.n == 2);
        for (size_t i = 0; i < r.tables.n; i++) {
            const struct table *t = r.tables.table[i];

            CHECK(t->cells_n > t->columns_n);
            CHECK(t->cells_n % t->columns_n == 0);
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
    TEST(what_is_foretold_promises_the_best_f1),
    TEST(a_line_through_points_is_found),
    TEST(bias_and_intervals_are_those_of_the_hosts),
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
