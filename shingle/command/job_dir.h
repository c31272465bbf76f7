/* job_dir.h -- the folder of a job whose command names none, as `winnow crawl`
 * has it: the job file's name without folder and .ini. */
#ifndef SHINGLE_JOB_DIR_H
#define SHINGLE_JOB_DIR_H

#include "base/str.h"

static inline struct str
job_dir(struct str job)
{
    size_t from = job.n;

    while (from > 0 && job.p[from - 1] != '/')
        from--;
    return str_sub(job, from, job.n - (str_ends(job, S(".ini")) ? 4 : 0));
}

#endif
