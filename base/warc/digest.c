/* digest.c -- hides mbed TLS's SHA-1 and SHA-256 (nng needs that library
 * anyway).
 *
 * SHA-1 because every WARC tool compares these; nothing here relies on it
 * against forgery. */
#include "digest.h"

#include <stdio.h>
#include <stdlib.h>

#include <mbedtls/sha1.h>
#include <mbedtls/sha256.h>

static void
base32(const unsigned char *in, size_t n, char *out)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

    for (size_t bit = 0; bit < n * 8; bit += 5) {
        size_t i = bit / 8, shift = bit % 8;
        unsigned two = (unsigned)in[i] << 8 | (i + 1 < n ? in[i + 1] : 0);

        *out++ = letters[two >> (11 - shift) & 31];
    }
    *out = '\0';
}

bool
digest_sha1(struct str a, struct str b, char out[DIGEST_TEXT_N])
{
    unsigned char raw[20] = {0};
    mbedtls_sha1_context c;
    bool good;

    mbedtls_sha1_init(&c);
    good = mbedtls_sha1_starts_ret(&c) == 0 &&
           mbedtls_sha1_update_ret(&c, (const unsigned char *)a.p, a.n) == 0 &&
           mbedtls_sha1_update_ret(&c, (const unsigned char *)b.p, b.n) == 0 &&
           mbedtls_sha1_finish_ret(&c, raw) == 0;
    mbedtls_sha1_free(&c);
    memcpy(out, "sha1:", 5);
    base32(raw, sizeof raw, out + 5);
    return good;
}

struct digest_sha256 {
    mbedtls_sha256_context c;
};

struct digest_sha256 *
digest_sha256_new(void)
{
    struct digest_sha256 *d = calloc(1, sizeof *d);

    if (d == NULL)
        return NULL;
    mbedtls_sha256_init(&d->c);
    mbedtls_sha256_starts_ret(&d->c, 0);
    return d;
}

void
digest_sha256_add(struct digest_sha256 *d, struct str bytes)
{
    mbedtls_sha256_update_ret(&d->c, (const unsigned char *)bytes.p, bytes.n);
}

void
digest_sha256_end(struct digest_sha256 *d, char out[DIGEST_SHA256_N])
{
    unsigned char raw[32] = {0};

    out[0] = '\0';
    if (d == NULL)
        return;
    mbedtls_sha256_finish_ret(&d->c, raw);
    for (size_t i = 0; i < sizeof raw; i++)
        snprintf(out + 2 * i, 3, "%02x", raw[i]);
    mbedtls_sha256_free(&d->c);
    free(d);
}
