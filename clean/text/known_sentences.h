/* known_sentences.h -- what the dedup service has said of a document's
 * sentences, done to it (st_sentences.c). */
#ifndef CLEAN_KNOWN_SENTENCES_H
#define CLEAN_KNOWN_SENTENCES_H

#include "clean/chain/document.h"

/* Take out of the document's blocks what d->sentences marks as known.  Of a
 * document of which nothing is left that is the reason to reject it.  After the
 * chain, once. */
void sentences_cut(struct document *d);

#endif
