/* ascii_art.h -- lines drawn with ASCII: rules, boxes, leaders, ornaments. */
#ifndef CLEAN_ASCII_ART_H
#define CLEAN_ASCII_ART_H

#include "base/arena.h"

/* The text without them, blanks collapsed where something went; `s` itself when
 * there is none.  Pure; a second pass changes nothing. */
struct str ascii_art_remove(struct arena *a, struct str s);

#endif
