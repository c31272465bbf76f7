/* ship.h -- a document as it travels to the dedup service. */
#ifndef CRAWLER_SHIP_H
#define CRAWLER_SHIP_H

#include "crawl_state.h"

/* Render *d in the crawl's formats into *out, which lives in `a` and needs
 * nothing of *d any longer.  `scratch` keeps its memory from call to call. */
void ship_pack(const struct crawl *c, const struct document *d,
               uint32_t revisit, struct arena *a, struct buf *scratch,
               struct dedup_document *out);

#endif
