/* heap.h -- things numbered 0, 1, 2 ... ordered by a key of 96 bits, least
 * first; each knows its place, so any of them can be moved or taken out.
 *
 * With a million of them what costs is the memory that a sift touches: keys lie
 * in the heap itself, four children side by side in one line of the processor's
 * cache, and those of the next step are asked for ahead of time.  Out of memory
 * ends the program. */
#ifndef FRONTIER_HEAP_H
#define FRONTIER_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#define HEAP_CHILDREN 4u /* of place p: HEAP_CHILDREN * p + 1 and behind */

struct heap_node {
    uint64_t key;
    uint32_t tie; /* of those with the same key */
    uint32_t id;
};

struct heap { /* {0} is an empty one */
    void *memory;
    struct heap_node *node; /* in it */
    uint32_t *at;           /* place of each id */
    uint32_t n, cap, ids;
};

void heap_free(struct heap *h);
void heap_add(struct heap *h, struct heap_node node); /* its id is not in it */
/* Of an id that is in it. */
void heap_change(struct heap *h, struct heap_node node);
void heap_take(struct heap *h, uint32_t id);

/* The ids of the first ones in order, `max` (HEAP_FIRST_MAX) at most; returns
 * how many. */
#define HEAP_FIRST_MAX 256u
uint32_t heap_first(const struct heap *h, uint32_t *ids, uint32_t max);

#endif
