/* alive.h -- does a link lead to a page at all?
 *
 * Whether the links of a host work is a matter of the host: nearly all of them
 * do, or hardly any.  So what scorer learned makes of a link has two parts: the
 * chance that something is there, by how the latest links of its host and shelf
 * ended, and the chance that what is there will be kept (learner.h).  A host
 * whose links are dead then says nothing against the links of another.
 *
 * What the operator gives is counted apart: seeds are mostly there and tell
 * little about links. */
#ifndef FRONTIER_ALIVE_H
#define FRONTIER_ALIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "cause.h"

#define ALIVE_RUNS 8u

struct alive_crawl { /* counts of the whole crawl */
    /* Links of hosts whose links so far, 0, 1, 2 .. or more of them, were all
       dead; and how many of those links were not. */
    uint32_t tried[ALIVE_RUNS], alive[ALIVE_RUNS];
    uint32_t seeds, seeds_alive;
};

struct alive_host {      /* of a host's latest links ... */
    double links, alive; /* ... no shelf counting for much */
    double dead;
};

/* A link of the shelf, a seed of the crawl has ended. */
void alive_count(struct causes *shelf, struct causes *host, bool dead);
void alive_learn(struct alive_crawl *c, const struct causes *host, bool seed,
                 bool dead);

void alive_add(struct alive_host *h, const struct causes *shelf);

/* The chance that a seed, a link of the shelf is there. */
double alive_seed(const struct alive_crawl *c);
double alive_link(const struct alive_crawl *c, const struct alive_host *h,
                  const struct causes *shelf);

/* What trying the shelf's next link is worth, in links that are there: one that
 * works opens the rest of the host, one that does not costs one fetch. */
double alive_worth(const struct alive_crawl *c, const struct alive_host *h,
                   const struct causes *shelf, uint64_t queued, double there);

#endif
