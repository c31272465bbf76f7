/* fetch_tls.c -- what TLS a response came through, asked of libcurl's OpenSSL.
 * A libcurl with another TLS library says nothing.  Of it knows, too:
 * fetch_sessions.c. */
#include "fetch_inside.h"

#include <openssl/ssl.h>

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
