/* char_class.h -- what a code point is, in one table look-up.
 *
 * Classes follow the general categories of Unicode as ICU knows them.  The
 * table is built once per process by char_class_init(); read-only after, so
 * all threads share it. */
#ifndef CLEAN_CHAR_CLASS_H
#define CLEAN_CHAR_CLASS_H

#include "base/str.h"

enum {
    CHAR_LETTER = 1 << 0,
    CHAR_UPPER = 1 << 1,  /* a letter that has a lower-case form */
    CHAR_DIGIT = 1 << 2,  /* decimal digits, other numbers */
    CHAR_MARK = 1 << 3,   /* combining: belongs to the word round it */
    CHAR_SPACE = 1 << 4,  /* blank, as strip leaves them */
    CHAR_SINGLE = 1 << 5, /* a word of its own: scripts without blanks */
    CHAR_WORD = CHAR_LETTER | CHAR_DIGIT | CHAR_MARK
};

/* Build the table; may be called often and from any thread. */
void char_class_init(void);

extern uint8_t char_class_table[0x10000];

uint8_t char_class_wide(uint32_t cp); /* beyond the table */
uint32_t char_lower(uint32_t cp);     /* any code point */

/* Is it of a script whose words a dictionary tells apart (Burmese, Khmer, Lao,
 * Thai and others, with their marks)?  Asks ICU. */
bool char_complex(uint32_t cp);

static inline uint8_t
char_class(uint32_t cp)
{
    return cp < 0x10000 ? char_class_table[cp] : char_class_wide(cp);
}

/* The code point at s.p[*at], *at < s.n; moves *at behind it.  s is valid
 * UTF-8; a sequence cut off by the end reads as U+FFFD. */
static inline uint32_t
char_next(struct str s, size_t *at)
{
    const unsigned char *p = (const unsigned char *)s.p + *at;
    size_t need = p[0] < 0x80 ? 1 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    uint32_t cp;

    if (need == 1) {
        *at += 1;
        return p[0];
    }
    if (s.n - *at < need) {
        *at = s.n;
        return 0xfffd;
    }
    cp = p[0] & (0x7fu >> need);
    for (size_t i = 1; i < need; i++)
        cp = cp << 6 | (p[i] & 0x3f);
    *at += need;
    return cp < 0x110000 ? cp : 0xfffd;
}

#endif
