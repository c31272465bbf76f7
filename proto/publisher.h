/* publisher.h -- messages to whoever subscribes: nng's own PUB, so any nng
 * client reads it with a SUB socket.
 *
 * Nobody can hold it up.  Each subscriber has room for PUBLISHER_QUEUE
 * messages; when it does not keep up, the oldest of them is dropped for the
 * newest, so what all slow ones together hold is bounded.  Further subscribers
 * than PUBLISHER_MOST are turned away. */
#ifndef PROTO_PUBLISHER_H
#define PROTO_PUBLISHER_H

#include "endpoint.h"

enum { PUBLISHER_QUEUE = 256, PUBLISHER_MOST = 64 };

struct publisher; /* opaque */

/* Listen at ipc://PATH (its owner's alone) or tcp://ADDRESS:PORT (loopback
 * only, unless o->unprotected_tcp).  ST_USAGE, ST_IO, ST_NOMEM: reported. */
enum status publisher_open(struct publisher **out, const char *url,
                           const struct endpoint_options *o);

/* One message: head and body, one after the other.  Never waits; without a
 * subscriber it is gone.  One thread.  ST_NOMEM: not sent. */
enum status publisher_send(struct publisher *p, struct str head,
                           struct str body);

/* Does nng admit nobody any more, as after a hang-up at the wrong moment?  Then
 * end this process and begin another. */
bool publisher_is_deaf(struct publisher *p);

/* How many subscribe now. */
size_t publisher_subscribers(struct publisher *p);

/* Hang up on all.  NULL is allowed. */
void publisher_close(struct publisher *p);

#endif
