/* checksum_line.h -- the last line of a binary model: a sum over all before it.
 *
 * "crc32 XXXXXXXX\n": eight hex digits of CRC-32 as gzip, zlib and Python's
 * zlib.crc32() have it.  Tells a damaged file from a whole one; who wants to
 * deceive can. */
#ifndef BASE_CHECKSUM_LINE_H
#define BASE_CHECKSUM_LINE_H

#include "base/buf.h"

enum checksum_line { CHECKSUM_NONE, CHECKSUM_RIGHT, CHECKSUM_WRONG };

/* Behind all that is in *b. */
void checksum_line_add(struct buf *b);

/* Take the line off *bytes, if there is one. */
enum checksum_line checksum_line_take(struct str *bytes);

#endif
