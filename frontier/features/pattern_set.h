/* pattern_set.h -- many patterns of hosts: which of them matches first.
 *
 * One without stars is found by the names that the host is under, however many
 * there are; those with stars are tried in turn. */
#ifndef FRONTIER_PATTERN_SET_H
#define FRONTIER_PATTERN_SET_H

#include "base/hashmap.h"
#include "pattern.h"

#define PATTERN_NONE UINT32_MAX

struct pattern_set {
    struct str *pattern; /* as a rule keeps it */
    uint32_t n, starred_n;
    uint32_t *starred; /* in their order */
    struct hashmap by_name;
};

/* Copies them; patterns of URLs match no host.  Memory is the arena's. */
void pattern_set_init(struct pattern_set *s, struct arena *a,
                      const struct str *patterns, uint32_t n);

/* The first for which pattern_host() holds; PATTERN_NONE. */
uint32_t pattern_set_host(const struct pattern_set *s, struct str authority);

/* As that, of the host of a URL as archives and corpora have it. */
uint32_t pattern_set_url(const struct pattern_set *s, struct str url);

/* The first that is the same (pattern_kept()); PATTERN_NONE. */
uint32_t pattern_set_same(const struct pattern_set *s, struct str pattern);

#endif
