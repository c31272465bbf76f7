/* element_traits.h -- how elements are opened and closed (HTML 13.1.2.4). */
#ifndef CLEAN_ELEMENT_TRAITS_H
#define CLEAN_ELEMENT_TRAITS_H

#include <stdint.h>

#include "clean/markup/tag.h"

enum element_trait {
    ELEMENT_BLOCK = 1 << 0,
    ELEMENT_VOID = 1 << 1,       /* has no end tag */
    ELEMENT_ENDS_P = 1 << 2,     /* its start tag ends an open <p> */
    ELEMENT_FORMATTING = 1 << 3, /* its end tag does not close blocks */
    ELEMENT_SCOPE = 1 << 4,      /* end tags inside do not reach out of it */
    ELEMENT_PHRASE = 1 << 5,     /* inline: its end tag does not pass a block */
    ELEMENT_FORM = 1 << 6        /* says what a block is (strip_form.c) */
};

extern const uint8_t element_traits[TAG_N]; /* enum element_trait, or-ed */

#endif
