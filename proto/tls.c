/* tls.c -- see tls.h.
 *
 * mbed TLS over nng's plain byte streams, rather than nng's own tls+tcp
 * streams: those (1.5.2) tell neither side why the other was refused, send no
 * alert, and lose a cancelled operation while a handshake is under way.
 *
 * Who refuses says so to the peer by an alert, as RFC 5246 has it, and to its
 * own log by what the check of the certificate has found.  A peer that speaks
 * no TLS is known by its first byte: it is told in the clear, by the hello of
 * frame.h, and the same bytes come from a plain service that met TLS. */
#define MBEDTLS_ALLOW_PRIVATE_ACCESS
#include "tls.h"

#include <limits.h>
#include <mbedtls/ctr_drbg.h>
#include <mbedtls/entropy.h>
#include <mbedtls/error.h>
#include <mbedtls/ssl.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "frame.h"

enum { ALERT = 21, ALERT_CERTIFICATE_REQUIRED = 116, READ_MAX = 16384 };

struct tls_keys {
    mbedtls_ssl_config config;
    mbedtls_x509_crt authority, own;
    mbedtls_pk_context key;
    mbedtls_entropy_context entropy;
    mbedtls_ctr_drbg_context random;
    bool server;
};

struct tls {
    const struct tls_keys *keys;
    mbedtls_ssl_context ssl;
    struct str in;   /* not read yet; valid during a call */
    struct buf *out; /* the same */
    bool begun, ready;
    char name[256], why[160];
};

/* ---- keys ---- */

static enum status
bad_file(struct str path, int rc)
{
    char text[128];

    mbedtls_strerror(rc, text, sizeof text);
    log_error("endpoint", "%.*s: not used for tls+tcp://: %s", STRF(path),
              text);
    return ST_USAGE;
}

static enum status
read_files(struct tls_keys *k, const struct endpoint_options *o)
{
    char file[PATH_MAX];
    int rc;

    snprintf(file, sizeof file, "%.*s", STRF(o->authority));
    if ((rc = mbedtls_x509_crt_parse_file(&k->authority, file)) != 0)
        return bad_file(o->authority, rc);
    snprintf(file, sizeof file, "%.*s", STRF(o->own));
    if ((rc = mbedtls_x509_crt_parse_file(&k->own, file)) != 0 ||
        (rc = mbedtls_pk_parse_keyfile(&k->key, file, NULL)) != 0)
        return bad_file(o->own, rc);
    return ST_OK;
}

static enum status
configure(struct tls_keys *k)
{
    mbedtls_ssl_config *c = &k->config;

    if (mbedtls_ctr_drbg_seed(&k->random, mbedtls_entropy_func, &k->entropy,
                              NULL, 0) != 0 ||
        mbedtls_ssl_config_defaults(
            c, k->server ? MBEDTLS_SSL_IS_SERVER : MBEDTLS_SSL_IS_CLIENT,
            MBEDTLS_SSL_TRANSPORT_STREAM, MBEDTLS_SSL_PRESET_DEFAULT) != 0)
        return ST_NOMEM;
    mbedtls_ssl_conf_min_version(c, MBEDTLS_SSL_MAJOR_VERSION_3,
                                 MBEDTLS_SSL_MINOR_VERSION_3);
    mbedtls_ssl_conf_rng(c, mbedtls_ctr_drbg_random, &k->random);
    mbedtls_ssl_conf_authmode(c, MBEDTLS_SSL_VERIFY_REQUIRED);
    mbedtls_ssl_conf_ca_chain(c, &k->authority, NULL);
    if (mbedtls_ssl_conf_own_cert(c, &k->own, &k->key) != 0)
        return ST_NOMEM;
    return ST_OK;
}

enum status
tls_keys_open(struct tls_keys **out, const struct endpoint_options *o,
              bool server)
{
    struct tls_keys *k = calloc(1, sizeof *k);
    enum status st;

    *out = NULL;
    if (k == NULL)
        return ST_NOMEM;
    k->server = server;
    mbedtls_ssl_config_init(&k->config);
    mbedtls_x509_crt_init(&k->authority);
    mbedtls_x509_crt_init(&k->own);
    mbedtls_pk_init(&k->key);
    mbedtls_entropy_init(&k->entropy);
    mbedtls_ctr_drbg_init(&k->random);
    if ((st = read_files(k, o)) == ST_OK && (st = configure(k)) == ST_OK)
        *out = k;
    else
        tls_keys_close(k);
    return st;
}

void
tls_keys_close(struct tls_keys *k)
{
    if (k == NULL)
        return;
    mbedtls_ssl_config_free(&k->config);
    mbedtls_x509_crt_free(&k->authority);
    mbedtls_x509_crt_free(&k->own);
    mbedtls_pk_free(&k->key);
    mbedtls_ctr_drbg_free(&k->random);
    mbedtls_entropy_free(&k->entropy);
    free(k);
}

/* ---- a connection ---- */

static int
take_bytes(void *self, unsigned char *to, size_t n)
{
    struct tls *t = self;

    if (t->in.n == 0)
        return MBEDTLS_ERR_SSL_WANT_READ;
    if (n > t->in.n)
        n = t->in.n;
    memcpy(to, t->in.p, n);
    t->in = str_sub(t->in, n, SIZE_MAX);
    return (int)n;
}

static int
give_bytes(void *self, const unsigned char *p, size_t n)
{
    struct tls *t = self;

    if (n > INT_MAX)
        n = INT_MAX;
    buf_add(t->out, p, n);
    return (int)n;
}

struct tls *
tls_new(const struct tls_keys *k, const char *name)
{
    struct tls *t = calloc(1, sizeof *t);

    if (t == NULL)
        return NULL;
    t->keys = k;
    mbedtls_ssl_init(&t->ssl);
    if (name != NULL)
        snprintf(t->name, sizeof t->name, "%s", name);
    if (mbedtls_ssl_setup(&t->ssl, &k->config) != 0 ||
        (name != NULL && mbedtls_ssl_set_hostname(&t->ssl, name) != 0)) {
        tls_free(t);
        return NULL;
    }
    mbedtls_ssl_set_bio(&t->ssl, t, give_bytes, take_bytes, NULL);
    return t;
}

void
tls_free(struct tls *t)
{
    if (t == NULL)
        return;
    mbedtls_ssl_free(&t->ssl);
    free(t);
}

bool
tls_is_ready(const struct tls *t)
{
    return t->ready;
}

const char *
tls_why(const struct tls *t)
{
    return t->why;
}

/* ---- why it failed ---- */

/* What the check of the peer's certificate has found, the gravest first. */
static void
say_certificate(struct tls *t)
{
    uint32_t flags = mbedtls_ssl_get_verify_result(&t->ssl);
    const char *what =
        flags & MBEDTLS_X509_BADCERT_NOT_TRUSTED
            ? "it is not signed by tls.authority"
        : flags & MBEDTLS_X509_BADCERT_EXPIRED     ? "it has expired"
        : flags & MBEDTLS_X509_BADCERT_FUTURE      ? "it is not valid yet"
        : flags & MBEDTLS_X509_BADCERT_CN_MISMATCH ? "it does not bear the name"
        : flags & MBEDTLS_X509_BADCERT_REVOKED     ? "it is revoked"
                                               : "it may not be used for this";

    if (flags & MBEDTLS_X509_BADCERT_NOT_TRUSTED ||
        !(flags & MBEDTLS_X509_BADCERT_CN_MISMATCH))
        snprintf(t->why, sizeof t->why, "we refuse the peer's certificate: %s",
                 what);
    else
        snprintf(t->why, sizeof t->why,
                 "we refuse the peer's certificate: %s %.64s", what, t->name);
}

/* What the peer's alert means. */
static void
say_alert(struct tls *t)
{
    static const struct {
        int code;
        const char *text;
    } alerts[] = {
        {MBEDTLS_SSL_ALERT_MSG_UNKNOWN_CA,
         "refuses our certificate: it is not signed by its tls.authority"},
        {MBEDTLS_SSL_ALERT_MSG_CERT_EXPIRED,
         "refuses our certificate: it has expired or is not valid yet"},
        {MBEDTLS_SSL_ALERT_MSG_BAD_CERT,
         "refuses our certificate: it does not bear the name it wants"},
        {MBEDTLS_SSL_ALERT_MSG_CERT_REVOKED,
         "refuses our certificate: it is revoked"},
        {MBEDTLS_SSL_ALERT_MSG_UNSUPPORTED_CERT,
         "refuses our certificate: it may not be used for this"},
        {MBEDTLS_SSL_ALERT_MSG_CERT_UNKNOWN, "refuses our certificate"},
        {MBEDTLS_SSL_ALERT_MSG_ACCESS_DENIED, "refuses our certificate"},
        {ALERT_CERTIFICATE_REQUIRED, "wants a certificate, and we show none"},
        {MBEDTLS_SSL_ALERT_MSG_PROTOCOL_VERSION,
         "speaks no version of TLS that we speak"},
        {MBEDTLS_SSL_ALERT_MSG_HANDSHAKE_FAILURE,
         "found no way of encryption that both know"},
    };
    int code = t->ssl.in_msg[1];

    for (size_t i = 0; i < sizeof alerts / sizeof *alerts; i++)
        if (alerts[i].code == code) {
            snprintf(t->why, sizeof t->why, "the peer %s", alerts[i].text);
            return;
        }
    snprintf(t->why, sizeof t->why, "the peer ended TLS with alert %d", code);
}

static enum status
failed(struct tls *t, int rc)
{
    char text[100];

    switch (rc) {
    case MBEDTLS_ERR_X509_CERT_VERIFY_FAILED: say_certificate(t); break;
    case MBEDTLS_ERR_SSL_NO_CLIENT_CERTIFICATE:
        snprintf(t->why, sizeof t->why, "the peer shows no certificate");
        mbedtls_ssl_send_alert_message(&t->ssl, MBEDTLS_SSL_ALERT_LEVEL_FATAL,
                                       ALERT_CERTIFICATE_REQUIRED);
        break;
    case MBEDTLS_ERR_SSL_FATAL_ALERT_MESSAGE: say_alert(t); break;
    case MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY:
        snprintf(t->why, sizeof t->why, "the peer has ended it");
        break;
    default:
        mbedtls_strerror(rc, text, sizeof text);
        snprintf(t->why, sizeof t->why, "TLS failed: %s", text);
    }
    return ST_IO;
}

/* A peer that does not begin with a record of TLS. */
static enum status
speaks_plainly(struct tls *t)
{
    const struct hello refusal = {
        .text = S("this address speaks TLS: use tls+tcp:// with [tls] "
                  "authority and key")};
    unsigned char header[FRAME_HEADER_SIZE];
    struct buf hello = {0};

    if (t->keys->server) {
        hello_write(&hello, &refusal);
        frame_header(header, 0, hello.n);
        buf_add(t->out, header, sizeof header);
        buf_str(t->out, buf_view(&hello));
        buf_free(&hello);
    }
    snprintf(t->why, sizeof t->why, "the peer speaks no TLS%s",
             str_starts(t->in, S("wnw"))
                 ? ", but plain tcp: use the same address on both sides"
                 : "");
    return ST_IO;
}

/* ---- bytes ---- */

static enum status
shake_hands(struct tls *t)
{
    int rc = mbedtls_ssl_handshake(&t->ssl);

    if (rc == MBEDTLS_ERR_SSL_WANT_READ)
        return ST_NONE;
    if (rc != 0)
        return failed(t, rc);
    t->ready = true;
    return ST_OK;
}

enum status
tls_in(struct tls *t, struct str bytes, struct buf *plain, struct buf *out)
{
    enum status st = ST_OK;
    int rc;

    t->in = bytes;
    t->out = out;
    if (!t->begun && bytes.n > 0) {
        t->begun = true;
        if (bytes.p[0] != 0x16 && bytes.p[0] != ALERT)
            return speaks_plainly(t);
    }
    if (!t->ready && (st = shake_hands(t)) != ST_OK)
        return st == ST_NONE ? ST_OK : st;
    do {
        buf_reserve(plain, READ_MAX);
        rc = mbedtls_ssl_read(&t->ssl, (unsigned char *)plain->p + plain->n,
                              READ_MAX);
        if (rc > 0)
            plain->n += (size_t)rc;
    } while (rc > 0);
    if (rc == 0)
        rc = MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY;
    return rc == MBEDTLS_ERR_SSL_WANT_READ ? ST_OK : failed(t, rc);
}

enum status
tls_out(struct tls *t, struct str plain, struct buf *out)
{
    t->out = out;
    while (plain.n > 0) {
        int rc =
            mbedtls_ssl_write(&t->ssl, (const unsigned char *)plain.p, plain.n);

        if (rc <= 0)
            return failed(t, rc);
        plain = str_sub(plain, (size_t)rc, SIZE_MAX);
    }
    return ST_OK;
}
