/* dedup_service.h -- the dedup service: owns the corpus of a folder, stores
 * documents durably and answers with verdicts (dedup.h).  It has a thread of
 * its own; start and stop are called by one. */
#ifndef SHINGLE_DEDUP_SERVICE_H
#define SHINGLE_DEDUP_SERVICE_H

#include "base/options/opt.h"
#include "base/status.h"

struct dedup_service; /* opaque */

/* Would it listen on, and dial, the addresses of these options?  ST_USAGE:
 * reported. */
enum status dedup_service_check(const struct opts *o);

/* Open DIR/dedup (index) and DIR/corpus (files), repair what a crash left,
 * listen on o->dedup_url.  Records in other formats than o->output_format names
 * are refused.  `o` must outlive the service.  ST_USAGE, ST_IO,
 * ST_STORE, ST_FULL: reported. */
enum status dedup_service_start(struct dedup_service **out, const char *dir,
                                const struct opts *o);
/* Answer what is waiting, seal the open files, close.  Not ST_OK: the latest
 * documents are not in the files before the next start (reported).  NULL is
 * allowed. */
enum status dedup_service_stop(struct dedup_service *s);

#endif
