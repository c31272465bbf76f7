/* address.h -- clocks of server addresses: several hosts behind one address are
 * as polite to it as one.
 *
 * In memory, for addresses that somebody waits for or has contacted a moment
 * ago; frontier/schedule/politeness.c keeps them in the store.  An address
 * stands for its 64-bit hash, 0 is none.  One thread. */
#ifndef FRONTIER_ADDRESS_H
#define FRONTIER_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct addresses; /* opaque; see frontier/schedule/address.c */

struct addresses *addresses_new(void);
void addresses_free(struct addresses *a); /* NULL is allowed */

/* When the address may next be contacted; 0: at any time. */
uint64_t addresses_due(const struct addresses *a, uint64_t address);

/* `host` is about to contact it: nobody else until `until_ms`. */
void addresses_hold(struct addresses *a, uint64_t address, uint32_t host,
                    uint64_t until_ms);

/* Nobody until `until_ms`; whose contact it waits for stays as it is. */
void addresses_raise(struct addresses *a, uint64_t address, uint64_t until_ms);

/* No date lies behind `last_ms`: they were another clock's. */
void addresses_cut(struct addresses *a, uint64_t last_ms);

/* The contact is over: nobody until `next_ms`.  Ends the hold of `host`; that
 * of another host stays. */
void addresses_release(struct addresses *a, uint64_t address, uint32_t host,
                       uint64_t next_ms);

/* When a host that is due, but whose address is not, shall look again: the
 * first ones that wait when the address is free (while somebody holds it, which
 * may end early: after `step_ms`), so that the best of them is taken; what
 * comes behind them later by `step_ms` each group, so that a thousand hosts do
 * not all wake for one turn. */
uint64_t addresses_park(struct addresses *a, uint64_t address, uint64_t now_ms,
                        uint64_t step_ms);

/* Forget those that are free at now_ms (done by the others now and then). */
void addresses_prune(struct addresses *a, uint64_t now_ms);

size_t addresses_n(const struct addresses *a);

#endif
