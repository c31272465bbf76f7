/* corpus_job.h -- of which job a corpus is, as its crawlers say.
 *
 * A job is facts (base/facts.h): what decides which pages are kept and
 * what is written of them, models by their digests.  They stand in
 * DIR/dedup.job, with a line `# TIME NAME: WAS -> IS` for each that was changed
 * later; for readers of the corpus there is DIR/corpus/provenance.json, which a
 * crawler has made; of a crawler in another process with the options of this
 * service beside it ("dedup_service"). */
#ifndef SHINGLE_CORPUS_JOB_H
#define SHINGLE_CORPUS_JOB_H

#include "base/buf.h"
#include "shingle/message/dedup.h"

/* A crawler has this job.  Where it differs from the corpus's own,
 * `differences` gets the lines, and nothing is changed unless the job says
 * `change` or the corpus has neither a document nor a crawler yet (`empty`).
 * ST_FULL, ST_IO: reported. */
struct opts;
enum status corpus_job_take(const char *dir, const struct dedup_job *job,
                            const struct opts *o, bool empty,
                            struct buf *differences);

#endif
