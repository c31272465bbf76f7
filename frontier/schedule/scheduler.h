/* scheduler.h -- the hosts that have something to fetch, in memory: who is due,
 * and whose best URL is the best.
 *
 * One entry per host; two heaps: `waiting` by time (also hosts that are out, by
 * the end of their lease), `ready` by the priority of their best URL (then the
 * host fetched from least, then the older URL).  Nothing here is durable: the
 * scheduler is made from the table of hosts and follows it. */
#ifndef FRONTIER_SCHEDULER_H
#define FRONTIER_SCHEDULER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scheduler; /* opaque; see frontier/schedule/scheduler.c */

#define SCHEDULER_NEVER UINT64_MAX

struct scheduler_entry {
    uint64_t
        due_ms; /* out: end of the lease; SCHEDULER_NEVER: waits for others */
    uint64_t sequence; /* of the best URL */
    uint32_t host;
    uint32_t fetched;
    uint16_t priority; /* of the best URL */
    bool out;          /* something of it is leased */
    bool full;         /* it waits for nothing: it has had all its pages */
};

struct scheduler *scheduler_new(void);
void scheduler_free(struct scheduler *a); /* NULL is allowed */

/* Add or replace the entry of e->host; forget it. */
void scheduler_set(struct scheduler *a, const struct scheduler_entry *e);
void scheduler_drop(struct scheduler *a, uint32_t host);

/* The host is not due before due_ms after all. */
void scheduler_delay(struct scheduler *a, uint32_t host, uint64_t due_ms);

/* Bring the scheduler to now_ms.  True: the lease of *host has ended (change
 * its entry and call again); false: everybody who is due is ready. */
bool scheduler_advance(struct scheduler *a, uint64_t now_ms, uint32_t *host);

/* The best of the ready hosts, left where it is; after scheduler_advance(). */
bool scheduler_best(const struct scheduler *a, uint32_t *host);

/* The best of the ready hosts in order, `max` at most (and
 * SCHEDULER_FIRST_MAX); returns how many.  Not exactly those that will be
 * leased next. */
#define SCHEDULER_FIRST_MAX 256u
size_t scheduler_first(const struct scheduler *a, struct scheduler_entry *out,
                       size_t max);

/* Any of the ready hosts: number `chance` modulo how many there are. */
bool scheduler_any(const struct scheduler *a, uint64_t chance, uint32_t *host);

/* When the next host becomes due or a lease ends; SCHEDULER_NEVER: nobody. */
uint64_t scheduler_wake(const struct scheduler *a);

size_t scheduler_len(const struct scheduler *a);

/* The best priority among hosts that become due until `until_ms`, and those
 * that are out with a lease that ends at `out_ms` or later (SCHEDULER_NEVER:
 * none): what waiting would bring.  Of the first it looks at a bounded number.
 */
uint16_t scheduler_soon(const struct scheduler *a, uint64_t until_ms,
                        uint64_t out_ms);

/* Hosts due at now_ms, and those that wait (neither counts hosts out, or full).
 */
void scheduler_count(const struct scheduler *a, uint64_t now_ms, uint64_t *due,
                     uint64_t *waiting);

/* Those that are due, or whose lease ends, later than `at_ms` (never is none of
 * them); as scheduler_out(). */
size_t scheduler_beyond(const struct scheduler *a, uint64_t at_ms,
                        uint32_t *ids, size_t max);

size_t scheduler_out_n(const struct scheduler *a);
size_t scheduler_full_n(const struct scheduler *a);

/* The hosts that are out, into ids[max]; returns how many there are. */
size_t scheduler_out(const struct scheduler *a, uint32_t *ids, size_t max);

#endif
