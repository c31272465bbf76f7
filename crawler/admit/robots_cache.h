/* robots_cache.h -- parsed robots.txt by authority, least recently used out.
 *
 * The text itself is durable in the frontier, under a version; this saves
 * asking for it and parsing it again.  A worker that reads a robots.txt parses
 * it, for its delay and sitemaps, and puts what it has parsed here under the
 * version that the frontier will give the text; where that one has numbered it
 * otherwise, the lease thread tells the cache so.  Thread-safe. */
#ifndef CRAWLER_ROBOTS_CACHE_H
#define CRAWLER_ROBOTS_CACHE_H

#include "base/arena.h"
#include "robots.h"

struct robots_cache; /* opaque; see crawler/admit/robots_cache.c */

enum robots_answer { ROBOTS_UNKNOWN, ROBOTS_ALLOW, ROBOTS_DISALLOW };

/* Never NULL.  `memory_max`: bytes of parsed files, at least one stays. */
struct robots_cache *robots_cache_new(size_t memory_max);
void robots_cache_free(struct robots_cache *c); /* NULL is allowed */

/* Takes `r` over, which was parsed from `body`; replaces what was there of the
 * authority.  `version`: of the text in the frontier. */
void robots_cache_put(struct robots_cache *c, struct str authority,
                      uint64_t version, struct str body, struct robots *r);

/* This version (not 0) of the authority's robots.txt is `body`.  False: it is
 * not here, parse and put it. */
bool robots_cache_version(struct robots_cache *c, struct str authority,
                          uint64_t version, struct str body);

/* May `target` be fetched (robots_allowed())?  UNKNOWN: the cache has not this
 * version of the authority's rules. */
enum robots_answer robots_cache_ask(struct robots_cache *c,
                                    struct str authority, uint64_t version,
                                    struct str target);

/* What a host says of the use of a page, each as lines of a header. */
struct site_rights {
    struct str robots; /* in its robots.txt: robots_rights() */
    struct str tdmrep; /* in its tdmrep.json: tdmrep_of() */
};
/* In `a`; "" also if the host is not here. */
struct site_rights robots_cache_rights(struct robots_cache *c,
                                       struct str authority, struct str target,
                                       struct arena *a);

size_t robots_cache_n(struct robots_cache *c); /* authorities in it */

#endif
