/* mixture.c -- see mixture.h. */
#include "mixture.h"

#include <math.h>
#include <string.h>

#include "frontier/store/pack.h"
#include "model.h"

#define LIKE_OTHERS                                                            \
    20.0              /* precision of the weights that others were fitted to */
#define SAID_MOST 8.0 /* logits: nobody is surer */
#define WEIGHT_LEAST                                                           \
    0.05 /* nobody is silenced, or the worse for being right                   \
          */
#define WEIGHT_MOST 2.0
#define OFFSET_MOST 4.0

struct mixture
mixture_new(void)
{
    struct mixture m = {.weight = {1, 1, 1, 0}};

    for (size_t i = 0; i < EXPERTS; i++)
        m.precision[i][i] = LIKE_OTHERS;
    return m;
}

static double
within(double x, double least, double most)
{
    return x > most ? most : x < least ? least : x;
}

double
mixture_sum(const struct mixture *m, const double said[EXPERTS])
{
    double sum = 0;

    for (size_t i = 0; i < EXPERTS; i++)
        sum += m->weight[i] * said[i];
    return sum;
}

/* precision * step = slope, by elimination; step takes the place of slope.
 * False: the precision is not positive definite. */
static bool
solve(const struct mixture *m, double slope[EXPERTS])
{
    double a[EXPERTS][EXPERTS];

    memcpy(a, m->precision, sizeof a);
    for (size_t i = 0; i < EXPERTS; i++) {
        if (!(a[i][i] > 0))
            return false;
        for (size_t j = i + 1; j < EXPERTS; j++) {
            double part = a[j][i] / a[i][i];

            for (size_t k = i; k < EXPERTS; k++)
                a[j][k] -= part * a[i][k];
            slope[j] -= part * slope[i];
        }
    }
    for (size_t i = EXPERTS; i-- > 0;) {
        for (size_t k = i + 1; k < EXPERTS; k++)
            slope[i] -= a[i][k] * slope[k];
        slope[i] /= a[i][i];
    }
    return true;
}

static void
step(struct mixture *m, const double by[EXPERTS])
{
    for (size_t i = 0; i < EXPERTS; i++)
        m->weight[i] =
            i == EXPERT_EVEN
                ? within(m->weight[i] - by[i], -OFFSET_MOST, OFFSET_MOST)
                : within(m->weight[i] - by[i], WEIGHT_LEAST, WEIGHT_MOST);
}

void
mixture_learn(struct mixture *m, const double said[EXPERTS], bool kept,
              double worth)
{
    double x[EXPERTS], slope[EXPERTS], chance, curve;

    for (size_t i = 0; i < EXPERTS; i++)
        x[i] = within(said[i], -SAID_MOST, SAID_MOST);
    chance = model_chance(mixture_sum(m, x));
    curve = worth * chance * (1 - chance);
    for (size_t i = 0; i < EXPERTS; i++) {
        for (size_t j = 0; j < EXPERTS; j++)
            m->precision[i][j] += curve * x[i] * x[j];
        slope[i] = worth * (chance - kept) * x[i];
    }
    if (solve(m, slope))
        step(m, slope);
}

/* ---- the store: IEEE doubles, big-endian ---- */

static void
pack_double(struct buf *out, double v)
{
    uint64_t bits;

    memcpy(&bits, &v, sizeof bits);
    pack_fixed(out, bits, 8);
}

static double
unpack_double(struct unpack *u)
{
    uint64_t bits = unpack_fixed(u, 8);
    double v;

    memcpy(&v, &bits, sizeof v);
    if (!isfinite(v))
        u->bad = true;
    return v;
}

void
mixture_write(const struct mixture *m, struct buf *out)
{
    buf_clear(out);
    for (size_t i = 0; i < EXPERTS; i++) {
        pack_double(out, m->weight[i]);
        for (size_t j = 0; j <= i; j++)
            pack_double(out, m->precision[i][j]);
    }
}

bool
mixture_read(struct mixture *m, struct str bytes)
{
    struct unpack u = {bytes, false};
    double nothing[EXPERTS] = {0};

    *m = mixture_new();
    if (bytes.n == 0)
        return true;
    for (size_t i = 0; i < EXPERTS; i++) {
        m->weight[i] = unpack_double(&u);
        for (size_t j = 0; j <= i; j++)
            m->precision[i][j] = m->precision[j][i] = unpack_double(&u);
    }
    if (!u.bad && u.left.n == 0 && solve(m, nothing)) {
        step(m, nothing); /* within their bounds */
        return true;
    }
    *m = mixture_new();
    return false;
}
