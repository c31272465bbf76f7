/* tls.h -- the TLS of tls+tcp://, as a function of the bytes that come: mutual,
 * and it can say which side refused what.
 *
 * Nothing here reads, sends or waits; a struct tls belongs to one thread at a
 * time, the keys to all. */
#ifndef PROTO_TLS_H
#define PROTO_TLS_H

#include "base/buf.h"
#include "tls_keys.h"

struct tls; /* opaque: one connection */

/* name: which the peer's certificate must bear; NULL for a server.  NULL: no
 * memory. */
struct tls *tls_new(struct tls_keys *k, const char *name);
void tls_free(struct tls *t); /* NULL is allowed */

/* Begin, or go on with `bytes` of the peer's: what they hold is appended to
 * `plain`, what has to be sent to `out`.  ST_IO: it is over, see tls_why(), and
 * what is in `out` tells the peer. */
enum status tls_in(struct tls *t, struct str bytes, struct buf *plain,
                   struct buf *out);
bool tls_is_ready(const struct tls *t); /* the handshake is done */

/* Encrypt, once it is ready. */
enum status tls_out(struct tls *t, struct str plain, struct buf *out);

const char *tls_why(const struct tls *t);

#endif
