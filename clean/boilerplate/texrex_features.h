/* texrex_features.h -- the 37 features that texrex's networks see.
 *
 * As texrex (texrex-behindthecow) computes them, its habits included: what its
 * networks were trained on.  Not counted: the record's and the answer's header
 * lines, which texrex has as part of the page (feature 4). */
#ifndef CLEAN_TEXREX_FEATURES_H
#define CLEAN_TEXREX_FEATURES_H

#include "clean/chain/document.h"
#include "texrex_divisions.h"

#define TEXREX_N 37

struct texrex_features {
    struct texrex_page page;
    float (*row)[TEXREX_N]; /* of each division */
    bool *valid;            /* false: no text, the row is zero */
};

/* Of d->utf8; memory from the document's arena. */
void texrex_features(struct texrex_features *out, const struct document *d,
                     const struct letters *l);

/* The row of the division that block `i` stands in, NULL if it is in none that
 * is valid: texrex would not have the text at all. */
const float *texrex_block_row(const struct texrex_features *f,
                              const struct document *d, uint32_t i);

#endif
