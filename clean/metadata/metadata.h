/* metadata.h -- the parts of the stage `metadata`. */
#ifndef CLEAN_METADATA_H
#define CLEAN_METADATA_H

#include "candidates.h"

/* Reads meta robots and X-Robots-Tag; obey: noindex is a reason to reject. */
void metadata_robots(struct document *d, bool obey);

/* A list of robots directives, read part by part (between commas): an agent's
 * name and a colon may stand before directives, and hold until the next one. */
struct robots_list {
    struct str rest, agent; /* whom directives name when they mean us */
    bool others;            /* what comes is for another agent */
};

/* The words of the next part that are directives for us, maybe none; those with
 * a value ("max-snippet: 20") are left out.  False: the list is over. */
bool robots_part(struct robots_list *l, struct str *words);

/* All candidates of a page; heading_i: block of the title, or 0. */
void metadata_collect(struct guesses *c, struct document *d,
                      uint32_t *heading_i);

/* Fills d->meta from them. */
void metadata_choose(struct guesses *c, uint32_t heading_i);

#endif
