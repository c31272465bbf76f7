/* job_words_of.h -- word lists of languages, each read when it is first needed.
 * One thread. */
#ifndef CORPUS_JOB_WORDS_OF_H
#define CORPUS_JOB_WORDS_OF_H

#include "base/buf.h"
#include "corpus/text/language_words.h"
#include "job.h"

struct job_word_lists {
    struct job_run *r;
    struct buf folder;
    struct buf more; /* lines that are added to each list: option words */
    struct {
        char language[16];
        struct language_words *words;
    } list[128];
    size_t n;
};

/* The option of jobs that use it. */
#define JOB_WORD_LISTS_OPTION                                                  \
    JOB_PATH("words",                                                          \
             "A file of more words, as data/words has them and job "           \
             "abbreviations learns them.",                                     \
             job_words_check)

/* Whether `path` is a word list; if not, why. */
bool job_words_check(const char *path, struct buf *why);

void job_word_lists_open(struct job_word_lists *l, struct job_run *r);
void job_word_lists_close(struct job_word_lists *l);

/* The list of a language; of one that has none, what is common to all.  NULL:
 * it cannot be read, and the phase has failed. */
const struct language_words *job_word_list(struct job_word_lists *l,
                                           struct str language);

/* Where models and lists are, NUL after it. */
void job_data_dir(const struct job_run *r, struct buf *out);

#endif
