/* dns_names.h -- the names that dns.c knows or wants: a hash table, two lists.
 *
 * Only for dns.c.  A name is in the table from name_new() to name_free() and in
 * at most one list. */
#ifndef CRAWLER_DNS_NAMES_H
#define CRAWLER_DNS_NAMES_H

#include "dns.h"

struct address {
    uint8_t family; /* 4 or 6 */
    uint8_t bytes[16];
};

struct waiter {
    struct waiter *next;
    dns_done *done;
    void *arg;
};

struct name {
    struct dns *dns;
    struct name *bucket_next;
    struct name *prev, *next; /* in a list */
    enum { WAITING, ASKED, KNOWN } state;
    struct waiter *waiters, **waiters_end;
    uint64_t hash, expires_ms;
    uint64_t heard; /* dns->heard when it was asked */
    bool cut;       /* an answer did not fit a datagram ... */
    bool by_stream; /* ... and it was asked for by TCP */
    bool with_edns;
    enum dns_result result;
    const char *error;
    struct address *address; /* owned */
    size_t addresses_n;
    size_t text_n;
    char text[]; /* lower case, no last dot, NUL after it */
};

struct names {
    struct name **bucket;
    size_t buckets_n; /* a power of two */
    size_t n;
};

enum status names_init(struct names *t);
void names_fini(struct names *t); /* is empty by then */

struct name *name_find(const struct names *t, struct str text, uint64_t hash);
struct name *name_new(struct names *t, struct str text, uint64_t hash);
void name_free(struct names *t, struct name *e); /* in no list any more */

struct name_list {
    struct name *first, *last;
    size_t n;
};

void name_list_add(struct name_list *l, struct name *e); /* as the last */
void name_list_remove(struct name_list *l, struct name *e);

#endif
