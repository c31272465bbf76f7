/* signer.h -- requests say who sends them, in a way that can be checked: Web
 * Bot Auth, signatures of HTTP messages (RFC 9421) with an Ed25519 key.
 *
 * A signature covers the authority of a request and the address under which the
 * key is published, for SIGNER_SECONDS.  Belongs to one thread. */
#ifndef CRAWLER_SIGNER_H
#define CRAWLER_SIGNER_H

#include "base/buf.h"
#include "base/status.h"

#define SIGNER_SECONDS 300u
#define SIGNER_KEYID_N 44  /* JWK thumbprint (RFC 7638), base64url */
#define SIGNER_PUBLIC_N 44 /* the public key, likewise */

struct signer; /* opaque; see crawler/sign/signer.c */

/* key: path of a private key in PEM; agent: "https://crawler.example", where
 * its directory is; "": it is not told.  ST_IO, ST_INVALID: no Ed25519 key
 * (reported). */
enum status signer_open(struct signer **out, const char *key, struct str agent);
void signer_free(struct signer *s); /* NULL is allowed */

/* The values of Signature-Agent, Signature-Input and Signature of a request to
 * `authority` ("host" or "host:port") at `now_s`; nonce: never the same twice,
 * or "".  Without an agent the first is "", and not signed.  False: the library
 * failed. */
struct signer_fields {
    struct buf agent, input, signature; /* the caller's to free */
};
bool signer_sign(struct signer *s, struct str authority, uint64_t now_s,
                 struct str nonce, struct signer_fields *out);

/* Sign any bytes: the signature in base64.  False as above. */
bool signer_bytes(struct signer *s, struct str bytes, struct buf *out);

const char *signer_keyid(const struct signer *s);
const char *signer_public(const struct signer *s);

/* 32 random bytes as base64url. */
void signer_nonce(char out[SIGNER_PUBLIC_N]);

/* Make a key and write it to a file that only its owner reads.  ST_INVALID: the
 * file is there already; ST_IO (both reported). */
enum status signer_make_key(const char *path);

#endif
