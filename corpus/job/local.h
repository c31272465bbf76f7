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
    bool paths;             /* standard input has the names of the files */
    const char *fields;     /* IN:OUT, for a job of one phase; or NULL */
    const char *fields_in;  /* IN, for the first of several; or NULL */
    const char *fields_out; /* :OUT, for the last one; or NULL */
    const char *memory;     /* for sort(1) */
    const char *output;     /* NULL: standard output */
};

/* map, sort, combine, reduce, whichever the job has.  False: reported; the
 * output does not have its name then.  `paths` and `fields_in` are of jobs that
 * have a map. */
bool local_run(const struct local_job *l);

#endif
