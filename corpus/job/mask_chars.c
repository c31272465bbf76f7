/* mask_chars.c -- see mask_chars.h.  Hides ICU's character properties. */
#include "mask_chars.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "clean/text/letters.h"

static enum mask_char
letter_of(uint32_t cp)
{
    UErrorCode e = U_ZERO_ERROR;

    switch (uscript_getScript((UChar32)cp, &e)) {
    case USCRIPT_LATIN: return MASK_LATIN;
    case USCRIPT_HANGUL: return MASK_LOOSE;
    default: return letters_blankless(cp) ? MASK_LOOSE : MASK_LETTER;
    }
}

enum mask_char
mask_char_of(uint32_t cp)
{
    uint32_t mask;

    if (cp < 0x80)
        return ascii_alpha((char)cp)   ? MASK_LATIN
               : ascii_digit((char)cp) ? MASK_DIGIT
                                       : MASK_SIGN;
    mask = U_GET_GC_MASK((UChar32)cp);
    return mask & U_GC_L_MASK    ? letter_of(cp)
           : mask & U_GC_M_MASK  ? MASK_MARK
           : mask & U_GC_ND_MASK ? MASK_DIGIT
                                 : MASK_SIGN;
}

enum mask_char
mask_char_before(struct str s, size_t at, size_t *begin)
{
    return mask_char_of(scan_before(s, at, begin));
}

bool
mask_goes_on(struct str s, size_t at)
{
    enum mask_char c = at < s.n ? mask_char_next(s, &at) : MASK_SIGN;

    return c != MASK_SIGN && c != MASK_LOOSE;
}
