/* features.h -- what the boilerplate network sees of each block.
 *
 * Three parts: `local` is about the block alone (the network also gets that of
 * the block before and after it), `around` about where it stands (ancestors,
 * class words, containers, headings, title), `page` about the whole page.
 * Raw values: the network's file says how to scale them.  After a
 * change here the network must be trained anew (winnow train); one with another
 * number of inputs is refused. */
#ifndef CLEAN_FEATURES_H
#define CLEAN_FEATURES_H

#include "block.h"
#include "winnow/document.h"

#define FEATURES_LOCAL_N 67
#define FEATURES_AROUND_N 78
#define FEATURES_PAGE_N 18
#define FEATURES_N (3 * FEATURES_LOCAL_N + FEATURES_AROUND_N + FEATURES_PAGE_N)

/* Where block i stands, for sums over containers: ids of its four innermost
 * elements, of its tag path and of its class words; 0: none. */
#define FEATURES_GROUPS (BLOCK_PARENTS + 2)

struct features_place {
    uint32_t group[FEATURES_GROUPS];
    uint32_t words;
};

struct features {
    float (*local)[FEATURES_LOCAL_N];   /* one row per block */
    float (*around)[FEATURES_AROUND_N]; /* one row per block */
    float page[FEATURES_PAGE_N];
    struct features_place *place;
    uint32_t groups_n[FEATURES_GROUPS]; /* ids are below */
    uint32_t n;
};

/* Compute all for d->blocks; memory from the document's arena.  blocks_n > 0 */
void features_page(struct features *f, const struct document *d);

/* Row i as the network takes it: local of i, i - 1, i + 1 (zero past the
 * ends), around, page. */
void features_row(const struct features *f, uint32_t i, float out[FEATURES_N]);

/* The language whose function words are most frequent on the page. */
enum language features_language(const struct document *d);

#endif
