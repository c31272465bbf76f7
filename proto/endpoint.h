/* endpoint.h -- requests, many at once over one connection, by inproc://,
 * ipc://, tcp:// and tls+tcp:// URLs; server.h answers them.
 *
 * A request is sent again when its connection dies, so the receiver must be
 * idempotent; nothing is acknowledged before it is durable there.  The bytes
 * travel over nng's streams; all of nng is called from proto/ (transport.c,
 * wire.c, server.c, peers.c, endpoint.c, publisher.c).  Nothing may fork after
 * an endpoint was opened. */
#ifndef PROTO_ENDPOINT_H
#define PROTO_ENDPOINT_H

#include <stdatomic.h>

#include "base/buf.h"
#include "base/status.h"
#include "base/str.h"

#define ENDPOINT_MESSAGE_MAX ((size_t)64 * 1024 * 1024)

/* Who may be talked to, and the limits of a server.  For tls+tcp://, PEM files:
 * the certificate of the authority that has to have signed the peer's, and
 * one's own certificate with its key; empty: none.  NULL instead of the struct:
 * no tls+tcp://, tcp:// on loopback addresses only, the presets of the limits.
 */
struct endpoint_options {
    struct str authority, own;
    bool unprotected_tcp;       /* tcp:// beyond loopback: anybody is anybody */
    size_t connections;         /* of a server; 0: 1000 */
    size_t connections_address; /* ... from one address; 0: as many */
    size_t memory; /* bytes of messages under way, all together; 0: 256 MiB */
    /* Of a server: what it tells its askers that it is; of an asker: what has
     * to answer.  NULL: nothing; anything. */
    const char *service;
    const char *key; /* the option that the address stands in; NULL: none */
};

/* Can that be a URL of a service, with these options and the files they name?
 * ST_USAGE: no (reported). */
enum status endpoint_check(const char *url, const struct endpoint_options *o);

struct endpoint; /* opaque */

/* Why there was no connection the last time; "": there was, or nobody has tried.
 */
void endpoint_why(struct endpoint *e, char *out, size_t size);

/* Connect to `url` in the background: the peer may come later.  The texts of
 * `o` must live as long.  Owned by the caller.  ST_USAGE: the URL cannot be
 * used (reported). */
enum status endpoint_dial(struct endpoint **out, const char *url,
                          const struct endpoint_options *o);
void endpoint_close(struct endpoint *e); /* NULL allowed; no call under way */

/* Send `request`, wait for the reply (appended to the cleared `reply`).
 * Thread-safe; calls run in parallel.  ST_TIMEOUT after timeout_ms: the peer is
 * absent or slow, and it may or may not have acted.  ST_USAGE (reported):
 * another service answers there than is wanted; nothing was sent to it. */
enum status endpoint_call(struct endpoint *e, struct str request,
                          struct buf *reply, uint64_t timeout_ms);

/* The same, given up with ST_STOPPED soon after *stop becomes true. */
enum status endpoint_call_until(struct endpoint *e, struct str request,
                                struct buf *reply, uint64_t timeout_ms,
                                const atomic_bool *stop);

/* The same in two steps, so that one thread may have many calls under way: they
 * go out at once and are answered in any order.  `request` must live until
 * endpoint_receive(), which waits for the answer and ends the call, whatever it
 * returns.  NULL: no memory. */
struct endpoint_call; /* opaque */
struct endpoint_call *endpoint_send(struct endpoint *e, struct str request,
                                    uint64_t timeout_ms,
                                    const atomic_bool *stop);
enum status endpoint_receive(struct endpoint_call *c, struct buf *reply);

#endif
