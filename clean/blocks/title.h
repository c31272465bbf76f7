/* title.h -- what a page is called, without the name of the site. */
#ifndef CLEAN_TITLE_H
#define CLEAN_TITLE_H

#include "winnow/str.h"

/* Of the <title> "Storm hits coast - The Daily" and the headings of the page
 * (h1 first): the heading that the title holds as a part of its own, else the
 * title; without a title the first heading; "" without either.  A part of the
 * arguments' bytes.  Pure. */
struct str title_find(struct str title, const struct str *headings, size_t n);

#endif
