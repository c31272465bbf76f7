/* test_dom_path.c -- DOM paths against a model that walks up from every block.
 */
#include "test.h"

#include <math.h>

#include "base/random.h"
#include "clean/boilerplate/dom_path.h"

#define CONTAINERS 40u
#define BLOCKS 60u

struct page {
    uint32_t parent[CONTAINERS], container[BLOCKS];
    float weight[BLOCKS], words[BLOCKS];
    struct dom_path_blocks blocks;
};

static void
page_make(struct page *p, struct random *r)
{
    p->parent[0] = p->parent[DOM_PATH_BODY] = 0;
    for (uint32_t id = DOM_PATH_BODY + 1; id < CONTAINERS; id++) {
        uint32_t reach = id < 6 ? 1 : 5; /* some go deep */

        p->parent[id] = id - 1 - (uint32_t)random_below(r, reach);
    }
    for (uint32_t i = 0; i < BLOCKS; i++) {
        p->container[i] = 1 + (uint32_t)random_below(r, CONTAINERS - 1);
        p->words[i] = 1 + (float)random_below(r, 50);
        p->weight[i] = random_below(r, 2) ? p->words[i] : 0;
    }
    p->blocks =
        (struct dom_path_blocks){p->weight, p->words, p->container, BLOCKS};
}

static bool
holds(const struct page *p, uint32_t id, uint32_t container)
{
    while (container > id)
        container = p->parent[container];
    return container == id;
}

static struct dom_path_sum
sum_of(const struct page *p, uint32_t id)
{
    struct dom_path_sum s = {0};

    for (uint32_t i = 0; i < BLOCKS; i++) {
        if (!holds(p, id, p->container[i]))
            continue;
        s.weight += p->weight[i];
        s.words += p->words[i];
        s.first = s.blocks++ == 0 ? i : s.first;
        s.last = i;
    }
    return s;
}

static uint32_t
tip_of(const struct page *p, float share)
{
    float all = sum_of(p, DOM_PATH_BODY).weight;
    uint32_t tip = DOM_PATH_BODY;

    for (uint32_t id = DOM_PATH_BODY + 1; id < CONTAINERS; id++) {
        struct dom_path_sum s = sum_of(p, id);

        if (p->parent[id] == tip && s.weight > share * all && s.blocks > 1) {
            tip = id;
            id = DOM_PATH_BODY;
        }
    }
    return tip;
}

static void
sums_tip_and_ways_are_those_of_the_model(void)
{
    struct random r = random_seed(5);
    struct arena *a = arena_new();

    for (int round = 0; round < 200; round++) {
        struct dom_path_tree tree;
        struct dom_path t;
        struct page p;

        page_make(&p, &r);
        dom_path_tree(&tree, &p.blocks, p.parent, CONTAINERS, a);
        CHECK(dom_path_heavy(&tree, 0.5f) == tip_of(&p, 0.5f));
        dom_path_find(&t, &tree, 1 + (uint32_t)random_below(&r, CONTAINERS - 1),
                      a);
        for (uint32_t id = DOM_PATH_BODY; id < CONTAINERS; id++) {
            struct dom_path_sum want = sum_of(&p, id);
            struct dom_path_way way = {0};
            uint32_t at = id;

            CHECK(fabsf(tree.sum[id].weight - want.weight) < 1e-3f);
            CHECK(fabsf(tree.sum[id].words - want.words) < 1e-3f);
            CHECK(tree.sum[id].blocks == want.blocks);
            CHECK(tree.sum[id].first == want.first);
            CHECK(tree.sum[id].last == want.last);
            for (; !holds(&p, at, t.tip); at = p.parent[at], way.below++)
                way.branch = at;
            for (uint32_t up = t.tip; up != at; up = p.parent[up])
                way.up++;
            CHECK(t.way[id].up == way.up);
            CHECK(t.way[id].below == way.below);
            CHECK(t.way[id].branch == way.branch);
        }
        arena_reset(a);
    }
    arena_free(a);
}

static void
a_page_without_weight_has_its_tip_in_the_body(void)
{
    struct arena *a = arena_new();
    uint32_t parent[] = {0, 0, 1, 2}, container[] = {3, 3};
    float none[] = {0, 0}, words[] = {1, 2};
    struct dom_path_blocks b = {none, words, container, 2};
    struct dom_path_tree tree;
    struct dom_path t;

    dom_path_tree(&tree, &b, parent, 4, a);
    CHECK(dom_path_heavy(&tree, 0.5f) == DOM_PATH_BODY);
    dom_path_find(&t, &tree, DOM_PATH_BODY, a);
    CHECK(t.way[3].branch == 2 && t.way[3].below == 2 && t.way[3].up == 0);
    arena_free(a);
}

static const struct test tests[] = {
    TEST(sums_tip_and_ways_are_those_of_the_model),
    TEST(a_page_without_weight_has_its_tip_in_the_body),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
