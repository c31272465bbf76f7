/* own_address.c -- see own_address.h.  The port is left to connect(), which may
 * take one that is in use for another host: else 28,000 connections are all. */
#include "own_address.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#include "base/log.h"

/* False: it is no address, or another one of its kind stands there. */
static bool
take(struct own_address *out, struct str text)
{
    char z[INET6_ADDRSTRLEN];

    if (text.n >= sizeof z)
        return false;
    memcpy(z, text.p, text.n);
    z[text.n] = '\0';
    if (out->v4.sin_family == AF_UNSPEC &&
        inet_pton(AF_INET, z, &out->v4.sin_addr) == 1)
        out->v4.sin_family = AF_INET;
    else if (out->v6.sin6_family == AF_UNSPEC &&
             inet_pton(AF_INET6, z, &out->v6.sin6_addr) == 1)
        out->v6.sin6_family = AF_INET6;
    else
        return false;
    return true;
}

enum status
own_address_read(struct own_address *out, const struct opts *o)
{
    const struct opt_list *l = &o->fetch_address;

    *out = (struct own_address){0};
    for (size_t i = 0; i < l->n; i++)
        if (!take(out, l->item[i])) {
            log_error("fetch",
                      "fetch.address: one address of IPv4, one of IPv6, or "
                      "either alone, not %.*s",
                      STRF(l->item[i]));
            return ST_USAGE;
        }
    return ST_OK;
}

bool
own_address_admits(const struct own_address *own, int family)
{
    bool v4 = own->v4.sin_family != AF_UNSPEC,
         v6 = own->v6.sin6_family != AF_UNSPEC;

    return (!v4 && !v6) || (family == AF_INET ? v4 : v6);
}

bool
own_address_bind(const struct own_address *own, int fd, int family)
{
    const int yes = 1;

    setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &yes, sizeof yes);
    if (family == AF_INET && own->v4.sin_family != AF_UNSPEC)
        return bind(fd, (const struct sockaddr *)&own->v4, sizeof own->v4) == 0;
    if (family == AF_INET6 && own->v6.sin6_family != AF_UNSPEC)
        return bind(fd, (const struct sockaddr *)&own->v6, sizeof own->v6) == 0;
    return true;
}
