/* index.h -- what the dedup service remembers: a record of every document
 * that it has judged (record_log.h), found by visit, digest and bands (tags.h);
 * the state of the corpus files and counts, in LMDB (store.h).
 *
 * One thread.  What happened between index_begin() and index_commit() is
 * durable together, or nothing changed.  The service has its batches made
 * durable by a journal (committer.h) and many of them saved at once, by another
 * thread: then the two halves are
 *
 *     index_batch_begin   ... index_decide ...  index_batch_end, or _undo
 *     index_state                                      of the first thread
 *     index_save_begin    ... index_put_file ... index_save_end   of the other
 *
 * Errors: ST_STORE, ST_IO (reported), ST_NOMEM, and ST_FULL (disk or map) from
 * any call. */
#ifndef SHINGLE_INDEX_H
#define SHINGLE_INDEX_H

#include "shingle/message/dedup.h"
#include "shingle/store/record_log.h"
#include "shingle/store/store.h"

struct index; /* opaque */

#define INDEX_LOG "records.log" /* in its folder */

/* Open or create the index in the folder `dir` (which exists); near: threshold
 * of resemblance, 0: near-duplicates are neither looked for nor remembered.
 * ST_USAGE: not an index, or of another version (reported).  Owned by the
 * caller. */
enum status index_open(struct index **out, const char *dir, double near,
                       const struct store_options *o);
void index_close(struct index *x); /* NULL is allowed */

/* Fingerprints are to be of this scheme, as fingerprint_scheme_text() names it;
 * with near 0 they may be of any, since none is remembered.  ST_USAGE: those in
 * the index are of another (reported). */
enum status index_expect(struct index *x, struct str text);
/* The same, and an index that has none yet is of this scheme from now on: not
 * of that of whoever is the first to put a document.  ST_USAGE, too (reported):
 * it was run with too many other thresholds. */
enum status index_be_of(struct index *x, struct str text);

/* From now on the sentences of kept documents are known. */
struct index_sentences {
    uint64_t bytes_max; /* memory */
    double most;        /* of a document's, as a share: more, and it goes */
    bool cut;           /* known ones are cut out of texts */
    bool canonical;     /* only documents that name another page as canonical
                           are judged by them, and the latest are enough: they
                           are in memory alone */
};
enum status index_know_sentences(struct index *x,
                                 const struct index_sentences *o);

enum status index_begin(struct index *x);
enum status index_commit(struct index *x);
void index_abort(struct index *x);       /* no transaction: nothing to do */
enum status index_sync(struct index *x); /* the last commit is on the disk */

/* ---- the halves ---- */

/* What was decided since the begin.  The end writes the records to their file
 * and syncs nothing; undone, all is as it was at the begin. */
void index_batch_begin(struct index *x);
enum status index_batch_end(struct index *x);
void index_batch_undo(struct index *x);

/* A batch as bytes, before its end; and made again from them, when the index is
 * as it was at its begin (ST_STORE: it is not).  They point into the index, or
 * into `scheme`. */
struct index_batch {
    uint64_t at;        /* end of the log of records at the begin */
    struct str records; /* their bytes */
    struct dedup_stat stat;
    char scheme[FINGERPRINT_SCHEME_BYTES]; /* "": none yet */
};
void index_batch_bytes(const struct index *x, struct index_batch *out);
enum status index_batch_again(struct index *x, const struct index_batch *b);

/* Where the index is between two batches. */
struct index_state {
    struct dedup_stat stat;
    uint64_t log_end, tags, saved; /* saved: the owner's, INDEX_SAVED */
    bool has_scheme;
    struct fingerprint_scheme scheme;
};
#define INDEX_SAVED "saved"
void index_state(const struct index *x, struct index_state *out);

/* The transaction in LMDB that makes a state the committed one: the file of
 * records is synced as far, unless dedup.sync is none.  NULL: only what was
 * put with index_put_file().  From a thread of its own. */
enum status index_save_begin(struct index *x);
enum status index_save_end(struct index *x, const struct index_state *s);
void index_save_abort(struct index *x);
/* Between two batches: go on with a checkpoint, if one is due.  Returns how
 * many bytes were written; 0: there is nothing to do. */
size_t index_checkpoint(struct index *x);
/* The number last given as `saved`; 0: none. */
uint64_t index_saved(const struct index *x);

/* ---- verdicts ---- */

/* With shards: documents that are to be judged in the next batch; then ask for
 * all of them, before its begin.  ST_BUSY: not now, a shard is away or still
 * being filled (said). */
void index_want(struct index *x, const struct dedup_document *doc);
enum status index_ask(struct index *x);

struct index_verdict {
    struct dedup_answer answer;
    bool known;        /* the visit had its verdict before: write nothing */
    size_t replaced_n; /* kept documents that this one replaces: their ids */
    struct document_id replaced[RECORD_REPLACED_MAX];
    double replaced_estimate[RECORD_REPLACED_MAX];
};

/* Judge *doc and remember the verdict.  ST_INVALID: its fingerprint is of
 * another scheme than those in the index, or the threshold is one too many. */
enum status index_decide(struct index *x, const struct dedup_document *doc,
                         struct index_verdict *out);

/* Which of the document's sentences are known to it: see dedup_client_known().
 */
enum status index_known(struct index *x, const struct dedup_document *doc,
                        bool *known);

/* Small values by name, for the corpus files. */
enum status index_put_file(struct index *x, struct str name, struct str state);
enum status index_each_file(struct index *x, store_each *each, void *self);

/* Counts as of now, in a transaction or not; a read-only index reads them. */
enum status index_stat(struct index *x, struct dedup_stat *out);

/* For record_log_walk(): counts a record in a dedup_stat. */
enum status index_count_record(void *stat, uint32_t place,
                               const struct record *record);

/* Candidates looked at in one band, and in all bands of one document. */
enum { INDEX_BAND_MAX = 64, INDEX_CANDIDATES_MAX = 512 };

#endif
