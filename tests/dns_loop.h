/* dns_loop.h -- a resolver and a name server that a test plays, in one poll
 * loop on loopback. */
#ifndef TEST_DNS_LOOP_H
#define TEST_DNS_LOOP_H

#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "crawler/fetch/dns.h"

#define DNS_LOOP_MAX 64

struct dns_loop {
    struct pollfd fds[DNS_LOOP_MAX]; /* of the resolver */
    size_t fds_n;
    int server; /* UDP; 0: not open yet */
    uint16_t port;
};

static struct dns_loop dns_loop;

/* For `struct dns_io`. */
static void
dns_loop_watch(void *self, int fd, bool readable, bool writable)
{
    struct dns_loop *l = &dns_loop;
    size_t i = 0;

    (void)self;
    while (i < l->fds_n && l->fds[i].fd != fd)
        i++;
    if (i == l->fds_n) {
        if (l->fds_n == DNS_LOOP_MAX)
            abort();
        l->fds[l->fds_n++].fd = fd;
    }
    l->fds[i].events =
        (short)((readable ? POLLIN : 0) | (writable ? POLLOUT : 0));
    if (l->fds[i].events == 0)
        l->fds[i] = l->fds[--l->fds_n];
}

static void
dns_loop_open(void)
{
    struct dns_loop *l = &dns_loop;
    struct sockaddr_in sa = {.sin_family = AF_INET};
    socklen_t n = sizeof sa;

    sa.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    l->server = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (l->server < 0 || bind(l->server, (struct sockaddr *)&sa, n) != 0 ||
        getsockname(l->server, (struct sockaddr *)&sa, &n) != 0) {
        perror("name server");
        abort();
    }
    l->port = ntohs(sa.sin_port);
}

/* Wait for a query or an answer: serve() reads queries, the resolver does what
 * it can. */
static void
dns_loop_turn(struct dns *d, int wait_ms, uint64_t now_ms,
              void (*serve)(void *self), void *self)
{
    struct dns_loop *l = &dns_loop;
    struct pollfd now[DNS_LOOP_MAX + 1];
    size_t n = l->fds_n;

    memcpy(now, l->fds, n * sizeof *now);
    now[n] = (struct pollfd){.fd = l->server, .events = POLLIN};
    poll(now, n + 1, wait_ms);
    if (now[n].revents)
        serve(self);
    for (size_t i = 0; i < n; i++)
        if (now[i].revents)
            dns_ready(d, now[i].fd, (now[i].revents & ~POLLOUT) != 0,
                      (now[i].revents & POLLOUT) != 0, now_ms);
    dns_tick(d, now_ms);
}

#endif
