/* tenet_data.c -- see tenet_data.h.
 *
 * The header of a .dat file is not believed: a sample takes at least two bytes
 * a number, so the text's size bounds what is allocated. */
#include "tenet_data.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"

#define RUN_MAX 100u   /* neighbours held back together, */
#define RUN_SHARE 100u /* or this part of all */
#define VALUE_MAX 1e30

static bool
next_word(struct str text, size_t *at, struct str *word)
{
    size_t from;

    while (*at < text.n && (ascii_space(text.p[*at]) || text.p[*at] == '\v'))
        ++*at;
    from = *at;
    while (*at < text.n && !ascii_space(text.p[*at]) && text.p[*at] != '\v')
        ++*at;
    *word = str_sub(text, from, *at);
    return word->n > 0;
}

static bool
next_count(struct str text, size_t *at, uint64_t high, uint32_t *out)
{
    struct str word;
    uint64_t n;

    if (!next_word(text, at, &word) || !str_u64(word, &n) || n < 1 || n > high)
        return false;
    *out = (uint32_t)n;
    return true;
}

static const char *
read_values(struct tenet_data *d, struct str text, size_t *at)
{
    size_t n = (size_t)d->n * (d->inputs_n + d->outputs_n);

    for (size_t i = 0; i < n; i++) {
        struct str word;
        double x;

        if (!next_word(text, at, &word))
            return "fewer numbers than its first line says";
        if (!str_real(word, &x) || !(fabs(x) <= VALUE_MAX)) {
            *at -= word.n;
            return "not a number";
        }
        d->value[i] = (float)x;
    }
    return NULL;
}

enum status
tenet_data_parse(struct tenet_data *out, struct str text, const char **fault,
                 size_t *at)
{
    struct tenet_data d = {0};
    struct str rest;
    size_t width;

    *out = d;
    *at = 0;
    *fault = "its first line is not N INPUTS OUTPUTS";
    if (!next_count(text, at, UINT32_MAX, &d.n) ||
        !next_count(text, at, TENET_WIDTH_MAX, &d.inputs_n) ||
        !next_count(text, at, TENET_WIDTH_MAX, &d.outputs_n))
        return ST_INVALID;
    width = d.inputs_n + d.outputs_n;
    *fault = "fewer numbers than its first line says";
    if (d.n > text.n / 2 / width)
        return ST_INVALID;
    *fault = "out of memory";
    if ((d.value = malloc(d.n * width * sizeof *d.value)) == NULL)
        return ST_NOMEM;
    if ((*fault = read_values(&d, text, at)) == NULL &&
        next_word(text, at, &rest)) {
        *at -= rest.n;
        *fault = "more numbers than its first line says";
    }
    if (*fault != NULL) {
        free(d.value);
        return ST_INVALID;
    }
    *out = d;
    return ST_OK;
}

void
tenet_data_free(struct tenet_data *d)
{
    free(d->value);
    *d = (struct tenet_data){0};
}

static uint32_t
class_of(const float *output, uint32_t outputs_n, double threshold)
{
    uint32_t best = 0;

    if (outputs_n == 1)
        return (double)output[0] > threshold;
    for (uint32_t i = 1; i < outputs_n; i++)
        if (output[i] > output[best])
            best = i;
    return best;
}

uint32_t
tenet_classes_n(const struct tenet_data *d)
{
    return d->outputs_n == 1 ? 2 : d->outputs_n;
}

size_t
tenet_hold_out(const struct tenet_data *d, double share, uint64_t seed,
               bool *held)
{
    size_t run = d->n / RUN_SHARE, runs, taken = 0;
    size_t wanted = (size_t)(share * d->n);
    struct random r = random_seed(seed);
    uint32_t *order;

    run = run < 1 ? 1 : run > RUN_MAX ? RUN_MAX : run;
    runs = (d->n + run - 1) / run;
    memset(held, 0, d->n * sizeof *held);
    order = memory_need(malloc(runs * sizeof *order));
    for (size_t i = 0; i < runs; i++)
        order[i] = (uint32_t)i;
    for (size_t i = 0; i < runs && taken + run <= wanted; i++) {
        size_t k = i + random_below(&r, runs - i), from;
        uint32_t swap = order[k];

        order[k] = order[i];
        order[i] = swap;
        from = swap * run;
        for (size_t j = from; j < from + run && j < d->n; j++, taken++)
            held[j] = true;
    }
    free(order);
    return taken;
}

void
tenet_copies(const struct tenet_data *d, const double *weight, double threshold,
             const bool *held, uint32_t *copies)
{
    double due[TENET_WIDTH_MAX + 1] = {0}, least = INFINITY;

    for (uint32_t c = 0; c < tenet_classes_n(d); c++)
        if (weight[c] > 0 && weight[c] < least)
            least = weight[c];
    for (size_t i = 0; i < d->n; i++) {
        uint32_t c = class_of(tenet_outputs(d, i), d->outputs_n, threshold);

        copies[i] = 0;
        if (held[i] || !(weight[c] > 0))
            continue;
        due[c] += weight[c] / least; /* fractions add up to whole copies */
        copies[i] = (uint32_t)(due[c] + 1e-9);
        due[c] -= copies[i];
    }
}

void
tenet_balance(const struct tenet_data *d, double threshold, const bool *held,
              double *weight)
{
    uint64_t n[TENET_WIDTH_MAX + 1] = {0};

    for (size_t i = 0; i < d->n; i++)
        if (!held[i])
            n[class_of(tenet_outputs(d, i), d->outputs_n, threshold)]++;
    for (uint32_t c = 0; c < tenet_classes_n(d); c++)
        weight[c] = n[c] > 0 ? (double)d->n / (double)n[c] : 1;
}

void
tenet_score_add(struct tenet_score *s, const struct tenet_data *d, size_t i,
                const float *predicted, double threshold)
{
    const float *wanted = tenet_outputs(d, i);
    uint32_t is = class_of(wanted, d->outputs_n, threshold);
    uint32_t as = class_of(predicted, d->outputs_n, threshold);

    s->classes_n = tenet_classes_n(d);
    s->n++;
    s->right += is == as;
    for (uint32_t k = 0; k < d->outputs_n; k++)
        s->squares += (double)(predicted[k] - wanted[k]) *
                      (double)(predicted[k] - wanted[k]) / d->outputs_n;
    if (is < TENET_CLASSES_MAX && as < TENET_CLASSES_MAX)
        s->count[is][as]++;
}

/* Samples of the class (`predicted`: that were predicted to be of it). */
static uint64_t
total(const struct tenet_score *s, uint32_t class, bool predicted)
{
    uint64_t n = 0;

    for (uint32_t k = 0; k < TENET_CLASSES_MAX; k++)
        n += predicted ? s->count[k][class] : s->count[class][k];
    return n;
}

static double
ratio(uint64_t a, uint64_t b)
{
    return b == 0 ? 0 : (double)a / (double)b;
}

double
tenet_precision(const struct tenet_score *s, uint32_t class)
{
    return ratio(s->count[class][class], total(s, class, true));
}

double
tenet_recall(const struct tenet_score *s, uint32_t class)
{
    return ratio(s->count[class][class], total(s, class, false));
}

double
tenet_f1(const struct tenet_score *s, uint32_t class)
{
    return ratio(2 * s->count[class][class],
                 total(s, class, true) + total(s, class, false));
}

void
tenet_score_print(const struct tenet_score *s, const char *of, struct buf *out)
{
    uint32_t n =
        s->classes_n < TENET_CLASSES_MAX ? s->classes_n : TENET_CLASSES_MAX;

    buf_printf(out, "%s: %llu samples, accuracy %.4f, mse %.6f\n", of,
               (unsigned long long)s->n, ratio(s->right, s->n),
               s->n == 0 ? 0 : s->squares / (double)s->n);
    buf_c(out, "class\tsamples\tprecision\trecall\tf1\n");
    for (uint32_t c = 0; c < n; c++)
        buf_printf(out, "%u\t%llu\t%.4f\t%.4f\t%.4f\n", c,
                   (unsigned long long)total(s, c, false),
                   tenet_precision(s, c), tenet_recall(s, c), tenet_f1(s, c));
}
