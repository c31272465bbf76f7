/* quota.h -- how many URLs of one host, and of one registered domain, may be
 * queued.
 *
 * When a queue is full a better link takes the place of the worst that is
 * queued of its host; a worse one is dropped.  What is dropped is counted and
 * forgotten: it is in no table, so it comes in when it is found again and there
 * is room for it, or it has become better. */
#ifndef FRONTIER_QUOTA_H
#define FRONTIER_QUOTA_H

#include "candidate.h"

struct intake;

/* ---- queued URLs of each domain, in memory ---- */
struct domains; /* opaque; see frontier/intake/quota.c */

struct domains *domains_new(void);    /* never NULL */
void domains_free(struct domains *d); /* NULL is allowed */
uint64_t domains_n(const struct domains *d, struct str domain);

/* Candidates c[0..n) of one host, sorted by key and looked up: those that are
 * new get their host, made when there is none, or become REPEATED (*dropped)
 * because there is no room. */
enum status quota_admit(struct intake *in, struct candidate **c, size_t n,
                        size_t *dropped);

/* Of a page's n new links the best `max` (0: all), in their order; returns how
 * many.  Where there are more, those of one URL become one first. */
size_t quota_best(struct candidate *c, size_t n, size_t max, size_t *dropped);

#endif
