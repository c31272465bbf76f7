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

#include <errno.h>
#include <limits.h>
#include <mbedtls/ctr_drbg.h>
#include <mbedtls/entropy.h>
#include <mbedtls/error.h>
#include <mbedtls/platform_util.h>
#include <mbedtls/ssl.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/log.h"
#include "certificate.h"
#include "frame.h"

enum {
    ALERT = 21,
    ALERT_CERTIFICATE_REQUIRED = 116,
    READ_MAX = 16384,
    PEM_BYTES_MAX = 1 << 20
};

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
    struct certificate_check check; /* of the peer's */
};

/* ---- keys ---- */

static enum status
bad_file(const char *option, struct str path, const char *why)
{
    log_error("endpoint", "%s = %.*s: not used for tls+tcp://: %s", option,
              STRF(path), why);
    return ST_USAGE;
}

/* By a code of mbed TLS, or so many certificates that it could not read. */
static enum status
not_parsed(const char *option, struct str path, int rc)
{
    char text[128] = "not all of its certificates can be read";

    if (rc == MBEDTLS_ERR_PK_PASSWORD_REQUIRED)
        return bad_file(option, path,
                        "its key is locked with a password: write it without "
                        "one (openssl pkey)");
    if (rc < 0)
        mbedtls_strerror(rc, text, sizeof text);
    return bad_file(option, path, text);
}

/* With the NUL that mbed TLS wants to see. */
static enum status
read_text(struct buf *out, const char *option, struct str path)
{
    char file[PATH_MAX];
    enum status st;

    snprintf(file, sizeof file, "%.*s", STRF(path));
    if ((st = file_read(out, file, PEM_BYTES_MAX)) != ST_OK)
        return bad_file(option, path,
                        st == ST_IO ? strerror(errno) : "it is too large");
    buf_char(out, '\0');
    return ST_OK;
}

/* What is to be there and is not; NULL: nothing. */
static const char *
what_lacks(const char *text, bool key)
{
    if (strstr(text, "-----BEGIN CERTIFICATE-----") == NULL)
        return key ? "it holds no certificate in PEM: it is to hold the own "
                     "one and its key"
                   : "it holds no certificate in PEM";
    return key && strstr(text, "PRIVATE KEY-----") == NULL
               ? "it holds no key in PEM: it is to hold the own certificate "
                 "and its key"
               : NULL;
}

/* key: NULL: only certificates are wanted. */
static enum status
read_pem(mbedtls_x509_crt *certificate, mbedtls_pk_context *key,
         const char *option, struct str path)
{
    struct buf text = {0};
    enum status st = read_text(&text, option, path);
    const unsigned char *p = (const unsigned char *)text.p;
    const char *lacks;
    int rc = 0;

    if (st == ST_OK)
        rc = mbedtls_x509_crt_parse(certificate, p, text.n);
    if (st == ST_OK && rc == 0 && key != NULL)
        rc = mbedtls_pk_parse_key(key, p, text.n, NULL, 0);
    if (rc != 0 && (lacks = what_lacks(text.p, key != NULL)) != NULL)
        st = bad_file(option, path, lacks);
    else if (rc != 0)
        st = not_parsed(option, path, rc);
    else if (st == ST_OK && key != NULL &&
             mbedtls_pk_check_pair(&certificate->pk, key) != 0)
        st = bad_file(option, path,
                      "its first certificate and its key do not belong "
                      "together");
    if (text.n > 0)
        mbedtls_platform_zeroize(text.p, text.n);
    buf_free(&text);
    return st;
}

static enum status
read_files(struct tls_keys *k, const struct endpoint_options *o)
{
    enum status st =
        read_pem(&k->authority, NULL, "tls.authority", o->authority);

    return st == ST_OK ? read_pem(&k->own, &k->key, "tls.key", o->own) : st;
}

/* Peers have the same authority, so they will find what is found here. */
static void
check_own(struct tls_keys *k, const struct endpoint_options *o,
          const char *name)
{
    struct certificate_check check = {.name = name, .of_service = k->server};
    char what[100];

    if (certificate_check(&check, &k->own, &k->authority))
        return;
    certificate_say(&check, what, sizeof what);
    log_warn("endpoint",
             "tls.key = %.*s: peers will refuse this certificate: %s",
             STRF(o->own), what);
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
              bool server, const char *name)
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
    if ((st = read_files(k, o)) == ST_OK && (st = configure(k)) == ST_OK) {
        check_own(k, o, name);
        *out = k;
    } else {
        tls_keys_close(k);
    }
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
    t->check.name = name != NULL ? t->name : NULL;
    t->check.of_service = !k->server;
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

    if (rc == MBEDTLS_ERR_SSL_BAD_HS_CERTIFICATE &&
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
