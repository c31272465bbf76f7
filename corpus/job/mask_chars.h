/* mask_chars.h -- what stands at a place of a text, as far as masks ask.
 *
 * Pure, thread-safe. */
#ifndef CORPUS_MASK_CHARS_H
#define CORPUS_MASK_CHARS_H

#include "base/str.h"
#include "corpus/text/text_scan.h"

enum mask_char {
    MASK_SIGN, /* and blanks: what words are parted by */
    MASK_DIGIT,
    MASK_LATIN,
    MASK_LETTER, /* of another script with blanks between words */
    MASK_LOOSE,  /* of one where words stand side by side or go on behind what
                    is foreign: Chinese, Thai, Korean */
    MASK_MARK
};

enum mask_char mask_char_of(uint32_t cp);

/* The character at s.p[*at] (*at < s.n); *at moves behind it. */
static inline enum mask_char
mask_char_next(struct str s, size_t *at)
{
    char c = s.p[*at];

    if ((unsigned char)c >= 0x80)
        return mask_char_of(scan_next(s, at));
    ++*at;
    return ascii_alpha(c)   ? MASK_LATIN
           : ascii_digit(c) ? MASK_DIGIT
                            : MASK_SIGN;
}

/* The one that ends at `at` (at > 0), and where it begins. */
enum mask_char mask_char_before(struct str s, size_t at, size_t *begin);

/* Does a number or a name that ends at `at` go on there? */
bool mask_goes_on(struct str s, size_t at);

#endif
