/* predict.c -- see predict.h.  AUC by ranks (Mann & Whitney 1947), in one pass
 * from the highest class down that also tries every cut. */
#include "predict.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t
level(double score)
{
    if (!(score > 0))
        return 0;
    return score >= 1 ? PREDICT_LEVELS - 1
                      : (uint32_t)(score * (PREDICT_LEVELS - 1) + 0.5);
}

static uint32_t
bin(uint32_t level)
{
    return (uint32_t)((uint64_t)level * PREDICT_BINS / PREDICT_LEVELS);
}

struct predict_tally *
predict_new(void)
{
    return memory_need(calloc(1, sizeof(struct predict_tally)));
}

void
predict_add(struct predict_tally *t, double score, bool told, bool kept)
{
    uint32_t i = level(score);

    t->kept[i] += kept;
    t->other[i] += !kept;
    t->right += told && kept;
    t->wrong += told && !kept;
    t->sum[bin(i)] += score > 1 ? 1 : score > 0 ? score : 0;
}

double
predict_f1(double true_positive, double false_positive, double false_negative)
{
    double all = 2 * true_positive + false_positive + false_negative;

    return all > 0 ? 2 * true_positive / all : (double)NAN;
}

static double
part(uint64_t a, uint64_t of)
{
    return of ? (double)a / (double)of : (double)NAN;
}

static void
confusion(struct predict *p, const struct predict_tally *t)
{
    for (uint32_t i = 0; i < PREDICT_LEVELS; i++) {
        p->false_negative += t->kept[i];
        p->true_negative += t->other[i];
    }
    p->true_positive = t->right;
    p->false_positive = t->wrong;
    p->false_negative -= t->right;
    p->true_negative -= t->wrong;
    p->n = p->true_positive + p->false_negative + p->false_positive +
           p->true_negative;
    p->precision = part(p->true_positive, p->true_positive + p->false_positive);
    p->recall = part(p->true_positive, p->true_positive + p->false_negative);
    p->f1 = predict_f1((double)p->true_positive, (double)p->false_positive,
                       (double)p->false_negative);
}

void
predict_measure(struct predict *out, const struct predict_tally *t)
{
    double kept = 0, other = 0, pairs = 0, all; /* with higher scores */

    *out = (struct predict){.best_f1 = (double)NAN};
    confusion(out, t);
    all = (double)(out->true_positive + out->false_negative);
    for (uint32_t i = PREDICT_LEVELS; i-- > 0;) {
        double k = (double)t->kept[i], o = (double)t->other[i], f1;

        if (t->kept[i] + t->other[i] == 0)
            continue;
        pairs += o * (kept + k / 2);
        kept += k;
        other += o;
        f1 = predict_f1(kept, other, all - kept);
        if (!(out->best_f1 >= f1)) {
            out->best_f1 = f1;
            out->best_cut = (double)i / (PREDICT_LEVELS - 1);
        }
    }
    out->auc = kept > 0 && other > 0 ? pairs / kept / other : (double)NAN;
}

double
predict_bins(struct predict_bin out[PREDICT_BINS],
             const struct predict_tally *t)
{
    double error = 0;
    uint64_t n = 0;

    for (uint32_t b = 0; b < PREDICT_BINS; b++)
        out[b] = (struct predict_bin){.score = t->sum[b]};
    for (uint32_t i = 0; i < PREDICT_LEVELS; i++) {
        out[bin(i)].n += t->kept[i] + t->other[i];
        out[bin(i)].kept += t->kept[i];
    }
    for (uint32_t b = 0; b < PREDICT_BINS; b++) {
        n += out[b].n;
        error += fabs((double)out[b].kept - out[b].score);
        out[b].score = out[b].n ? out[b].score / (double)out[b].n : (double)NAN;
    }
    return n ? error / (double)n : (double)NAN;
}

static uint64_t
mean_count(const struct predict *of, size_t n, size_t field)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (double)*(const uint64_t *)((const char *)&of[i] + field);
    return (uint64_t)(sum / (double)n + 0.5);
}

static double
mean_real(const struct predict *of, size_t n, size_t field)
{
    double sum = 0;
    size_t known = 0;

    for (size_t i = 0; i < n; i++) {
        double x;

        memcpy(&x, (const char *)&of[i] + field, sizeof x);
        known += isnan(x) ? 0u : 1u;
        sum += isnan(x) ? 0 : x;
    }
    return known > 0 ? sum / (double)known : (double)NAN;
}

void
predict_mean(struct predict *out, const struct predict *of, size_t n)
{
#define COUNT(field)                                                           \
    out->field = mean_count(of, n, offsetof(struct predict, field))
#define REAL(field)                                                            \
    out->field = mean_real(of, n, offsetof(struct predict, field))
    COUNT(n);
    COUNT(true_positive);
    COUNT(false_positive);
    COUNT(true_negative);
    COUNT(false_negative);
    REAL(precision);
    REAL(recall);
    REAL(f1);
    REAL(auc);
    REAL(best_f1);
    REAL(best_cut);
#undef COUNT
#undef REAL
}
