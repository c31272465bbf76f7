/* committer.h -- batches of documents, durable at once and saved later.
 *
 *     committer_begin ... index_decide, corpus_add ... committer_end
 *
 * A batch that has ended is in the commit log (commit_log.h), synced, and may
 * be acknowledged.  A thread of its own brings what has come since into the
 * files of index and corpus: soon, but `every_ms` after the last time unless
 * there are COMMITTER_BYTES or a part of the corpus is full.  committer_open()
 * makes up for what a killed process has not saved.
 *
 * While a committer is open, index and corpus are changed by its owner inside
 * of batches and with committer_prepare() only. */
#ifndef SHINGLE_COMMITTER_H
#define SHINGLE_COMMITTER_H

#include "shingle/corpus/corpus.h"

struct committer; /* opaque */

enum { COMMITTER_BYTES = 32 << 20 };

struct committer_options {
    bool sync; /* against power loss */
    uint64_t every_ms;
    /* The owner's lock file, and its descriptor: once that is not there nothing
     * is saved by path.  NULL: unasked. */
    const char *lock;
    int lock_fd;
};

/* dir: of the index.  Index and corpus are borrowed.  Errors: of commit_log.h,
 * index.h, corpus.h. */
enum status committer_open(struct committer **out, const char *dir,
                           struct index *x, struct corpus *c,
                           const struct committer_options *o);
/* Saves everything, with all text compressed.  ST_OK or why not: then the rest
 * stays in the commit log for the next opening.  NULL is allowed. */
enum status committer_close(struct committer *c);

/* Begin a batch.  Not ST_OK (ST_FULL, ST_IO, ST_STORE): what was acknowledged
 * before cannot be saved, so nothing more is taken now. */
enum status committer_begin(struct committer *c);
/* ST_OK: the batch is durable.  Else it is undone. */
enum status committer_end(struct committer *c);
void committer_undo(struct committer *c);

/* corpus_prepare(), between two batches. */
enum status committer_prepare(struct committer *c, enum corpus_group group,
                              struct str suffix);

/* Have saved what is due.  In how many ms to call again; UINT64_MAX: when there
 * was another batch.  idle: nobody waits for what the owner does next. */
uint64_t committer_look(struct committer *c, bool idle);

#endif
