/* siblings.h -- how the links of one page have ended so far.
 *
 * The links of a page share a fate: those of a list of articles lead to
 * articles, those of a page whose targets were taken off the site are dead, all
 * of them.  So how the first ones ended says much about the others.
 *
 * A fixed table in memory, hashed by the linking page; a page that has ended
 * links now takes the place of one that had them longer ago.  What it forgets,
 * and what a restart forgets, is evidence less, nothing else.
 *
 * Not thread-safe. */
#ifndef FRONTIER_SIBLINGS_H
#define FRONTIER_SIBLINGS_H

#include <stdbool.h>
#include <stdint.h>

struct siblings; /* opaque; see frontier/score/siblings.c */

struct sibling_counts {
    uint16_t ended, dead, kept;
};

struct siblings *siblings_new(void);
void siblings_free(struct siblings *s); /* NULL is allowed */

/* A link of the page has ended. */
void siblings_count(struct siblings *s, uint32_t host, uint64_t page, bool dead,
                    bool kept);

/* All 0: nothing is known. */
struct sibling_counts siblings_of(const struct siblings *s, uint32_t host,
                                  uint64_t page);

#endif
