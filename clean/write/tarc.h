/* tarc.h -- where a document stands in a TARC file (writer_tarc.c). */
#ifndef CLEAN_TARC_H
#define CLEAN_TARC_H

#include "clean/chain/document.h"

/* `record`, rendered by writer tarc, begins at `offset` (of the decompressed
 * bytes) of `file`: facts tarcfile and the like of *d are known from now on. */
void tarc_place(struct document *d, struct str record, struct str file,
                uint64_t offset);

#endif
