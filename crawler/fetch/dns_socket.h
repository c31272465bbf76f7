/* dns_socket.h -- the sockets of c-ares, which so tell what c-ares does not:
 * whether a name server says anything at all, whose answer was cut, and that
 * it was not understood; and keep from it what would harm other queries.
 *
 * Only for dns.c. */
#ifndef CRAWLER_DNS_SOCKET_H
#define CRAWLER_DNS_SOCKET_H

#include <ares.h>

#include "dns_answer.h"

struct dns_socket {
    void *self;
    bool datagrams;                              /* else a stream */
    void (*heard)(void *self, struct str bytes); /* that have come */
    /* Watch it for these; both false: it is closed. */
    void (*watch)(void *self, int fd, bool readable, bool writable);
};

/* `s` outlives the channel. */
void dns_socket_use(ares_channel channel, struct dns_socket *s);

/* Is the datagram an answer that was cut to fit?  Then of whom. */
bool dns_socket_is_cut(struct str datagram, char name[DNS_NAME_BYTES_MAX + 1]);

/* Is the datagram an answer of one who does not understand the record OPT?  It
 * may repeat the question or not (RFC 6891, 7). */
bool dns_socket_knows_no_edns(struct str datagram);

#endif
