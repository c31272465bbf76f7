/* fetch_socket.c -- sockets are made here, so that nothing is connected to but
 * the address that was checked, and what comes in is bounded here.
 *
 * A body is cut at body_max *decoded* bytes, but a server may send for ever
 * without one: chunk sizes with endless extensions, a gzip header whose file
 * name never ends.  libcurl reads them and says nothing.  So the kernel's count
 * of the connection is looked at after each read, and past the most that a page
 * can need the transfer is ended.  libcurl calls back for that: while such a
 * server keeps up, its read loop need not return.
 *
 * The receive buffer is bounded, too: left alone, the kernel lets it grow to
 * megabytes of what nobody may want. */
#include "fetch_inside.h"

#include "base/log.h"

#include <errno.h>
#include <unistd.h>

#define RECEIVE_BUFFER (256 * 1024)
#define PROXY_IDLE_MAX 256 /* a proxy needs two files for each */
#define TLS_IDLE_MAX 2048  /* connections of 30 KB each, 60 with HTTP/2 */
#define WRAPPING 16 /* one byte in so many for chunk sizes and TLS records */
#define SLACK (64 * 1024) /* TLS handshake; small chunks of small pages */

static bool
same_address(const struct sockaddr *a, const struct sockaddr_storage *b)
{
    const struct sockaddr_in *a4 = (const void *)a, *b4 = (const void *)b;
    const struct sockaddr_in6 *a6 = (const void *)a, *b6 = (const void *)b;

    if (a->sa_family != b->ss_family)
        return false;
    if (a->sa_family == AF_INET)
        return a4->sin_port == b4->sin_port &&
               a4->sin_addr.s_addr == b4->sin_addr.s_addr;
    return a->sa_family == AF_INET6 && a6->sin6_port == b6->sin6_port &&
           memcmp(&a6->sin6_addr, &b6->sin6_addr, 16) == 0;
}

/* Nobody can be asked from fetch.address now. */
static void
has_no_address(struct transfer *t)
{
    static struct log_limit limit = {.most = 1};

    log_rarely(&limit, LOG_WARN, "fetch", "fetch.address: bind=\"%s\"",
               strerror(errno));
    t->cut = true;
    t->stop = t->proxied ? VERDICT_RETURNED : VERDICT_CONNECT;
    if (t->proxied)
        t->reply->proxy = FETCH_PROXY_AWAY;
}

curl_socket_t
fetch_on_socket(void *self, curlsocktype purpose, struct curl_sockaddr *a)
{
    struct transfer *t = self;
    int size = RECEIVE_BUFFER, fd;

    (void)purpose;
    if (!t->proxied && !same_address(&a->addr, &t->address)) {
        log_error("fetch", "refused a connection to an unchecked address");
        return CURL_SOCKET_BAD;
    }
    fd = socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
    if (fd < 0) { /* the host has no part in it */
        t->cut = true;
        t->stop = VERDICT_NO_FILES;
        return CURL_SOCKET_BAD;
    }
    if (!own_address_bind(&t->fetch->own, fd, a->family)) {
        has_no_address(t);
        close(fd);
        return CURL_SOCKET_BAD;
    }
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    if (traffic_opened(t->fetch->traffic, fd))
        t->fetch->open_n++;
    fetch_uses_socket(t, fd);
    return fd;
}

/* libcurl tells fetch_on_close() only of sockets that have been connected, over
 * TLS if that is asked for. */
void
fetch_misses_close(struct fetch *f, int fd)
{
    if (fd >= 0 && traffic_is_gone(f->traffic, fd))
        f->open_n--;
}

/* A pool that is full would have libcurl look at all its connections for the
 * oldest, each time that one more is free, and with more hosts than places the
 * oldest is the one whose host is asked next.  So whoever comes to a full pool
 * closes its connection, and those in it stay until they have been idle too
 * long.  Never more than idle_max are kept: one is only if, with all that are
 * open now, it had room. */
void
fetch_keeps_connection(struct transfer *t)
{
    size_t most = t->fetch->idle_max;
    char *scheme = NULL;
    long made = 0;

    if (most > TLS_IDLE_MAX &&
        curl_easy_getinfo(t->easy, CURLINFO_SCHEME, &scheme) == CURLE_OK &&
        scheme != NULL && strcasecmp(scheme, "https") == 0)
        most = TLS_IDLE_MAX;
    if (t->proxied && most > PROXY_IDLE_MAX)
        most = PROXY_IDLE_MAX;
    if (t->fetch->open_n > most &&
        curl_easy_getinfo(t->easy, CURLINFO_NUM_CONNECTS, &made) == CURLE_OK &&
        made > 0)
        curl_easy_setopt(t->easy, CURLOPT_FORBID_REUSE, 1L);
}

/* Over HTTP/2 what is left of the answer would come in on the next one's
 * account.  It counts up to the end of the transfer: when libcurl has ended it,
 * the connection is idle already, and is shut down. */
void
fetch_gives_up_connection(struct transfer *t)
{
    curl_easy_setopt(t->easy, CURLOPT_FORBID_REUSE, 1L);
}

bool
fetch_stop(struct transfer *t, enum verdict why)
{
    t->cut = true;
    t->stop = why;
    fetch_gives_up_connection(t);
    return false;
}

int
fetch_on_close(void *fetch, curl_socket_t fd)
{
    struct fetch *f = fetch;

    traffic_closing(f->traffic, fd);
    f->open_n--;
    return close(fd);
}

void
fetch_uses_socket(struct transfer *t, int fd)
{
    t->fd = fd;
    traffic_charge(t->fetch->traffic, fd, &t->traffic);
}

int
fetch_leaves_socket(struct transfer *t)
{
    curl_socket_t fd = CURL_SOCKET_BAD;

    /* A short transfer over a connection that is used again may never have
     * been watched. */
    if (t->fd < 0 &&
        curl_easy_getinfo(t->easy, CURLINFO_ACTIVESOCKET, &fd) == CURLE_OK &&
        fd != CURL_SOCKET_BAD && !traffic_is_used(t->fetch->traffic, fd))
        fetch_uses_socket(t, fd);
    fd = t->fd;
    if (fd >= 0)
        traffic_release(t->fetch->traffic, fd, &t->traffic);
    t->fd = -1;
    return fd;
}

uint64_t
fetch_received_max(const struct fetch *f, size_t body_max)
{
    return (uint64_t)body_max + body_max / WRAPPING + f->header_max + SLACK;
}

int
fetch_on_progress(void *transfer, curl_off_t total, curl_off_t now,
                  curl_off_t up_total, curl_off_t up_now)
{
    struct transfer *t = transfer;
    uint64_t most = fetch_received_max(t->fetch, t->body_max);

    (void)total;
    (void)now;
    (void)up_total;
    (void)up_now;
    t->fetch->unasked = 0;
    if (!t->sent) /* libcurl has read nothing yet */
        return 0;
    traffic_count(t->fetch->traffic, t->fd);
    if (t->traffic.received <= most ||
        t->traffic.received - traffic_unread(t->fd) <= most)
        return 0;
    t->cut = true;
    t->stop = VERDICT_TOO_MUCH;
    return 1;
}
