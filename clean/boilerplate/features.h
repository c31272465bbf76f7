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

#include "clean/blocks/block.h"
#include "clean/chain/document.h"

#define FEATURES_LOCAL_N 69
#define FEATURES_AROUND_N 157
#define FEATURES_PAGE_N 33
#define FEATURES_N (3 * FEATURES_LOCAL_N + FEATURES_AROUND_N + FEATURES_PAGE_N)

/* Where block i stands, for sums over what it has in common with others: its
 * four innermost elements, its tag path, its class words, the records that it
 * is part of (features_sum.h), the section under one heading; 0: none. */
enum {
    FEATURES_PATH = BLOCK_PARENTS,
    FEATURES_SHAPE,
    FEATURES_RECORDS,
    FEATURES_SECTION,
    FEATURES_GROUPS
};

struct features_place {
    uint32_t group[FEATURES_GROUPS];
    uint32_t words;
    uint32_t heading; /* 1 + index of the last heading before it; 0: none */
};

struct features {
    float (*local)[FEATURES_LOCAL_N];   /* one row per block */
    float (*around)[FEATURES_AROUND_N]; /* one row per block */
    float page[FEATURES_PAGE_N];
    float kind[PAGE_KINDS_N]; /* page_kind.h sets them; else 0 */
    struct features_place *place;
    uint32_t *parent;                   /* by container: the one around it */
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
