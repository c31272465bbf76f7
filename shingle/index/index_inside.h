/* index_inside.h -- what the files of the index share: its struct, and what
 * each of them has for the others. */
#ifndef SHINGLE_INDEX_INSIDE_H
#define SHINGLE_INDEX_INSIDE_H

#include "base/path.h"
#include "index.h"
#include "lookup.h"
#include "sentence_set.h"
#include "shingle/store/near.h"

struct index {
    struct store *store;
    struct record_log *records;
    struct lookup *lookup;
    struct shards *shards; /* NULL: the lookup has the bands, too */
    struct checkpoint *checkpoint;
    struct sentence_set *sentences; /* NULL: they do not matter */
    struct index_sentences sentence_rule;
    double near;
    struct near_shape shape; /* of new records */
    uint32_t shape_values;   /* of fingerprints of this many values */
    bool has_scheme;
    struct fingerprint_scheme scheme;
    struct dedup_stat stat, stat_before;
    uint64_t end_before; /* of the log, at the begin of the batch */
    bool opened, writing, read_only, sync, new_scheme;
    uint64_t saved; /* of the row INDEX_SAVED, when it was opened */
    struct path path;
    /* Of the thread that saves: what is in LMDB. */
    struct dedup_stat stat_saved;
    uint64_t log_saved;
    bool scheme_saved;
};

/* ---- index_rows.c ---- */

enum status index_rows_counts(struct index *x);
/* Counts, the scheme, what was saved last; how long the log is and how many
 * tags are of it. */
enum status index_rows_load(struct index *x, uint64_t *log_end, uint64_t *tags);
/* The first row, before there is a record. */
enum status index_rows_begin(struct index *x);

/* Fingerprints without a text of their scheme are from before there were any.
 * *ok: the text can be read. */
struct fingerprint_scheme index_scheme_of(struct str text, bool *ok);

/* ---- index_sentences.c ---- */

/* The share of the document's sentences that are known; 0: not too many, or
 * they do not matter. */
double index_too_known(const struct index *x, const struct dedup_document *doc);
/* Of dedup.canonical_mib: it says itself that another page has its text, and
 * hardly anything of that is new.  It replaces none. */
bool index_is_copy(const struct index *x, const struct dedup_document *doc);
/* Those that are new, as a record has them, into `room`, of as many; how many
 * the record gets.
 * They are known from now on, if the batch is not undone. */
uint32_t index_learn_sentences(struct index *x,
                               const struct dedup_document *doc,
                               unsigned char *room);
/* Those of a record that is in the log. */
void index_enter_sentences(struct index *x, const struct record *r);

/* ---- index_decide.c ---- */

/* The visit of the document, as records have it. */
void index_visit(const struct dedup_document *doc,
                 unsigned char out[RECORD_VISIT_BYTES]);
/* Has it a verdict?  Then its record in *r. */
enum status index_recall(struct index *x,
                         const unsigned char visit[RECORD_VISIT_BYTES],
                         struct record *r);

/* ---- index.c ---- */

/* If none is known, the first fingerprint's is that of all.  ST_INVALID: the
 * document's is of another one. */
enum status index_settle_scheme(struct index *x,
                                const struct dedup_document *doc);

#endif
