/* dns_channel.h -- a channel of c-ares, set up as dns.c says.
 *
 * Only for dns.c. */
#ifndef CRAWLER_DNS_CHANNEL_H
#define CRAWLER_DNS_CHANNEL_H

#include "dns_socket.h"

/* With these ARES_FLAG_*.  `s` outlives it; ares_destroy() ends it. */
enum status dns_channel_open(ares_channel *out, struct dns_socket *s, int flags,
                             const struct opts *o);

#endif
