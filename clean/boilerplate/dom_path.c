/* dom_path.c -- see dom_path.h.  Linear: children have greater numbers than
 * their parents, so one pass down the numbers sums up and one up tells the
 * ways. */
#include "dom_path.h"

#define DOM_PATH_BLOCKS 2u

static void
add(struct dom_path_sum *s, const struct dom_path_sum *child)
{
    if (child->blocks == 0)
        return;
    if (s->blocks == 0 || child->first < s->first)
        s->first = child->first;
    if (s->blocks == 0 || child->last > s->last)
        s->last = child->last;
    s->weight += child->weight;
    s->words += child->words;
    s->blocks += child->blocks;
}

void
dom_path_tree(struct dom_path_tree *tree, const struct dom_path_blocks *b,
              const uint32_t *parent, uint32_t containers_n, struct arena *a)
{
    tree->parent = parent;
    tree->n = containers_n;
    tree->sum = ARENA_ARRAY(a, struct dom_path_sum, containers_n);
    for (uint32_t i = 0; i < b->n; i++)
        add(&tree->sum[b->container[i]],
            &(struct dom_path_sum){b->weight[i], b->words[i], 1, i, i});
    for (uint32_t id = tree->n; id-- > DOM_PATH_BODY + 1;)
        add(&tree->sum[parent[id]], &tree->sum[id]);
}

/* Parents come first, and of one's children only one has more than half. */
uint32_t
dom_path_heavy(const struct dom_path_tree *tree, float share)
{
    float least = tree->sum[DOM_PATH_BODY].weight * share;
    uint32_t tip = DOM_PATH_BODY;

    for (uint32_t id = DOM_PATH_BODY + 1; id < tree->n; id++)
        if (tree->parent[id] == tip && tree->sum[id].weight > least &&
            tree->sum[id].blocks >= DOM_PATH_BLOCKS)
            tip = id;
    return tip;
}

uint32_t
dom_path_common(const struct dom_path_tree *tree, uint32_t one, uint32_t other)
{
    while (one != other) {
        if (one > other)
            one = tree->parent[one];
        else
            other = tree->parent[other];
    }
    return one;
}

void
dom_path_find(struct dom_path *t, const struct dom_path_tree *tree,
              uint32_t tip, struct arena *a)
{
    uint32_t *up = ARENA_ARRAY(a, uint32_t, tree->n), steps = 0;

    t->tip = tip;
    t->way = arena_raw(a, tree->n * sizeof *t->way);
    t->way[0] = (struct dom_path_way){.up = 0}; /* of blocks in no container */
    for (uint32_t id = tip; id >= DOM_PATH_BODY; id = tree->parent[id])
        up[id] = ++steps;
    for (uint32_t id = DOM_PATH_BODY; id < tree->n; id++) {
        struct dom_path_way *w = &t->way[id];

        if (up[id] != 0) {
            *w = (struct dom_path_way){.up = up[id] - 1};
            continue;
        }
        *w = t->way[tree->parent[id]];
        w->below++;
        if (w->branch == 0)
            w->branch = id;
    }
}
