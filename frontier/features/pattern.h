/* pattern.h -- names of hosts and URLs as an operator writes them.
 *
 *   a.example            this host, on any port
 *   .example             every host under it, and itself
 *   *shop*.example       a host; * is anything
 *   http://a.example/x*  a URL, from its beginning to its end
 *
 * Letters of hosts compare in any case.  Pure. */
#ifndef FRONTIER_PATTERN_H
#define FRONTIER_PATTERN_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

#define PATTERN_SIZE_MAX 500u

/* Can it be used? */
bool pattern_good(struct str pattern);

/* Why it cannot be used, or can match no host and no URL as they are queued (in
 * lower case, with a path, without fragment); NULL: it may match. */
const char *pattern_fault(struct str pattern);

/* Does it speak of URLs, rather than of whole hosts? */
bool pattern_of_urls(struct str pattern);

/* As a rule keeps it: hosts in lower case, as they are queued.  Patterns of
 * which this is equal are the same. */
struct str pattern_kept(struct arena *a, struct str pattern);

bool pattern_host(struct str pattern, struct str authority);

/* HOST[:PORT] of a URL, as patterns of hosts look at it; "": it has none. */
struct str pattern_authority(struct str url);

/* A pattern of hosts matches all of their URLs. */
bool pattern_url(struct str pattern, struct str url);

/* The one host it can match; empty: there may be several. */
struct str pattern_single(struct str pattern);

#endif
