/* sibling_learn.h -- makes a table of stems (sibling.h) out of how often each
 * word occurs in two languages. */
#ifndef CLEAN_SIBLING_LEARN_H
#define CLEAN_SIBLING_LEARN_H

#include "sibling.h"
#include "words.h"

struct sibling_learner; /* opaque; see clean/text/sibling_learn.c */

struct sibling_learner *sibling_learner_new(void);    /* NULL: out of memory */
void sibling_learner_free(struct sibling_learner *l); /* NULL is allowed */

/* Where a word is from. */
enum sibling_source {
    SIBLING_LANGUAGE, /* the list of the language */
    SIBLING_SIBLING,  /* the list of its sibling */
    SIBLING_TEXT      /* running text of the language */
};

/* A word in capitals occurs so often there.  What is added twice adds up. */
void sibling_learner_add(struct sibling_learner *l, struct str word,
                         uint64_t count, enum sibling_source source);

/* Texts: all words, one text after the other; text i goes from its word
 * start[i] to start[i + 1] (start[texts_n] is the end). */
struct sibling_sample {
    const struct words *words;
    const uint32_t *start;
    size_t texts_n;
};

/* The table of both lists, as running text of the language bears it out.
 * Memory from `a`.  NULL: too few words in the lists.  Once only. */
struct sibling *sibling_learn(struct sibling_learner *l, struct str language,
                              const struct sibling_sample *running,
                              struct arena *a);

#endif
