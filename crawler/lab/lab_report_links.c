/* lab_report_links.c -- tables of what scores predict of links.  Oracles
 * need not predict. */
#include "lab_report.h"
#include "predict_row.h"

static const char *const set_name[LINKS_N] = {
    [LINKS_ALL] = "all", [LINKS_CROSS] = "cross-host"};
static const char *const plain_name[BY_N] = {[BY_BADNESS] = "badness <= 10",
                                             [BY_BLOCK] = "block <= 0.5",
                                             [BY_ALWAYS] = "always yes"};

static bool
predicts(const struct finding *g)
{
    return g->arm->oracle == ORACLES_N;
}

static struct lab_table *
prediction(const struct findings *f, struct arena *a)
{
    struct lab_table *t = table_new(
        a, "prediction", "Scores as predictions of what is kept",
        "Links that every run has scored, each with the score it had when it "
        "was found; predicted: a score from the cut on that would have done "
        "best on the links whose pages had been fetched by then. Always yes: "
        "base rate and F1 without looking. AUC within hosts: of pairs of links "
        "to one host, one half for who knows only hosts. Calibration error: "
        "mean distance of score and share kept, in tenths. Means and ranges "
        "over the random seeds.",
        "scorer links F1 always_yes AUC AUC_within_hosts base_rate "
        "calibration_error");

    for (int set = 0; set < LINKS_N; set++) {
        const struct predict *always = &f->plain[set][BY_ALWAYS];

        for (size_t i = 0; i < f->e->arms_n; i++) {
            const struct finding *g = &f->of[i];

            if (!predicts(g))
                continue;
            table_text(t, g->arm->name);
            table_text(t, str_c(set_name[set]));
            table_spread(t, &g->f1[set], 3);
            table_real(t, always->f1, 3);
            table_spread(t, &g->auc[set], 3);
            table_spread(t, &g->within[set], 3);
            table_real(t, always->precision, 3);
            table_real(t, set == LINKS_ALL ? g->calibration_error : (double)NAN,
                       3);
        }
    }
    return t;
}

static void
matrix(struct lab_table *t, struct str name, int set, const struct predict *p)
{
    table_text(t, name);
    table_text(t, str_c(set_name[set]));
    predict_row(t, p);
    table_real(t, p->best_f1, 3);
    table_real(t, p->best_cut, 3);
}

static struct lab_table *
confusion(const struct findings *f, struct arena *a)
{
    struct lab_table *t = table_new(
        a, "links", "Confusion matrices of links",
        "The same links by the scores, by the badness of the linking page, by "
        "the boilerplate value of the linking block, and without looking; mean "
        "counts. The best cut is known only afterwards.",
        "by links " PREDICT_ROW " best_F1 best_cut");

    for (int set = 0; set < LINKS_N; set++) {
        for (size_t i = 0; i < f->e->arms_n; i++)
            if (predicts(&f->of[i]))
                matrix(t, f->of[i].arm->name, set, &f->of[i].link[set]);
        for (int by = 0; by < BY_N; by++)
            matrix(t, str_c(plain_name[by]), set, &f->plain[set][by]);
    }
    return t;
}

static struct lab_table *
reliability(const struct findings *f, struct arena *a)
{
    struct lab_table *t = table_new(
        a, "reliability", "Reliability of the scores",
        "The same links in tenths of their score, of all random seeds: a "
        "calibrated score says 0.7 where 70 percent are kept.",
        "scorer from to links mean_score share_kept");

    for (size_t i = 0; i < f->e->arms_n; i++) {
        if (!predicts(&f->of[i]))
            continue;
        for (size_t b = 0; b < PREDICT_BINS; b++) {
            const struct predict_bin *bin = &f->of[i].reliability[b];

            if (bin->n == 0)
                continue;
            table_text(t, f->of[i].arm->name);
            table_real(t, (double)b / PREDICT_BINS, 1);
            table_real(t, (double)(b + 1) / PREDICT_BINS, 1);
            table_count(t, bin->n);
            table_real(t, bin->score, 3);
            table_real(t, (double)bin->kept / (double)bin->n, 3);
        }
    }
    return t;
}

void
lab_report_links(struct table_list *out, const struct findings *f,
                 struct arena *a)
{
    table_list_add(out, prediction(f, a));
    table_list_add(out, confusion(f, a));
    table_list_add(out, reliability(f, a));
}
