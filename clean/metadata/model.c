/* model.c -- see model.h.  The trees are those of model_table.h, which is
 * generated.
 *
 * They are not walked, but asked feature by feature (QuickScorer, Lucchese et
 * al. 2015): a tree's leaves are bits, each question that is answered with
 * "more" takes away those on its other side, and the first that is left is the
 * one that a walk would reach.  A feature's questions are sorted by their
 * limit, so that all but one of their answers can be foretold. */
#include "model.h"

#include <math.h>
#include <string.h>

struct tree_question {
    float limit;
    uint16_t tree, more; /* leaves that stay possible when it is exceeded */
};

#define LEAVES 16
#define TREES_MAX 128

#include "model_table.h"

struct trees {
    const struct tree_question *questions;
    const uint16_t *from; /* those of feature i: from[i] .. from[i + 1] */
    const float (*leaves)[LEAVES];
    size_t trees_n;
    float start;
};

#define TREES(name, start)                                                     \
    {                                                                          \
        name##_questions, name##_from, name##_leaves,                          \
            sizeof name##_leaves / sizeof *name##_leaves, start                \
    }

static const struct trees models[] = {
    [META_TITLE] = TREES(title, TITLE_START),
    [META_AUTHOR] = TREES(author, AUTHOR_START),
    [META_PUBLISHED] = TREES(date, DATE_START),
};
static const struct trees undated = TREES(undated, UNDATED_START);

_Static_assert(META_FEATURES_N == MODEL_FEATURES_N, "trained for others");
_Static_assert(sizeof undated_from / sizeof *undated_from ==
                   META_EXTREMES_N + 1,
               "trained for others");
_Static_assert(sizeof undated_leaves / sizeof *undated_leaves <= TREES_MAX,
               "few");
_Static_assert(sizeof title_leaves / sizeof *title_leaves <= TREES_MAX, "few");
_Static_assert(sizeof author_leaves / sizeof *author_leaves <= TREES_MAX,
               "few");
_Static_assert(sizeof date_leaves / sizeof *date_leaves <= TREES_MAX, "few");

/* 0 .. 1: what the trees say of a row of n features. */
static float
ask(const struct trees *of, const float *row, uint32_t n)
{
    const struct tree_question *q = of->questions;
    uint16_t possible[TREES_MAX];
    float sum = of->start;

    memset(possible, 0xff, sizeof possible);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = of->from[i];
             k < of->from[i + 1] && row[i] > q[k].limit; k++)
            possible[q[k].tree] &= q[k].more;
    for (size_t t = 0; t < of->trees_n; t++)
        sum += of->leaves[t][__builtin_ctz(possible[t])];
    return 1 / (1 + expf(-sum));
}

float
meta_model(enum meta_field field, const float row[META_FEATURES_N])
{
    return ask(&models[field], row, META_FEATURES_N);
}

void
meta_extremes(float extremes[META_EXTREMES_N], const float row[META_FEATURES_N],
              bool first)
{
    float *most = extremes, *least = extremes + META_FEATURES_N;

    for (uint32_t i = 0; i < META_FEATURES_N; i++) {
        most[i] = first || row[i] > most[i] ? row[i] : most[i];
        least[i] = first || row[i] < least[i] ? row[i] : least[i];
    }
}

float
meta_model_undated(const float extremes[META_EXTREMES_N])
{
    return ask(&undated, extremes, META_EXTREMES_N);
}

float
meta_date_confidence(float right, float none)
{
    return right + none > 0 ? right / (right + none) : 0;
}

float
meta_model_date(enum date_trust trust)
{
    static const float least[] = {[DATES_SURE] = DATE_LEAST,
                                  [DATES_LIKELY] = DATE_LIKELY,
                                  [DATES_ANY] = 0};

    return least[trust];
}

float
meta_model_author(void)
{
    return AUTHOR_LEAST;
}
