/* dns_socket.c -- see dns_socket.h. */
#include "dns_socket.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#define HEADER_BYTES 12u
#define QUESTION_REST 5u /* the end of its name, type and class */
#define ANSWER 0x80      /* the bit QR, in the third byte */
#define CUT 0x02         /* the bit TC, there */
#define CODE 0x0f        /* in the fourth */
#define FORMAT_ERROR 1
#define SERVER_FAILED 2
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

#if ARES_VERSION >= 0x011c00
static bool
is_readable(const unsigned char *p, size_t n)
{
    ares_dns_record_t *record = NULL;
    ares_status_t rc = ares_dns_parse(p, n, 0, &record);

    ares_dns_record_destroy(record);
    return rc == ARES_SUCCESS || rc == ARES_ENOMEM;
}

/* Behind the first question. */
static size_t
question_end(const unsigned char *p, size_t n)
{
    size_t at = HEADER_BYTES;

    while (at < n && p[at] != 0)
        at += p[at] + 1u;
    return at + QUESTION_REST;
}

/* What c-ares can read of the datagram, 0: nothing.  From 1.28 on it gives up
 * the socket where it cannot, with a try of every query that is under way. */
static size_t
make_readable(unsigned char *p, size_t n)
{
    size_t end = question_end(p, n);

    if (is_readable(p, n))
        return n;
    if (end > n)
        return 0;
    p[3] = (unsigned char)((p[3] & ~CODE) | SERVER_FAILED);
    memset(p + 6, 0, 6); /* no records */
    return is_readable(p, end) ? end : 0;
}
#else
static size_t
make_readable(unsigned char *p, size_t n)
{
    (void)p;
    return n;
}
#endif

static ares_ssize_t
receive(ares_socket_t fd, void *p, size_t n, int flags, struct sockaddr *from,
        ares_socklen_t *from_n, void *self)
{
    const struct dns_socket *s = self;
    ares_ssize_t got = recvfrom(fd, p, n, flags, from, from_n);

    if (got <= 0)
        return got;
    s->heard(s->self, str_n(p, (size_t)got));
    if (s->datagrams && (got = (ares_ssize_t)make_readable(p, (size_t)got)) ==
                            0) { /* as if none had come */
        errno = EAGAIN;
        return -1;
    }
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
