/* link_rot.h -- does a link lead to a page at all?
 *
 * Whether the links of a host work is a matter of the host: nearly all of them
 * do, or hardly any.  So what scorer learned makes of a link has two parts: the
 * chance that something is there, by how the latest links of its host and URL
 * class ended, and the chance that what is there will be kept (learner.h).  A
 * host whose links are dead then says nothing against the links of another.
 *
 * What the operator gives is counted apart: seeds are mostly there and tell
 * little about links. */
#ifndef FRONTIER_LINK_ROT_H
#define FRONTIER_LINK_ROT_H

#include <stdbool.h>
#include <stdint.h>

#include "frontier/store/outcome_class.h"

#define LINK_ROT_RUNS 8u

struct link_rot_crawl { /* counts of the whole crawl */
    /* Links of hosts whose links so far, 0, 1, 2 .. or more of them, were all
       dead; and how many of those links were not. */
    uint32_t tried[LINK_ROT_RUNS], working[LINK_ROT_RUNS];
    uint32_t seeds, seeds_working;
};

struct link_rot_host {     /* of a host's latest links ... */
    double links, working; /* ... no URL class counting for much */
    double dead;
};

/* A link of the host, a seed of the crawl has ended. */
void link_rot_learn(struct link_rot_crawl *c, const struct outcome_counts *host,
                    bool seed, bool dead);

void link_rot_add(struct link_rot_host *h,
                  const struct outcome_counts *url_class);

/* The chance that a seed, a link of the URL class is there. */
double link_rot_seed(const struct link_rot_crawl *c);
double link_rot_link(const struct link_rot_crawl *c,
                     const struct link_rot_host *h,
                     const struct outcome_counts *url_class);

/* The chance of the URL class's next link, if one more were there: most hosts'
 * links are all there, or hardly any. */
double link_rot_proven(const struct link_rot_crawl *c,
                       const struct link_rot_host *h,
                       const struct outcome_counts *url_class);

/* What trying the URL class's next link is worth, in links that are there: one
 * that works opens the rest of the host, one that does not costs one fetch. */
double link_rot_trial(const struct link_rot_crawl *c,
                      const struct link_rot_host *h,
                      const struct outcome_counts *url_class, uint64_t queued,
                      double there);

#endif
