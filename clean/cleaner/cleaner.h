/* cleaner.h -- the cleaning chain: bytes in, a classified document out.
 *
 * A cleaner holds the loaded models and the chain, and all threads share one.
 * cleaner_run() does no I/O, and its memory is the document's arena, with a
 * limit, and some for each page that is cleaned at a time. */
#ifndef CLEAN_CLEANER_H
#define CLEAN_CLEANER_H

#include "base/options/opt.h"
#include "clean/chain/document.h"

struct cleaner; /* opaque; see clean/cleaner/cleaner.c */

/* Load networks and profiles named in the options, some 10 ms.  *out is owned
 * by the caller; NULL on failure.  ST_USAGE, ST_IO, ST_INVALID: already
 * reported with the file and what to do; ST_NOMEM. */
enum status cleaner_open(struct cleaner **out, const struct opts *o);
void cleaner_close(struct cleaner *c); /* NULL is allowed */

/* Whether a stage of that name, as it is called now, is in the chain
 * (clean.chain).  Thread-safe. */
bool cleaner_has(const struct cleaner *c, const char *stage);

/* Run the chain over *d (its "In" part is set, the rest zero).  When `all` is
 * false, stages that only matter for kept documents are skipped as soon as
 * there is a reason to reject; links, boilerplate values and badness are
 * always there.  Never fails on malformed input.  A page that would take more
 * than clean.memory_mib is rejected (VERDICT_MEMORY), with nothing in it but
 * what the caller set; so is one for which the system has no memory, and then
 * the status is ST_NOMEM. */
enum status cleaner_run(const struct cleaner *c, struct document *d, bool all);

#endif
