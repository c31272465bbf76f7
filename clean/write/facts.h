/* facts.h -- what is known of a document as a whole, by name, as text.
 *
 * The names are those of output.xml_doc_attributes and its like; header-NAME is
 * the HTTP header NAME.  Pure. */
#ifndef CLEAN_FACTS_H
#define CLEAN_FACTS_H

#include "base/buf.h"
#include "clean/chain/document.h"

/* Append the value; nothing when it is not known or there is no such fact. */
void fact_add(struct str name, const struct document *d, struct buf *out);

/* A number with at most 6 significant digits and a point in every locale. */
void fact_real(double value, struct buf *out);

#endif
