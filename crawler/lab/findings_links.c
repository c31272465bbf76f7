/* findings_links.c -- scores as predictions, on links that every run has
 * scored, against what the reference kept: the same truth for all. */
#include "findings.h"

#include "base/memory.h"
#include "common.h"
#include "threshold.h"
#include "within.h"

#include <stdlib.h>

struct evaluation { /* what all share */
    struct findings *f;
    const struct experiment *e;
    const struct bootstrap *b;
    struct common common;
    enum findings_set set;
};

/* Badness 0 .. as a score 1 .. 0; no text is as bad as can be. */
static double
badness_score(bool has, double badness)
{
    return has ? 1 / (1 + (badness > 0 ? badness : 0) / FINDINGS_BADNESS_CUT)
               : 0;
}

static bool
belongs(const struct evaluation *v, const struct sim_link *l)
{
    return v->common.is[l->link] &&
           (v->set != LINKS_CROSS || threshold_is_cross(v->e->web, l));
}

static bool
kept(const struct evaluation *v, const struct sim_link *l)
{
    return v->e->good[v->e->web->link[l->link].to];
}

/* What needs no scorer, on the links of any run. */
static void
evaluate_plain(const struct evaluation *v, const struct sim_run *r)
{
    const struct web *w = v->e->web;
    struct predict_tally *t[BY_N];

    for (int by = 0; by < BY_N; by++)
        t[by] = predict_new();
    for (size_t i = 0; i < r->links_n; i++) {
        const struct sim_link *l = &r->link[i];
        const struct web_page *p = &w->page[l->page];
        double badness = badness_score(p->has_badness, (double)p->badness);
        double text = 1 - (double)w->link[l->link].boilerplate;

        if (!belongs(v, l))
            continue;
        predict_add(t[BY_BADNESS], badness, badness >= FINDINGS_CUT,
                    kept(v, l));
        predict_add(t[BY_BLOCK], text, text >= FINDINGS_CUT, kept(v, l));
        predict_add(t[BY_ALWAYS], 1, true, kept(v, l));
    }
    for (int by = 0; by < BY_N; by++) {
        predict_measure(&v->f->plain[v->set][by], t[by]);
        free(t[by]);
    }
}

static double
auc_within(const struct evaluation *v, const struct sim_run *r)
{
    struct within_link *link =
        memory_need(calloc(r->links_n + 1, sizeof *link));
    size_t n = 0;
    double auc;

    for (size_t i = 0; i < r->links_n; i++) {
        const struct sim_link *l = &r->link[i];

        if (belongs(v, l))
            link[n++] = (struct within_link){
                .host = v->e->web->page[v->e->web->link[l->link].to].host,
                .score = l->score,
                .kept = kept(v, l)};
    }
    auc = within_auc(link, n);
    free(link);
    return auc;
}

static void
count_by_host(const struct evaluation *v, const struct sim_run *r,
              const bool *told, struct bootstrap_interval *out)
{
    struct bootstrap_counts *by =
        memory_need(calloc(v->e->web->hosts.n + (size_t)1, sizeof *by));

    for (size_t i = 0; i < r->links_n; i++) {
        const struct sim_link *l = &r->link[i];
        struct bootstrap_counts *c = &by[v->e->web->page[l->page].host];

        if (!belongs(v, l))
            continue;
        c->right += told[i] && kept(v, l);
        c->wrong += told[i] && !kept(v, l);
        c->missed += !told[i] && kept(v, l);
    }
    bootstrap_f1(v->b, by, out);
    free(by);
}

/* One run; its links are added to `all`, too. */
static void
evaluate_run(const struct evaluation *v, struct finding *f,
             const struct sim_run *r, struct predict *out,
             struct predict_tally *all)
{
    struct predict_tally *t = predict_new();
    bool *told = threshold_predict(v->e->web, r, v->set == LINKS_CROSS);

    for (size_t i = 0; i < r->links_n; i++) {
        const struct sim_link *l = &r->link[i];

        if (!belongs(v, l))
            continue;
        predict_add(t, (double)l->score, told[i], kept(v, l));
        predict_add(all, (double)l->score, told[i], kept(v, l));
    }
    predict_measure(out, t);
    if (r == f->arm->run)
        count_by_host(v, r, told, &f->f1_hosts[v->set]);
    free(told);
    free(t);
}

static void
evaluate_arm(const struct evaluation *v, struct finding *f)
{
    const struct experiment_arm *arm = f->arm;
    struct predict of[EXPERIMENT_CHANCES_MAX];
    double f1[EXPERIMENT_CHANCES_MAX], auc[EXPERIMENT_CHANCES_MAX],
        within[EXPERIMENT_CHANCES_MAX];
    struct predict_tally *all = predict_new();

    for (size_t i = 0; i < arm->runs_n; i++) {
        evaluate_run(v, f, &arm->run[i], &of[i], all);
        f1[i] = of[i].f1;
        auc[i] = of[i].auc;
        within[i] = auc_within(v, &arm->run[i]);
    }
    predict_mean(&f->link[v->set], of, arm->runs_n);
    f->f1[v->set] = spread_of(f1, arm->runs_n);
    f->auc[v->set] = spread_of(auc, arm->runs_n);
    f->within[v->set] = spread_of(within, arm->runs_n);
    if (v->set == LINKS_ALL)
        f->calibration_error = predict_bins(f->reliability, all);
    free(all);
}

void
findings_links(struct findings *f, const struct bootstrap *b)
{
    struct evaluation v = {.f = f, .e = f->e, .b = b};
    size_t first = 0; /* a run with all links of the set */

    common_make(&v.common, f->e);
    f->links = v.common.n;
    f->links_some = v.common.some;
    while (first + 1 < f->e->arms_n && f->e->arm[first].oracle < ORACLES_N)
        first++;
    for (int set = 0; set < LINKS_N; set++) {
        v.set = (enum findings_set)set;
        if (f->e->arms_n > 0)
            evaluate_plain(&v, f->e->arm[first].run);
        for (size_t i = 0; i < f->e->arms_n; i++)
            evaluate_arm(&v, &f->of[i]);
    }
    common_free(&v.common);
}
