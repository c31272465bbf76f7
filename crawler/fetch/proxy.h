/* proxy.h -- fetch.proxy, as far as it is text: what kind, and is it one.
 *
 * Pure, but for the file with the login. */
#ifndef CRAWLER_PROXY_H
#define CRAWLER_PROXY_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/options/opt.h"
#include "base/status.h"

enum proxy_kind {
    PROXY_NONE,
    PROXY_HTTP,  /* RFC 9110, 7.6 and 9.3.6 */
    PROXY_HTTPS, /* the same, over TLS */
    PROXY_SOCKS  /* RFC 1928, with names */
};

enum proxy_kind proxy_kind_of(const struct opts *o);

/* Are names of hosts looked up by this machine, too? */
bool proxy_names_here(const struct opts *o);

/* ST_USAGE: fetch.proxy is no URL of a proxy, or its login cannot be read or
 * used (reported). */
enum status proxy_check(const struct opts *o);

/* "user:password", NUL behind it, from fetch.proxy_login; empty: none is given.
 * ST_USAGE: the file cannot be read or holds none (reported). */
enum status proxy_login(const struct opts *o, struct buf *out);

#endif
