/* traffic.c -- a row for every socket, by its number: what the kernel has
 * counted on it so far, and who is charged for more.
 *
 * One system call for each read.  Connections are used
 * again, so a transfer is charged for the growth only. */
#include "traffic.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

struct traffic_line {
    bool open;
    uint64_t cookie;           /* the kernel's number of the socket */
    uint64_t seen;             /* of the kernel's count */
    struct traffic_user *user; /* NULL: idle */
};

struct traffic {
    struct traffic_line *line; /* by number of the socket */
    size_t lines_n;
};

struct traffic *
traffic_new(void)
{
    return calloc(1, sizeof(struct traffic));
}

void
traffic_free(struct traffic *t)
{
    if (t != NULL)
        free(t->line);
    free(t);
}

static struct traffic_line *
line_of(const struct traffic *t, int fd)
{
    return fd >= 0 && (size_t)fd < t->lines_n ? &t->line[fd] : NULL;
}

static uint64_t
cookie_of(int fd)
{
    uint64_t cookie = 0;
    socklen_t n = sizeof cookie;

    return getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &n) == 0 ? cookie : 0;
}

bool
traffic_opened(struct traffic *t, int fd)
{
    size_t n = ((size_t)fd + 64) & ~(size_t)63;
    struct traffic_line *grown;
    bool was_open;

    if ((size_t)fd >= t->lines_n) {
        grown = realloc(t->line, n * sizeof *grown);
        if (grown == NULL)
            return true;
        memset(grown + t->lines_n, 0, (n - t->lines_n) * sizeof *grown);
        t->line = grown;
        t->lines_n = n;
    }
    was_open = t->line[fd].open;
    t->line[fd] = (struct traffic_line){.open = true, .cookie = cookie_of(fd)};
    return !was_open;
}

void
traffic_count(struct traffic *t, int fd)
{
    struct traffic_line *l = line_of(t, fd);
    struct tcp_info info;
    socklen_t n = sizeof info;

    if (l == NULL || getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &n) != 0 ||
        n < offsetof(struct tcp_info, tcpi_bytes_received) +
                sizeof info.tcpi_bytes_received)
        return;
    if (l->user != NULL && info.tcpi_bytes_received > l->seen)
        l->user->received += info.tcpi_bytes_received - l->seen;
    l->seen = info.tcpi_bytes_received;
}

void
traffic_charge(struct traffic *t, int fd, struct traffic_user *u)
{
    struct traffic_line *l = line_of(t, fd);

    if (l == NULL || l->user == u)
        return;
    if (l->user != NULL)
        traffic_count(t, fd);
    l->user = u;
}

void
traffic_release(struct traffic *t, int fd, struct traffic_user *u)
{
    const struct traffic_line *l = line_of(t, fd);

    if (l != NULL && l->user == u)
        traffic_charge(t, fd, NULL);
}

void
traffic_closing(struct traffic *t, int fd)
{
    struct traffic_line *l = line_of(t, fd);

    traffic_charge(t, fd, NULL);
    if (l != NULL)
        l->open = false;
}

bool
traffic_is_gone(struct traffic *t, int fd)
{
    struct traffic_line *l = line_of(t, fd);

    if (l == NULL || !l->open || l->user != NULL || l->cookie == cookie_of(fd))
        return false;
    l->open = false;
    return true;
}

void
traffic_shut(const struct traffic *t, int fd)
{
    const struct traffic_line *l = line_of(t, fd);

    if (l != NULL && l->open && l->user == NULL && l->cookie == cookie_of(fd))
        shutdown(fd, SHUT_RDWR);
}

void
traffic_shut_idle(const struct traffic *t)
{
    for (size_t fd = 0; fd < t->lines_n; fd++)
        traffic_shut(t, (int)fd);
}

bool
traffic_is_used(const struct traffic *t, int fd)
{
    const struct traffic_line *l = line_of(t, fd);

    return l != NULL && l->user != NULL;
}

uint64_t
traffic_unread(int fd)
{
    int n = 0;

    return ioctl(fd, FIONREAD, &n) == 0 && n > 0 ? (uint64_t)n : 0;
}
