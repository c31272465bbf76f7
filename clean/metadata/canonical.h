/* canonical.h -- which URL a page says is the one that its text belongs to:
 * <link rel=canonical>, or the header Link (RFC 6596, RFC 8288). */
#ifndef CLEAN_CANONICAL_H
#define CLEAN_CANONICAL_H

#include "clean/chain/document.h"

/* As it stands in the page, else in its headers; "": it says none. */
struct str canonical_said(const struct document *d);

/* Fills d->meta.canonical and d->canonical_other. */
void canonical_read(struct document *d);

#endif
