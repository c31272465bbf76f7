/* class_mark.h -- what single words of a class say of an element, whole words
 * of known programs: class_mark.tbl.h. */
#ifndef CLEAN_CLASS_MARK_H
#define CLEAN_CLASS_MARK_H

#include <stdint.h>

#include "base/str.h"

enum class_mark {
    CLASS_MARK_NUMBER = 1 << 0,
    CLASS_MARK_NUMBER_IN_CODE = 1 << 1,
    CLASS_MARK_NUMBER_COLUMN = 1 << 2,
    CLASS_MARK_FRAGMENT = 1 << 3,
    CLASS_MARK_FRAGMENT_LINE = 1 << 4,
    CLASS_MARK_LISTING = 1 << 5,
    CLASS_MARK_LISTING_LINE = 1 << 6,
    CLASS_MARK_LANGUAGE = 1 << 7,
    CLASS_MARK_CONTROL = 1 << 8,
    CLASS_MARK_MARKER = 1 << 9,
    CLASS_MARK_DRAWN = 1 << 10,
    CLASS_MARK_NOTE = 1 << 11,
    CLASS_MARK_NOTE_MARK = 1 << 12,
    CLASS_MARK_FOOTNOTE = 1 << 13,
    CLASS_MARK_ADMONITION = 1 << 14
};

/* enum class_mark, or-ed. */
uint16_t class_marks(struct str class_value);

#endif
