/* host.h -- facts about host names: registered domain, TLD, addresses.
 *
 * Registered domains follow the Public Suffix List through libpsl (its
 * built-in copy).  Pure and thread-safe. */
#ifndef BASE_HOST_H
#define BASE_HOST_H

#include "base/status.h"
#include "base/str.h"

struct sockaddr;
struct sockaddr_storage;

/* One label below the public suffix ("a.b.co.uk" -> "b.co.uk"); points into
 * `host`.  An IP address or a bare suffix is its own registered domain. */
struct str host_registered_domain(struct str host);

/* Has it the characters of a host's name?  Links lead to other ones, too; and
 * what an operator has put a * or a comment behind would be taken for one. */
bool host_is_name(struct str host);

/* The last label; empty for IP addresses. */
struct str host_tld(struct str host);

/* host equals domain or ends in ".domain". */
bool host_under(struct str host, struct str domain);

bool host_is_ip(struct str host); /* 1.2.3.4 or [v6] as in a URL */

/* The address that `host` is: 1.2.3.4 or v6, also in [], port 0.  False: it is
 * none. */
bool host_address(struct sockaddr_storage *out, struct str host);

/* The host of an authority HOST[:PORT]; points into it. */
static inline struct str
host_without_port(struct str authority)
{
    size_t n = authority.n;

    while (n > 0 && ascii_digit(authority.p[n - 1]))
        n--;
    return n > 0 && authority.p[n - 1] == ':' ? str_sub(authority, 0, n - 1)
                                              : authority;
}

/* Addresses that a crawler must not contact by accident: private, loopback,
 * link-local, multicast, documentation, translated forms (RFC 6890 and the
 * IANA special-purpose registries). */
enum host_range { HOST_PUBLIC, HOST_LOOPBACK, HOST_PRIVATE };
enum host_range host_address_range(const struct sockaddr *sa);

#endif
