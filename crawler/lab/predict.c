/* predict.c -- see predict.h.  AUC by ranks (Mann & Whitney 1947), in one pass
 * over the sorted cases that also tries every cut. */
#include "predict.h"

#include <math.h>
#include <stdlib.h>

static int
by_score(const void *x, const void *y)
{
    float a = ((const struct predict_case *)x)->score,
          b = ((const struct predict_case *)y)->score;

    return (a < b) - (a > b); /* highest first */
}

static double
f1_of(uint64_t true_positive, uint64_t false_positive, uint64_t positive)
{
    uint64_t all = true_positive + false_positive + positive;

    return all ? 2 * (double)true_positive / (double)all : (double)NAN;
}

static double
part(uint64_t a, uint64_t of)
{
    return of ? (double)a / (double)of : (double)NAN;
}

static void
cut_at(struct predict *p, const struct predict_case *c, double cut)
{
    for (size_t i = 0; i < p->n; i++) {
        bool told = (double)c[i].score >= cut;

        p->true_positive += told && c[i].kept;
        p->false_positive += told && !c[i].kept;
        p->false_negative += !told && c[i].kept;
        p->true_negative += !told && !c[i].kept;
    }
    p->precision = part(p->true_positive, p->true_positive + p->false_positive);
    p->recall = part(p->true_positive, p->positive);
    p->f1 = f1_of(p->true_positive, p->false_positive, p->positive);
}

void
predict_measure(struct predict *out, struct predict_case *c, size_t n,
                double cut)
{
    uint64_t kept = 0, other = 0; /* with higher scores */
    double pairs = 0;

    *out = (struct predict){.n = n, .best_f1 = (double)NAN};
    for (size_t i = 0; i < n; i++)
        out->positive += c[i].kept;
    cut_at(out, c, cut);
    qsort(c, n, sizeof *c, by_score);
    for (size_t i = 0, end; i < n; i = end) {
        uint64_t k = 0;
        double f1;

        for (end = i; end < n && !(c[end].score < c[i].score); end++)
            k += c[end].kept;
        pairs += (double)(end - i - k) * ((double)kept + (double)k / 2);
        kept += k;
        other += end - i - k;
        f1 = f1_of(kept, other, out->positive);
        if (!(out->best_f1 >= f1)) {
            out->best_f1 = f1;
            out->best_cut = (double)c[i].score;
        }
    }
    out->auc =
        kept && other ? pairs / ((double)kept * (double)other) : (double)NAN;
}
