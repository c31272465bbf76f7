/* transport.c -- see transport.h.
 *
 * tls+tcp:// is mutual: each side shows a certificate signed by the authority
 * that both were given, and refuses a peer that has none.  The other transports
 * know no peers' names: listen on loopback or on a network that is trusted. */
#include "transport.h"

#include <limits.h>
#include <netdb.h>
#include <nng/supplemental/tls/tls.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "winnow/log.h"

enum { RECONNECT_MIN_MS = 100, RECONNECT_MAX_MS = 2000 };

enum status
transport_status(int rc)
{
    switch (rc) {
    case 0: return ST_OK;
    case NNG_ENOMEM: return ST_NOMEM;
    case NNG_ETIMEDOUT: return ST_TIMEOUT;
    case NNG_EMSGSIZE: return ST_LIMIT;
    case NNG_ECLOSED:
    case NNG_ECANCELED: return ST_STOPPED;
    case NNG_EINVAL:
    case NNG_EADDRINVAL:
    case NNG_ENOTSUP: return ST_USAGE;
    default: return ST_IO;
    }
}

static bool
encrypted(const char *url)
{
    return str_starts(str_c(url), S("tls+tcp://"));
}

enum status
transport_check(const char *url, const struct endpoint_keys *keys)
{
    static const struct str known[] = {STR("inproc://"), STR("ipc://"),
                                       STR("tcp://"), STR("tls+tcp://")};
    struct str u = str_c(url);
    bool good = false;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        good = good || (str_starts(u, known[i]) && u.n > known[i].n);
    if (!good) {
        log_error("endpoint",
                  "%s: not an address: use inproc://NAME, ipc:///PATH, "
                  "tcp://ADDRESS:PORT or tls+tcp://NAME:PORT",
                  url);
        return ST_USAGE;
    }
    if (!encrypted(url) ||
        (keys != NULL && keys->authority.n > 0 && keys->own.n > 0))
        return ST_OK;
    log_error("endpoint",
              "%s: tls+tcp:// needs tls.authority (the certificate that signs "
              "all peers) and tls.key (own certificate and key), both PEM",
              url);
    return ST_USAGE;
}

enum status
transport_report(int rc, const char *url, const char *doing)
{
    enum status st = transport_status(rc);

    log_error("endpoint", "%s: cannot %s: %s", url, doing, nng_strerror(rc));
    return st == ST_NOMEM || st == ST_USAGE ? st : ST_IO;
}

int
transport_limits(nng_socket socket)
{
    int rc;

    if ((rc = nng_socket_set_size(socket, NNG_OPT_RECVMAXSZ,
                                  ENDPOINT_MESSAGE_MAX)) != 0)
        return rc;
    if ((rc = nng_socket_set_ms(socket, NNG_OPT_RECONNMINT,
                                RECONNECT_MIN_MS)) != 0)
        return rc;
    return nng_socket_set_ms(socket, NNG_OPT_RECONNMAXT, RECONNECT_MAX_MS);
}

static bool
connects(int family, const void *address, socklen_t n)
{
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool connected = fd >= 0 && connect(fd, address, n) == 0;

    if (fd >= 0)
        close(fd);
    return connected;
}

static bool
tcp_reachable(struct str address)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    char host[256];
    size_t colon = address.n;
    bool reachable = false;

    while (colon > 0 && address.p[colon] != ':')
        colon--;
    if (colon == 0 || address.n >= sizeof host)
        return false;
    memcpy(host, address.p, address.n + 1);
    host[colon] = '\0';
    if (getaddrinfo(host, host + colon + 1, &hints, &found) != 0)
        return false;
    for (const struct addrinfo *a = found; a != NULL && !reachable;
         a = a->ai_next)
        reachable = connects(a->ai_family, a->ai_addr, a->ai_addrlen);
    freeaddrinfo(found);
    return reachable;
}

bool
transport_reachable(const char *url)
{
    struct sockaddr_un path = {.sun_family = AF_UNIX};
    struct str u = str_c(url);

    if (str_starts(u, S("ipc://")) && u.n - 6 < sizeof path.sun_path) {
        memcpy(path.sun_path, u.p + 6, u.n - 6);
        return connects(AF_UNIX, &path, sizeof path);
    }
    if (str_starts(u, S("tcp://")))
        return tcp_reachable(str_sub(u, 6, u.n));
    if (encrypted(url))
        return tcp_reachable(str_sub(u, 10, u.n));
    return false;
}

/* Own certificate and key, and who has to have signed the peer's. */
static int
configure(nng_tls_config **out, nng_tls_mode mode,
          const struct endpoint_keys *keys)
{
    char file[PATH_MAX];
    int rc = nng_tls_config_alloc(out, mode);

    if (rc != 0)
        return rc;
    snprintf(file, sizeof file, "%.*s", STRF(keys->authority));
    if ((rc = nng_tls_config_ca_file(*out, file)) == 0) {
        snprintf(file, sizeof file, "%.*s", STRF(keys->own));
        rc = nng_tls_config_cert_key_file(*out, file, NULL);
    }
    if (rc != 0)
        log_error("endpoint", "%s: not used: %s", file, nng_strerror(rc));
    else
        rc = nng_tls_config_auth_mode(*out, NNG_TLS_AUTH_MODE_REQUIRED);
    if (rc != 0)
        nng_tls_config_free(*out);
    return rc;
}

enum status
transport_dial(nng_socket socket, const char *url,
               const struct endpoint_keys *keys)
{
    nng_tls_config *tls = NULL;
    nng_dialer dialer;
    int rc;

    if (encrypted(url) &&
        (rc = configure(&tls, NNG_TLS_MODE_CLIENT, keys)) != 0)
        return transport_report(rc, url, "use tls.authority and tls.key");
    rc = nng_dialer_create(&dialer, socket, url);
    if (rc == 0 && tls != NULL)
        rc = nng_dialer_set_ptr(dialer, NNG_OPT_TLS_CONFIG, tls);
    if (rc == 0)
        rc = nng_dialer_start(dialer, NNG_FLAG_NONBLOCK);
    if (tls != NULL)
        nng_tls_config_free(tls); /* the dialer holds it */
    return rc == 0 ? ST_OK : transport_report(rc, url, "connect");
}

int
transport_listen(nng_socket socket, const char *url,
                 const struct endpoint_keys *keys)
{
    nng_tls_config *tls = NULL;
    nng_listener listener;
    int rc;

    if (encrypted(url) &&
        (rc = configure(&tls, NNG_TLS_MODE_SERVER, keys)) != 0)
        return rc;
    if ((rc = nng_listener_create(&listener, socket, url)) == 0) {
        if (tls != NULL)
            rc = nng_listener_set_ptr(listener, NNG_OPT_TLS_CONFIG, tls);
        if (rc == 0)
            rc = nng_listener_start(listener, 0);
        if (rc != 0)
            nng_listener_close(listener);
    }
    if (tls != NULL)
        nng_tls_config_free(tls);
    return rc;
}
