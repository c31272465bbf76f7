/* hyphens.h -- lines put together again: is the hyphen at the end of a line of
 * the word, or only of the line?
 *
 * The document's other words say so: `hyphen-|ation` is one word where
 * "hyphenation" stands elsewhere in it, and keeps its hyphen where only
 * "hyphen-ation" does.  Where neither does, the hyphen goes, unless what
 * follows begins with a capital or a digit ("Ost-|West").  "ein- | und
 * ausgehen" keeps both. */
#ifndef CLEAN_CONVERT_HYPHENS_H
#define CLEAN_CONVERT_HYPHENS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/hashmap.h"

struct hyphens {
    struct hashmap words; /* hashes of words, in lower case */
};

void hyphens_init(struct hyphens *h, struct arena *a);
void hyphens_learn(struct hyphens *h, struct str line); /* valid UTF-8 */

/* Append a line to those before it, with a blank between, or without the
 * hyphen, or as the words want it. */
void hyphens_append(const struct hyphens *h, struct buf *text, struct str line);

/* Is its first letter a small one, as where a sentence goes on? */
bool hyphens_lower(struct str text);

/* Does the text end with a hyphen behind a letter? */
bool hyphens_end(struct str text);

#endif
