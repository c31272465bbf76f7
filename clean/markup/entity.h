/* entity.h -- character references: "&eacute;", "&#233;", "&#xE9;".
 *
 * By the rules of HTML 13.2.5.72 to 13.2.5.80: the longest of the 2,231 names
 * wins, some count without their semicolon, numbers in the C1 range mean
 * windows-1252, impossible numbers give U+FFFD.  Pure and thread-safe. */
#ifndef CLEAN_ENTITY_H
#define CLEAN_ENTITY_H

#include "base/buf.h"

struct entity_text {
    char p[8]; /* UTF-8 */
    size_t n;
};

/* Decode the reference that s begins with (s.p[0] is '&').  The number of its
 * bytes, or 0 when this is no reference and the '&' stands for itself. */
size_t entity_decode(struct entity_text *out, struct str s, bool in_attribute);

/* Append s with all its references decoded, once.  The number decoded. */
size_t entity_decode_all(struct buf *out, struct str s);

#endif
