/* own_address.h -- fetch.address: from which of this machine's addresses hosts
 * are asked. */
#ifndef CRAWLER_OWN_ADDRESS_H
#define CRAWLER_OWN_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>

#include "base/options/opt.h"
#include "base/status.h"

struct own_address { /* {0}: whichever the system takes */
    struct sockaddr_in v4;
    struct sockaddr_in6 v6; /* family AF_UNSPEC: none of that kind */
};

/* ST_USAGE (reported): more than one of a kind, or what is none. */
enum status own_address_read(struct own_address *out, const struct opts *o);

/* Are hosts asked over AF_INET, AF_INET6? */
bool own_address_admits(const struct own_address *own, int family);

/* Before a socket of that family is connected.  False, with errno: the address
 * is none of this machine's, at the time. */
bool own_address_bind(const struct own_address *own, int fd, int family);

#endif
