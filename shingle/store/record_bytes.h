/* record_bytes.h -- a record of the index as the bytes of its log.
 *
 * A record is a multiple of RECORD_UNIT bytes: a head, what its verdict adds to
 * it, the signature, and sentences.  A kept document of up to 1,024 shingles
 * with 12 bands takes 384 bytes or less (and 8 for each sentence, where those
 * are to be known), a near-duplicate 192, what was rejected or is equal to
 * another 64.  Numbers are those of the machine, as in LMDB. */
#ifndef SHINGLE_RECORD_BYTES_H
#define SHINGLE_RECORD_BYTES_H

#include "base/buf.h"
#include "record_log.h"

struct record_head {
    uint32_t check;
    uint16_t units;
    uint8_t verdict, flags;
    uint8_t bands_n, rows, replaced_n, unused;
    uint16_t estimate, signature_units;
    uint32_t shingles_n, of /* of kept ones: sentences_n */, text_bytes;
    unsigned char visit[RECORD_VISIT_BYTES], id[DOCUMENT_ID_BYTES];
};

/* Of record_head.flags. */
enum {
    RECORD_FLAG_VALUES = 1,
    RECORD_FLAG_GAPS = 2,
    RECORD_FLAG_FORGOTTEN = 4
};

/* The verdict of what is no record: it is passed over. */
enum { RECORD_BYTES_SKIPPED = 0xff };

/* Where a log begins: its first unit. */
#define RECORD_LOG_NAME "winnow-dedup-records 1\n\n\n\n\n\n\n\n\n\n"
_Static_assert(sizeof RECORD_LOG_NAME - 1 == RECORD_UNIT,
               "the name is one unit");

/* Its head, but for the check; how many units a head says. */
struct record_head record_bytes_head(const struct record *r);
size_t record_bytes_units(const struct record_head *h);
/* Of a whole record: of all bytes behind the check itself. */
uint32_t record_bytes_check(const char *bytes, size_t n);

void record_bytes_write(const struct record *r, struct buf *out); /* appended */
/* `n` bytes at p, a multiple of RECORD_UNIT, become records that are skipped.
 */
void record_bytes_skip(char *p, uint64_t n);

/* Sizes that fit each other within the n bytes that are there. */
bool record_bytes_is_head(const struct record_head *h, uint64_t n);
/* Whole and as it was written?  Then *h has its head. */
bool record_bytes_is(const char *p, uint64_t left, struct record_head *h);
/* One that is. It points into the bytes. */
void record_bytes_read(const char *p, struct record *out);

#endif
