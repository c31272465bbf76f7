/* commit_log.h -- batches of the dedup service on their way into its files.
 *
 * What an ack promises is here first, in one write and one sync a batch; index
 * and corpus files are brought along later, many batches at once (committer.h).
 * Batches are counted in segments; one is being saved at most while the next
 * one grows, so two files take turns, DIR/commits-0 and -1, and are written
 * over: a sync then writes no more than the bytes.
 *
 * One thread, but for commit_log_extend().  Errors: ST_FULL (disk), ST_IO
 * (reported), ST_NOMEM. */
#ifndef SHINGLE_COMMIT_LOG_H
#define SHINGLE_COMMIT_LOG_H

#include "corpus.h"

struct commit_log; /* opaque */

/* What a batch adds. */
struct commit_batch {
    struct index_batch index;
    uint64_t split_bytes; /* parts of the corpus were so long then */
    size_t streams_n;
    struct commit_stream {
        enum corpus_group group;
        struct str suffix, bytes;
    } stream[CORPUS_STREAMS_MAX];
};

/* In the folder `dir`, which exists.  sync: against power loss. */
enum status commit_log_open(struct commit_log **out, const char *dir,
                            bool sync);
void commit_log_close(struct commit_log *l); /* NULL is allowed */

/* Every whole batch of that segment, in order, until `each` returns other
 * than ST_OK.  Before anything is appended. */
typedef enum status commit_log_each(void *self, const struct commit_batch *b);
enum status commit_log_replay(struct commit_log *l, uint64_t segment,
                              commit_log_each *each, void *self);
/* The oldest segment that has a batch; 0: none has. */
enum status commit_log_oldest(struct commit_log *l, uint64_t *segment);

/* Append to this segment from now on; the one before the last is not needed
 * any more. */
void commit_log_begin(struct commit_log *l, uint64_t segment);
/* ST_OK: the batch is durable.  Else it is as if it had not been. */
enum status commit_log_append(struct commit_log *l,
                              const struct commit_batch *b);
/* So that the first batches need not extend the files: both get `bytes`.  When
 * no segment is needed any more, before the first append. */
void commit_log_make_room(struct commit_log *l, uint64_t bytes);
/* The file that takes the next turn gets the bytes of the longest segment, so
 * that batches seldom have to.  The thread that saves, between a save and the
 * next commit_log_begin(). */
void commit_log_extend(struct commit_log *l);
/* Of the segment, before they are packed. */
uint64_t commit_log_bytes(const struct commit_log *l);

/* No segment is needed any more: remove the files. */
void commit_log_remove(struct commit_log *l);

/* A batch as bytes, appended; and back: false, they are none. */
void commit_batch_write(const struct commit_batch *b, struct buf *out);
bool commit_batch_read(struct commit_batch *out, struct str bytes);

#endif
