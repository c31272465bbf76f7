/* tls_keys.h -- the keys of tls+tcp://, those that are in their files now: a
 * certificate that was renewed counts from the next connection on, without a
 * restart.  Any thread may take them. */
#ifndef PROTO_TLS_KEYS_H
#define PROTO_TLS_KEYS_H

#include "endpoint.h"

struct tls_keys; /* opaque */
struct key_set;  /* key_set.h */

/* The authority, and the own certificate with its key.  name: which a server's
 * own certificate should bear; NULL: none.  What peers will refuse our own for
 * is logged, and so, once a day of connections, that it is about to run out.
 * ST_USAGE: a file cannot be used (reported). */
enum status tls_keys_open(struct tls_keys **out,
                          const struct endpoint_options *o, bool server,
                          const char *name);
/* NULL is allowed; all that were taken were given back. */
void tls_keys_close(struct tls_keys *k);
bool tls_keys_of_server(const struct tls_keys *k);

/* For one connection, until they are given back.  Files that have changed and
 * cannot be used are reported; then what was there before goes on. */
struct key_set *tls_keys_take(struct tls_keys *k);
void tls_keys_give_back(struct tls_keys *k, struct key_set *taken);

#endif
