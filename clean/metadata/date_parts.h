/* date_parts.h -- a text as numbers and words, for date_text.c alone. */
#ifndef CLEAN_DATE_PARTS_H
#define CLEAN_DATE_PARTS_H

#include "date_text.h"

#define DATE_PARTS_MAX 96u /* of a text; the rest is not read */

enum part_kind { PART_NUMBER, PART_WORD };

struct date_part {
    enum part_kind kind;
    char mark;      /* what stands before it, blanks aside: '-', '/', '.', ','
                       or '\''; Y, M, D: 年, 月, 日; '\0': nothing, or more */
    uint8_t digits; /* of a number */
    uint8_t month, context; /* of a word */
    uint32_t value;
    size_t from, to;
    struct str word; /* in lower case, cut at 31 bytes */
    char lower[32];
};

size_t date_parts(struct date_part parts[DATE_PARTS_MAX], struct str text);

/* "3 days ago", "vor 3 Tagen", "yesterday", before how->fetched_ms; how many
 * parts. */
size_t date_relative(struct day_time *out, const struct date_part *p, size_t n,
                     const struct date_reading *how);

#endif
