/* report_index.h -- numbers by a hash of 64 bits, and names by their order of
 * first mention: what a report looks lines of a log up by.
 *
 * One thread. */
#ifndef CRAWLER_REPORT_INDEX_H
#define CRAWLER_REPORT_INDEX_H

#include "base/hashmap.h"
#include "base/str.h"

/* Packed, since there are as many as URLs. */
struct report_slot {
    uint32_t key[2]; /* 0: free */
    uint32_t value;
};

/* Of these slots, by their keys. */
extern const struct hashmap_kind report_index_kind;
bool report_slot_used(const void *slot);

/* The number of this hash, to be set if it is fresh. */
uint32_t *report_index_value(struct hashmap *x, uint64_t key, bool *fresh);

struct name_index {
    struct hashmap index; /* to 0, 1, 2 ... in order of first mention */
    struct str *item;
    size_t cap;
};

void name_index_init(struct name_index *names, size_t room);
void name_index_free(struct name_index *names); /* not the names, which are the
                                              arena's */
/* Its number; a new one is copied. */
uint32_t name_index_number(struct name_index *names, struct arena *a,
                           struct str name);
bool name_index_has(const struct name_index *names, struct str name);

/* Room on the heap for one more than n of `each` bytes. */
void *report_grown(void *p, size_t *cap, size_t n, size_t each);

#endif
