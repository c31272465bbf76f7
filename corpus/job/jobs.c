/* jobs.c -- see job.h: the table of jobs. */
#include "job.h"

#define JOB(id) extern const struct corpus_job job_##id;
#include "jobs.tbl.h"
#undef JOB

const struct corpus_job *const job_table[] = {
#define JOB(id) &job_##id,
#include "jobs.tbl.h"
#undef JOB
    NULL};

const struct corpus_job *
job_find(struct str name)
{
    for (const struct corpus_job *const *j = job_table; *j != NULL; j++)
        if (str_eq(name, str_c((*j)->name)))
            return *j;
    return NULL;
}
