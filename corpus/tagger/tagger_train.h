/* tagger_train.h -- models of taggers are learnt from CoNLL-U. */
#ifndef CORPUS_TAGGER_TRAIN_H
#define CORPUS_TAGGER_TRAIN_H

#include "base/buf.h"
#include "base/status.h"

struct tagger_plan {
    const char *const *files; /* CoNLL-U to learn from; "upos:FILE": its
                               * language-specific tags are of another set */
    size_t files_n;
    const char *test;    /* CoNLL-U to be judged by; NULL: none */
    const char *out;     /* NULL: nothing is saved */
    struct str language; /* that the model names; "": none */
    unsigned epochs, bits;
    unsigned nets; /* taggers that see the sentences in orders of their own, of
                    * which the UPOS are the mean; 0 is 1 */
    uint64_t seed;
};

/* Learn, print on standard output how many words of --test get their tags and
 * their lemma, save.  What is wrong is reported. */
enum status tagger_train(const struct tagger_plan *o);

#endif
