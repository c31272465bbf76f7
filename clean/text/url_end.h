/* url_end.h -- where an address that stands in running text is over. */
#ifndef CLEAN_URL_END_H
#define CLEAN_URL_END_H

#include <stdbool.h>
#include <stdint.h>

/* Quotes, brackets and punctuation that no URL holds but escaped, and that text
 * puts right behind one: of typography, Chinese and Japanese.  Not the letters
 * among them, nor the middle dot in names in katakana (RFC 5892, A.7). */
static inline bool
url_ends_before(uint32_t cp)
{
    if (cp < 0x3000)
        return cp == '<' || cp == '>' || cp == '"' || cp == 0xab ||
               cp == 0xbb || (cp >= 0x2018 && cp <= 0x201f) || cp == 0x2026 ||
               cp == 0x2039 || cp == 0x203a;
    return cp <= 0x3004 || (cp >= 0x3008 && cp <= 0x3020) ||
           (cp >= 0xff01 && cp <= 0xff0f) || (cp >= 0xff1a && cp <= 0xff20) ||
           (cp >= 0xff3b && cp <= 0xff40) || (cp >= 0xff5b && cp <= 0xff64);
}

#endif
