/* digest.c -- hides OpenSSL's SHA-1 and SHA-256, which use the processor's
 * instructions for them.
 *
 * SHA-1 because every WARC tool compares these; nothing here relies on it
 * against forgery. */
#include "digest.h"

#include <stdio.h>
#include <stdlib.h>

#include <openssl/evp.h>

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
    EVP_MD_CTX *c = EVP_MD_CTX_new();
    bool good = c != NULL && EVP_DigestInit_ex(c, EVP_sha1(), NULL) == 1 &&
                EVP_DigestUpdate(c, a.p, a.n) == 1 &&
                EVP_DigestUpdate(c, b.p, b.n) == 1 &&
                EVP_DigestFinal_ex(c, raw, NULL) == 1;

    EVP_MD_CTX_free(c);
    memcpy(out, "sha1:", 5);
    base32(raw, sizeof raw, out + 5);
    return good;
}

struct digest_sha256 {
    EVP_MD_CTX *c;
    bool good;
};

struct digest_sha256 *
digest_sha256_new(void)
{
    struct digest_sha256 *d = calloc(1, sizeof *d);

    if (d == NULL)
        return NULL;
    d->c = EVP_MD_CTX_new();
    d->good = d->c != NULL && EVP_DigestInit_ex(d->c, EVP_sha256(), NULL) == 1;
    return d;
}

void
digest_sha256_add(struct digest_sha256 *d, struct str bytes)
{
    d->good = d->good && EVP_DigestUpdate(d->c, bytes.p, bytes.n) == 1;
}

void
digest_sha256_end(struct digest_sha256 *d, char out[DIGEST_SHA256_N])
{
    unsigned char raw[32];

    out[0] = '\0';
    if (d == NULL)
        return;
    if (d->good && EVP_DigestFinal_ex(d->c, raw, NULL) == 1)
        for (size_t i = 0; i < sizeof raw; i++)
            snprintf(out + 2 * i, 3, "%02x", raw[i]);
    EVP_MD_CTX_free(d->c);
    free(d);
}
