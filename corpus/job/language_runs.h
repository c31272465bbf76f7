/* language_runs.h -- the sentences of a paragraph that are of another language
 * than the corpus: which of them to believe. */
#ifndef CORPUS_LANGUAGE_RUNS_H
#define CORPUS_LANGUAGE_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct labelled_sentence {
    struct str lani; /* what was detected; "unknown" */
    uint64_t chars;
    bool is_wanted; /* out: it counts as of the language that is wanted */
};

/* A sentence that was detected as `wanted` is of it.  The others stand in runs
 * of one detected language each: a run that begins or ends the paragraph is of
 * that language; one inside is of it when it has more than `most` characters,
 * else it is taken for an error and counts as wanted, if any sentence of the
 * paragraph is. */
void language_runs(struct labelled_sentence *s, size_t n, struct str wanted,
                   uint64_t most);

#endif
