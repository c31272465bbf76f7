/* endpoint_case.h -- what the tests of calls between processes share: addresses
 * nobody listens at, the keys of tests/cases/tls, a server that echoes. */
#ifndef ENDPOINT_CASE_H
#define ENDPOINT_CASE_H

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "folder.h"
#include "proto/endpoint.h"
#include "proto/server.h"

/* The keys in tests/cases/tls: an authority, a certificate it signed for
 * localhost, and one that nobody signed. */
static const struct endpoint_options good = {
    .authority = STR("tests/cases/tls/authority.pem"),
    .own = STR("tests/cases/tls/peer.pem")};

static inline void
echo(void *self, struct server_call *calls, size_t n)
{
    size_t *largest = self;

    if (n > *largest)
        *largest = n;
    for (size_t i = 0; i < n; i++) {
        buf_c(&calls[i].reply, "re:");
        buf_str(&calls[i].reply, calls[i].request);
    }
}

/* A port nobody listens on at this moment. */
static inline int
free_port(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET};
    socklen_t size = sizeof a;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK(bind(fd, (struct sockaddr *)&a, sizeof a) == 0);
    CHECK(getsockname(fd, (struct sockaddr *)&a, &size) == 0);
    close(fd);
    return ntohs(a.sin_port);
}

static inline const char *
url_of(const char *transport, const char *name)
{
    static char url[256];

    if (strcmp(transport, "tcp") == 0)
        snprintf(url, sizeof url, "tcp://127.0.0.1:%d", free_port());
    else if (strcmp(transport, "tls") == 0)
        snprintf(url, sizeof url, "tls+tcp://localhost:%d", free_port());
    else if (strcmp(transport, "ipc") == 0)
        snprintf(url, sizeof url, "ipc://%s/%s.sock", folder, name);
    else
        snprintf(url, sizeof url, "inproc://%s", name);
    return url;
}

static inline bool
says(struct endpoint *e, const char *request, const char *expected)
{
    struct buf reply = {0};
    bool same;

    same = endpoint_call(e, str_c(request), &reply, 10000) == ST_OK &&
           str_eq(buf_view(&reply), str_c(expected));
    buf_free(&reply);
    return same;
}

/* A bare chroot has no /etc/hosts. */
static inline bool
has_localhost(void)
{
    struct addrinfo *found = NULL;
    bool yes = getaddrinfo("localhost", NULL, NULL, &found) == 0;

    freeaddrinfo(found);
    return yes;
}

#endif
