/* findings.c -- see findings.h. */
#include "findings.h"

#include "foretell.h"

#include <stdlib.h>

const double findings_mark[FINDINGS_MARKS] = {10, 20, 25, 50};

/* Badness 0 .. as a score 1 .. 0; no text to judge is as bad as can be. */
static double
badness_score(bool has, double badness)
{
    return has ? 1 / (1 + (badness > 0 ? badness : 0) / FINDINGS_BADNESS_CUT)
               : 0;
}

static void
predict(struct finding *f, enum findings_set set, const bool *told)
{
    const struct sim_run *r = f->run;
    struct predict_tally *tally[BY_N];

    for (int by = 0; by < BY_N; by++)
        tally[by] = predict_new();
    for (size_t i = 0; i < r->links_n; i++) {
        const struct sim_link *l = &r->link[i];
        double badness = badness_score(l->has_badness, (double)l->badness),
               text = 1 - (double)l->boilerplate;
        bool kept = r->would[l->to];

        if (set == LINKS_CROSS && !l->cross)
            continue;
        predict_add(tally[BY_SCORE], (double)l->score, told[i], kept);
        predict_add(tally[BY_BADNESS], badness, badness >= FINDINGS_CUT, kept);
        predict_add(tally[BY_BLOCK], text, text >= FINDINGS_CUT, kept);
    }
    for (int by = 0; by < BY_N; by++)
        predict_measure(&f->link[set][by], tally[by]);
    if (set == LINKS_ALL)
        f->calibration_error = predict_bins(f->reliability, tally[BY_SCORE]);
    for (int by = 0; by < BY_N; by++)
        free(tally[by]);
}

static void
find(struct finding *f, const struct experiment *e, const struct bootstrap *b)
{
    const struct sim_run *r = f->run;

    for (size_t i = 0; i < FINDINGS_MARKS; i++)
        f->coverage[i] = measure_coverage(e, r, findings_mark[i]);
    bootstrap_coverage(b, r, findings_mark, FINDINGS_MARKS, f->coverage_range);
    f->yield = measure_yield(r);
    f->late = measure_late(r);
    f->curve_n = measure_curve(r, f->curve, FINDINGS_CURVE);
    for (size_t i = 0; i < FINDINGS_PHASES; i++)
        measure_fit(&f->fit[i], r, i, FINDINGS_PHASES);
    for (int set = 0; set < LINKS_N; set++) {
        bool *told = foretell(r, set == LINKS_CROSS);

        predict(f, (enum findings_set)set, told);
        bootstrap_f1(b, r, set == LINKS_CROSS, told, &f->f1_range[set]);
        free(told);
    }
    measure_bias(&f->bias, e, r);
}

struct findings *
findings_make(const struct experiment *e, uint64_t seed)
{
    struct findings *all = calloc(1, sizeof *all);
    struct bootstrap *b = bootstrap_new(e, seed);

    if (all == NULL ||
        (all->of = calloc(e->scorers_n + 1, sizeof *all->of)) == NULL)
        abort();
    all->e = e;
    for (size_t i = 0; i < e->scorers_n; i++) {
        all->of[i].scorer = e->scorer[i];
        all->of[i].run = &e->run[i];
        find(&all->of[i], e, b);
    }
    bootstrap_free(b);
    return all;
}

void
findings_free(struct findings *f)
{
    if (f == NULL)
        return;
    free(f->of);
    free(f);
}
