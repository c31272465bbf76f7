/* model.c -- see model.h.  Numbers in the store are IEEE floats, big-endian. */
#include "model.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "frontier/store/pack.h"

#define RATE 0.15 /* alpha: how fast a weight learns */
#define BETA 1.0  /* smooths the first steps */
/* Lambda 2, the pull towards the start: what holds of the web at large was
   learnt from more than one crawl. */
#define TO_START_NAMED 20.0
#define TO_START 1.0
#define CHANCE_LEAST 1e-6
#define SUM_MOST 30.0

struct model {
    float *start, *w, *z, *n; /* w: start and what was learnt, ready to use */
    size_t named;
    bool changed[MODEL_CHUNKS];
    struct model_class class[MODEL_CLASSES];
};

struct model *
model_new(const float *start, size_t start_n)
{
    struct model *m = memory_need(calloc(1, sizeof *m));
    float *room = memory_need(calloc(4 * MODEL_WEIGHTS, sizeof *room));

    m->start = room;
    m->w = room + MODEL_WEIGHTS;
    m->z = room + 2 * MODEL_WEIGHTS;
    m->n = room + 3 * MODEL_WEIGHTS;
    m->named = start_n;
    for (size_t i = 0; i < start_n && i < MODEL_WEIGHTS; i++)
        m->start[i] = m->w[i] = start[i];
    return m;
}

void
model_free(struct model *m)
{
    if (m == NULL)
        return;
    free(m->start);
    free(m);
}

double
model_chance(double sum)
{
    return 1 / (1 + exp(-sum));
}

double
model_logit(double chance)
{
    if (!(chance > CHANCE_LEAST))
        chance = CHANCE_LEAST;
    if (chance > 1 - CHANCE_LEAST)
        chance = 1 - CHANCE_LEAST;
    return log(chance / (1 - chance));
}

float
model_weight(const struct model *m, uint32_t at)
{
    return m->w[at];
}

double
model_sum(const struct model *m, const struct model_feature *f, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (double)m->w[f[i].at] * (double)f[i].x;
    return sum > SUM_MOST ? SUM_MOST : sum < -SUM_MOST ? -SUM_MOST : sum;
}

static void
refresh(struct model *m, uint32_t i)
{
    double root = sqrt((double)m->n[i]);
    double pull = i < m->named ? TO_START_NAMED : TO_START;

    m->w[i] = (float)((double)m->start[i] -
                      (double)m->z[i] / ((BETA + root) / RATE + pull));
}

void
model_count(struct model *m, double chance, bool kept)
{
    size_t c = (size_t)(chance * MODEL_CLASSES);
    struct model_class *class =
        &m->class[c < MODEL_CLASSES ? c : MODEL_CLASSES - 1];

    class->n++;
    class->kept += kept;
    class->chances += chance;
}

void
model_learn(struct model *m, const struct model_feature *f, size_t n,
            double wrong)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t at = f[i].at;
        double g = wrong * (double)f[i].x, was = (double)m->n[at],
               step = (sqrt(was + g * g) - sqrt(was)) / RATE;

        m->z[at] += (float)(g - step * (double)(m->w[at] - m->start[at]));
        m->n[at] += (float)(g * g);
        refresh(m, at);
        m->changed[at / MODEL_CHUNK] = true;
    }
}

uint64_t
model_cases(const struct model *m)
{
    uint64_t n = 0;

    for (size_t i = 0; i < MODEL_CLASSES; i++)
        n += m->class[i].n;
    return n;
}

const struct model_class *
model_classes(const struct model *m)
{
    return m->class;
}

/* ---- the store ---- */

void
model_forget(struct model *m)
{
    memset(m->changed, true, sizeof m->changed);
}

bool
model_changed(const struct model *m, uint32_t *chunk)
{
    while (*chunk < MODEL_CHUNKS && !m->changed[*chunk])
        ++*chunk;
    return *chunk < MODEL_CHUNKS;
}

static void
pack_float(struct buf *out, float v)
{
    uint32_t bits;

    memcpy(&bits, &v, sizeof bits);
    pack_fixed(out, bits, 4);
}

static float
unpack_float(struct unpack *u)
{
    uint32_t bits = (uint32_t)unpack_fixed(u, 4);
    float v;

    memcpy(&v, &bits, sizeof v);
    if (!isfinite(v))
        u->bad = true;
    return v;
}

void
model_write_chunk(const struct model *m, uint32_t chunk, struct buf *out)
{
    buf_clear(out);
    for (uint32_t i = chunk * MODEL_CHUNK; i < (chunk + 1) * MODEL_CHUNK; i++) {
        pack_float(out, m->z[i]);
        pack_float(out, m->n[i]);
    }
}

void
model_saved(struct model *m)
{
    memset(m->changed, 0, sizeof m->changed);
}

bool
model_read_chunk(struct model *m, uint32_t chunk, struct str bytes)
{
    struct unpack u = {bytes, false};

    if (chunk >= MODEL_CHUNKS)
        return false;
    for (uint32_t i = chunk * MODEL_CHUNK; i < (chunk + 1) * MODEL_CHUNK; i++) {
        m->z[i] = bytes.n == 0 ? 0 : unpack_float(&u);
        m->n[i] = bytes.n == 0 ? 0 : unpack_float(&u);
        if (!(m->n[i] >= 0))
            m->n[i] = 0;
        refresh(m, i);
    }
    m->changed[chunk] = false;
    return !u.bad && u.left.n == 0;
}

#define CHANCES_SCALE 1e6

void
model_write_classes(const struct model *m, struct buf *out)
{
    buf_clear(out);
    for (size_t i = 0; i < MODEL_CLASSES; i++) {
        pack_number(out, m->class[i].n);
        pack_number(out, m->class[i].kept);
        pack_number(out, (uint64_t)(m->class[i].chances * CHANCES_SCALE));
    }
}

bool
model_read_classes(struct model *m, struct str bytes)
{
    struct unpack u = {bytes, false};

    memset(m->class, 0, sizeof m->class);
    for (size_t i = 0; i < MODEL_CLASSES && bytes.n > 0; i++) {
        m->class[i].n = unpack_number(&u);
        m->class[i].kept = unpack_number(&u);
        m->class[i].chances = (double)unpack_number(&u) / CHANCES_SCALE;
    }
    return !u.bad;
}
