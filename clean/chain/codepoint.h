/* codepoint.h -- reading code points of text that is valid UTF-8.
 *
 * Everything after the charset stage is valid (utf8.h), so nothing is checked
 * except the end: a sequence cut off at the end of a string reads as U+FFFD. */
#ifndef CLEAN_CODEPOINT_H
#define CLEAN_CODEPOINT_H

#include "base/str.h"

/* The code point at s.p[*at]; moves *at behind it.  *at < s.n. */
static inline uint32_t
codepoint_next(struct str s, size_t *at)
{
    const unsigned char *p = (const unsigned char *)s.p + *at;
    size_t left = s.n - *at, need;
    uint32_t cp;

    if (p[0] < 0x80) {
        *at += 1;
        return p[0];
    }
    need = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    if (left < need) {
        *at = s.n;
        return 0xfffd;
    }
    cp = p[0] & (0x7fu >> need);
    for (size_t i = 1; i < need; i++)
        cp = cp << 6 | (p[i] & 0x3f);
    *at += need;
    return cp;
}

/* The first n bytes of s at most, a sequence that would be cut left out. */
static inline struct str
codepoint_head(struct str s, size_t n)
{
    if (n >= s.n)
        return s;
    while (n > 0 && ((unsigned char)s.p[n] & 0xc0) == 0x80)
        n--;
    return str_sub(s, 0, n);
}

/* Write code point `cp` (at most 0x10ffff) to p; how many bytes, 1 to 4. */
static inline size_t
codepoint_put(char *p, uint32_t cp)
{
    if (cp < 0x80) {
        p[0] = (char)cp;
        return 1;
    }
    if (cp < 0x800) {
        p[0] = (char)(0xc0 | cp >> 6);
        p[1] = (char)(0x80 | (cp & 0x3f));
        return 2;
    }
    if (cp < 0x10000) {
        p[0] = (char)(0xe0 | cp >> 12);
        p[1] = (char)(0x80 | (cp >> 6 & 0x3f));
        p[2] = (char)(0x80 | (cp & 0x3f));
        return 3;
    }
    p[0] = (char)(0xf0 | cp >> 18);
    p[1] = (char)(0x80 | (cp >> 12 & 0x3f));
    p[2] = (char)(0x80 | (cp >> 6 & 0x3f));
    p[3] = (char)(0x80 | (cp & 0x3f));
    return 4;
}

/* Code points in valid UTF-8. */
static inline uint32_t
codepoint_count(struct str s)
{
    size_t n = 0;

    for (size_t i = 0; i < s.n; i++)
        n += ((unsigned char)s.p[i] & 0xc0) != 0x80;
    return (uint32_t)n;
}

#endif
