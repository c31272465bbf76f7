/* ship.h -- a document on its way to the dedup service. */
#ifndef CRAWLER_SHIP_H
#define CRAWLER_SHIP_H

#include "crawl_state.h"

/* Render *d in the crawl's formats, send it, wait for the ack.  d->id becomes
 * the id it is stored under: another one when a crash had ended an earlier try
 * of this visit after its document was stored.  `scratch` keeps its memory from
 * call to call.  ST_STOPPED: not acked.  ST_INVALID, ST_LIMIT: the service will
 * never take it (reported). *of: of a duplicate the kept document. */
enum status ship_document(struct crawl *c, struct document *d, uint32_t revisit,
                          struct buf *scratch, enum verdict *verdict,
                          struct document_id *of);

#endif
