/* regex.h -- regular expressions over bytes (PCRE2, unanchored).
 *
 * A compiled expression is read-only: threads share it.  Matching is bounded
 * in steps, so no subject can hold a thread up; a subject that exceeds the
 * bound does not match. */
#ifndef BASE_REGEX_H
#define BASE_REGEX_H

#include "base/buf.h"
#include "base/status.h"

struct regex; /* opaque; see base/regex.c */

/* Compile the pattern, which is bytes; owned by the caller.  ST_INVALID: `why`
 * (NULL allowed) gets the fault and its place, *out is NULL; ST_NOMEM. */
enum status regex_open(struct regex **out, struct str pattern, struct buf *why);
void regex_close(struct regex *r); /* NULL is allowed */

/* Does it match anywhere in the subject? */
bool regex_matches(const struct regex *r, struct str subject);

#endif
