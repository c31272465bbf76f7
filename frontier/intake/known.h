/* known.h -- which URLs the store knows and with what priority, in memory.
 *
 * Nine of ten links lead to a URL that was found before; for those this cache
 * of fingerprints answers without a look into the store.  It may forget what
 * was not asked for in a long time once it is as large as it may be; it does
 * not lie but for a collision: for N entries once in 2^60 / N questions about
 * URLs that are new (10^11 with 64 MiB).  Belongs to one thread. */
#ifndef FRONTIER_KNOWN_H
#define FRONTIER_KNOWN_H

#include <stddef.h>

#include "frontier/store/row.h"

#define KNOWN_NOT 0u       /* never heard of, or forgotten */
#define KNOWN_ENDED 65535u /* fetched, refused ... : no link can raise it */

struct known; /* opaque; see frontier/intake/known.c */

/* At most `bytes` of memory (64 at least); it starts small and grows, a little
 * with each new URL and without forgetting. */
struct known *known_new(size_t bytes);
void known_free(struct known *k); /* NULL is allowed */

/* The priority the URL is queued with, KNOWN_ENDED or KNOWN_NOT. */
uint16_t known_get(struct known *k, const struct row_seen_key *key);
void known_prefetch(const struct known *k, const struct row_seen_key *key);
void known_set(struct known *k, const struct row_seen_key *key,
               uint16_t priority);

void known_forget(struct known *k, const struct row_seen_key *key);

/* What was told since the last of these is so; or it is not, and forgotten. */
void known_commit(struct known *k);
void known_abort(struct known *k);

struct known_stat {
    size_t bytes;
    uint64_t asked, found;
};
struct known_stat known_stat(const struct known *k);

#endif
