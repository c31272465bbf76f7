/* dns_socket.c -- see dns_socket.h. */
#include "dns_socket.h"

#include <sys/socket.h>
#include <unistd.h>

#define HEADER_BYTES 12u
#define ANSWER 0x80 /* the bit QR, in the third byte */
#define CUT 0x02    /* the bit TC, there */
#define CODE 0x0f   /* in the fourth */
#define FORMAT_ERROR 1
#define NOT_IMPLEMENTED 4
/* c-ares itself cuts longer ones when a server knows no EDNS. */
#define PLAIN_BYTES_MAX 512u

static ares_socket_t
open_one(int family, int type, int protocol, void *self)
{
    (void)self;
    return socket(family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);
}

static int
close_one(ares_socket_t fd, void *self)
{
    (void)self;
    return close(fd);
}

static int
connect_one(ares_socket_t fd, const struct sockaddr *to, ares_socklen_t n,
            void *self)
{
    (void)self;
    return connect(fd, to, n);
}

static ares_ssize_t
receive(ares_socket_t fd, void *p, size_t n, int flags, struct sockaddr *from,
        ares_socklen_t *from_n, void *self)
{
    const struct dns_socket *s = self;
    ares_ssize_t got = recvfrom(fd, p, n, flags, from, from_n);

    if (got > 0)
        s->heard(s->self, str_n(p, (size_t)got));
    return got;
}

static ares_ssize_t
send_all(ares_socket_t fd, const struct iovec *part, int n, void *self)
{
    const struct msghdr m = {.msg_iov = (struct iovec *)(uintptr_t)part,
                             .msg_iovlen = (size_t)n};

    (void)self;
    return sendmsg(fd, &m, MSG_NOSIGNAL);
}

void
dns_socket_use(ares_channel channel, struct dns_socket *s)
{
    static const struct ares_socket_functions functions = {
        open_one, close_one, connect_one, receive, send_all};

    ares_set_socket_functions(channel, &functions, s);
}

bool
dns_socket_is_cut(struct str datagram, char name[DNS_NAME_BYTES_MAX + 1])
{
    const unsigned char *p = (const unsigned char *)datagram.p;
    char text[DNS_NAME_BYTES_MAX];
    size_t at = HEADER_BYTES, n = 0;

    if (datagram.n < HEADER_BYTES ||
        ((p[2] & CUT) == 0 && datagram.n <= PLAIN_BYTES_MAX))
        return false;
    while (at < datagram.n && p[at] != 0) { /* label by label */
        size_t label = p[at++];

        if (label > datagram.n - at || n + label + 1 > sizeof text)
            return false;
        if (n > 0)
            text[n++] = '.';
        memcpy(text + n, p + at, label);
        n += label;
        at += label;
    }
    if (!dns_answer_name(str_n(text, n), name))
        return false;
    name[n] = '\0';
    return true;
}

bool
dns_socket_knows_no_edns(struct str datagram)
{
    const unsigned char *p = (const unsigned char *)datagram.p;

    if (datagram.n < HEADER_BYTES || (p[2] & ANSWER) == 0 || p[10] != 0 ||
        p[11] != 0) /* who sends an OPT knows it */
        return false;
    return (p[3] & CODE) == FORMAT_ERROR || (p[3] & CODE) == NOT_IMPLEMENTED;
}
