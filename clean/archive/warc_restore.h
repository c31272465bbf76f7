/* warc_restore.h -- a revisit record when the capture that it refers to goes.
 *
 * After WARC 1.1, 6.7: a revisit of an identical payload means the payload of
 * the record it refers to; one after "304 Not Modified" means that the page is
 * as it was. */
#ifndef CLEAN_WARC_RESTORE_H
#define CLEAN_WARC_RESTORE_H

#include "base/buf.h"

/* The payload of a response's text: what stands behind both headers. */
struct str warc_payload(struct str response);

/* Append to *out what stands in place of `revisit`, text without its end: a
 * response with `payload`, or, after 304, the revisit without naming the
 * capture.  False: it is no text of a revisit. */
bool warc_restore(struct buf *out, struct str revisit, struct str payload);

#endif
