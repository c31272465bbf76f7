/* digest.c -- hides mbed TLS's SHA-1 (nng needs that library anyway).
 *
 * SHA-1 because every WARC tool compares these; nothing here relies on it
 * against forgery. */
#include "digest.h"

#include <mbedtls/sha1.h>

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
