/* certificate.c -- see certificate.h. */
#include "certificate.h"

#include <arpa/inet.h>
#include <mbedtls/oid.h>
#include <stdio.h>
#include <string.h>

/* RFC 5280, 4.2.1.6: iPAddress */
enum { ADDRESS_TAG = MBEDTLS_ASN1_CONTEXT_SPECIFIC | 7 };

/* Is the name an address, and does the certificate bear it? */
static bool
bears_address(const mbedtls_x509_crt *crt, const char *name)
{
    unsigned char bytes[sizeof(struct in6_addr)];
    size_t n = inet_pton(AF_INET, name, bytes) == 1    ? 4
               : inet_pton(AF_INET6, name, bytes) == 1 ? 16
                                                       : 0;

    if (n == 0)
        return false;
    for (const mbedtls_x509_sequence *x = &crt->subject_alt_names; x != NULL;
         x = x->next)
        if (x->buf.tag == ADDRESS_TAG && x->buf.len == n &&
            memcmp(x->buf.p, bytes, n) == 0)
            return true;
    return false;
}

int
certificate_look(void *self, mbedtls_x509_crt *crt, int depth, uint32_t *flags)
{
    struct certificate_check *c = self;

    if (depth > 0) {
        c->signers |= *flags;
        return 0;
    }
    if ((*flags & MBEDTLS_X509_BADCERT_CN_MISMATCH) != 0 && c->name != NULL &&
        bears_address(crt, c->name))
        *flags &= ~(uint32_t)MBEDTLS_X509_BADCERT_CN_MISMATCH;
    c->own |= *flags;
    return 0;
}

bool
certificate_check(struct certificate_check *c, mbedtls_x509_crt *crt,
                  mbedtls_x509_crt *authority)
{
    uint32_t flags = 0;
    const char *use =
        c->of_service ? MBEDTLS_OID_SERVER_AUTH : MBEDTLS_OID_CLIENT_AUTH;

    (void)mbedtls_x509_crt_verify(crt, authority, NULL, c->name, &flags,
                                  certificate_look, c);
    if (mbedtls_x509_crt_check_extended_key_usage(
            crt, use, MBEDTLS_OID_SIZE(MBEDTLS_OID_SERVER_AUTH)) != 0)
        c->own |= MBEDTLS_X509_BADCERT_EXT_KEY_USAGE;
    return (c->own | c->signers) == 0;
}

/* Of its time, or of that of who signed it. */
static void
say_time(uint32_t own, const char *fault, char *out, size_t size)
{
    snprintf(out, size, "%s %s",
             own != 0 ? "it" : "the certificate that signed it (tls.authority)",
             fault);
}

void
certificate_say(const struct certificate_check *c, char *out, size_t size)
{
    uint32_t found = c->own | c->signers;

    if (found & MBEDTLS_X509_BADCERT_NOT_TRUSTED)
        snprintf(out, size, "it is not signed by tls.authority");
    else if (found & MBEDTLS_X509_BADCERT_EXPIRED)
        say_time(c->own & MBEDTLS_X509_BADCERT_EXPIRED, "has expired", out,
                 size);
    else if (found & MBEDTLS_X509_BADCERT_FUTURE)
        say_time(c->own & MBEDTLS_X509_BADCERT_FUTURE, "is not valid yet", out,
                 size);
    else if (found & MBEDTLS_X509_BADCERT_CN_MISMATCH)
        snprintf(out, size, "it does not bear the name %.64s",
                 c->name != NULL ? c->name : "");
    else if (found & MBEDTLS_X509_BADCERT_REVOKED)
        snprintf(out, size, "it is revoked");
    else if (found & MBEDTLS_X509_BADCERT_EXT_KEY_USAGE)
        snprintf(out, size, "it is not for %s (extended key usage %s)",
                 c->of_service ? "services" : "who asks services",
                 c->of_service ? "serverAuth" : "clientAuth");
    else
        snprintf(out, size, "it may not be used for this");
}
