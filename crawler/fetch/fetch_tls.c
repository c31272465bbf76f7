/* fetch_tls.c -- whom TLS trusts; what a response came through, asked of
 * libcurl's OpenSSL.
 * A libcurl with another TLS library says nothing.  Of it knows, too:
 * fetch_sessions.c. */
#include "fetch_inside.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory.h"

struct tls_peer { /* libcurl's options of one end of a connection */
    CURLoption file, folder, verify_issuer, verify_name;
};

/* With a folder of authorities beside the file, which holds the same ones,
 * libcurl keeps none in memory and reads all of the file for each connection.
 */
static void
set_authorities(CURL *e, const struct tls_peer *peer, struct str file)
{
    const curl_version_info_data *v = curl_version_info(CURLVERSION_NOW);
    char *path;

    if (file.n > 0) { /* libcurl copies it */
        path = memory_need(strndup(file.p, file.n));
        curl_easy_setopt(e, peer->file, path);
        free(path);
    }
    if (file.n > 0 || (v->cainfo != NULL && access(v->cainfo, R_OK) == 0))
        curl_easy_setopt(e, peer->folder, NULL);
}

/* libcurl would say so of each host. */
enum status
fetch_check_authorities(const struct opts *o)
{
    const char *path = o->fetch_tls_ca.p, *why = NULL;
    SSL_CTX *context;

    if (o->fetch_tls_ca.n == 0 || !o->fetch_tls_verify)
        return ST_OK;
    context = memory_need(SSL_CTX_new(TLS_client_method()));
    if (access(path, R_OK) != 0)
        why = strerror(errno);
    else if (SSL_CTX_load_verify_file(context, path) != 1)
        why = "no certificates can be read from it";
    ERR_clear_error();
    SSL_CTX_free(context);
    if (why == NULL)
        return ST_OK;
    log_error("fetch", "fetch.tls_ca = %s: %s", path, why);
    return ST_USAGE;
}

static void
check_peer(struct transfer *t, const struct tls_peer *peer)
{
    const struct opts *o = t->fetch->opts;

    set_authorities(t->easy, peer, o->fetch_tls_ca);
    curl_easy_setopt(t->easy, peer->verify_issuer,
                     o->fetch_tls_verify ? 1L : 0L);
    curl_easy_setopt(t->easy, peer->verify_name, o->fetch_tls_verify ? 2L : 0L);
}

void
fetch_checks_tls(struct transfer *t)
{
    static const struct tls_peer host = {CURLOPT_CAINFO, CURLOPT_CAPATH,
                                         CURLOPT_SSL_VERIFYPEER,
                                         CURLOPT_SSL_VERIFYHOST};

    check_peer(t, &host);
}

void
fetch_checks_proxy_tls(struct transfer *t)
{
    static const struct tls_peer proxy = {
        CURLOPT_PROXY_CAINFO, CURLOPT_PROXY_CAPATH,
        CURLOPT_PROXY_SSL_VERIFYPEER, CURLOPT_PROXY_SSL_VERIFYHOST};

    check_peer(t, &proxy);
}

/* The connection is there from the headers to the end of the transfer. */
void
fetch_notes_tls(struct transfer *t)
{
    struct curl_tlssessioninfo *session = NULL;
    const SSL_CIPHER *cipher;
    SSL *ssl;

    t->reply->tls_version = t->reply->tls_cipher = NULL;
    if (curl_easy_getinfo(t->easy, CURLINFO_TLS_SSL_PTR, &session) !=
            CURLE_OK ||
        session == NULL || session->backend != CURLSSLBACKEND_OPENSSL ||
        session->internals == NULL)
        return;
    ssl = session->internals;
    t->reply->tls_version = SSL_get_version(ssl);
    if ((cipher = SSL_get_current_cipher(ssl)) != NULL)
        t->reply->tls_cipher = SSL_CIPHER_standard_name(cipher);
}
