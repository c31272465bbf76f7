/* kept_map.h -- what a map phase has made of a file, kept until the stage is
 * finished: a run that goes on takes it from there.
 *
 * Jobs ask for it by job_keep(), of files that take long.  Of each there is
 * FOLDER/NAME.zst, its lines, and then FOLDER/NAME.done, how many these are and
 * the counters; NAME says the settings and what the file looked like, so what
 * has changed is not found. */
#ifndef CORPUS_KEPT_MAP_H
#define CORPUS_KEPT_MAP_H

#include "base/hash.h"
#include "corpus/job/job.h"

struct kept_map_place {
    const char *folder; /* made when there is something to keep */
    struct hash128 settings;
    const struct corpus_job *job;
};

/* Of how many of the files there is something; what was kept with other
 * settings goes. */
size_t kept_map_tidy(const struct kept_map_place *at, char *const *path,
                     size_t n);

struct kept_map; /* of one mapper; opaque */

/* `at` and `io` are borrowed; `io` puts lines, and `totals` are what its mapper
 * counts.  `number`: no other mapper at this place has it. */
struct kept_map *kept_map_new(const struct kept_map_place *at, size_t number,
                              const struct job_io *io,
                              struct job_totals *totals);
/* What is kept of a file that has not ended is dropped; NULL is allowed. */
void kept_map_free(struct kept_map *k);

/* The next file.  ST_OK: its lines have been put and its counters added;
 * ST_NONE: it is to be mapped; ST_IO and what put() says: reported. */
enum status kept_map_take(struct kept_map *k, const char *path);
/* Keep what comes of that file.  ST_IO, ST_FULL: reported, as below. */
enum status kept_map_begin(struct kept_map *k);
/* One of its lines, if it is kept. */
enum status kept_map_put(struct kept_map *k, struct str line);
/* It was mapped to its end. */
enum status kept_map_end(struct kept_map *k);

#endif
