/* text_scan.h -- reading text of any kind by code points, forwards and
 * backwards.  A byte that begins no valid sequence reads as U+FFFD. */
#ifndef CORPUS_TEXT_SCAN_H
#define CORPUS_TEXT_SCAN_H

#include <stdint.h>

#include "base/str.h"
#include "clean/text/letters.h"

/* The code point at s.p[*at] (*at < s.n); *at moves behind it. */
static inline uint32_t
scan_next(struct str s, size_t *at)
{
    const unsigned char *p = (const unsigned char *)s.p + *at;
    size_t left = s.n - *at, need;
    uint32_t cp;

    *at += 1;
    if (p[0] < 0x80)
        return p[0];
    need = p[0] < 0xc2   ? 0
           : p[0] < 0xe0 ? 2
           : p[0] < 0xf0 ? 3
           : p[0] < 0xf5 ? 4
                         : 0;
    if (need == 0 || left < need)
        return 0xfffd;
    cp = p[0] & (0x7fu >> need);
    for (size_t i = 1; i < need; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0xfffd;
        cp = cp << 6 | (p[i] & 0x3f);
    }
    *at += need - 1;
    return cp <= 0x10ffff ? cp : 0xfffd;
}

/* The one that ends at `at` (at > 0), and where it begins. */
static inline uint32_t
scan_before(struct str s, size_t at, size_t *begin)
{
    size_t from = at - 1, end;
    uint32_t cp;

    for (int i = 0; i < 3 && from > 0 && (s.p[from] & 0xc0) == 0x80; i++)
        from--;
    end = from;
    cp = scan_next(s, &end);
    *begin = end == at ? from : at - 1;
    return end == at ? cp : 0xfffd;
}

/* White space of any kind that separates words, line ends among them. */
static inline bool
scan_blank(uint32_t cp)
{
    return cp <= 0x20 ? cp == ' ' || (cp >= 9 && cp <= 13)
                      : cp == 0xa0 || cp == 0x1680 || cp == 0x85 ||
                            (cp >= 0x2000 && cp <= 0x200b) || cp == 0x2028 ||
                            cp == 0x2029 || cp == 0x202f || cp == 0x205f ||
                            cp == 0x3000 || cp == 0xfeff;
}

/* Characters that show nothing and spell nothing: soft hyphen, non-joiner, zero
 * width space, marks of direction, byte order mark.  Not the joiner: words of
 * Malayalam end in one. */
static inline bool
scan_unseen(uint32_t cp)
{
    return cp >= 0xad &&
           (cp == 0xad || cp == 0x61c || cp == 0x200b || cp == 0x200c ||
            cp == 0x200e || cp == 0x200f || (cp >= 0x202a && cp <= 0x202e) ||
            (cp >= 0x2060 && cp <= 0x206f) || cp == 0xfeff);
}

/* What no token and no sentence begins or ends with. */
static inline bool
scan_gap(uint32_t cp)
{
    if (cp < 0x80)
        return cp == ' ' || (cp >= 9 && cp <= 13);
    return scan_blank(cp) || scan_unseen(cp);
}

enum scan_case { CASE_NONE, CASE_UPPER, CASE_LOWER, CASE_OTHER, CASE_DIGIT };

/* What a code point is as a letter; CASE_NONE: it is none, nor a digit. */
static inline enum scan_case
scan_case(const struct letters *l, uint32_t cp)
{
    enum letter_class class;

    if (cp < 0x80)
        return ascii_digit((char)cp)    ? CASE_DIGIT
               : !ascii_alpha((char)cp) ? CASE_NONE
               : (cp & 0x20) != 0       ? CASE_LOWER
                                        : CASE_UPPER;
    if (cp == 0xfffd)
        return CASE_OTHER;
    class = letters_class(l, cp);
    if (class == LETTER_NONE || class == LETTER_SILENT)
        return CASE_NONE;
    if (letters_upper(l, cp) != cp || class == LETTER_SHARP_S)
        return CASE_LOWER;
    return letters_lower(cp) != cp ? CASE_UPPER : CASE_OTHER;
}

/* Quotes and brackets that may close behind a stop, and such that may open
 * before a word; quotes of some languages do both. */
static inline bool
scan_closes(uint32_t cp)
{
    switch (cp) {
    case '"':
    case '\'':
    case ')':
    case ']':
    case '}':
    case 0xab:
    case 0xbb:
    case 0x2018:
    case 0x2019:
    case 0x201c:
    case 0x201d:
    case 0x2039:
    case 0x203a:
    case 0x300d:
    case 0x300f:
    case 0x3009:
    case 0x300b:
    case 0x3011:
    case 0xff09:
    case 0xff02: return true;
    default: return false;
    }
}

static inline bool
scan_opens(uint32_t cp)
{
    switch (cp) {
    case '"':
    case '\'':
    case '(':
    case '[':
    case '{':
    case '`':
    case 0xa1:
    case 0xab:
    case 0xbb:
    case 0xbf:
    case 0x2018:
    case 0x2019:
    case 0x201a:
    case 0x201c:
    case 0x201d:
    case 0x201e:
    case 0x2039:
    case 0x203a: return true;
    default: return false;
    }
}

#endif
