/* signer.c -- see signer.h: hides OpenSSL's Ed25519.
 *
 * Follows draft-meunier-web-bot-auth-architecture: components "@authority" and,
 * where it is known, "signature-agent", tag "web-bot-auth", the JWK thumbprint
 * as key id. */
#include "signer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include "base/log.h"

struct signer {
    EVP_PKEY *key;
    char *agent;
    char public[SIGNER_PUBLIC_N], keyid[SIGNER_KEYID_N];
};

static void
base64(struct buf *out, const unsigned char *in, size_t n)
{
    buf_reserve(out, n / 3 * 4 + 5);
    out->n +=
        (size_t)EVP_EncodeBlock((unsigned char *)out->p + out->n, in, (int)n);
}

/* 32 bytes as base64url without padding. */
static void
base64url(const unsigned char in[32], char out[44])
{
    unsigned char text[48];

    EVP_EncodeBlock(text, in, 32);
    for (size_t i = 0; i < 43; i++)
        out[i] = text[i] == '+' ? '-' : text[i] == '/' ? '_' : (char)text[i];
    out[43] = '\0';
}

/* Public key and thumbprint. */
static bool
describe(struct signer *s)
{
    unsigned char raw[32], digest[SHA256_DIGEST_LENGTH];
    size_t n = sizeof raw;
    char jwk[128];

    if (EVP_PKEY_id(s->key) != EVP_PKEY_ED25519 ||
        EVP_PKEY_get_raw_public_key(s->key, raw, &n) != 1 || n != sizeof raw)
        return false;
    base64url(raw, s->public);
    snprintf(jwk, sizeof jwk,
             "{\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\"%s\"}", s->public);
    SHA256((const unsigned char *)jwk, strlen(jwk), digest);
    base64url(digest, s->keyid);
    return true;
}

enum status
signer_open(struct signer **out, const char *key, struct str agent)
{
    FILE *f = fopen(key, "re");
    struct signer *s;

    *out = NULL;
    if (f == NULL) {
        log_error("sign", "file=%s open=\"%s\"", key, strerror(errno));
        return ST_IO;
    }
    if ((s = calloc(1, sizeof *s)) == NULL) {
        fclose(f);
        return ST_NOMEM;
    }
    s->agent = strndup(agent.p, agent.n);
    s->key = PEM_read_PrivateKey(f, NULL, NULL, (void *)(uintptr_t) "");
    fclose(f);
    if (s->key == NULL || s->agent == NULL || !describe(s)) {
        log_error("sign", "file=%s holds no private Ed25519 key in PEM", key);
        signer_free(s);
        return ST_INVALID;
    }
    *out = s;
    return ST_OK;
}

void
signer_free(struct signer *s)
{
    if (s == NULL)
        return;
    EVP_PKEY_free(s->key);
    free(s->agent);
    free(s);
}

const char *
signer_keyid(const struct signer *s)
{
    return s->keyid;
}

const char *
signer_public(const struct signer *s)
{
    return s->public;
}

bool
signer_bytes(struct signer *s, struct str bytes, struct buf *out)
{
    EVP_MD_CTX *c = EVP_MD_CTX_new();
    unsigned char raw[64];
    size_t n = sizeof raw;
    bool good =
        c != NULL && EVP_DigestSignInit(c, NULL, NULL, NULL, s->key) == 1 &&
        EVP_DigestSign(c, raw, &n, (const unsigned char *)bytes.p, bytes.n) ==
            1;

    EVP_MD_CTX_free(c);
    if (good)
        base64(out, raw, n);
    return good;
}

bool
signer_sign(struct signer *s, struct str authority, uint64_t now_s,
            struct str nonce, struct signer_fields *out)
{
    struct buf params = {0}, base = {0};
    bool told = s->agent[0] != '\0', good;

    buf_printf(&params,
               "(\"@authority\"%s);created=%llu;expires=%llu"
               ";keyid=\"%s\";alg=\"ed25519\"",
               told ? " \"signature-agent\"" : "", (unsigned long long)now_s,
               (unsigned long long)now_s + SIGNER_SECONDS, s->keyid);
    if (nonce.n > 0)
        buf_printf(&params, ";nonce=\"%.*s\"", STRF(nonce));
    buf_c(&params, ";tag=\"web-bot-auth\"");
    buf_printf(&base, "\"@authority\": %.*s\n", STRF(authority));
    if (told) {
        buf_printf(&out->agent, "\"%s\"", s->agent);
        buf_printf(&base, "\"signature-agent\": %.*s\n",
                   STRF(buf_view(&out->agent)));
    }
    buf_printf(&base, "\"@signature-params\": %.*s", STRF(buf_view(&params)));
    buf_printf(&out->input, "sig1=%.*s", STRF(buf_view(&params)));
    buf_c(&out->signature, "sig1=:");
    good = signer_bytes(s, buf_view(&base), &out->signature);
    buf_c(&out->signature, ":");
    buf_free(&params);
    buf_free(&base);
    return good;
}

void
signer_nonce(char out[SIGNER_PUBLIC_N])
{
    unsigned char raw[32] = {0};

    (void)RAND_bytes(raw, sizeof raw);
    base64url(raw, out);
}

enum status
signer_make_key(const char *path)
{
    EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    bool there = fd < 0 && errno == EEXIST, good;

    if (fd < 0)
        log_error("sign", "file=%s create=\"%s\"", path, strerror(errno));
    good = key != NULL && f != NULL &&
           PEM_write_PrivateKey(f, key, NULL, NULL, 0, NULL, NULL) == 1;
    if (f != NULL && fclose(f) != 0)
        good = false;
    EVP_PKEY_free(key);
    if (!good && fd >= 0)
        log_error("sign", "file=%s: no key was made", path);
    return good ? ST_OK : there ? ST_INVALID : ST_IO;
}
