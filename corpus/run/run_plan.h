/* run_plan.h -- a pipeline for engines that are not ours. */
#ifndef CORPUS_RUN_PLAN_H
#define CORPUS_RUN_PLAN_H

#include "corpus/lines/paths.h"
#include "pipeline.h"

/* One JSON object for corpus/spark/winnow_spark.py: "stages", of each name,
 * from (names of stages), paths (files), files (it reads whole ones), map,
 * combine, reduce (words of commands behind the program, null: none),
 * one_reduce, result (no stage reads it). */
void plan_json(const struct pipeline *p, const struct paths *input,
               struct buf *out);

/* A shell script of Hadoop Streaming commands. */
void plan_hadoop(const struct pipeline *p, const struct paths *input,
                 const char *folder, struct buf *out);

#endif
