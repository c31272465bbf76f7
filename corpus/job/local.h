/* local.h -- a whole job on this machine. */
#ifndef CORPUS_JOB_LOCAL_H
#define CORPUS_JOB_LOCAL_H

#include "job.h"

struct local_job {
    const struct corpus_job *job;
    const char *memory; /* for sort(1) */
    const char *output; /* NULL: standard output */
    char *const *file;  /* none: standard input; read by the first ... */
    size_t files_n;     /* ... process, be it a phase or sort */
    /* Runs a phase from standard input to standard output, in a process of its
     * own; the first process reads the files.  An exit code. */
    int (*phase)(void *self, enum job_phase phase, bool first, bool last);
    void *self;
};

/* map, sort, combine, reduce, whichever the job has.  The exit code:
 * EXIT_REJECTED when a phase says so; EXIT_FAILED is reported, and the output
 * does not have its name then. */
int local_run(const struct local_job *l);

#endif
