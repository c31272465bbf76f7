/* metadata.h -- the parts of the stage `metadata`. */
#ifndef CLEAN_METADATA_H
#define CLEAN_METADATA_H

#include "candidates.h"

/* Reads meta robots and X-Robots-Tag; obey: noindex is a reason to reject. */
void metadata_robots(struct document *d, bool obey);

/* All candidates of a page; heading_i: block of the title, or 0. */
void metadata_collect(struct guesses *c, struct document *d,
                      uint32_t *heading_i);

/* Fills d->meta from them. */
void metadata_choose(struct guesses *c, uint32_t heading_i);

#endif
