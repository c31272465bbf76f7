/* corpus.h -- the files of documents, in step with the index.
 *
 *   DIR/corpus/part-000001.jsonl.gz              kept documents
 *   DIR/corpus/part-000001.jsonl.tail-000007     the latest ones, plain
 *   DIR/rejected/part-...                        rejected by cleaning
 *   DIR/rejected/exact_duplicate-..., near_duplicate-...
 *   DIR/verdicts/part-...                        see verdict_line.h
 *   DIR/replaced/part-000001.ids.gz              ids of kept documents that
 *                                                longer ones replaced, with
 *                                                theirs and the resemblance
 *
 * A write is part of an index transaction:
 *
 *     corpus_prepare(c, group, suffix)  for every stream of the batch
 *     index_begin  ... corpus_add(...) ...
 *     corpus_hand_over(c)  corpus_write_over(c)  index_commit
 *     corpus_done(c), or corpus_undo(c) unless all of that returned ST_OK
 *
 * Killed or failed anywhere, the files hold exactly the committed documents
 * after the next corpus_open or corpus_undo.
 *
 * One thread; or one that adds and, with corpus_hand_over(), gives what it has
 * to another one that writes (committer.c).
 * Errors: ST_FULL (no space), ST_IO (reported) from any call. */
#ifndef SHINGLE_CORPUS_H
#define SHINGLE_CORPUS_H

#include "shingle/index/index.h"

struct corpus; /* opaque */

enum corpus_group {
    CORPUS_KEPT,
    CORPUS_REJECTED,
    CORPUS_EXACT_DUPLICATE,
    CORPUS_NEAR_DUPLICATE,
    CORPUS_VERDICTS, /* a line a document; only with dedup.pub */
    CORPUS_REPLACED, /* a line a kept document that a longer one replaced */
    CORPUS_GROUPS_N
};

enum { CORPUS_SUFFIX_MAX = 8, CORPUS_STREAMS_MAX = 96 };

struct corpus_options {
    uint64_t split_bytes; /* of text in one part */
    uint64_t tail_bytes;  /* compress the tail from this size on ... */
    uint64_t tail_ms;     /* ... or when it is this old at a write */
    bool sync;            /* against power loss */
};

#define CORPUS_TAIL_BYTES ((uint64_t)1 << 20)
#define CORPUS_TAIL_MS ((uint64_t)60000)

/* Open the files under `dir` as index `x` knows them and repair what a crash
 * left.  ST_USAGE: there are files it does not know, or known ones are too
 * short (reported).  Owned by the caller; `x` is borrowed. */
enum status corpus_open(struct corpus **out, const char *dir, struct index *x,
                        const struct corpus_options *o);
void corpus_close(struct corpus *c); /* NULL is allowed */

/* Make a stream known, in an index transaction of its own if it is new.
 * suffix: 1 to CORPUS_SUFFIX_MAX of a-z and 0-9.  ST_LIMIT: too many. */
enum status corpus_prepare(struct corpus *c, enum corpus_group group,
                           struct str suffix);

bool corpus_has(const struct corpus *c, enum corpus_group group,
                struct str suffix);

/* Append a record (its bytes are copied) to a prepared stream at the next
 * corpus_write. */
void corpus_add(struct corpus *c, enum corpus_group group, struct str suffix,
                struct str bytes);

/* Where the next record that is added to a prepared stream will stand: its
 * part, and how many bytes of the part's text are before it. */
struct corpus_place {
    uint64_t part, at;
};
struct corpus_place corpus_place(struct corpus *c, enum corpus_group group,
                                 struct str suffix);

/* ---- batches, and another thread that writes ---- */

/* What is added from now on is a batch, which can be taken back; of which each
 * stream gets these bytes; or it is added as such bytes again. */
void corpus_batch_begin(struct corpus *c);
void corpus_batch_undo(struct corpus *c);
typedef void corpus_each(void *self, enum corpus_group group, struct str suffix,
                         struct str bytes);
void corpus_batch_bytes(const struct corpus *c, corpus_each *each, void *self);
/* ST_STORE: the index knows no such stream. */
enum status corpus_batch_again(struct corpus *c, enum corpus_group group,
                               struct str suffix, struct str bytes);

/* Parts are as long as these bytes from now on. */
void corpus_split(struct corpus *c, uint64_t bytes);
uint64_t corpus_split_bytes(const struct corpus *c);

/* Does what is added next belong into another part than what was handed over?
 * Then it should be handed over: until that no part ends. */
bool corpus_is_full(const struct corpus *c);

/* All that was added is to be written next; nothing is being written now. */
void corpus_hand_over(struct corpus *c);
/* Write that, in a transaction of the index.  It stays until corpus_done(), so
 * that it can be written once more after a failure and corpus_undo(). */
enum status corpus_write_over(struct corpus *c, uint64_t now_ms, bool all);
void corpus_undo(struct corpus *c);
void corpus_done(struct corpus *c); /* the transaction is committed */

#endif
