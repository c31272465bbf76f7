/* attached.h -- blocks that belong to others and are judged with them: tables
 * of data, code, formulas, notes and warnings, headings that look like none
 * amid text, and footnotes of text.
 *
 * Where a classifier is in doubt of such a block, it has the value of the text
 * that it belongs to. */
#ifndef CLEAN_ATTACHED_H
#define CLEAN_ATTACHED_H

#include "clean/chain/document.h"

/* limit: the highest value of text. */
void attached_keep(struct document *d, float limit);

#endif
