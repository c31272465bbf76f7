/* digest.h -- SHA-1 as WARC files write it, SHA-256 as WACZ does. */
#ifndef BASE_WARC_DIGEST_H
#define BASE_WARC_DIGEST_H

#include "base/str.h"

/* "sha1:" and 32 characters of base 32 (RFC 4648), and a NUL, of a and b
 * together.  Thread-safe.  False: the library failed. */
#define DIGEST_TEXT_N 38
bool digest_sha1(struct str a, struct str b, char out[DIGEST_TEXT_N]);

/* SHA-256 of bytes that come in pieces, in hex.  end() frees it; NULL, or if
 * the library failed, gives "". */
#define DIGEST_SHA256_N 65
struct digest_sha256;
struct digest_sha256 *digest_sha256_new(void); /* NULL: out of memory */
void digest_sha256_add(struct digest_sha256 *d, struct str bytes);
void digest_sha256_end(struct digest_sha256 *d, char out[DIGEST_SHA256_N]);

#endif
