/* stage_input.h -- the files that a stage of a local run reads. */
#ifndef CORPUS_STAGE_INPUT_H
#define CORPUS_STAGE_INPUT_H

#include "run_local.h"

/* Names of what a stage makes, in its folder. */
#define STAGE_PARTS "part-*.zst"

struct stage_input {
    struct paths file;
    struct buf known; /* of those that no stage made: another text when one of
                         them has changed */
};

/* Appends a line of what the file looks like: its name, size and time. */
void stage_input_know(struct buf *known, const char *path);

/* False: one is not there, reported.  stage_input_free() in any case. */
bool stage_input_find(struct stage_input *in, const struct run_local *r,
                      const struct pipeline_stage *s);
void stage_input_free(struct stage_input *in);

#endif
