/* log_segment.h -- the links of one file of the discovery log: in memory a key
 * and an offset each.
 *
 * Keys are hashes, so their first bits part the links into buckets of about
 * equal size, which are sorted one by one when their turn comes: there is no
 * long sort, and a slice may be as small as it likes.  Belongs to one thread at
 * a time. */
#ifndef FRONTIER_LOG_SEGMENT_H
#define FRONTIER_LOG_SEGMENT_H

#include "frontier/store/row.h"
#include "journal.h"

#define LOG_SEGMENT_BUCKETS 1024u
#define LOG_SEGMENT_ENTRY_SIZE sizeof(struct log_segment_entry)

struct log_segment_entry {
    struct row_seen_key key;
    uint64_t at; /* in the journal */
};

struct log_segment_bucket {
    struct log_segment_entry *entry;
    uint32_t n, cap;
};

struct log_segment {
    uint64_t number, end; /* end: committed */
    uint64_t left;        /* links not merged yet */
    struct journal *journal;
    struct log_segment_bucket bucket[LOG_SEGMENT_BUCKETS];
};

/* As journal_open(). */
enum status log_segment_new(struct log_segment **out, const char *path,
                            uint64_t number, uint64_t end, bool read_only);
void log_segment_free(struct log_segment *g); /* NULL is allowed */

/* The link whose record stands at `at`. */
void log_segment_push(struct log_segment *g, const struct row_seen_key *key,
                      uint64_t at);
size_t log_segment_bucket(const struct row_seen_key *key);
/* By key, then in the order of discovery. */
void log_segment_sort(struct log_segment_bucket *b);
/* Forget the links behind the committed end. */
void log_segment_cut(struct log_segment *g);

#endif
