/* key_set.c -- see key_set.h. */
#include "key_set.h"

#include <errno.h>
#include <limits.h>
#include <mbedtls/entropy.h>
#include <mbedtls/error.h>
#include <mbedtls/platform_util.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/file.h"
#include "base/log.h"
#include "mbed.h"

enum { PEM_BYTES_MAX = 1 << 20 };

struct key_set {
    mbedtls_ssl_config config;
    mbedtls_x509_crt authority, own;
    mbedtls_pk_context key;
    mbedtls_entropy_context entropy;
    mbedtls_ctr_drbg_context random;
};

/* ---- files ---- */

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
read_pem(struct key_set *k, mbedtls_x509_crt *certificate,
         mbedtls_pk_context *key, const char *option, struct str path)
{
    struct buf text = {0};
    enum status st = read_text(&text, option, path);
    const unsigned char *p = (const unsigned char *)text.p;
    const char *lacks;
    int rc = 0;

    if (st == ST_OK)
        rc = mbedtls_x509_crt_parse(certificate, p, text.n);
    if (st == ST_OK && rc == 0 && key != NULL)
        rc = mbed_parse_key(key, p, text.n, &k->random);
    if (rc != 0 && (lacks = what_lacks(text.p, key != NULL)) != NULL)
        st = bad_file(option, path, lacks);
    else if (rc != 0)
        st = not_parsed(option, path, rc);
    else if (st == ST_OK && key != NULL &&
             mbed_check_pair(&certificate->pk, key, &k->random) != 0)
        st = bad_file(option, path,
                      "its first certificate and its key do not belong "
                      "together");
    if (text.n > 0)
        mbedtls_platform_zeroize(text.p, text.n);
    buf_free(&text);
    return st;
}

static enum status
read_files(struct key_set *k, const struct key_files *f)
{
    enum status st =
        read_pem(k, &k->authority, NULL, "tls.authority", f->authority);

    return st == ST_OK ? read_pem(k, &k->own, &k->key, "tls.key", f->own) : st;
}

/* ---- a set ---- */

static enum status
configure(struct key_set *k, bool server)
{
    mbedtls_ssl_config *c = &k->config;

    if (mbedtls_ssl_config_defaults(
            c, server ? MBEDTLS_SSL_IS_SERVER : MBEDTLS_SSL_IS_CLIENT,
            MBEDTLS_SSL_TRANSPORT_STREAM, MBEDTLS_SSL_PRESET_DEFAULT) != 0)
        return ST_NOMEM;
    mbed_only_tls_1_2(c);
    mbedtls_ssl_conf_rng(c, mbedtls_ctr_drbg_random, &k->random);
    mbedtls_ssl_conf_authmode(c, MBEDTLS_SSL_VERIFY_REQUIRED);
    mbedtls_ssl_conf_ca_chain(c, &k->authority, NULL);
    if (mbedtls_ssl_conf_own_cert(c, &k->own, &k->key) != 0)
        return ST_NOMEM;
    return ST_OK;
}

enum status
key_set_open(struct key_set **out, const struct key_files *f, bool server)
{
    struct key_set *k = calloc(1, sizeof *k);
    enum status st;

    *out = NULL;
    if (k == NULL)
        return ST_NOMEM;
    mbedtls_ssl_config_init(&k->config);
    mbedtls_x509_crt_init(&k->authority);
    mbedtls_x509_crt_init(&k->own);
    mbedtls_pk_init(&k->key);
    mbedtls_entropy_init(&k->entropy);
    mbedtls_ctr_drbg_init(&k->random);
    st = mbedtls_ctr_drbg_seed(&k->random, mbedtls_entropy_func, &k->entropy,
                               NULL, 0) == 0
             ? ST_OK
             : ST_NOMEM;
    if (st == ST_OK && (st = read_files(k, f)) == ST_OK &&
        (st = configure(k, server)) == ST_OK)
        *out = k;
    else
        key_set_close(k);
    return st;
}

void
key_set_close(struct key_set *k)
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

const mbedtls_ssl_config *
key_set_config(const struct key_set *k)
{
    return &k->config;
}

bool
key_set_check(struct key_set *k, struct certificate_check *c)
{
    return certificate_check(c, &k->own, &k->authority);
}

int64_t
key_set_ends_s(const struct key_set *k)
{
    const mbedtls_x509_time *t = &k->own.valid_to;
    struct tm tm = {.tm_year = t->year - 1900,
                    .tm_mon = t->mon - 1,
                    .tm_mday = t->day,
                    .tm_hour = t->hour,
                    .tm_min = t->min,
                    .tm_sec = t->sec};

    return (int64_t)timegm(&tm);
}
