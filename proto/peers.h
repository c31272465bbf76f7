/* peers.h -- those who are connected to a server: who may stay, and what all of
 * them together may hold.
 *
 * Thread-safe but for opening, stopping and closing. */
#ifndef PROTO_PEERS_H
#define PROTO_PEERS_H

#include <nng/nng.h>

#include "call_queue.h"
#include "tls.h"

struct peers; /* opaque */

/* Their calls go into `queue`.  o: the limits. */
enum status peers_open(struct peers **out, struct call_queue *queue,
                       const struct endpoint_options *o);

/* Somebody has come; takes the stream. */
void peers_admit(struct peers *ps, nng_stream *stream, struct tls_keys *keys);

/* There is no descriptor or memory for the next: let one go. */
void peers_make_room(struct peers *ps);

/* All calls are answered: wait (not for long) until the answers are sent, then
 * hang up on all.  The queue may go after it. */
void peers_close(struct peers *ps); /* NULL is allowed */

#endif
