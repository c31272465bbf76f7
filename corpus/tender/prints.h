/* prints.h -- what estimates are made of, from the disk.
 *
 * Fingerprints of pairs stand anywhere in their file.  A batch first learns
 * which documents will be compared, then reads them all in the order of the
 * file, and is then asked for pairs. */
#ifndef TENDER_PRINTS_H
#define TENDER_PRINTS_H

#include "tender_inside.h"

struct prints; /* opaque; any thread reads */

enum status prints_open(struct prints **out, const struct tender *t);
void prints_close(struct prints *p); /* NULL is allowed */

/* Bytes a document, on an average. */
size_t prints_bytes_each(const struct prints *p);
/* Into the cache with what print_batch_want() will need of it. */
void prints_prefetch(const struct prints *p, uint32_t rank);

struct print_batch; /* opaque; one thread */

struct print_batch *print_batch_new(const struct prints *p);
void print_batch_free(struct print_batch *b); /* NULL is allowed */

/* This one will be compared; its number. */
uint32_t print_batch_want(struct print_batch *b, uint32_t rank);
/* Of different documents so far. */
size_t print_batch_n(const struct print_batch *b);
/* Read them.  ST_IO: reported. */
enum status print_batch_gather(struct print_batch *b);
/* Numbers of documents that were gathered. */
void print_batch_prefetch(const struct print_batch *b, uint32_t number);
/* 0 to 1; in memory of `room`, which is reset. */
double print_batch_resemblance(const struct print_batch *b, uint32_t x,
                               uint32_t y, struct arena *room);
/* None is wanted. */
void print_batch_clear(struct print_batch *b);

#endif
