/* facts.h -- what decides on a corpus, as lines NAME = VALUE, which crawlers of
 * one corpus are to have alike. */
#ifndef BASE_FACTS_H
#define BASE_FACTS_H

#include "base/buf.h"

/* What made the documents beside it, for their readers. */
#define PROVENANCE_FILE "provenance.json"

/* The value of `name`; "": there is none. */
struct str facts_value(struct str facts, struct str name);
bool facts_have(struct str facts, struct str name); /* if with no value */

/* Append a line NAME: WAS -> IS for each fact in which two texts differ; lines
 * that are no facts do not count. */
void facts_compare(struct str was, struct str is, struct buf *out);
/* The same, but of those alone that `was` has. */
void facts_compare_given(struct str was, struct str is, struct buf *out);

#endif
