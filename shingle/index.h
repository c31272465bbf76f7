/* index.h -- what the dedup service remembers: verdicts by visit, digests
 * and fingerprints of kept documents, the state of the corpus files, counts.
 *
 * One store (see store.h for threads, transactions and durability).
 * Errors: ST_STORE, and ST_FULL (disk or map) from any call. */
#ifndef SHINGLE_INDEX_H
#define SHINGLE_INDEX_H

#include "store.h"
#include "winnow/dedup.h"

struct index; /* opaque */

/* Open or create the index in the folder `dir` (which exists); near: threshold
 * of resemblance, 0: near-duplicates are neither looked for nor remembered.
 * ST_USAGE: not an index, or of another version (reported).  Owned by the
 * caller. */
enum status index_open(struct index **out, const char *dir, double near,
                       const struct store_options *o);
void index_close(struct index *x); /* NULL is allowed */

enum status index_begin(struct index *x);
enum status index_commit(struct index *x);
void index_abort(struct index *x);       /* no transaction: nothing to do */
enum status index_sync(struct index *x); /* the last commit is on the disk */

struct index_verdict {
    struct dedup_answer answer;
    bool known; /* the visit had its verdict before: write nothing */
};

/* Judge *doc and remember the verdict. */
enum status index_decide(struct index *x, const struct dedup_document *doc,
                         struct index_verdict *out);

/* Can a row of STORE_IDS have this value? */
bool index_is_verdict(struct str value);
#define INDEX_VISIT_BYTES 16 /* of its key */

/* Small values by name, for the corpus files. */
enum status index_put_file(struct index *x, struct str name, struct str state);
enum status index_each_file(struct index *x, store_each *each, void *self);

/* Counts as of now, in a transaction or not; a read-only index reads them. */
enum status index_stat(struct index *x, struct dedup_stat *out);

#endif
