/* job_words.h -- the sentences of lines, as words.
 *
 * A line's sentences stand in one column: of documents (doc_line.h) between
 * tags, else with a separator between them.  Words have blanks between them. */
#ifndef CORPUS_JOB_WORDS_H
#define CORPUS_JOB_WORDS_H

#include "base/buf.h"
#include "job.h"

struct job_words {
    struct job_run *r;
    uint64_t column, weight_column; /* from 1; weight 0: none */
    struct str separator;
    unsigned rejected; /* counter of lines without that column */

    struct str rest; /* of the line's sentences */
    bool has_tags;
    struct buf plain;

    struct str *word; /* of the sentence, valid until the next call */
    size_t n, room;
    uint64_t weight; /* how often the line counts */
};

/* The options of jobs that use it. */
#define JOB_WORDS_OPTIONS                                                      \
    JOB_NUMBER("column", "1", "Which column has the sentences.", 1, 1000),     \
        JOB_NUMBER("weight-column", "0",                                       \
                   "Which column says how often a line counts; 0: each once.", \
                   0, 1000),                                                   \
        JOB_TEXT("separator", "<s>", "What stands between two sentences.",     \
                 NULL)

void job_words_open(struct job_words *w, struct job_run *r, unsigned rejected);
void job_words_close(struct job_words *w);

/* The next sentence that has words.  False: that was the last one. */
bool job_words_next(struct job_words *w);

#endif
