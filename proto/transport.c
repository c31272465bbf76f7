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
#include <limits.h>
#include <nng/supplemental/tls/tls.h>
#include <stdio.h>

#include "winnow/log.h"

static bool
encrypted(const char *url)
{
    return str_starts(str_c(url), S("tls+tcp://"));
}

const char *
transport_name(const char *url)
{
    return str_starts(str_c(url), S("inproc://")) ? url : NULL;
}

/* HOST of tcp://HOST:PORT. */
static bool
is_loopback(const char *url)
{
    struct str u = str_sub(str_c(url), sizeof "tcp://" - 1, SIZE_MAX);
    unsigned char address[sizeof(struct in6_addr)];
    size_t n = u.n;
    char host[64];

    while (n > 0 && u.p[n] != ':')
        n--;
    u = str_sub(u, 0, n);
    if (u.n > 2 && u.p[0] == '[' && u.p[u.n - 1] == ']')
        u = str_sub(u, 1, u.n - 1);
    if (u.n >= sizeof host)
        return false;
    snprintf(host, sizeof host, "%.*s", STRF(u));
    if (inet_pton(AF_INET, host, address) == 1)
        return address[0] == 127;
    if (inet_pton(AF_INET6, host, address) == 1)
        return memcmp(address, &in6addr_loopback, sizeof in6addr_loopback) == 0;
    return strcmp(host, "localhost") == 0;
}

static enum status
check_protection(const char *url, const struct endpoint_options *o)
{
    if (!str_starts(str_c(url), S("tcp://")) || is_loopback(url) ||
        (o != NULL && o->unprotected_tcp))
        return ST_OK;
    log_error("endpoint",
              "%s: plain tcp beyond this machine: whoever reaches that address "
              "may read, add and delete everything; use tls+tcp:// with [tls] "
              "authority and key, or allow it with "
              "services.unprotected_tcp = on",
              url);
    return ST_USAGE;
}

enum status
transport_check(const char *url, const struct endpoint_options *o)
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
    if (!encrypted(url))
        return check_protection(url, o);
    if (o != NULL && o->authority.n > 0 && o->own.n > 0)
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
    log_error("endpoint", "%s: cannot %s: %s", url, doing, nng_strerror(rc));
    switch (rc) {
    case NNG_ENOMEM: return ST_NOMEM;
    case NNG_EINVAL:
    case NNG_EADDRINVAL:
    case NNG_ENOTSUP: return ST_USAGE;
    default: return ST_IO;
    }
}

/* Own certificate and key, and who has to have signed the peer's. */
static int
configure(nng_tls_config **out, nng_tls_mode mode,
          const struct endpoint_options *o)
{
    char file[PATH_MAX];
    int rc = nng_tls_config_alloc(out, mode);

    if (rc != 0)
        return rc;
    snprintf(file, sizeof file, "%.*s", STRF(o->authority));
    if ((rc = nng_tls_config_ca_file(*out, file)) == 0) {
        snprintf(file, sizeof file, "%.*s", STRF(o->own));
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

/* The name in tls+tcp://NAME:PORT, which the peer's certificate must bear. */
static int
expect_name(nng_tls_config *tls, const char *url)
{
    struct str name = str_sub(str_c(url), sizeof "tls+tcp://" - 1, SIZE_MAX);
    size_t end = name.n;
    char text[256];

    while (end > 0 && name.p[end] != ':')
        end--;
    if (end == 0 || end >= sizeof text)
        return NNG_EADDRINVAL;
    memcpy(text, name.p, end);
    text[end] = '\0';
    return nng_tls_config_server_name(tls, text);
}

enum status
transport_dialer(nng_stream_dialer **out, const char *url,
                 const struct endpoint_options *o)
{
    nng_tls_config *tls = NULL;
    int rc;

    *out = NULL;
    if (encrypted(url)) {
        if ((rc = configure(&tls, NNG_TLS_MODE_CLIENT, o)) != 0)
            return transport_report(rc, url, "use tls.authority and tls.key");
        rc = expect_name(tls, url);
    } else {
        rc = 0;
    }
    if (rc == 0 && (rc = nng_stream_dialer_alloc(out, url)) == 0) {
        nng_stream_dialer_set_bool(*out, NNG_OPT_TCP_NODELAY, true);
        if (tls != NULL)
            rc = nng_stream_dialer_set_ptr(*out, NNG_OPT_TLS_CONFIG, tls);
    }
    if (tls != NULL)
        nng_tls_config_free(tls); /* the dialer holds it */
    if (rc == 0)
        return ST_OK;
    nng_stream_dialer_free(*out);
    *out = NULL;
    return transport_report(rc, url, "connect");
}

int
transport_listener(nng_stream_listener **out, const char *url,
                   const struct endpoint_options *o)
{
    nng_tls_config *tls = NULL;
    int rc;

    *out = NULL;
    if (encrypted(url) && (rc = configure(&tls, NNG_TLS_MODE_SERVER, o)) != 0)
        return rc;
    if ((rc = nng_stream_listener_alloc(out, url)) == 0) {
        if (tls != NULL)
            rc = nng_stream_listener_set_ptr(*out, NNG_OPT_TLS_CONFIG, tls);
        /* Of IPC only, others refuse it. */
        nng_stream_listener_set_int(*out, NNG_OPT_IPC_PERMISSIONS, 0600);
        /* Of TCP only, others refuse it.  Without keep-alive a peer whose
         * machine is gone would stay for ever. */
        nng_stream_listener_set_bool(*out, NNG_OPT_TCP_KEEPALIVE, true);
        nng_stream_listener_set_bool(*out, NNG_OPT_TCP_NODELAY, true);
        if (rc == 0)
            rc = nng_stream_listener_listen(*out);
        if (rc != 0) {
            nng_stream_listener_free(*out);
            *out = NULL;
        }
    }
    if (tls != NULL)
        nng_tls_config_free(tls);
    return rc;
}
