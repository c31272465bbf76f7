/* findings.c -- see findings.h. */
#include "findings.h"

#include "base/memory.h"
#include "pareto.h"

#include <math.h>
#include <stdlib.h>

const double findings_mark[FINDINGS_MARKS] = {10, 20, 25, 50};
const double findings_share[FINDINGS_SHARES] = {25, 50};

/* ---- figures of a run, over the runs of an arm ---- */

typedef double figure(const struct experiment *e, const struct sim_run *r,
                      double x);

static double
fetched(const struct experiment *e, const struct sim_run *r, double x)
{
    (void)e;
    (void)x;
    return (double)r->fetches_n;
}

static double
kept(const struct experiment *e, const struct sim_run *r, double x)
{
    (void)e;
    (void)x;
    return (double)r->kept;
}

static double
yield(const struct experiment *e, const struct sim_run *r, double x)
{
    (void)e;
    (void)x;
    return measure_yield(r);
}

static double
late(const struct experiment *e, const struct sim_run *r, double x)
{
    (void)e;
    (void)x;
    return measure_late(r);
}

static double
seconds(const struct experiment *e, const struct sim_run *r, double x)
{
    (void)e;
    (void)x;
    return (double)r->ms / 1000;
}

static double
idle(const struct experiment *e, const struct sim_run *r, double x)
{
    (void)e;
    (void)x;
    return (double)r->idle_ms / 1000;
}

static double
coverage(const struct experiment *e, const struct sim_run *r, double percent)
{
    return measure_coverage(e, r, percent);
}

static double
coverage_at(const struct experiment *e, const struct sim_run *r, double second)
{
    return e->kept_total > 0
               ? (double)curve_kept(r, CURVE_TIME, second * 1000, NULL) /
                     (double)e->kept_total
               : 0;
}

static struct spread
over_runs(const struct experiment *e, const struct experiment_arm *arm,
          figure *of, double x)
{
    double value[EXPERIMENT_CHANCES_MAX];

    for (size_t i = 0; i < arm->runs_n; i++)
        value[i] = of(e, &arm->run[i], x);
    return spread_of(value, arm->runs_n);
}

/* ---- means of what has parts ---- */

static void
fit_phases(struct finding *f)
{
    const struct experiment_arm *arm = f->arm;
    struct measure_fit one[EXPERIMENT_CHANCES_MAX];

    for (size_t p = 0; p < FINDINGS_PHASES; p++) {
        for (size_t i = 0; i < arm->runs_n; i++)
            measure_fit(&one[i], &arm->run[i], p, FINDINGS_PHASES);
        measure_mean_fit(one, arm->runs_n, &f->fit[p]);
    }
}

static void
measure_biases(struct finding *f, const struct experiment *e)
{
    const struct experiment_arm *arm = f->arm;
    double n = (double)arm->runs_n;
    struct measure_bias one;

    for (size_t i = 0; i < arm->runs_n; i++) {
        measure_bias(&one, e, &arm->run[i]);
        f->bias.hosts += one.hosts / n;
        f->bias.top += one.top / n;
        f->bias.entropy += one.entropy / n;
        f->bias.distance += one.distance / n;
    }
}

/* ---- all of them ---- */

/* 1, 2, 5, 10 ... seconds, the last ones before the longest run ends. */
static void
choose_seconds(struct findings *f)
{
    double longest = 0, all[40] = {0}, s = 1;
    size_t n = 0;

    for (size_t i = 0; i < f->e->runs_n; i++)
        longest = fmax(longest, (double)f->e->run[i].ms / 1000);
    while (n + 3 <= sizeof all / sizeof *all) {
        all[n++] = s;
        all[n++] = 2 * s;
        all[n++] = 5 * s;
        s *= 10;
    }
    while (n > 0 && all[n - 1] > longest)
        n--;
    f->seconds_n = n < FINDINGS_TIMES ? n : FINDINGS_TIMES;
    memcpy(f->second, all + n - f->seconds_n, f->seconds_n * sizeof *all);
}

static void
find(struct finding *f, const struct findings *all, const struct bootstrap *b)
{
    const struct experiment *e = all->e;
    const struct experiment_arm *arm = f->arm;

    f->fetched = over_runs(e, arm, fetched, 0);
    f->kept = over_runs(e, arm, kept, 0);
    f->yield = over_runs(e, arm, yield, 0);
    f->late = over_runs(e, arm, late, 0);
    f->seconds = over_runs(e, arm, seconds, 0);
    f->idle = over_runs(e, arm, idle, 0);
    for (size_t i = 0; i < FINDINGS_MARKS; i++)
        f->coverage[i] = over_runs(e, arm, coverage, findings_mark[i]);
    for (size_t i = 0; i < all->seconds_n; i++)
        f->at_time[i] = over_runs(e, arm, coverage_at, all->second[i]);
    bootstrap_coverage(b, arm, findings_mark, FINDINGS_MARKS,
                       f->coverage_hosts);
    f->curve_n = curve_make(arm, CURVE_FETCHES, f->curve, FINDINGS_CURVE);
    f->times_n = curve_make(arm, CURVE_TIME, f->times, FINDINGS_CURVE);
    f->found = found_make(e, arm);
    fit_phases(f);
    measure_biases(f, e);
}

/* ---- prices ---- */

/* The fetch with which a run has so many documents; false: it never had. */
static bool
reaches(const struct sim_run *r, double documents, size_t *fetches)
{
    double kept = 0;

    for (size_t i = 0; i < r->fetches_n; i++) {
        kept += r->fetch[i].kept;
        if (kept >= documents) {
            *fetches = i + 1;
            return true;
        }
    }
    return false;
}

static void
find_price(struct findings_price *p, const struct experiment *e,
           const struct experiment_arm *arm, double percent)
{
    double documents = ceil(percent / 100 * (double)e->kept_total);
    double fetches[EXPERIMENT_CHANCES_MAX], seconds[EXPERIMENT_CHANCES_MAX],
        per_fetch[EXPERIMENT_CHANCES_MAX], per_second[EXPERIMENT_CHANCES_MAX];
    size_t n = 0, at;

    for (size_t i = 0; i < arm->runs_n; i++) {
        if (documents <= 0 || !reaches(&arm->run[i], documents, &at))
            continue;
        fetches[n] = (double)at;
        seconds[n] = (double)arm->run[i].fetch[at - 1].at_ms / 1000;
        per_fetch[n] = documents / fetches[n];
        per_second[n] = seconds[n] > 0 ? documents / seconds[n] : (double)NAN;
        n++;
    }
    p->runs_n = n;
    p->fetches = spread_of(fetches, n);
    p->seconds = spread_of(seconds, n);
    p->per_fetch = spread_of(per_fetch, n);
    p->per_second = spread_of(per_second, n);
}

/* Of those that do not know the web, and got so far with every seed of
 * chance. */
static void
find_front(struct findings *f, size_t share)
{
    size_t n = f->e->arms_n;
    double *fetch = memory_need(calloc(n + 1, sizeof *fetch)),
           *second = memory_need(calloc(n + 1, sizeof *second));
    bool *front = memory_need(calloc(n + 1, sizeof *front));

    for (size_t i = 0; i < n; i++) {
        const struct experiment_arm *arm = f->of[i].arm;
        struct findings_price *p = &f->of[i].price[share];

        find_price(p, f->e, arm, findings_share[share]);
        p->front = arm->oracle == ORACLES_N && p->runs_n == arm->runs_n;
        fetch[i] = p->front ? p->per_fetch.mean : (double)NAN;
        second[i] = p->front ? p->per_second.mean : (double)NAN;
    }
    pareto_front(fetch, second, n, front);
    for (size_t i = 0; i < n; i++)
        f->of[i].price[share].front &= front[i];
    free(fetch);
    free(second);
    free(front);
}

struct findings *
findings_make(const struct experiment *e, uint64_t seed)
{
    struct findings *f = memory_need(calloc(1, sizeof *f));
    struct bootstrap *b = bootstrap_new(e, seed);

    f->e = e;
    f->of = memory_need(calloc(e->arms_n + 1, sizeof *f->of));
    choose_seconds(f);
    for (size_t i = 0; i < e->arms_n; i++) {
        f->of[i].arm = &e->arm[i];
        find(&f->of[i], f, b);
    }
    for (size_t i = 0; i < FINDINGS_SHARES; i++)
        find_front(f, i);
    findings_links(f, b);
    bootstrap_free(b);
    return f;
}

void
findings_free(struct findings *f)
{
    if (f == NULL)
        return;
    for (size_t i = 0; i < f->e->arms_n; i++)
        free(f->of[i].found);
    free(f->of);
    free(f);
}
