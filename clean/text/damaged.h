/* damaged.h -- text in which characters were lost (U+FFFD). */
#ifndef CLEAN_DAMAGED_H
#define CLEAN_DAMAGED_H

#include "base/arena.h"
#include "base/str.h"

bool text_damaged(struct str text);

/* The text without the sentences that are damaged; "" if less than half of it
 * would be left. */
struct str text_undamaged(struct arena *a, struct str text);

#endif
