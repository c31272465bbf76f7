/* digest.h -- SHA-1 as WARC files write it. */
#ifndef BASE_WARC_DIGEST_H
#define BASE_WARC_DIGEST_H

#include "winnow/str.h"

/* "sha1:" and 32 characters of base 32 (RFC 4648), and a NUL, of a and b
 * together.  Thread-safe.  False: the library failed. */
#define DIGEST_TEXT_N 38
bool digest_sha1(struct str a, struct str b, char out[DIGEST_TEXT_N]);

#endif
