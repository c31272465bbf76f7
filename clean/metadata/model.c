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

static const struct {
    const struct tree_question *questions;
    const uint16_t *from; /* those of feature i: from[i] .. from[i + 1] */
    const float (*leaves)[LEAVES];
    size_t trees_n;
    float start, least;
} models[] = {
    [META_TITLE] = {title_questions, title_from, title_leaves,
                    sizeof title_leaves / sizeof *title_leaves, TITLE_START,
                    TITLE_LEAST},
    [META_AUTHOR] = {author_questions, author_from, author_leaves,
                     sizeof author_leaves / sizeof *author_leaves, AUTHOR_START,
                     AUTHOR_LEAST},
    [META_PUBLISHED] = {date_questions, date_from, date_leaves,
                        sizeof date_leaves / sizeof *date_leaves, DATE_START,
                        DATE_LEAST},
};

_Static_assert(META_FEATURES_N == MODEL_FEATURES_N, "trained for others");
_Static_assert(sizeof title_leaves / sizeof *title_leaves <= TREES_MAX, "few");
_Static_assert(sizeof author_leaves / sizeof *author_leaves <= TREES_MAX,
               "few");
_Static_assert(sizeof date_leaves / sizeof *date_leaves <= TREES_MAX, "few");

float
meta_model(enum meta_field field, const float row[META_FEATURES_N])
{
    const struct tree_question *q = models[field].questions;
    const uint16_t *from = models[field].from;
    uint16_t possible[TREES_MAX];
    float sum = models[field].start;

    memset(possible, 0xff, sizeof possible);
    for (uint32_t i = 0; i < META_FEATURES_N; i++)
        for (uint32_t k = from[i]; k < from[i + 1] && row[i] > q[k].limit; k++)
            possible[q[k].tree] &= q[k].more;
    for (size_t t = 0; t < models[field].trees_n; t++)
        sum += models[field].leaves[t][__builtin_ctz(possible[t])];
    return 1 / (1 + expf(-sum));
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
meta_model_least(enum meta_field field)
{
    return models[field].least;
}
