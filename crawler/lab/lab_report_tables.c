/* lab_report_tables.c -- which tables there are. */
#include "lab_report.h"
#include "predict_row.h"

static const char *const set_name[LINKS_N] = {
    [LINKS_ALL] = "all", [LINKS_CROSS] = "cross-host"};
static const char *const by_name[BY_N] = {
    [BY_SCORE] = "score", [BY_BADNESS] = "badness", [BY_BLOCK] = "block"};

static struct table *
coverage(const struct findings *f, struct arena *a)
{
    struct table *t = table_new(
        a, "coverage", "Weighted coverage",
        "Share of all documents that can be kept which was collected when 10, "
        "20, 25 and 50 percent of the reachable pages were fetched, with 95 "
        "percent bootstrap intervals by host; late yield: that of the third "
        "quarter of the kept documents over that of the first.",
        "scorer fetched kept yield_ratio coverage_10 coverage_20 coverage_25 "
        "coverage_50 late_yield virtual_seconds");

    for (size_t i = 0; i < f->e->scorers_n; i++) {
        const struct finding *g = &f->of[i];

        table_text(t, g->scorer);
        table_count(t, g->run->fetches_n);
        table_count(t, g->run->kept);
        table_real(t, g->yield, 4);
        for (size_t m = 0; m < FINDINGS_MARKS; m++)
            table_range(t, g->coverage[m], g->coverage_range[m].low,
                        g->coverage_range[m].high);
        table_real(t, g->late, 3);
        table_real(t, (double)g->run->ms / 1000, 1);
    }
    return t;
}

static struct table *
prediction(const struct findings *f, struct arena *a)
{
    struct table *t = table_new(
        a, "prediction", "Scores as predictions of what is kept",
        "Every link as the frontier scored it when it was found; foretold: "
        "a score from the cut on that the scores before it call for (best F1 "
        "if they are true chances).  F1 with 95 percent bootstrap intervals by "
        "linking host; calibration error: mean distance of score and share "
        "kept, in tenths.",
        "scorer F1_all F1_cross-host AUC_all AUC_cross-host "
        "calibration_error");

    for (size_t i = 0; i < f->e->scorers_n; i++) {
        const struct finding *g = &f->of[i];

        table_text(t, g->scorer);
        for (int set = 0; set < LINKS_N; set++)
            table_range(t, g->link[set][BY_SCORE].f1, g->f1_range[set].low,
                        g->f1_range[set].high);
        for (int set = 0; set < LINKS_N; set++)
            table_real(t, g->link[set][BY_SCORE].auc, 3);
        table_real(t, g->calibration_error, 3);
    }
    return t;
}

static struct table *
confusion(const struct findings *f, struct arena *a)
{
    struct table *t = table_new(
        a, "links", "Confusion matrices of links",
        "By the score (cut as above), the badness of the linking page (10) and "
        "the "
        "boilerplate value of the linking block (0.5); the best cut is known "
        "only afterwards.",
        "scorer links by " PREDICT_ROW " best_F1 best_cut");

    for (size_t i = 0; i < f->e->scorers_n; i++) {
        for (int k = 0; k < LINKS_N * BY_N; k++) {
            const struct predict *p = &f->of[i].link[k / BY_N][k % BY_N];

            table_text(t, f->of[i].scorer);
            table_text(t, str_c(set_name[k / BY_N]));
            table_text(t, str_c(by_name[k % BY_N]));
            predict_row(t, p);
            table_real(t, p->best_f1, 3);
            table_real(t, p->best_cut, 3);
        }
    }
    return t;
}

static struct table *
reliability(const struct findings *f, struct arena *a)
{
    struct table *t = table_new(
        a, "reliability", "Reliability of the scores",
        "All links in tenths of their score: a calibrated score says 0.7 where "
        "70 percent are kept.",
        "scorer from to links mean_score share_kept");

    for (size_t i = 0; i < f->e->scorers_n; i++) {
        for (size_t b = 0; b < PREDICT_BINS; b++) {
            const struct predict_bin *bin = &f->of[i].reliability[b];

            if (bin->n == 0)
                continue;
            table_text(t, f->of[i].scorer);
            table_real(t, (double)b / PREDICT_BINS, 1);
            table_real(t, (double)(b + 1) / PREDICT_BINS, 1);
            table_count(t, bin->n);
            table_real(t, bin->score, 3);
            table_real(t, (double)bin->kept / (double)bin->n, 3);
        }
    }
    return t;
}

static struct table *
phases(const struct findings *f, struct arena *a)
{
    struct table *t = table_new(
        a, "phases", "Linear fits of the yield in five phases",
        "Slope: change of the yield ratio in a thousand fetched pages.",
        "scorer phase from_page to_page yield_ratio slope intercept R2");

    for (size_t i = 0; i < f->e->scorers_n; i++) {
        for (size_t p = 0; p < FINDINGS_PHASES; p++) {
            const struct measure_fit *fit = &f->of[i].fit[p];

            table_text(t, f->of[i].scorer);
            table_count(t, p + 1);
            table_count(t, fit->from);
            table_count(t, fit->to);
            table_real(t, fit->yield, 4);
            table_real(t, fit->slope, 4);
            table_real(t, fit->intercept, 4);
            table_real(t, fit->r2, 3);
        }
    }
    return t;
}

static struct table *
bias(const struct findings *f, struct arena *a)
{
    struct table *t = table_new(
        a, "bias", "Where the kept documents come from",
        "Hosts that gave any; share of the one that gave most; entropy over "
        "hosts in bits; total variation distance from the hosts of all that "
        "can be kept (0 the same, 1 nothing in common).",
        "scorer hosts top_share entropy distance");

    for (size_t i = 0; i < f->e->scorers_n; i++) {
        const struct measure_bias *b = &f->of[i].bias;

        table_text(t, f->of[i].scorer);
        table_count(t, b->hosts);
        table_real(t, b->top, 3);
        table_real(t, b->entropy, 2);
        table_real(t, b->distance, 3);
    }
    return t;
}

static struct table *
curve(const struct findings *f, struct arena *a)
{
    struct table *t =
        table_new(a, "curve", "Yield over the crawl", "",
                  "scorer fetched kept coverage yield_ratio window_yield");

    t->data = true;
    for (size_t i = 0; i < f->e->scorers_n; i++) {
        for (size_t k = 0; k < f->of[i].curve_n; k++) {
            const struct measure_point *p = &f->of[i].curve[k];

            table_text(t, f->of[i].scorer);
            table_count(t, p->fetched);
            table_count(t, p->kept);
            table_real(t, (double)p->kept / (double)f->e->kept_total, 5);
            table_real(t, (double)p->kept / (double)p->fetched, 5);
            table_real(t, p->yield, 5);
        }
    }
    return t;
}

void
lab_report_tables(struct table_list *out, const struct findings *f,
                  struct arena *a)
{
    *out = (struct table_list){0};
    table_list_add(out, coverage(f, a));
    table_list_add(out, prediction(f, a));
    table_list_add(out, phases(f, a));
    table_list_add(out, bias(f, a));
    table_list_add(out, reliability(f, a));
    table_list_add(out, confusion(f, a));
    table_list_add(out, curve(f, a));
}
