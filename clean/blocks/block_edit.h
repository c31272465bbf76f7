/* block_edit.h -- changing texts of a classified document, its sums kept right.
 */
#ifndef CLEAN_BLOCK_EDIT_H
#define CLEAN_BLOCK_EDIT_H

#include "clean/chain/document.h"

/* Give block `b` another text (in d->arena); a kept block that is left without
 * any is no longer kept.  After the boilerplate stage. */
void block_set_text(struct document *d, struct block *b, struct str text);

/* Put each block's text and each piece of metadata that people read through a
 * function; it returns its argument when nothing changes.  code: what it gets
 * is code or has some in it, so that signs are not what they look like. */
typedef struct str text_change(const void *self, struct arena *a, struct str s,
                               bool code);
void document_change(struct document *d, text_change *change, const void *self);

#endif
