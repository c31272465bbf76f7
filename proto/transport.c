/* transport.c -- see transport.h.
 *
 * tls+tcp:// is mutual: each side shows a certificate signed by the authority
 * that both were given, and refuses a peer that has none.  The other transports
 * know no peers' names.  So tcp:// is for loopback addresses, whoever wants
 * more has to say so, and the file of an ipc:// socket is its owner's alone
 * (nng sets the mode before it listens, so there is no moment in which others
 * get in). */
#include "transport.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/thread.h"

bool
transport_is_encrypted(const char *url)
{
    return str_starts(str_c(url), S("tls+tcp://"));
}

const char *
transport_name(const char *url)
{
    return str_starts(str_c(url), S("inproc://")) ? url : NULL;
}

/* HOST and PORT of tcp://HOST:PORT.  False: there is no PORT. */
static bool
split(const char *url, struct str *host, struct str *port)
{
    struct str u = str_c(url);
    size_t from = str_find(u, '/', 0) + 2, to = u.n;

    while (to > from && u.p[to - 1] != ':')
        to--;
    if (to <= from)
        return false;
    *host = str_sub(u, from, to - 1);
    *port = str_sub(u, to, str_find(u, '/', to));
    return port->n > 0 && port->p[port->n - 1] != ']';
}

bool
transport_host(const char *url, char *out, size_t size)
{
    struct str host, port;

    if (!split(url, &host, &port) || host.n == 0 || host.n >= size)
        return false;
    if (host.n > 2 && host.p[0] == '[' && host.p[host.n - 1] == ']')
        host = str_sub(host, 1, host.n - 1);
    snprintf(out, size, "%.*s", STRF(host));
    return true;
}

static bool
is_loopback(const char *url)
{
    unsigned char address[sizeof(struct in6_addr)];
    char host[64];

    if (!transport_host(url, host, sizeof host))
        return false;
    if (inet_pton(AF_INET, host, address) == 1)
        return address[0] == 127;
    if (inet_pton(AF_INET6, host, address) == 1)
        return memcmp(address, &in6addr_loopback, sizeof in6addr_loopback) == 0;
    return strcmp(host, "localhost") == 0;
}

/* What is wrong with an address of TCP; NULL: nothing.  Port 0 is one that
 * nobody is told of. */
static const char *
port_fault(const char *url)
{
    struct str host, port;
    uint64_t n;

    if (!split(url, &host, &port))
        return "its port is missing: use tcp://ADDRESS:PORT or "
               "tls+tcp://NAME:PORT";
    return str_u64(port, &n) && n > 0 && n <= UINT16_MAX
               ? NULL
               : "its port is to be a number from 1 to 65535";
}

/* What is wrong with it; NULL: nothing. */
static const char *
address_fault(const char *url, const struct endpoint_options *o)
{
    static const struct str known[] = {STR("inproc://"), STR("ipc://"),
                                       STR("tcp://"), STR("tls+tcp://")};
    bool tls = transport_is_encrypted(url), good = false;
    bool tcp = tls || str_starts(str_c(url), S("tcp://"));
    const char *fault;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        good = good ||
               (str_starts(str_c(url), known[i]) && strlen(url) > known[i].n);
    if (!good)
        return "not an address: use inproc://NAME, ipc:///PATH, "
               "tcp://ADDRESS:PORT or tls+tcp://NAME:PORT";
    if (tcp && (fault = port_fault(url)) != NULL)
        return fault;
    if (tls && (o == NULL || o->authority.n == 0 || o->own.n == 0))
        return "tls+tcp:// needs tls.authority (the certificate that signs all "
               "peers) and tls.key (own certificate and key), both PEM";
    if (tcp && !tls && !is_loopback(url) && (o == NULL || !o->unprotected_tcp))
        return "plain tcp beyond this machine: whoever reaches that address "
               "may read, add and delete everything; use tls+tcp:// with [tls] "
               "authority and key, or allow it with "
               "services.unprotected_tcp = on";
    return NULL;
}

enum status
transport_check(const char *url, const struct endpoint_options *o)
{
    const char *fault = address_fault(url, o);
    const char *key = o != NULL ? o->key : NULL;

    if (fault == NULL)
        return ST_OK;
    log_error("endpoint", "%s%s%s: %s", key != NULL ? key : "",
              key != NULL ? " = " : "", *url != '\0' ? url : "(empty)", fault);
    return ST_USAGE;
}

static const char *
fault_text(int rc)
{
    switch (rc) {
    case NNG_ENOMEM:
        return "the system allows no more memory or threads (ulimit -u, ulimit "
               "-v, a container's limit)";
    case NNG_EADDRINUSE:
        return "another process listens there: end that, or give this one "
               "another address";
    default: return nng_strerror(rc);
    }
}

enum status
transport_report(int rc, const char *url, const char *doing)
{
    log_error("endpoint", "%s: cannot %s: %s", url, doing, fault_text(rc));
    switch (rc) {
    case NNG_ENOMEM: return ST_NOMEM;
    case NNG_EINVAL:
    case NNG_EADDRINVAL:
    case NNG_ENOTSUP: return ST_USAGE;
    default: return ST_IO;
    }
}

/* nng starts its threads at its first call: eleven and one or two a processor.
 * When one of them cannot be started, nng 1.5 crashes or waits for ever. */
static bool
has_threads(void)
{
    static atomic_bool known;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t n = processors < 1 ? 20 : 16 + 4 * (size_t)processors;

    n = n < THREAD_ROOM_MAX ? n : THREAD_ROOM_MAX;
    if (!known && !thread_room(n))
        return false;
    known = true;
    return true;
}

/* What nng is to carry: TLS is ours (tls.c). */
static const char *
carrier(const char *url)
{
    return transport_is_encrypted(url) ? url + strlen("tls+") : url;
}

enum status
transport_dialer(nng_stream_dialer **out, const char *url)
{
    int rc =
        has_threads() ? nng_stream_dialer_alloc(out, carrier(url)) : NNG_ENOMEM;

    if (rc == 0) { /* of TCP only, others refuse it */
        nng_stream_dialer_set_bool(*out, NNG_OPT_TCP_NODELAY, true);
        nng_stream_dialer_set_bool(*out, NNG_OPT_TCP_KEEPALIVE, true);
        return ST_OK;
    }
    *out = NULL;
    return transport_report(rc, url, "connect");
}

int
transport_listener(nng_stream_listener **out, const char *url)
{
    int rc = has_threads() ? nng_stream_listener_alloc(out, carrier(url))
                           : NNG_ENOMEM;

    if (rc != 0) {
        *out = NULL;
        return rc;
    }
    /* Of IPC only, others refuse it. */
    nng_stream_listener_set_int(*out, NNG_OPT_IPC_PERMISSIONS, 0600);
    /* Of TCP only.  Without keep-alive a peer whose machine is gone would stay
     * for ever. */
    nng_stream_listener_set_bool(*out, NNG_OPT_TCP_KEEPALIVE, true);
    nng_stream_listener_set_bool(*out, NNG_OPT_TCP_NODELAY, true);
    if ((rc = nng_stream_listener_listen(*out)) != 0) {
        nng_stream_listener_free(*out);
        *out = NULL;
    }
    return rc;
}

static void
of_ipv4(struct transport_place *out, const unsigned char p[4])
{
    memcpy(out->network, p, 4);
    snprintf(out->text, sizeof out->text, "%u.%u.%u.%u", p[0], p[1], p[2],
             p[3]);
    out->known = true;
}

static void
of_ipv6(struct transport_place *out, const unsigned char p[16])
{
    memcpy(out->network, p, 8);
    snprintf(out->text, sizeof out->text, "%x:%x:%x:%x:...",
             (unsigned)(p[0] << 8 | p[1]), (unsigned)(p[2] << 8 | p[3]),
             (unsigned)(p[4] << 8 | p[5]), (unsigned)(p[6] << 8 | p[7]));
    out->known = true;
}

/* At [::] those of IPv4 come as ::ffff:1.2.3.4. */
void
transport_place_of(struct transport_place *out, nng_stream *stream)
{
    static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
    const unsigned char *p;
    nng_sockaddr a;

    *out = (struct transport_place){.known = false};
    if (nng_stream_get_addr(stream, NNG_OPT_REMADDR, &a) != 0)
        return;
    p = (const unsigned char *)a.s_in6.sa_addr;
    if (a.s_family == NNG_AF_INET)
        of_ipv4(out, (const unsigned char *)&a.s_in.sa_addr);
    else if (a.s_family == NNG_AF_INET6 && memcmp(p, mapped, 12) == 0)
        of_ipv4(out, p + 12);
    else if (a.s_family == NNG_AF_INET6)
        of_ipv6(out, p);
}

/* Is there something else than a socket at the path of ipc://PATH? */
static bool
is_no_socket(const char *url)
{
    struct stat s;

    return str_starts(str_c(url), S("ipc://")) &&
           lstat(url + strlen("ipc://"), &s) == 0 && !S_ISSOCK(s.st_mode);
}

enum status
transport_check_place(const char *url)
{
    const char *path = url + strlen("ipc://");

    if (!is_no_socket(url))
        return ST_OK;
    log_error("endpoint",
              "%s: cannot listen: %s is no socket, and is not replaced by one",
              url, path);
    return ST_USAGE;
}

void
transport_absent(const char *url, int rc, char *out, size_t size)
{
    const char *path = url + strlen("ipc://");
    struct stat s;

    if (str_starts(str_c(url), S("ipc://")) && lstat(path, &s) != 0)
        snprintf(out, size, "there is no socket %.150s", path);
    else if (is_no_socket(url))
        snprintf(out, size, "%.150s is no socket", path);
    else if (rc == NNG_EADDRINVAL)
        snprintf(out, size, "its name leads to no address");
    else
        snprintf(out, size, "%s", nng_strerror(rc));
}
