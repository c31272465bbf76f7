/* forget_warc.h -- hosts leave the WARC files of a crawl. */
#ifndef CRAWLER_FORGET_WARC_H
#define CRAWLER_FORGET_WARC_H

#include "base/status.h"
#include "frontier/features/pattern_set.h"

struct forget_warc; /* opaque */

/* Which records in DIR/warc are of hosts that match one of the patterns, which
 * stay the caller's.  All files are read, and nothing is changed but that what
 * a crash left becomes a complete file.  ST_NONE: there is no such folder.
 * ST_USAGE: a crawl works on DIR.  ST_INVALID: of a part of a file it cannot be
 * told whose it is.  Not ST_NONE: reported.  Owned by the caller. */
enum status forget_warc_open(struct forget_warc **out, const char *dir,
                             const struct pattern_set *patterns);
void forget_warc_close(struct forget_warc *w); /* NULL is allowed */

/* How many records, and of how many files, pattern i is the first to match. */
uint64_t forget_warc_records(const struct forget_warc *w, uint32_t i);
uint64_t forget_warc_files(const struct forget_warc *w, uint32_t i);

/* Remove them.  Other hosts' revisits of what goes become responses of their
 * own; records that stay are the same bytes, and indexes are made anew.  Killed
 * anywhere, the same calls do the rest.  Faults are reported. */
enum status forget_warc_run(struct forget_warc *w);

#endif
