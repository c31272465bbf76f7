/* robots_cache.h -- parsed robots.txt by authority, least recently used out.
 *
 * The text itself is durable in the frontier; this saves asking and parsing.
 * Belongs to one thread (the lease thread). */
#ifndef CRAWLER_ROBOTS_CACHE_H
#define CRAWLER_ROBOTS_CACHE_H

#include "robots.h"

struct robots_cache; /* opaque; see crawler/admit/robots_cache.c */

/* Never NULL.  `memory_max`: bytes of parsed files, at least one stays. */
struct robots_cache *robots_cache_new(size_t memory_max);
void robots_cache_free(struct robots_cache *c); /* NULL is allowed */

/* NULL: not there, or of another version.  Valid until the next put. */
const struct robots *robots_cache_find(struct robots_cache *c,
                                       struct str authority, uint64_t version);

/* Takes `r` over; replaces what was there. */
void robots_cache_put(struct robots_cache *c, struct str authority,
                      uint64_t version, struct robots *r);

size_t robots_cache_n(const struct robots_cache *c);

#endif
