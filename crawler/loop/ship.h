/* ship.h -- a document as it travels to the dedup service. */
#ifndef CRAWLER_SHIP_H
#define CRAWLER_SHIP_H

#include "crawl_state.h"

/* With dedup.known_sentences=cut: take out of *d the sentences that the dedup
 * service knows, unless they are so many that it will not keep the document.
 * Waits for its answer.  ST_STOPPED; errors of dedup_client_known(). */
enum status ship_ask(struct crawl *c, struct document *d, uint32_t revisit);

/* Render *d in the crawl's formats into *out, which lives in `a` and needs
 * nothing of *d any longer.  `scratch` keeps its memory from call to call. */
void ship_pack(const struct crawl *c, const struct document *d,
               uint32_t revisit, struct arena *a, struct buf *scratch,
               struct dedup_document *out);

#endif
