/* profiler.h -- makes a profile (profile.h) out of documents. */
#ifndef CLEAN_PROFILER_H
#define CLEAN_PROFILER_H

#include "clean/text/words.h"
#include "confusable_learn.h"
#include "profile.h"

struct profiler; /* opaque; see clean/language/profiler.c */

struct profiler *profiler_new(void); /* NULL: out of memory */
void profiler_free(struct profiler *p);

/* Words of scripts without blanks by dictionaries, as clean.word_break has it
 * for pages; before the first document.  `g` must live as long. */
void profiler_segment(struct profiler *p, const struct segmenter *g);

/* Add the text of one document. */
void profiler_add(struct profiler *p, struct str text);

/* Add a document by its types (in capitals; text and count are used, those of
 * equal types add up) and its number of words, which may be more than are
 * listed. */
void profiler_add_types(struct profiler *p, const struct token_type *types,
                        uint32_t types_n, uint32_t tokens_n);

uint64_t profiler_documents_n(const struct profiler *p);
uint64_t profiler_tokens_n(const struct profiler *p);

/* Leave this word (any case) out of the profile. */
void profiler_skip(struct profiler *p, struct str word);

/* A language that the common words do not tell: both lists are in. */
struct confusable_plan {
    struct str language;
    struct confusable_learner *learner;
};

/* What is asked for. */
struct profiler_plan {
    struct str language;
    uint32_t types_n;       /* most words of the published badness */
    double share_min;       /* rarer words are none of them ... */
    uint32_t types_min;     /* ... once there are so many */
    double sd_min;          /* least standard deviation */
    uint32_t order_words_n; /* words in the table of word order; 0: no table */
    double elsewhere;       /* as order_learn() has it */
    const struct confusable_plan *confusable; /* confusable languages */
    size_t confusable_n;
};

/* The most frequent words with their mean and standard deviation, and the table
 * of word order.  Strings live in `a`.  ST_INVALID: fewer than two documents or
 * fewer words than the least, in the texts or in the lists. */
enum status profiler_finish(const struct profiler *p, struct profile *out,
                            struct arena *a, const struct profiler_plan *plan);

#endif
