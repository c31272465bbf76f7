/* key_set.h -- the authority, the own certificate and its key, as read once
 * (tls_keys.c says when).  Read-only once it is open: connections share it. */
#ifndef PROTO_KEY_SET_H
#define PROTO_KEY_SET_H

#include "base/status.h"
#include "base/str.h"
#include "certificate.h"

struct key_files {
    struct str authority, own; /* paths: tls.authority, tls.key */
};

struct key_set; /* opaque */

/* ST_USAGE: a file cannot be used (reported). */
enum status key_set_open(struct key_set **out, const struct key_files *f,
                         bool server);
void key_set_close(struct key_set *k); /* NULL is allowed */

const struct mbedtls_ssl_config *key_set_config(const struct key_set *k);

/* What peers will find: they have the same authority.  As
 * certificate_check(). */
bool key_set_check(struct key_set *k, struct certificate_check *c);
/* When the own certificate runs out, since the Unix epoch. */
int64_t key_set_ends_s(const struct key_set *k);

#endif
