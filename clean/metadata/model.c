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

#define TREES_MAX 2304
#define LEAVES_MAX 16 /* of a tree */

#include "model_table.h"

struct trees {
    const struct tree_question *questions;
    const uint16_t *from; /* those of feature i: from[i] .. from[i + 1] */
    const float *leaves;  /* leaves_n of each tree */
    const float *start;   /* of each class: trees of all take turns */
    size_t leaves_n, trees_n;
    uint32_t classes_n;
};

#define N(array) (sizeof(array) / sizeof *(array))
#define TREES(name)                                                            \
    {                                                                          \
        name##_questions, name##_from, name##_leaves[0], name##_start,         \
            N(name##_leaves[0]), N(name##_leaves), N(name##_start)             \
    }

static const struct trees models[] = {
    [META_TITLE] = TREES(title),
    [META_AUTHOR] = TREES(author),
    [META_PUBLISHED] = TREES(date),
};
static const struct trees undated = TREES(undated);

_Static_assert(META_FEATURES_N == MODEL_FEATURES_N, "trained for others");
_Static_assert(N(undated_from) == META_EXTREMES_N + 1, "trained for others");
/* Of as many leaves as a question has bits. */
_Static_assert(N(undated_leaves) <= TREES_MAX &&
                   N(undated_leaves[0]) <= LEAVES_MAX,
               "few");
_Static_assert(N(title_leaves) <= TREES_MAX && N(title_leaves[0]) <= LEAVES_MAX,
               "few");
_Static_assert(N(author_leaves) <= TREES_MAX &&
                   N(author_leaves[0]) <= LEAVES_MAX,
               "few");
_Static_assert(N(date_leaves) <= TREES_MAX && N(date_leaves[0]) <= LEAVES_MAX,
               "few");

/* What the trees of each class say together of a row of n features. */
static void
ask(const struct trees *of, const float *row, uint32_t n, float *sum)
{
    const struct tree_question *q = of->questions;
    uint16_t possible[TREES_MAX];

    memset(possible, 0xff, of->trees_n * sizeof *possible);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = of->from[i];
             k < of->from[i + 1] && row[i] > q[k].limit; k++)
            possible[q[k].tree] &= q[k].more;
    memcpy(sum, of->start, of->classes_n * sizeof *sum);
    for (size_t t = 0; t < of->trees_n; t += of->classes_n)
        for (size_t k = 0; k < of->classes_n; k++)
            sum[k] += of->leaves[(t + k) * of->leaves_n +
                                 (size_t)__builtin_ctz(possible[t + k])];
}

float
meta_model(enum meta_field field, const float row[META_FEATURES_N])
{
    float sum;

    ask(&models[field], row, META_FEATURES_N, &sum);
    return 1 / (1 + expf(-sum));
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
    float sum[N(undated_start)], all = 0, none = 0;

    ask(&undated, extremes, META_EXTREMES_N, sum);
    for (size_t k = 0; k < N(sum); k++) {
        float e = expf(sum[k]);

        all += e;
        none += undated_has_none[k] ? e : 0;
    }
    return none / all;
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
