/* unigrams.h -- words and how often each occurs: a hash table for large lists.
 *
 * Some 40 bytes a word and its letters: ten million words are half a gigabyte.
 * Read-only use is thread-safe. */
#ifndef CLEAN_UNIGRAMS_H
#define CLEAN_UNIGRAMS_H

#include "base/buf.h"
#include "base/status.h"
#include "clean/text/letters.h"

struct unigrams; /* opaque; see clean/tools/unigrams.c */

struct unigrams *unigrams_new(void);    /* owned by the caller */
void unigrams_free(struct unigrams *u); /* NULL is allowed */

/* A word given again adds to its count.  The word is copied. */
void unigrams_add(struct unigrams *u, struct str word, uint64_t count);
uint64_t unigrams_count(const struct unigrams *u, struct str word);
size_t unigrams_n(const struct unigrams *u); /* different words */

/* Take one line: "FREQ<TAB>WORD".  False: it is not of that form. */
bool unigrams_take(struct unigrams *u, struct str line);

/* Read a file of such lines.  *bad: lines of another form, which are passed
 * over.  ST_IO, ST_INVALID: reported. */
enum status unigrams_read(struct unigrams *u, const char *path, uint64_t *bad);

/* Read a file of one word a line in any case; looked up by word_fold().  Lines
 * that are not UTF-8 are passed over. */
enum status unigrams_read_words(struct unigrams *u, const char *path,
                                const struct letters *l);

/* Words that differ only in case fold to the same bytes; into `out`, which is
 * cleared first. */
void word_fold(const struct letters *l, struct str word, struct buf *out);

/* The word in small letters; into `out`, which is cleared first. */
void word_lower(struct str word, struct buf *out);

#endif
