/* language_id.h -- in which language a sentence or a document is.
 *
 * The script decides first; among the languages of one script the n-grams of
 * the words' letters, by weights that data/languages.py has made
 * (data/languages.model).  Read-only after it is opened, for any number of
 * threads; no memory of its own for a text.  Bytes that are no UTF-8 separate
 * words. */
#ifndef CORPUS_LANGUAGE_ID_H
#define CORPUS_LANGUAGE_ID_H

#include "base/buf.h"
#include "base/status.h"
#include "base/str.h"

struct language_model; /* opaque; see language_id.c */

struct language_guess {
    struct str language; /* ISO 639-1; "und": none of them, or no language */
    struct str best;     /* the likeliest, whether or not it is certain */
    struct str second;   /* the next one of the same script, or empty */
    double confidence;   /* 0 to 1: how surely the best is not the second */
    double fit;          /* how much of the text is as the best is written */
    double known;        /* share of its n-grams that any language has */
    unsigned letters;    /* that were looked at */
};

/* From DATA/languages.model; the caller owns *out.  ST_IO: it cannot be read;
 * ST_INVALID: it is none.  Both are reported. */
enum status language_model_open(struct language_model **out, const char *data);
/* The same from its bytes, which may go afterwards; nothing is reported. */
enum status language_model_read(struct language_model **out, struct str bytes);
void language_model_free(struct language_model *m); /* NULL is allowed */

/* Of a long text some parts are looked at, of a sentence as much as decides. */
void language_guess(const struct language_model *m, struct str text,
                    struct language_guess *g);

/* The code by which guesses call the language CODE ("nb" of "no"); "": they
 * know none of that name.  Borrowed from the model, or static. */
struct str language_known(const struct language_model *m, struct str code);
/* All of them, each behind a blank. */
void language_list(const struct language_model *m, struct buf *out);

#endif
