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
    uint8_t depth; /* lists around it, inside of the innermost table */
    bool ordered;  /* the innermost of them is an <ol> */
    bool quoted;   /* in a blockquote */
    bool header;   /* in a <th> */
    uint16_t column;
    uint32_t part; /* innermost li, dt, dd, pre, blockquote or caption */
    uint32_t table;
    uint32_t row; /* of a row whose cells have one block each; else 0 */
    uint32_t cell;
};

/* "paragraph", "heading" ... */
const char *form_name(uint8_t form);

#endif
