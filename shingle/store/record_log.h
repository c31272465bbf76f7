/* record_log.h -- the log of records: what the index knows of each document, in
 * the order of their verdicts.
 *
 * Records are appended and never changed.  What is added counts from
 * record_log_write() on, for as many bytes as the owner has committed
 * (record_log_end()); until then it is in memory, and record_log_back() forgets
 * it. A place is the number of a record's first 32 bytes in the file: never 0.
 *
 * One thread; another one may sync the file by its path.  Errors: ST_FULL
 * (disk, or 128 GiB), ST_IO (reported). */
#ifndef SHINGLE_RECORD_LOG_H
#define SHINGLE_RECORD_LOG_H

#include "base/document_id.h"
#include "base/verdict.h"
#include "shingle/fingerprint/fingerprint.h"

enum {
    RECORD_UNIT = 32,
    RECORD_BAND_BYTES = 4,
    RECORD_BANDS_MAX = 64,
    RECORD_REPLACED_MAX = 16,
    RECORD_VISIT_BYTES = 16,
    RECORD_DIGEST_BYTES = 16,
    RECORD_SENTENCE_BYTES = 8,
    RECORD_SENTENCES_MAX = 1 << 17 /* of a document; the rest is nobody's */
};

/* A record, read or to be written.  Pointers of one that was read are valid
 * until the next record_log_add() or record_log_write(). */
struct record {
    enum verdict verdict; /* KEPT to REJECTED */
    bool forgotten;       /* REJECTED, whatever it was */
    const unsigned char *visit, *id;
    const unsigned char *digest; /* kept ones only */
    uint32_t of;                 /* duplicates: place of the kept one */
    double estimate;             /* of the resemblance with it */
    uint64_t text_bytes;         /* up to 4 GiB */
    struct signature signature;  /* bits_n 0: none */
    bool of_values;              /* see signature_of_values() */
    uint32_t bands_n, rows;      /* kept ones: near.h */
    const unsigned char *band;   /* RECORD_BAND_BYTES each */
    uint32_t replaced_n;         /* documents that this one replaces ... */
    uint32_t replaced[RECORD_REPLACED_MAX]; /* ... their places */
    uint32_t sentences_n;          /* kept ones: those that nobody had before */
    const unsigned char *sentence; /* hashes, RECORD_SENTENCE_BYTES each */
};

struct record_log; /* opaque; see record_log.c */

/* Open or make the file; `end` bytes of it count (0: none, it is begun), what
 * is behind them is cut off.  ST_USAGE: it is no such file, or shorter
 * (reported; `repair`: the command to name).  size_max: address space that it
 * may take.  The caller owns *out. */
enum status record_log_open(struct record_log **out, const char *path,
                            uint64_t end, uint64_t size_max,
                            const char *repair);
void record_log_close(struct record_log *r); /* NULL is allowed */

/* The place of the record, which is in memory. */
enum status record_log_add(struct record_log *r, const struct record *record,
                           uint32_t *place);
/* ST_STORE: there is no whole record (reported). */
enum status record_log_read(const struct record_log *r, uint32_t place,
                            struct record *out);
/* Into the cache with its beginning. */
void record_log_prefetch(const struct record_log *r, uint32_t place);

/* To the file, which the system then writes to the disk as it grows; with
 * `sync` they are there. */
enum status record_log_write(struct record_log *r, bool sync);
uint64_t
record_log_end(const struct record_log *r); /* bytes, with those in memory */
/* Of the last unit before `end`, which is written: what tells this log from
 * another one. */
uint64_t record_log_hash(const struct record_log *r, uint64_t end);
/* What is behind `end` was never added. */
enum status record_log_back(struct record_log *r, uint64_t end);
/* The bytes of what was added and is not written; and those of another log,
 * whose end was the same, added to this one.  ST_STORE: they are no records. */
struct str record_log_pending(const struct record_log *r);
enum status record_log_add_bytes(struct record_log *r, struct str bytes);

/* Every record that is written from byte `from` on (0: the beginning), until
 * `each` returns other than ST_OK. */
typedef enum status record_log_each(void *self, uint32_t place,
                                    const struct record *record);
enum status record_log_walk(const struct record_log *r, uint64_t from,
                            record_log_each *each, void *self);

/* ---- of a file that nobody has open ---- */

struct record_log_damage {
    uint64_t end, records, faults;
    uint64_t lost_bytes; /* of what is between readable ones */
};
/* Look at the first `end` bytes (UINT64_MAX: all of it); with `mend`, what is
 * no record becomes one that is skipped.  ST_USAGE: it is no such file. */
enum status record_log_examine(const char *path, uint64_t end, bool mend,
                               struct record_log_damage *out);

/* The first `end` bytes become a new file in the old one's place, in which the
 * records of these ids say of their visit that it was rejected and forgotten,
 * and nothing of a text.  *n: how many; those that were so already count as
 * well. */
typedef bool record_log_is(void *self, const unsigned char *id);
enum status record_log_forget(const char *path, uint64_t end, record_log_is *is,
                              void *self, uint64_t *n);

#endif
