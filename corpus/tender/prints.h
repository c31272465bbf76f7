/* prints.h -- what estimates are made of, by rank, from the disk. */
#ifndef TENDER_PRINTS_H
#define TENDER_PRINTS_H

#include "tender_inside.h"

struct prints; /* opaque; any thread reads */

struct print {
    char *bytes;
    size_t n, room;
};
void print_free(struct print *p);

enum status prints_open(struct prints **out, const struct tender *t);
void prints_close(struct prints *p); /* NULL is allowed */

/* Into the cache with where one stands that will be loaded soon; before that
 * with what that is looked up by. */
void prints_prefetch_order(const struct prints *p, uint32_t rank);
void prints_prefetch(const struct prints *p, uint32_t rank);

/* ST_IO: reported. */
enum status prints_load(const struct prints *p, uint32_t rank,
                        struct print *out);
/* 0 to 1; in memory of `room`, which is reset. */
double prints_resemblance(const struct prints *p, const struct print *a,
                          const struct print *b, struct arena *room);

#endif
