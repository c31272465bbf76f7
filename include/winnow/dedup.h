/* dedup.h -- the dedup service: owns the corpus, stores a document durably and
 * answers with a verdict; and the client that ships documents to it.
 *
 * Idempotent: a document id that was stored is answered with its first verdict
 * and not stored again.  A verdict is only sent when the document is durable
 * (see dedup.sync for power loss; a killed process never loses any). */
#ifndef WINNOW_DEDUP_H
#define WINNOW_DEDUP_H

#include "winnow/document.h"
#include "winnow/opt.h"

/* ---- the service ---- */
struct dedup_service; /* opaque */

/* Open DIR/dedup (index) and DIR/corpus (files), repair what a crash left,
 * listen on o->dedup_url.  ST_USAGE, ST_IO, ST_STORE: reported. */
enum status dedup_service_start(struct dedup_service **out, const char *dir,
                                const struct opts *o);
void dedup_service_stop(struct dedup_service *s); /* NULL is allowed */

/* ---- the client ---- */
struct dedup_client; /* opaque; thread-safe */

enum dedup_verdict {
    DEDUP_KEPT,
    DEDUP_EXACT_DUPLICATE,
    DEDUP_NEAR_DUPLICATE,
    DEDUP_REJECTED_STORED
};

enum status dedup_client_open(struct dedup_client **out, const struct opts *o);
void dedup_client_close(struct dedup_client *c); /* NULL is allowed */

/* Render *d in the formats of output.format and ship it; wait for the ack.
 * Tries again for ever while the service is absent, slow, or its disk is full
 * (saying so, once and then every minute) until *stop becomes true, then
 * ST_STOPPED: the document is not acked.  `of` (may be NULL) receives the id of
 * the document it duplicates. */
struct writer;
enum status dedup_client_put(struct dedup_client *c, const struct document *d,
                             const volatile bool *stop,
                             enum dedup_verdict *verdict, char of[33]);

#endif
