/* commit_log.h -- batches of the dedup service on their way into its files.
 *
 * What an ack promises is here first, in one write and one sync a batch; index
 * and corpus files are brought along later, many batches at once (committer.h):
 * records of base/redo_log.h, in DIR/commits-0 and -1, whose threads and errors
 * are those of this one. */
#ifndef SHINGLE_COMMIT_LOG_H
#define SHINGLE_COMMIT_LOG_H

#include "shingle/corpus/corpus.h"

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

/* Every whole batch of that segment, in order, until `each` returns other than
 * ST_OK.  ST_STORE: one that is whole cannot be read.  *gap: see
 * redo_log_read(). */
typedef enum status commit_log_each(void *self, const struct commit_batch *b);
enum status commit_log_replay(struct commit_log *l, uint64_t segment,
                              commit_log_each *each, void *self, bool *gap);
/* See redo_log_oldest(). */
enum status commit_log_oldest(const struct commit_log *l, uint64_t *segment,
                              bool *gap);

/* See redo_log_newest(). */
enum status commit_log_newest(const struct commit_log *l, uint64_t *segment);
/* Does the folder have one?  Then not all is in the files. */
bool commit_log_exists(const char *dir);

/* Append to this segment from now on; the one before the last is not needed
 * any more. */
void commit_log_begin(struct commit_log *l, uint64_t segment);
/* ST_OK: the batch is durable.  Else it is as if it had not been. */
enum status commit_log_append(struct commit_log *l,
                              const struct commit_batch *b);
/* Against waiting for the file system when batches are synced: see redo_log.h.
 */
void commit_log_make_room(struct commit_log *l, uint64_t bytes);
void commit_log_extend(struct commit_log *l);
/* Of the segment, before they are packed. */
uint64_t commit_log_bytes(const struct commit_log *l);

/* It is closed, and no segment is needed any more: remove the files. */
void commit_log_remove(const char *dir);

/* A batch as bytes, appended; and back: false, they are none. */
void commit_batch_write(const struct commit_batch *b, struct buf *out);
bool commit_batch_read(struct commit_batch *out, struct str bytes);

#endif
