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
#include <mbedtls/error.h>
#include <stdio.h>
#include <stdlib.h>

#include "certificate.h"
#include "frame.h"
#include "key_set.h"
#include "mbed.h"

enum { ALERT = 21, ALERT_CERTIFICATE_REQUIRED = 116, READ_MAX = 16384 };

struct tls {
    struct tls_keys *keys;
    struct key_set *set; /* those of its handshake */
    mbedtls_ssl_context ssl;
    struct str in;   /* not read yet; valid during a call */
    struct buf *out; /* the same */
    bool begun, ready;
    char name[256], why[160];
    struct certificate_check check; /* of the peer's */
};

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
tls_new(struct tls_keys *k, const char *name)
{
    struct tls *t = calloc(1, sizeof *t);

    if (t == NULL)
        return NULL;
    t->keys = k;
    t->set = tls_keys_take(k);
    mbedtls_ssl_init(&t->ssl);
    if (name != NULL)
        snprintf(t->name, sizeof t->name, "%s", name);
    if (mbedtls_ssl_setup(&t->ssl, key_set_config(t->set)) != 0 ||
        (name != NULL && mbedtls_ssl_set_hostname(&t->ssl, name) != 0)) {
        tls_free(t);
        return NULL;
    }
    t->check.name = name != NULL ? t->name : NULL;
    t->check.of_service = !tls_keys_of_server(k);
    mbedtls_ssl_set_verify(&t->ssl, certificate_look, &t->check);
    mbedtls_ssl_set_bio(&t->ssl, t, give_bytes, take_bytes, NULL);
    return t;
}

void
tls_free(struct tls *t)
{
    if (t == NULL)
        return;
    mbedtls_ssl_free(&t->ssl);
    tls_keys_give_back(t->keys, t->set);
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

static void
say_certificate(struct tls *t)
{
    char what[100];

    t->check.own |= mbedtls_ssl_get_verify_result(&t->ssl) & ~t->check.signers;
    certificate_say(&t->check, what, sizeof what);
    snprintf(t->why, sizeof t->why, "we refuse the peer's certificate: %s",
             what);
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
         "refuses our certificate: it, or the one that signed it, has expired "
         "or is not valid yet"},
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

    if (rc == MBED_BAD_CERTIFICATE &&
        mbedtls_ssl_get_verify_result(&t->ssl) != 0)
        rc = MBEDTLS_ERR_X509_CERT_VERIFY_FAILED; /* of its key usage */
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

    if (tls_keys_of_server(t->keys)) {
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
