/* stage.h -- one stage of a pipeline, on this machine. */
#ifndef CORPUS_STAGE_RUN_H
#define CORPUS_STAGE_RUN_H

#include "kept_map.h"
#include "pipeline.h"

struct stage_run {
    const struct pipeline_stage *stage;
    char *const *path; /* what it reads */
    size_t paths_n;
    const char *folder;         /* its parts go there; it is there and empty */
    struct kept_map_place kept; /* what its map has made of files before */
    size_t threads;
    size_t memory; /* bytes, for sorting */
};

/* map, sort, combine, reduce, whichever the job has; parts are
 * part-00000.zst ...; totals are added to, without what combiners count. False:
 * reported. */
bool stage_run(const struct stage_run *r, struct job_totals *totals);

#endif
