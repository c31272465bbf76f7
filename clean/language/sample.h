/* sample.h -- the words of a document by which it is judged.
 *
 * They are those of its running text (clean/text/running_text.h), if that is
 * SAMPLE_WORDS_MIN words and SAMPLE_SHARE_MIN of all at least; of a document
 * with less, which is a list with a sentence or two, all words. */
#ifndef CLEAN_SAMPLE_H
#define CLEAN_SAMPLE_H

#include "clean/chain/document.h"
#include "word_order.h"

#define SAMPLE_WORDS_MIN 50u
#define SAMPLE_SHARE_MIN 0.25

struct sample {
    struct arena *arena;
    const struct token_type *types; /* the document's, counted in the sample */
    const uint32_t *tokens;         /* the document's words, as types */
    struct token_run *runs;         /* those among them that count */
    uint32_t types_n, runs_n, tokens_n;
    bool running; /* is it the running text alone, or all of it? */
};

/* The words by which *d is judged; `everything`: all of them.  Memory from the
 * document's arena, which the sample must not outlive. */
void sample_take(struct sample *x, const struct document *d, bool everything);

#endif
