/* link.h -- one connection to a peer, for whole messages (framed byte strings),
 * over nng's byte streams.
 *
 * A link belongs to one thread; only link_wake() may come from another. */
#ifndef PROTO_LINK_H
#define PROTO_LINK_H

#include <nng/nng.h>

#include "patience.h"
#include "winnow/buf.h"

struct link; /* opaque */

/* Connect, or take the next connection.  ST_IO: nobody there, or it failed;
 * ST_TIMEOUT, ST_STOPPED: the patience is over; ST_NOMEM. */
enum status link_dial(struct link **out, nng_stream_dialer *dialer,
                      const struct patience *p);
enum status link_accept(struct link **out, nng_stream_listener *listener,
                        const struct patience *p);
void link_close(struct link *l); /* NULL allowed */

/* Hang up at once, keep the memory: the peer sees the end. */
void link_hang_up(struct link *l);

/* The message whole, in either direction (a received one replaces what is in
 * `message`).  ST_IO: the connection is dead; ST_LIMIT: the peer announces a
 * message over ENDPOINT_MESSAGE_MAX; ST_INVALID: it speaks something else;
 * ST_TIMEOUT, ST_STOPPED: the patience is over.  After any of these the link
 * is of no use. */
enum status link_send(struct link *l, struct str message,
                      const struct patience *p);
enum status link_receive(struct link *l, struct buf *message,
                         const struct patience *p);

/* From another thread: look at your patience now. */
void link_wake(struct link *l);

#endif
