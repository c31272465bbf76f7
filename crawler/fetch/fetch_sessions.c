/* fetch_sessions.c -- TLS sessions of hosts, so that a host whose connection is
 * gone is spared most of a handshake when it is asked again.
 *
 * libcurl keeps eight sessions (and none that its handles share), so ours stand
 * beside it: what a server hands out is put away as bytes under the authority
 * of the URL, and set when the next handshake with that authority begins.  A
 * session holds the certificate and what came of checking it, so libcurl's
 * look at the name is the same as after a whole handshake.
 *
 * A ticket of TLS 1.3 is used once (RFC 8446, C.4); the handshake brings the
 * next one.  A server that breaks off a handshake that would go on with a
 * session gets whole ones from then on.  Bounded by PLACES sessions of SIZE_MAX
 * bytes: a hash says which four places are a host's, and the one that was used
 * longest ago goes. */
#include "fetch_context.h"

#include <stdlib.h>

#include "base/memory.h"

#define SETS 4096u
#define WAYS 4u
#define SESSION_SIZE_MAX ((size_t)16 * 1024)

struct kept_session {
    uint64_t host;        /* 0: free */
    uint64_t used;        /* the clock as of then */
    unsigned char *bytes; /* NULL: none */
    size_t n;
    bool tried;   /* the handshake that began with it is not done yet ... */
    bool refused; /* ... and never was */
};

struct sessions {
    struct kept_session place[SETS][WAYS];
    uint64_t clock;
};

static struct kept_session *
find(struct sessions *s, uint64_t host)
{
    struct kept_session *set = s->place[host % SETS];

    for (size_t i = 0; i < WAYS; i++)
        if (set[i].host == host)
            return &set[i];
    return NULL;
}

static void
forget(struct kept_session *k)
{
    free(k->bytes);
    *k = (struct kept_session){0};
}

/* A free place, or the one of the set that was used longest ago, made free. */
static struct kept_session *
make_room(struct sessions *s, uint64_t host)
{
    struct kept_session *set = s->place[host % SETS], *k = find(s, host);

    if (k == NULL) {
        k = set;
        for (size_t i = 1; i < WAYS; i++)
            if (set[i].used < k->used)
                k = &set[i];
    }
    forget(k);
    return k;
}

/* The server has handed out a session. */
static int
on_session(SSL *ssl, SSL_SESSION *session)
{
    const struct fetch_context *c = fetch_context_of(ssl);
    int n = i2d_SSL_SESSION(session, NULL);
    struct kept_session *k =
        c != NULL ? find(c->fetch->sessions, c->host) : NULL;
    unsigned char *to;

    if (c == NULL || (k != NULL && k->refused) || n <= 0 ||
        (size_t)n > SESSION_SIZE_MAX || SSL_SESSION_is_resumable(session) == 0)
        return 0;
    k = make_room(c->fetch->sessions, c->host);
    k->bytes = to = memory_need(malloc((size_t)n));
    k->n = (size_t)i2d_SSL_SESSION(session, &to);
    k->host = c->host;
    k->used = ++c->fetch->sessions->clock;
    return 0; /* the session is not ours */
}

static void
drop_session(struct kept_session *k)
{
    free(k->bytes);
    k->bytes = NULL;
}

/* The handshake may go on with what is kept. */
static void
resume(const SSL *ssl, struct kept_session *k)
{
    const unsigned char *from = k->bytes;
    SSL_SESSION *session = d2i_SSL_SESSION(NULL, &from, (long)k->n);

    k->tried = session != NULL;
    if (session == NULL ||
        SSL_SESSION_get_protocol_version(session) == TLS1_3_VERSION)
        drop_session(k);
    if (session != NULL) /* the callback may change what it is told of */
        SSL_set_session((SSL *)(uintptr_t)ssl, session);
    SSL_SESSION_free(session);
}

/* A handshake begins or is done, or something else has happened. */
static void
on_state(const SSL *ssl, int where, int unused)
{
    const struct fetch_context *c = fetch_context_of(ssl);
    struct kept_session *k;

    (void)unused;
    if (c == NULL || (k = find(c->fetch->sessions, c->host)) == NULL)
        return;
    if ((where & SSL_CB_HANDSHAKE_DONE) != 0)
        k->tried = false;
    if ((where & SSL_CB_HANDSHAKE_START) == 0 ||
        SSL_get_state(ssl) != TLS_ST_BEFORE)
        return;
    k->used = ++c->fetch->sessions->clock;
    k->refused = k->refused || k->tried;
    k->tried = false;
    if (k->refused)
        drop_session(k);
    if (k->bytes != NULL)
        resume(ssl, k);
}

void
fetch_keeps_sessions(SSL_CTX *context)
{
    SSL_CTX_clear_options(context, SSL_OP_NO_TICKET); /* libcurl's */
    SSL_CTX_sess_set_new_cb(context, on_session);
    SSL_CTX_set_info_callback(context, on_state);
}

struct sessions *
fetch_sessions_new(void)
{
    return calloc(1, sizeof(struct sessions));
}

void
fetch_sessions_free(struct sessions *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < SETS; i++)
        for (size_t k = 0; k < WAYS; k++)
            forget(&s->place[i][k]);
    free(s);
}
