/* generation.h -- the links of one file of the discovery log: in memory a key
 * and an offset each.
 *
 * Keys are hashes, so their first bits part the links into buckets of about
 * equal size, which are sorted one by one when their turn comes: there is no
 * long sort, and a slice may be as small as it likes.  Belongs to one thread at
 * a time. */
#ifndef FRONTIER_GENERATION_H
#define FRONTIER_GENERATION_H

#include "frontier/store/row.h"
#include "journal.h"

#define GENERATION_BUCKETS 1024u
#define GENERATION_ENTRY_SIZE sizeof(struct generation_entry)

struct generation_entry {
    struct row_seen_key key;
    uint64_t at; /* in the journal */
};

struct generation_bucket {
    struct generation_entry *entry;
    uint32_t n, cap;
};

struct generation {
    uint64_t number, end; /* end: committed */
    uint64_t left;        /* links not merged yet */
    struct journal *journal;
    struct generation_bucket bucket[GENERATION_BUCKETS];
};

/* As journal_open(). */
enum status generation_new(struct generation **out, const char *path,
                           uint64_t number, uint64_t end, bool read_only);
void generation_free(struct generation *g); /* NULL is allowed */

/* The link whose record stands at `at`. */
void generation_push(struct generation *g, const struct row_seen_key *key,
                     uint64_t at);
size_t generation_bucket(const struct row_seen_key *key);
/* By key, then in the order of discovery. */
void generation_sort(struct generation_bucket *b);
/* Forget the links behind the committed end. */
void generation_cut(struct generation *g);

#endif
