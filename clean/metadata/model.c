/* model.c -- see model.h.  The trees are those of model_table.h, which is
 * generated: node i of a field asks whether a feature is at most a number and
 * goes on with one of two others; a leaf adds to the log odds. */
#include "model.h"

#include <math.h>

struct tree_node {
    uint8_t feature; /* LEAF: value is added to the sum */
    float value;
    uint16_t low, high; /* relative to this node: at most `value`, more */
};

#define LEAF 255

#include "model_table.h"

static const struct {
    const struct tree_node *nodes;
    const uint16_t *roots;
    size_t roots_n;
    float start, least;
} models[] = {
    [META_TITLE] = {title_nodes, title_roots,
                    sizeof title_roots / sizeof *title_roots, TITLE_START,
                    TITLE_LEAST},
    [META_AUTHOR] = {author_nodes, author_roots,
                     sizeof author_roots / sizeof *author_roots, AUTHOR_START,
                     AUTHOR_LEAST},
    [META_PUBLISHED] = {date_nodes, date_roots,
                        sizeof date_roots / sizeof *date_roots, DATE_START,
                        DATE_LEAST},
};

_Static_assert(META_FEATURES_N < LEAF, "a byte for each");
_Static_assert(META_FEATURES_N == MODEL_FEATURES_N, "trained for others");

float
meta_model(enum meta_field field, const float row[META_FEATURES_N])
{
    float sum = models[field].start;

    for (size_t r = 0; r < models[field].roots_n; r++) {
        const struct tree_node *n =
            &models[field].nodes[models[field].roots[r]];

        while (n->feature != LEAF)
            n += row[n->feature] <= n->value ? n->low : n->high;
        sum += n->value;
    }
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
