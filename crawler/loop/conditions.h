/* conditions.h -- what a run needs and no URL is to blame for: a name server, a
 * network, a contact URL, certificates of authorities, the proxy.  While one is
 * missing nothing is tried, so nothing is settled by it; visits that met it go
 * back into the queue. */
#ifndef CRAWLER_CONDITIONS_H
#define CRAWLER_CONDITIONS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "crawler/fetch/own_address.h"

struct crawl;

enum condition {
    CONDITION_NONE,
    CONDITION_NAMES,   /* no name server answers */
    CONDITION_NETWORK, /* this machine has no route to an address */
    CONDITION_CONTACT, /* fetch.user_agent has no contact URL: ends the run */
    CONDITION_AUTHORITIES, /* of TLS, here: ends the run */
    CONDITION_PROXY,       /* fetch.proxy does not answer */
    CONDITION_LOGIN,       /* ... or wants another login */
    CONDITION_FAR          /* ... or reaches no host any more */
};

struct conditions { /* guarded by the crawl's lock; starts as {0} */
    enum condition missing;
    uint64_t since_ms, probe_ms, step_ms;
};

/* A visit of `host` has met that it is missing, or that it is there. */
void condition_missing(struct crawl *c, enum condition what, struct str host);
void condition_there(struct crawl *c, enum condition what);

/* Of `slots` free ones, how many may be leased: while something is missing one
 * at a time, now and then, to see.  The crawl's lock is held. */
size_t condition_slots(struct crawl *c, size_t slots);

/* It has been missing for longer than limits.wait_seconds; said. */
bool condition_gave_up(struct crawl *c);

/* For people; NULL: nothing is missing. */
const char *condition_text(enum condition what);

/* Would a packet from fetch.address to this one leave the machine?  Sends none.
 */
bool condition_has_route(const struct own_address *own,
                         const struct sockaddr *address);

#endif
