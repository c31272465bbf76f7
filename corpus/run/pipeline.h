/* pipeline.h -- jobs that follow each other, as a text says.
 *
 *     # from pages to counted words
 *     documents = document < input
 *     unique = deduplication test-length=500 < documents
 *     words = ngram n=1 column=4 < unique
 *
 * A line is a stage: its name, its job, options of the job (in quotes where
 * they have blanks), and what it reads: stages above it, `input` (the files of
 * the command line), or patterns of files, which have a '/', '.' or '*'. */
#ifndef CORPUS_PIPELINE_H
#define CORPUS_PIPELINE_H

#include "base/arena.h"
#include "base/buf.h"
#include "corpus/job/job.h"

enum {
    PIPELINE_STAGES_MAX = 64,
    PIPELINE_INPUTS_MAX = 16,
    PIPELINE_DEFINES_MAX = 32
};

struct pipeline_input {
    size_t stage;       /* below this stage's number; SIZE_MAX: files */
    struct str pattern; /* of files; "": those of the command line */
};

struct pipeline_stage {
    const char *name;
    const struct corpus_job *job;
    struct pipeline_input input[PIPELINE_INPUTS_MAX];
    size_t inputs_n;
    const char *define[PIPELINE_DEFINES_MAX]; /* KEY=VALUE, as they were set */
    size_t defines_n;
    struct job_settings settings;
    bool is_read; /* by another stage */
};

struct pipeline {
    struct arena *arena; /* of all texts */
    struct pipeline_stage stage[PIPELINE_STAGES_MAX];
    size_t n;
};

/* False: *why says what is wrong, with the line's number.  `p` begins with its
 * arena and nothing else. */
bool pipeline_read(struct pipeline *p, struct str text, struct buf *why);

/* KEY=VALUE for all stages whose job has the option, or STAGE.KEY=VALUE.
 * False: there is none that takes it, *why says so. */
bool pipeline_set(struct pipeline *p, struct str given, struct buf *why);

/* For all stages: the folder of models and lists of words (clean.data), and
 * SECTION.KEY=VALUE of what is set of cleaning; all borrowed. */
void pipeline_set_clean(struct pipeline *p, struct str folder,
                        const char *const *set, size_t set_n);

/* The text of a pipeline that is built in; NULL: none of that name. */
const char *pipeline_built_in(struct str name);

#endif
