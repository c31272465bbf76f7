/* utf8.h -- valid UTF-8 (RFC 3629) or made so.  Pure and thread-safe. */
#ifndef CLEAN_UTF8_H
#define CLEAN_UTF8_H

#include "base/arena.h"
#include "base/str.h"

/* Whether all of s is valid UTF-8; runs at memory speed. */
bool utf8_valid(struct str s);

/* The first bad sequence at or after `from`, where one may begin, or s.n. */
size_t utf8_find_bad(struct str s, size_t from);

/* The first byte at or after `from` that is not ASCII, or s.n. */
size_t utf8_skip_ascii(struct str s, size_t from);

/* How much of s looks like UTF-8. */
struct utf8_survey {
    size_t multibyte; /* valid sequences of two to four bytes */
    size_t bad;       /* maximal subparts that are none */
};
struct utf8_survey utf8_survey(struct str s);

/* s with each bad sequence (maximal subpart, as WHATWG decodes) replaced by
 * U+FFFD; s itself when there is none. */
struct str utf8_repair(struct arena *a, struct str s);

#endif
