/* tagger.h -- parts of speech (UPOS of Universal Dependencies, and tags of the
 * language's own, "XPOS") and lemmas.
 *
 * A greedy averaged perceptron over the words around a token, another one that
 * chooses among the language's own tags that go with its UPOS, and rules for
 * lemmas by a word's tag and its end.  Models are made by `winnow train tagger`
 * and stand in DATA/taggers.  Read-only once opened, for any number of threads;
 * memory of a sentence comes from the caller's arena. */
#ifndef CORPUS_TAGGER_H
#define CORPUS_TAGGER_H

#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"

enum { UPOS_N = 17 };
extern const char *const upos_name[UPOS_N]; /* "ADJ" ... "X" */

/* The number of a tag; UPOS_N: there is none of this name. */
unsigned upos_find(struct str name);

struct tagger; /* opaque; see tagger.c */

/* The model of `language`, DATA/taggers/LANGUAGE.tagger; the caller owns *out.
 * ST_NONE: there is none of it; ST_IO, ST_INVALID: reported. */
enum status tagger_open(struct tagger **out, struct str language,
                        const char *data);
/* The same from its bytes, which may go afterwards; nothing is reported. */
enum status tagger_read(struct tagger **out, struct str bytes);
void tagger_free(struct tagger *t); /* NULL is allowed */

/* The tags of a sentence's n words. */
void tagger_tag(const struct tagger *t, struct arena *a,
                const struct str *words, size_t n, uint8_t *tags);

/* The language's own tags of words with these UPOS; "": the model has none for
 * it.  Texts are the model's. */
void tagger_xpos(const struct tagger *t, struct arena *a,
                 const struct str *words, size_t n, const uint8_t *tags,
                 struct str *xpos);

/* The lemma of a word with this tag, in `a` or the word itself. */
struct str tagger_lemma(const struct tagger *t, struct arena *a,
                        struct str word, unsigned tag);

#endif
