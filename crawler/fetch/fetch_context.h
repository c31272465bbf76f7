/* fetch_context.h -- what the files of fetch that call OpenSSL share. */
#ifndef CRAWLER_FETCH_CONTEXT_H
#define CRAWLER_FETCH_CONTEXT_H

#include <openssl/ssl.h>

#include "fetch_inside.h"

/* libcurl makes a context for each connection; this is whose it is. */
struct fetch_context {
    struct fetch *fetch;
    uint64_t host; /* as in struct transfer */
};

/* NULL: the context is none of ours. */
const struct fetch_context *fetch_context_of(const SSL *ssl);

/* ---- fetch_sessions.c ---- */
/* Its connections use and keep the sessions of their hosts. */
void fetch_keeps_sessions(SSL_CTX *context);

#endif
