/* certificate.h -- what the check of a certificate finds, and says.
 *
 * mbed TLS checks.  It does not tell whether what it found is of the
 * certificate or of one that has signed it, and (2.28) of the names in a
 * certificate it does not look at addresses. */
#ifndef PROTO_CERTIFICATE_H
#define PROTO_CERTIFICATE_H

#include <mbedtls/ssl.h>
#include <stdbool.h>

struct certificate_check {
    const char *name; /* that it is to bear; NULL: any */
    bool of_service;  /* it is to be one of a service, not of who asks */
    uint32_t own;     /* found, as MBEDTLS_X509_BADCERT_ */
    uint32_t signers; /* of those that have signed it */
};

/* For mbedtls_ssl_set_verify(); `self`: a certificate_check. */
int certificate_look(void *self, mbedtls_x509_crt *crt, int depth,
                     uint32_t *flags);

/* Check it by an authority.  True: nothing is wrong. */
bool certificate_check(struct certificate_check *c, mbedtls_x509_crt *crt,
                       mbedtls_x509_crt *authority);

/* The gravest of what was found. */
void certificate_say(const struct certificate_check *c, char *out, size_t size);

#endif
