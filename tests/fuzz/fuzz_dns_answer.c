/* fuzz_dns_answer.c -- any bytes as answers of a name server: dns.c, with
 * c-ares under it, asks for a name by UDP on loopback and is told by the input.
 *
 * The first byte is how many bytes answer the first query (the rest answers the
 * others); of an answer, the first byte says whether it begins with the query's
 * header and question (odd), so that more than a mismatch is reached, or with
 * nothing but its number. */
#include <arpa/inet.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "crawler/fetch/dns.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define FDS_MAX 16
#define TURNS_MAX 200
#define HEADER 12u /* RFC 1035, 4.1.1 */

static struct pollfd fds[FDS_MAX];
static size_t fds_n;
static int server = -1;
static uint16_t port;

static void
watch(void *self, int fd, bool readable, bool writable)
{
    size_t i = 0;

    (void)self;
    while (i < fds_n && fds[i].fd != fd)
        i++;
    if (i == fds_n) {
        if (fds_n == FDS_MAX)
            abort();
        fds[fds_n++].fd = fd;
    }
    fds[i].events = (short)((readable ? POLLIN : 0) | (writable ? POLLOUT : 0));
    if (fds[i].events == 0)
        fds[i] = fds[--fds_n];
}

static void
server_open(void)
{
    struct sockaddr_in sa = {.sin_family = AF_INET};
    socklen_t n = sizeof sa;

    if (server >= 0)
        return;
    sa.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (server < 0 || bind(server, (struct sockaddr *)&sa, n) != 0 ||
        getsockname(server, (struct sockaddr *)&sa, &n) != 0)
        abort();
    port = ntohs(sa.sin_port);
}

/* Answer one query, if there is one, with a part of the input. */
static bool
serve(struct str part)
{
    unsigned char query[512], answer[4096];
    struct sockaddr_in from;
    socklen_t from_n = sizeof from;
    ssize_t got = recvfrom(server, query, sizeof query, 0,
                           (struct sockaddr *)&from, &from_n);
    size_t n = 2;

    if (got < (ssize_t)HEADER)
        return false;
    if (part.n > 0 && (part.p[0] & 1)) {
        for (n = HEADER; n < (size_t)got && query[n] != 0; n++) {
        }
        n = n + 5 <= (size_t)got ? n + 5 : (size_t)got;
    }
    memcpy(answer, query, n);
    if (n > 2) { /* an answer, with as many records as the input says */
        answer[2] = 0x81;
        answer[3] = part.n > 1 ? (unsigned char)part.p[1] & 0x0f : 0;
        answer[7] = part.n > 2 ? (unsigned char)part.p[2] : 0;
        memset(answer + 8, 0, 4);
    }
    part = str_sub(part, n > 2 ? 3 : 1, part.n);
    part = str_sub(part, 0, sizeof answer - n);
    if (part.n > 0)
        memcpy(answer + n, part.p, part.n);
    sendto(server, answer, n + part.n, 0, (struct sockaddr *)&from, from_n);
    return true;
}

static void
answered(void *arg, const struct dns_answer *a)
{
    if (a->addresses_n > DNS_ADDRESSES_MAX ||
        (a->result == DNS_FOUND) != (a->addresses_n > 0))
        abort();
    for (size_t i = 0; i < a->addresses_n; i++)
        if (a->address[i].ss_family != AF_INET &&
            a->address[i].ss_family != AF_INET6)
            abort();
    ++*(int *)arg;
}

static void
turn(struct dns *d, struct str part[2], size_t *asked)
{
    struct pollfd now[FDS_MAX + 1];
    size_t n = fds_n;

    memcpy(now, fds, n * sizeof *fds);
    now[n] = (struct pollfd){.fd = server, .events = POLLIN};
    poll(now, n + 1, 1);
    while (serve(part[*asked > 0]))
        ++*asked;
    for (size_t i = 0; i < n; i++)
        if (now[i].revents)
            dns_ready(d, now[i].fd, (now[i].revents & ~POLLOUT) != 0,
                      (now[i].revents & POLLOUT) != 0, 1000);
    dns_tick(d, 1000);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const struct dns_io io = {.watch = watch};
    struct str all = str_n((const char *)data, n), part[2], item;
    struct opts o = {0};
    struct dns *d;
    char text[64];
    size_t cut = n > 0 ? 1u + data[0] : 0, asked = 0;
    int answers = 0;

    server_open();
    part[0] = str_sub(all, 1, cut);
    part[1] = str_sub(all, cut, n);
    item =
        str_n(text, (size_t)snprintf(text, sizeof text, "127.0.0.1:%u", port));
    o.fetch_dns_servers = (struct opt_list){&item, 1};
    o.fetch_dns_timeout_ms = 2;
    o.fetch_dns_parallel = o.fetch_dns_cache = 4;
    if (dns_open(&d, &o, &io) != ST_OK)
        abort();
    dns_lookup(d, S("fuzz.test"), 1000, answered, &answers);
    for (int i = 0; i < TURNS_MAX && answers == 0; i++)
        turn(d, part, &asked);
    dns_close(d);
    if (answers != 1 || fds_n != 0)
        abort();
    while (serve(S(""))) {
    } /* queries of tries that came too late */
    return 0;
}
