/* findings_links.c -- scores as predictions, on links that every run has
 * scored, against what the reference kept: the same truth for all. */
#include "findings.h"

#include "common.h"
#include "foretell.h"
#include "winnow/memory.h"
#include "within.h"

#include <stdlib.h>

struct judge { /* what all share */
    struct findings *f;
    const struct experiment *e;
    const struct bootstrap *b;
    struct common common;
    enum findings_set set;
};

double
findings_badness_score(bool has, double badness)
{
    return has ? 1 / (1 + (badness > 0 ? badness : 0) / FINDINGS_BADNESS_CUT)
               : 0;
}

static bool
belongs(const struct judge *j, const struct sim_link *l)
{
    return j->common.is[l->link] &&
           (j->set != LINKS_CROSS || foretell_cross(j->e->web, l));
}

static bool
kept(const struct judge *j, const struct sim_link *l)
{
    return j->e->good[j->e->web->link[l->link].to];
}

/* What needs no scorer, on the links of any run. */
static void
judge_plain(const struct judge *j, const struct sim_run *r)
{
    const struct web *w = j->e->web;
    struct predict_tally *t[BY_N];

    for (int by = 0; by < BY_N; by++)
        t[by] = predict_new();
    for (size_t i = 0; i < r->links_n; i++) {
        const struct sim_link *l = &r->link[i];
        const struct web_page *p = &w->page[l->page];
        double badness =
            findings_badness_score(p->has_badness, (double)p->badness);
        double text = 1 - (double)w->link[l->link].boilerplate;

        if (!belongs(j, l))
            continue;
        predict_add(t[BY_BADNESS], badness, badness >= FINDINGS_CUT,
                    kept(j, l));
        predict_add(t[BY_BLOCK], text, text >= FINDINGS_CUT, kept(j, l));
        predict_add(t[BY_ALWAYS], 1, true, kept(j, l));
    }
    for (int by = 0; by < BY_N; by++) {
        predict_measure(&j->f->plain[j->set][by], t[by]);
        free(t[by]);
    }
}

static double
auc_within(const struct judge *j, const struct sim_run *r)
{
    struct within_link *link =
        memory_need(calloc(r->links_n + 1, sizeof *link));
    size_t n = 0;
    double auc;

    for (size_t i = 0; i < r->links_n; i++) {
        const struct sim_link *l = &r->link[i];

        if (belongs(j, l))
            link[n++] = (struct within_link){
                .host = j->e->web->page[j->e->web->link[l->link].to].host,
                .score = l->score,
                .kept = kept(j, l)};
    }
    auc = within_auc(link, n);
    free(link);
    return auc;
}

static void
count_by_host(const struct judge *j, const struct sim_run *r, const bool *told,
              struct bootstrap_interval *out)
{
    struct bootstrap_counts *by =
        memory_need(calloc(j->e->web->hosts.n + (size_t)1, sizeof *by));

    for (size_t i = 0; i < r->links_n; i++) {
        const struct sim_link *l = &r->link[i];
        struct bootstrap_counts *c = &by[j->e->web->page[l->page].host];

        if (!belongs(j, l))
            continue;
        c->right += told[i] && kept(j, l);
        c->wrong += told[i] && !kept(j, l);
        c->missed += !told[i] && kept(j, l);
    }
    bootstrap_f1(j->b, by, out);
    free(by);
}

/* One run; its links are added to `all`, too. */
static void
judge_run(const struct judge *j, struct finding *f, const struct sim_run *r,
          struct predict *out, struct predict_tally *all)
{
    struct predict_tally *t = predict_new();
    bool *told = foretell(j->e->web, r, j->set == LINKS_CROSS);

    for (size_t i = 0; i < r->links_n; i++) {
        const struct sim_link *l = &r->link[i];

        if (!belongs(j, l))
            continue;
        predict_add(t, (double)l->score, told[i], kept(j, l));
        predict_add(all, (double)l->score, told[i], kept(j, l));
    }
    predict_measure(out, t);
    if (r == f->arm->run)
        count_by_host(j, r, told, &f->f1_hosts[j->set]);
    free(told);
    free(t);
}

static void
judge_arm(const struct judge *j, struct finding *f)
{
    const struct experiment_arm *arm = f->arm;
    struct predict of[EXPERIMENT_CHANCES_MAX];
    double f1[EXPERIMENT_CHANCES_MAX], auc[EXPERIMENT_CHANCES_MAX],
        within[EXPERIMENT_CHANCES_MAX];
    struct predict_tally *all = predict_new();

    for (size_t i = 0; i < arm->runs_n; i++) {
        judge_run(j, f, &arm->run[i], &of[i], all);
        f1[i] = of[i].f1;
        auc[i] = of[i].auc;
        within[i] = auc_within(j, &arm->run[i]);
    }
    predict_mean(&f->link[j->set], of, arm->runs_n);
    f->f1[j->set] = spread_of(f1, arm->runs_n);
    f->auc[j->set] = spread_of(auc, arm->runs_n);
    f->within[j->set] = spread_of(within, arm->runs_n);
    if (j->set == LINKS_ALL)
        f->calibration_error = predict_bins(f->reliability, all);
    free(all);
}

void
findings_links(struct findings *f, const struct bootstrap *b)
{
    struct judge j = {.f = f, .e = f->e, .b = b};
    size_t first = 0; /* a run with all links of the set */

    common_make(&j.common, f->e);
    f->links = j.common.n;
    f->links_some = j.common.some;
    while (first + 1 < f->e->arms_n && f->e->arm[first].oracle < ORACLES_N)
        first++;
    for (int set = 0; set < LINKS_N; set++) {
        j.set = (enum findings_set)set;
        if (f->e->arms_n > 0)
            judge_plain(&j, f->e->arm[first].run);
        for (size_t i = 0; i < f->e->arms_n; i++)
            judge_arm(&j, &f->of[i]);
    }
    common_free(&j.common);
}
