/* run_local.h -- a pipeline on this machine, stage after stage.
 *
 * A stage's parts are in FOLDER/STAGE; with FOLDER/STAGE/done, which has its
 * counters and the number of parts, it is finished, as long as neither it nor
 * what it reads has changed and no part is gone.  While it is made it is
 * FOLDER/STAGE.new, and whatever ends it, it begins anew; but for what was
 * cleaned of archives, which FOLDER/STAGE.kept (kept_map.h) has until then.
 * What a killed run was making goes when the next one begins. */
#ifndef CORPUS_RUN_LOCAL_H
#define CORPUS_RUN_LOCAL_H

#include "corpus/lines/paths.h"
#include "pipeline.h"

struct run_local {
    const struct pipeline *pipeline;
    const struct paths *input; /* of the command line */
    const char *folder;
    size_t threads, memory;
};

/* Counters go to standard output and FOLDER/counters.tsv: stage, counter, N.
 * *unread: records and inputs that could not be read, of this run or of one
 * that it goes on with.  False: something failed, reported. */
bool run_local(const struct run_local *r, uint64_t *unread);

#endif
