/* confusable_learn.h -- makes a table of stems (confusable.h) out of how often
 * each word occurs in two languages. */
#ifndef CLEAN_CONFUSABLE_LEARN_H
#define CLEAN_CONFUSABLE_LEARN_H

#include "clean/text/words.h"
#include "confusable.h"

struct confusable_learner; /* opaque; see clean/language/confusable_learn.c */

struct confusable_learner *
confusable_learner_new(void); /* NULL: out of memory */
void
confusable_learner_free(struct confusable_learner *l); /* NULL is allowed */

/* Where a word is from. */
enum confusable_source {
    CONFUSABLE_LANGUAGE, /* the list of the language */
    CONFUSABLE_OTHER,    /* the list of its confusable language */
    CONFUSABLE_TEXT      /* running text of the language */
};

/* A word in capitals occurs so often there.  What is added twice adds up. */
void confusable_learner_add(struct confusable_learner *l, struct str word,
                            uint64_t count, enum confusable_source source);

/* Texts: all words, one text after the other; text i goes from its word
 * start[i] to start[i + 1] (start[texts_n] is the end). */
struct confusable_sample {
    const struct words *words;
    const uint32_t *start;
    size_t texts_n;
};

/* The table of both lists, as running text of the language bears it out.
 * Memory from `a`.  NULL: too few words in the lists.  Once only. */
struct confusable *confusable_learn(struct confusable_learner *l,
                                    struct str language,
                                    const struct confusable_sample *running,
                                    struct arena *a);

#endif
