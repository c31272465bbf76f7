/* job_dir.h -- the folder of a job whose command names none. */
#ifndef BASE_JOB_DIR_H
#define BASE_JOB_DIR_H

#include "base/path.h"

/* The job file's name without folder and .ini: in the working folder. */
static inline struct str
job_dir(struct str job)
{
    job = path_base(job);
    return str_sub(job, 0, job.n - (str_ends(job, S(".ini")) ? 4 : 0));
}

#endif
