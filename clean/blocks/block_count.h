/* block_count.h -- the counts of a block's text, in one pass over it. */
#ifndef CLEAN_BLOCK_COUNT_H
#define CLEAN_BLOCK_COUNT_H

#include "block.h"

#define TITLE_WORDS_MAX 32
#define TITLE_BLOOM 4

/* Different words of a page's title or description, by their lexicon hash. */
struct title_words {
    uint64_t hash[TITLE_WORDS_MAX];
    uint64_t bloom[TITLE_BLOOM]; /* a bit for each of them; mostly none */
    uint32_t n;
};

void title_words_set(struct title_words *t, struct str title);
/* The same without function words. */
void title_words_set_summary(struct title_words *t, struct str summary);

/* Count `text` (valid UTF-8, white space collapsed to single blanks) into the
 * text part of *c, which is zero before. */
void block_count_text(struct block_counts *c, struct str text,
                      const struct title_words *title,
                      const struct title_words *summary);

/* Call word(self, hash) for each word of `text`, as counted above. */
void block_words(struct str text, void (*word)(void *self, uint64_t hash),
                 void *self);

#endif
