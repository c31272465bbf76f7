/* job_fields.h -- JSONL in the place of columns: fields of an object for each
 * line that goes in, and names for the columns of those that come out. */
#ifndef CORPUS_JOB_FIELDS_H
#define CORPUS_JOB_FIELDS_H

#include "base/buf.h"
#include "job.h"

struct job_fields {
    const struct job_io *inner;
    struct str in, out; /* names, with commas between them; "": lines */
    struct json_reader *json;
    struct buf line, object;
    uint64_t rejected; /* lines that are no JSON object */
};

/* `names` is IN, :OUT or IN:OUT, and must stay, as `inner` must. */
void job_fields_open(struct job_fields *f, struct job_io *io,
                     const struct job_io *inner, struct str names);
void job_fields_close(struct job_fields *f);

#endif
