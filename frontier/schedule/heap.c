/* heap.c -- see heap.h: Williams 1964, with four children (Johnson 1975). */
#include "heap.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define LINE 64u /* bytes of the processor's cache */
_Static_assert(HEAP_CHILDREN * sizeof(struct heap_node) == LINE, "a line");

void
heap_free(struct heap *h)
{
    free(h->memory);
    free(h->at);
    *h = (struct heap){0};
}

static bool
before(const struct heap_node *x, const struct heap_node *y)
{
    return x->key != y->key ? x->key < y->key : x->tie < y->tie;
}

static void
put(struct heap *h, uint32_t position, const struct heap_node *node)
{
    h->node[position] = *node;
    h->at[node->id] = position;
}

static uint32_t
least_child(const struct heap *h, uint32_t first)
{
    uint32_t end = first + HEAP_CHILDREN, least = first;

    if (end > h->n)
        end = h->n;
    for (uint32_t i = first + 1; i < end; i++)
        if (before(&h->node[i], &h->node[least]))
            least = i;
    return least;
}

/* What the step after the next one is going to compare.  (Inlined, since gcc 12
 * takes a function that does no more for one that does nothing.) */
static inline __attribute__((always_inline)) void
prefetch(const struct heap *h, uint64_t first)
{
    uint64_t next = HEAP_CHILDREN * first + 1;

    for (uint32_t i = 0; i < HEAP_CHILDREN; i++, next += HEAP_CHILDREN)
        if (next < h->n)
            __builtin_prefetch(&h->node[next]);
}

/* The place is free for the node, or for who has to move because of it. */
static void
sift(struct heap *h, uint32_t position, struct heap_node node)
{
    uint64_t first;
    uint32_t next;

    while (position > 0 &&
           before(&node, &h->node[next = (position - 1) / HEAP_CHILDREN])) {
        put(h, position, &h->node[next]);
        position = next;
    }
    while ((first = (uint64_t)HEAP_CHILDREN * position + 1) < h->n) {
        prefetch(h, first);
        next = least_child(h, (uint32_t)first);
        if (!before(&h->node[next], &node))
            break;
        put(h, position, &h->node[next]);
        position = next;
    }
    put(h, position, &node);
}

/* The first one stands at the end of a line, so that children have their own.
 */
static void
grow(struct heap *h)
{
    void *memory;
    struct heap_node *node;

    h->cap = h->cap ? 2 * h->cap : 64;
    memory = memory_need(aligned_alloc(LINE, h->cap * sizeof *node + LINE));
    node = (struct heap_node *)memory + (HEAP_CHILDREN - 1);
    if (h->n > 0)
        memcpy(node, h->node, h->n * sizeof *node);
    free(h->memory);
    h->memory = memory;
    h->node = node;
}

void
heap_add(struct heap *h, struct heap_node node)
{
    if (h->n == h->cap)
        grow(h);
    if (node.id >= h->ids) {
        h->ids = node.id < 32 ? 64 : 2 * node.id;
        h->at = memory_need(realloc(h->at, h->ids * sizeof *h->at));
    }
    sift(h, h->n++, node);
}

void
heap_change(struct heap *h, struct heap_node node)
{
    sift(h, h->at[node.id], node);
}

void
heap_take(struct heap *h, uint32_t id)
{
    uint32_t position = h->at[id];
    struct heap_node last = h->node[--h->n];

    if (last.id != id)
        sift(h, position, last);
}

struct best { /* places that come next, the first one last */
    uint32_t position[HEAP_FIRST_MAX];
    uint32_t n, max;
};

static void
best_add(struct best *b, const struct heap *h, uint32_t position)
{
    uint32_t i;

    if (b->n == b->max) { /* of them or it, the last one is not wanted */
        if (b->max == 0 || before(&h->node[b->position[0]], &h->node[position]))
            return;
        memmove(b->position, b->position + 1, --b->n * sizeof *b->position);
    }
    for (i = b->n++;
         i > 0 && before(&h->node[b->position[i - 1]], &h->node[position]); i--)
        b->position[i] = b->position[i - 1];
    b->position[i] = position;
}

uint32_t
heap_first(const struct heap *h, uint32_t *ids, uint32_t max)
{
    struct best b = {.max = max < HEAP_FIRST_MAX ? max : HEAP_FIRST_MAX};
    uint32_t n = 0;

    if (h->n > 0)
        best_add(&b, h, 0);
    while (b.n > 0) {
        uint32_t position = b.position[--b.n];
        uint64_t child = (uint64_t)HEAP_CHILDREN * position + 1;

        ids[n++] = h->node[position].id;
        b.max--;
        for (uint32_t i = 0; i < HEAP_CHILDREN && child < h->n; i++)
            best_add(&b, h, (uint32_t)child++);
    }
    return n;
}
