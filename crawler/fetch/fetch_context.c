/* fetch_context.c -- connections over TLS as OpenSSL sees them: whose they are,
 * and what comes in through them while libcurl asks nothing.
 *
 * libcurl 7.88 reads all the frames of HTTP/2 that bring no byte of a page
 * (padding, empty DATA) in one call, and OpenSSL all session tickets and new
 * keys, of which 27 bytes take 20 us; a server that sends them faster holds the
 * crawl.  So records are counted between the callbacks of libcurl, each of
 * which comes after some 64 KiB of a page, and past the most that a page can
 * need the connection is taken for closed.
 *
 * Many a server ends a page by closing the connection, without saying so in
 * TLS: libcurl 8 calls that broken.  Where the length is known it counts, as
 * ever.
 *
 * A server may also choose a group for Diffie-Hellman in which the handshake
 * takes the loop 0.6 s (10000 bits, OpenSSL's bound); of 4096 bits it is 30 ms.
 */
#include "fetch_context.h"

#include <stdlib.h>

#include "base/memory.h"

#define RECORD_HEADER 5   /* type, version, length: RFC 8446, 5.1 */
#define RECORD_COSTS 1024 /* as much as so many bytes, however short it is */
#define DH_BITS_MAX 4096

typedef int security(const SSL *ssl, const SSL_CTX *context, int what, int bits,
                     int nid, void *other, void *extra);

static security *usual_security; /* OpenSSL's */

static void
on_free(void *parent, void *context, CRYPTO_EX_DATA *all, int i, long l,
        void *p)
{
    (void)parent;
    (void)all;
    (void)i;
    (void)l;
    (void)p;
    free(context);
}

/* Where OpenSSL keeps ours; it ends with its own. */
static int
our_index(void)
{
    static int index = -1;

    if (index < 0)
        index = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, on_free);
    return index;
}

const struct fetch_context *
fetch_context_of(const SSL *ssl)
{
    return SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), our_index());
}

static void
too_much(SSL *ssl, const struct fetch_context *c)
{
    SSL_set_shutdown(ssl, SSL_get_shutdown(ssl) | SSL_RECEIVED_SHUTDOWN);
    for (struct transfer *t = c->fetch->running; t != NULL; t = t->next)
        if (t->host == c->host) {
            t->cut = true;
            t->stop = VERDICT_TOO_MUCH;
        }
}

/* A part of a message comes or goes; before all others, the header of a record.
 */
static void
on_message(int goes, int version, int type, const void *bytes, size_t n,
           SSL *ssl, void *context)
{
    const struct fetch_context *c = context;
    const unsigned char *header = bytes;
    struct fetch *f = c->fetch;

    (void)version;
    if (goes || type != SSL3_RT_HEADER || n < RECORD_HEADER)
        return;
    f->unasked += RECORD_COSTS + (uint64_t)header[3] * 256 + header[4];
    if (f->unasked > fetch_received_max(f, f->opts->fetch_body_max))
        too_much(ssl, c);
}

/* May this be used for a connection? */
static int
on_choice(const SSL *ssl, const SSL_CTX *context, int what, int bits, int nid,
          void *other, void *extra)
{
    if (what == SSL_SECOP_TMP_DH && EVP_PKEY_get_bits(other) > DH_BITS_MAX)
        return 0;
    return usual_security(ssl, context, what, bits, nid, other, extra);
}

/* libcurl has made the context of a new connection. */
static CURLcode
on_context(CURL *easy, void *context, void *transfer)
{
    struct transfer *t = transfer;
    struct fetch_context *c = memory_need(malloc(sizeof *c));

    (void)easy;
    *c = (struct fetch_context){t->fetch, t->host};
    if (SSL_CTX_set_ex_data(context, our_index(), c) != 1) {
        free(c);
        return CURLE_OUT_OF_MEMORY;
    }
    SSL_CTX_set_options(context, SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS); /* while idle */
    SSL_CTX_set_msg_callback(context, on_message);
    SSL_CTX_set_msg_callback_arg(context, c);
    if (usual_security == NULL)
        usual_security = SSL_CTX_get_security_callback(context);
    SSL_CTX_set_security_callback(context, on_choice);
    if (t->fetch->proxy != PROXY_HTTPS) /* it may be the proxy's */
        fetch_keeps_sessions(context);
    return CURLE_OK;
}

void
fetch_sees_contexts(struct transfer *t)
{
    const curl_version_info_data *v = curl_version_info(CURLVERSION_NOW);

    if (v->ssl_version == NULL ||
        !str_starts(str_c(v->ssl_version), S("OpenSSL")))
        return;
    curl_easy_setopt(t->easy, CURLOPT_SSL_SESSIONID_CACHE, 0L);
    curl_easy_setopt(t->easy, CURLOPT_SSL_CTX_FUNCTION, on_context);
    curl_easy_setopt(t->easy, CURLOPT_SSL_CTX_DATA, t);
}
