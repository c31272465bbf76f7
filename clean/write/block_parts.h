/* block_parts.h -- the items of lists and the quotes that a block stands in,
 * as writers of structured formats (markdown, tei) open and close them. */
#ifndef CLEAN_BLOCK_PARTS_H
#define CLEAN_BLOCK_PARTS_H

#include "clean/chain/document.h"

#define OPEN_PARTS_MAX 8u /* more around a block are left out */

/* Ids of parts, outermost first.  Zero but for d. */
struct part_walk {
    const struct document *d;
    uint32_t open[OPEN_PARTS_MAX];
    uint32_t open_n;
    uint32_t latest; /* the latest item that was opened */
};

/* From one block to the next: of the parts that are open, the first `same` stay
 * and the others end; then around[same] ... around[n - 1] begin. */
struct part_step {
    uint32_t around[OPEN_PARTS_MAX];
    uint32_t n, same;
};

/* An item that ended before all of it came (a heading or a table is in no list)
 * is not opened a second time.  One without words of its own before the list in
 * it is opened only for its number. */
struct part_step part_step(const struct part_walk *w, uint32_t part);
void part_walk_take(struct part_walk *w, const struct part_step *step);

/* Whether part k of the step is an item of the list that an item which ends
 * there is of. */
bool part_step_goes_on(const struct part_walk *w, const struct part_step *step,
                       uint32_t k);

#endif
