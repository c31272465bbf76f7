/* mbed.h -- where mbed TLS 3 (Debian 13) differs from 2.28 (Debian 12). */
#ifndef PROTO_MBED_H
#define PROTO_MBED_H

#include <mbedtls/ctr_drbg.h>
#include <mbedtls/ssl.h>
#include <mbedtls/version.h>

#if MBEDTLS_VERSION_MAJOR < 3
#define MBED_BAD_CERTIFICATE MBEDTLS_ERR_SSL_BAD_HS_CERTIFICATE
#else
#define MBED_BAD_CERTIFICATE MBEDTLS_ERR_SSL_BAD_CERTIFICATE
#endif

/* A key without a password, in PEM with its NUL: 0, or an error code. */
static inline int
mbed_parse_key(mbedtls_pk_context *key, const unsigned char *pem, size_t n,
               mbedtls_ctr_drbg_context *random)
{
#if MBEDTLS_VERSION_MAJOR < 3
    (void)random;
    return mbedtls_pk_parse_key(key, pem, n, NULL, 0);
#else
    return mbedtls_pk_parse_key(key, pem, n, NULL, 0, mbedtls_ctr_drbg_random,
                                random);
#endif
}

/* Do a certificate's key and a private one belong together?  0: yes. */
static inline int
mbed_check_pair(const mbedtls_pk_context *of_certificate,
                const mbedtls_pk_context *key, mbedtls_ctr_drbg_context *random)
{
#if MBEDTLS_VERSION_MAJOR < 3
    (void)random;
    return mbedtls_pk_check_pair(of_certificate, key);
#else
    return mbedtls_pk_check_pair(of_certificate, key, mbedtls_ctr_drbg_random,
                                 random);
#endif
}

/* TLS 1.2, whatever the library knows: in 1.3 who asks is done before its
 * certificate is looked at, and cannot be told why it is refused. */
static inline void
mbed_only_tls_1_2(mbedtls_ssl_config *c)
{
#if MBEDTLS_VERSION_MAJOR < 3
    mbedtls_ssl_conf_min_version(c, MBEDTLS_SSL_MAJOR_VERSION_3,
                                 MBEDTLS_SSL_MINOR_VERSION_3);
#else
    mbedtls_ssl_conf_min_tls_version(c, MBEDTLS_SSL_VERSION_TLS1_2);
    mbedtls_ssl_conf_max_tls_version(c, MBEDTLS_SSL_VERSION_TLS1_2);
#endif
}

#endif
