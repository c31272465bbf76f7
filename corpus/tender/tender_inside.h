/* tender_inside.h -- what the stages of tender share.
 *
 * A document has a number, in the order of reading, and a rank: 0 is the best.
 * What is called twice has one rank.  Files in the folder of the run:
 *
 *   documents   by number: struct stored_document
 *   prints      what estimates are made of, where stored_document says: the
 *               number of shingles (4 bytes) and the signature, or the values
 *   order       by rank: be32 number
 *   ranks       by number: be32 rank (RANK_NONE: not ranked)
 *   keys        be64 hash | be32 number; apart by the upper bits of the hash,
 *               which were moved to its end
 *   pairs       be32 rank of the lesser | be32 rank of the better
 *   scores      the same | be32 shared hashes or estimate in millionths
 */
#ifndef TENDER_INSIDE_H
#define TENDER_INSIDE_H

#include "base/buf.h"
#include "corpus/lines/id_set.h"
#include "corpus/sort/sorted.h"
#include "shingle_line.h"
#include "tender.h"

#define KEY_SIZE 12
#define PAIR_SIZE 8
#define SCORE_SIZE 12
#define RANK_NONE UINT32_MAX
#define TENDER_LIMIT_PRESET 5
#define TENDER_NEAR_PRESET 0.8
#define MILLION 1000000u

/* A bit of sizes: of an earlier corpus.  So these are larger than all others.
 */
#define SIZE_EARLIER ((uint64_t)1 << 63)

struct stored_document {
    uint64_t size;
    uint64_t print_at; /* in `prints` */
    uint32_t print_n;  /* bytes; 0: none */
    char id[ID_SIZE];
    uint64_t unused;
};

/* What reading found out; kept in the state. */
struct facts {
    enum shingle_form form; /* of all files */
    uint32_t values_n;      /* of PRINTS */
    uint32_t signatures;    /* 1: they have signatures, and those decide */
    uint32_t documents_n, ranks_n;
};

struct tender {
    const struct tender_options *o;
    struct tender_counts counts;
    struct facts facts;
    double near;    /* 0: by count, or not known yet */
    uint32_t limit; /* 0: by near */
    char *folder;
    bool large;    /* the files are larger than memory: they are not cached */
    int lock;      /* of the folder; -1: not ours */
    char time[40]; /* part of the names of the results */
    struct id_set listed, own; /* -b: foreign ids; of lists of our own */
};

/* spill_make() and spill_open(), as large files or not. */
enum status tender_spill_make(const struct tender *t, struct spill **out,
                              const char *path, unsigned buckets,
                              size_t record_size);
enum status tender_spill_open(const struct tender *t, struct spill **out,
                              const char *path);

/* FOLDER/NAME; owned by the caller. */
char *tender_path(const struct tender *t, const char *name);

/* Bits of the buckets for so many bytes of records. */
unsigned tender_bucket_bits(const struct tender *t, uint64_t bytes);
/* How many bytes of a bucket are sorted at once. */
size_t tender_room_bytes(const struct tender *t, uint64_t records_max,
                         size_t record_size);

/* How many bytes of fingerprints a thread has at once. */
size_t tender_batch_bytes(const struct tender *t);

/* ---- the stages ---- */
enum status tender_read(struct tender *t);
enum status tender_rank(struct tender *t);
enum status tender_pairs(struct tender *t);
enum status tender_scores(struct tender *t);
enum status tender_choose(struct tender *t);

/* Bits below the bucket of a rank, in `pairs` and `scores`. */
unsigned tender_rank_shift(const struct tender *t, unsigned bucket_bits);

/* The documents by number, mapped.  SCATTERED: what is not in memory is read a
 * page at a time.  ST_IO: reported. */
struct stored_documents {
    const struct stored_document *at;
    size_t n;
};
enum stored_order { STORED_IN_ORDER, STORED_SCATTERED };
enum status stored_documents_open(struct stored_documents *out,
                                  const struct tender *t,
                                  enum stored_order order);
/* These have been read, in order; what is mapped of them does not stay (a page
 * that is shared with others may, until its turn comes). */
void stored_documents_drop(const struct stored_documents *d, size_t from,
                           size_t n);
void stored_documents_close(struct stored_documents *d);

/* An array of numbers from a file, in memory; NULL: reported. */
uint32_t *tender_numbers(const struct tender *t, const char *name, size_t n);
/* By rank: the number of the document; each has one. */
uint32_t *tender_order(const struct tender *t);
enum status tender_numbers_write(const struct tender *t, const char *name,
                                 const uint32_t *number, size_t n);

/* ---- the state ---- */
enum tender_stage { STAGE_NOTHING, STAGE_READ, STAGE_PAIRS, STAGE_SCORES };

/* Goes on with the folder's state, if it is that of this very run (options and
 * inputs), else begins anew.  ST_USAGE: it is another's, or another process is
 * at work in it; reported. */
enum status tender_state_open(struct tender *t, enum tender_stage *done);
enum status tender_state_write(const struct tender *t, enum tender_stage done);
void tender_folder_remove(const struct tender *t);

#endif
