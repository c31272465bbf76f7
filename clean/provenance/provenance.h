/* provenance.h -- what the results of `winnow clean` were made with, for who
 * reads them and for who adds to them: one JSON object, as crawls have it
 * (crawler/job/job.h), in a file beside them. */
#ifndef CLEAN_PROVENANCE_H
#define CLEAN_PROVENANCE_H

#include "base/facts.h" /* PROVENANCE_FILE */
#include "base/options/opt.h"

enum provenance_use {
    PROVENANCE_NEW,   /* nothing else is there */
    PROVENANCE_ADD,   /* results of before may stay, and are not counted on */
    PROVENANCE_GO_ON, /* they stay, and are to be of the same making */
};

/* Write the file: version, time of the first run, models by their digests, the
 * options that decide what comes of a page, and what of all that was changed
 * between runs and when; of files that stand in the folder without such a file,
 * that nobody knows what made them.  PROVENANCE_GO_ON, unless `change`:
 * ST_USAGE (reported) when that differs.  ST_USAGE, too, when another program's
 * file stands there; ST_IO, ST_FULL (reported).  Several processes may do it at
 * once for one folder, which is made when it is missing. */
enum status provenance_write(const char *path, const struct opts *o,
                             enum provenance_use use, bool change);

/* ST_USAGE (reported): another program's file stands there; ST_IO likewise. */
enum status provenance_check(const char *path);

#endif
