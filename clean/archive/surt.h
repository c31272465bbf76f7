/* surt.h -- the key of a URL in an index of archives (CDXJ, CDX).
 *
 * "com,example)/a?b=c": the host from right to left, and what most captures of
 * a page have in common.  The rules are those of the Python library surt, which
 * pywb and the Wayback Machines look up by, so that a page that was written
 * under a key is found under it. */
#ifndef CLEAN_SURT_H
#define CLEAN_SURT_H

#include "base/buf.h"

/* Append the key of an absolute http(s) URL without user name; others as they
 * stand, but for white space.  Never a blank or a control character.  Pure. */
void surt_key(struct buf *out, struct str url);

#endif
