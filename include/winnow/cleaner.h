/* cleaner.h -- the cleaning chain: bytes in, a classified document out.
 *
 * A cleaner holds the loaded models and the chain; it is read-only after
 * cleaner_open(), so all threads share one.  cleaner_run() does no I/O, and its
 * memory is the document's arena, with a limit, and some per thread. */
#ifndef WINNOW_CLEANER_H
#define WINNOW_CLEANER_H

#include "winnow/document.h"
#include "winnow/opt.h"

struct cleaner; /* opaque; see clean/cleaner/cleaner.c */

/* Load networks and profiles named in the options.  ST_USAGE, ST_IO: already
 * reported with the file and what to do.  Owned by the caller. */
enum status cleaner_open(struct cleaner **out, const struct opts *o);
void cleaner_close(struct cleaner *c); /* NULL is allowed */

/* Whether a stage of that name is in the chain (clean.chain). */
bool cleaner_has(const struct cleaner *c, const char *stage);

/* Run the chain over *d (its "In" part is set, the rest zero).  When `all` is
 * false, stages that only matter for kept documents are skipped as soon as
 * there is a reason to reject; links, boilerplate values and badness are
 * always there.  Never fails on malformed input.  A page that would take more
 * than clean.memory_mib is rejected (VERDICT_MEMORY), with nothing in it but
 * what the caller set; so is one for which the system has no memory, and then
 * the status is ST_NOMEM. */
enum status cleaner_run(const struct cleaner *c, struct document *d, bool all);

/* Whether these bytes are HTML: declared type text/html or
 * application/xhtml+xml (or none) and not contradicted by sniffing (WHATWG
 * MIME Sniffing, section 7.1 and the binary-data rule). */
bool cleaner_is_html(struct str content_type, struct str bytes);

#endif
