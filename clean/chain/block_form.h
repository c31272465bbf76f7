/* block_form.h -- what a block is in the page: heading, item of a list, cell of
 * a table ..., as strip sees it and writers of structured formats need it.
 *
 * Ids count from 1 in the order of the start tags of a page; 0: none. */
#ifndef CLEAN_BLOCK_FORM_H
#define CLEAN_BLOCK_FORM_H

#include "base/str.h"

/* The innermost element that says something wins: a heading in an item is a
 * heading. */
enum form_kind {
    FORM_PARAGRAPH,
    FORM_HEADING,    /* h1 .. h6 */
    FORM_ITEM,       /* li */
    FORM_TERM,       /* dt */
    FORM_DEFINITION, /* dd */
    FORM_CAPTION,    /* figcaption, caption */
    FORM_QUOTE,      /* blockquote */
    FORM_CODE,       /* pre: its text has lines and indentation */
    FORM_CELL,       /* td, th */
    FORM_N
};

struct block_form {
    uint8_t form;  /* enum form_kind */
    uint8_t level; /* of a heading: 1 .. 6 */
    bool header;   /* in a <th> */
    uint16_t column;
    uint32_t part; /* innermost struct page_part, inside of its table */
    uint32_t table;
    uint32_t row; /* of a row whose cells have one block each; else 0 */
    uint32_t cell;
};

/* An element that blocks are in together: li, blockquote, pre. */
struct page_part {
    uint8_t form;    /* FORM_ITEM, FORM_QUOTE or FORM_CODE */
    bool ordered;    /* an item of an <ol> */
    bool from_end;   /* its number is counted from the end, until all is read */
    uint32_t parent; /* the part around it, a lesser id */
    uint32_t list;   /* of an item */
    uint32_t number; /* of an item, as the page shows it: start, value */
    struct str language; /* of code, as the page names it; or "" */
};

/* "paragraph", "heading" ... */
const char *form_name(uint8_t form);

#endif
