/* local.h -- a whole job on this machine. */
#ifndef CORPUS_JOB_LOCAL_H
#define CORPUS_JOB_LOCAL_H

#include "job.h"

struct local_job {
    const struct corpus_job *job;
    const char *const *define; /* KEY=VALUE */
    size_t defines_n;
    char *const *file; /* none: standard input */
    size_t files_n;
    const char *memory; /* for sort(1) */
    const char *output; /* NULL: standard output */
};

/* map, sort, combine, reduce, whichever the job has.  False: reported; the
 * output does not have its name then. */
bool local_run(const struct local_job *l);

#endif
