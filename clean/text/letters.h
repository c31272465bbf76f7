/* letters.h -- which characters make words, and their capitals.
 *
 * Answers from tables made once from ICU's character properties, so that the
 * loops over text call no library.  Read-only after letters_new(); shared by
 * all threads. */
#ifndef CLEAN_LETTERS_H
#define CLEAN_LETTERS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

enum letter_class {
    LETTER_NONE,   /* separates words: blanks, digits, punctuation, symbols */
    LETTER_WORD,   /* a letter of a script that puts blanks between words */
    LETTER_SINGLE, /* a letter of a script without blanks: Han, Kana, Thai */
    LETTER_MARK,   /* a combining mark: goes on with the word before it */
    LETTER_SILENT, /* soft hyphen, joiners: neither ends nor belongs to one */
    LETTER_SHARP_S /* two capitals, SS */
};

/* Set beside the class: text with this character may not be in form C. */
#define LETTER_CHECK_NFC 0x80u

/* Code points above this are never letters to us (planes 4 to 16). */
#define LETTERS_END 0x40000u

struct letters {
    uint8_t ascii_upper[128];              /* 0: not a letter */
    uint16_t page[LETTERS_END >> 8];       /* index into class_page */
    uint16_t upper_page[LETTERS_END >> 8]; /* index into upper, 0: as it is */
    uint8_t (*class_page)[256];
    uint32_t (*upper)[256];
    uint16_t uppers_n; /* pages in use there, but for the first */
};

/* One for the process, made when it is first asked for.  NULL: out of memory.
 */
struct letters *letters_new(void);

/* Only code points of n ranges make words; everything else separates. */
struct letter_range {
    uint32_t first, last;
};
struct letters *letters_new_of(const struct letter_range *ranges, size_t n);

void letters_free(struct letters *l); /* NULL is allowed */

static inline enum letter_class
letters_class(const struct letters *l, uint32_t cp)
{
    if (cp >= LETTERS_END)
        return LETTER_NONE;
    return (enum letter_class)(l->class_page[l->page[cp >> 8]][cp & 0xff] &
                               ~LETTER_CHECK_NFC);
}

/* The capital by Unicode's simple mapping, or cp itself. */
static inline uint32_t
letters_upper(const struct letters *l, uint32_t cp)
{
    uint16_t page = cp < LETTERS_END ? l->upper_page[cp >> 8] : 0;

    return page == 0 ? cp : l->upper[page][cp & 0xff];
}

/* The small letter by Unicode's simple mapping, or cp itself; asks ICU each
 * time, so it is not for loops over text. */
uint32_t letters_lower(uint32_t cp);

/* Valid UTF-8 in normalization form C; `s` itself if it is already. */
struct str letters_nfc(const struct letters *l, struct arena *a, struct str s);

/* Is cp of a script that is written without blanks between words?  Asks ICU:
 * for tables made once, not for every character of a page. */
bool letters_blankless(uint32_t cp);

/* Is cp a combining mark?  Asks ICU unless it is of a Latin letter. */
bool letters_mark(uint32_t cp);

#endif
