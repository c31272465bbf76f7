/* endpoint.c -- the asking half of endpoint.h: a pool of connections; a call
 * takes one, sends, waits for the reply, gives it back.
 *
 * A connection carries one call at a time, so a reply needs no number and
 * cannot be taken for another's.  One that fails, or on which somebody gave up
 * waiting, is closed; the call goes on over the next or a new one until its
 * deadline.  So a call can reach the receiver more than once.
 *
 * Over inproc:// the call goes into the line of the server of that name.
 *
 * Bounds: CALLS_MAX calls of one endpoint at once (further callers wait, inside
 * their deadline), so as many connections; ENDPOINT_MESSAGE_MAX bytes a
 * message. */
#include <assert.h>
#include <stdlib.h>

#include "line.h"
#include "link.h"
#include "transport.h"
#include "winnow/clock.h"
#include "winnow/log.h"

enum {
    CALLS_MAX = 256,
    STOP_LOOK_MS = 200, /* how often a call looks at *stop */
    RETRY_MIN_MS = 50,
    RETRY_MAX_MS = 1000 /* between two tries to connect */
};

struct endpoint {
    char *url;
    nng_stream_dialer *dialer; /* NULL: inproc:// */
    pthread_mutex_t lock;
    pthread_cond_t given_back;
    struct link *idle[CALLS_MAX];
    size_t idle_n, calls_n;
};

enum status
endpoint_dial(struct endpoint **out, const char *url,
              const struct endpoint_options *o)
{
    struct endpoint *e;
    enum status st;

    *out = NULL;
    if ((st = transport_check(url, o)) != ST_OK)
        return st;
    if ((e = calloc(1, sizeof *e)) == NULL || (e->url = strdup(url)) == NULL) {
        free(e);
        return ST_NOMEM;
    }
    if (transport_name(url) == NULL &&
        (st = transport_dialer(&e->dialer, url, o)) != ST_OK) {
        free(e->url);
        free(e);
        return st;
    }
    pthread_mutex_init(&e->lock, NULL);
    patience_cond_init(&e->given_back);
    *out = e;
    return ST_OK;
}

void
endpoint_close(struct endpoint *e)
{
    if (e == NULL)
        return;
    assert(e->calls_n == 0);
    while (e->idle_n > 0)
        link_close(e->idle[--e->idle_n]);
    if (e->dialer != NULL)
        nng_stream_dialer_free(e->dialer);
    pthread_cond_destroy(&e->given_back);
    pthread_mutex_destroy(&e->lock);
    free(e->url);
    free(e);
}

/* Begin a call when there are not too many. */
static enum status
enter(struct endpoint *e, const struct patience *p)
{
    enum status st = ST_OK;

    pthread_mutex_lock(&e->lock);
    while (e->calls_n >= CALLS_MAX && st == ST_OK)
        st = patience_wait(p, &e->given_back, &e->lock);
    if (st == ST_OK)
        e->calls_n++;
    pthread_mutex_unlock(&e->lock);
    return st;
}

static void
leave(struct endpoint *e)
{
    pthread_mutex_lock(&e->lock);
    e->calls_n--;
    pthread_cond_signal(&e->given_back);
    pthread_mutex_unlock(&e->lock);
}

static struct link *
take_idle(struct endpoint *e)
{
    struct link *l = NULL;

    pthread_mutex_lock(&e->lock);
    if (e->idle_n > 0)
        l = e->idle[--e->idle_n];
    pthread_mutex_unlock(&e->lock);
    return l;
}

static void
give_back(struct endpoint *e, struct link *l)
{
    pthread_mutex_lock(&e->lock);
    e->idle[e->idle_n++] = l; /* no more than there were calls */
    pthread_mutex_unlock(&e->lock);
}

/* One round trip over a connection.  ST_NONE: it was an old one and is dead:
 * try the next at once. */
static enum status
call_over_link(struct endpoint *e, struct str request, struct buf *reply,
               const struct patience *p)
{
    struct link *l = take_idle(e);
    bool old = l != NULL;
    enum status st;

    if (!old && (st = link_dial(&l, e->dialer, p)) != ST_OK)
        return st;
    if ((st = link_send(l, request, p)) == ST_OK &&
        (st = link_receive(l, reply, p)) == ST_OK) {
        give_back(e, l);
        return ST_OK;
    }
    link_close(l);
    buf_clear(reply);
    if (st == ST_LIMIT || st == ST_INVALID)
        st = ST_IO; /* a stranger answers there: perhaps not for long */
    return st == ST_IO && old ? ST_NONE : st;
}

static enum status
call_inside(struct endpoint *e, struct str request, struct buf *reply,
            const struct patience *p)
{
    struct call *c;
    struct line *n;
    enum status st = line_find(&n, transport_name(e->url), p);

    if (st != ST_OK)
        return st;
    if ((c = call_new()) == NULL) {
        st = ST_NOMEM;
    } else {
        buf_str(&c->request, request);
        if ((st = line_call(n, &c, p)) == ST_OK) {
            struct buf answer = c->reply;

            c->reply = *reply;
            *reply = answer;
        }
        call_free(c);
    }
    line_leave(n);
    return st;
}

enum status
endpoint_call(struct endpoint *e, struct str request, struct buf *reply,
              uint64_t timeout_ms)
{
    return endpoint_call_until(e, request, reply, timeout_ms, NULL);
}

enum status
endpoint_call_until(struct endpoint *e, struct str request, struct buf *reply,
                    uint64_t timeout_ms, const atomic_bool *stop)
{
    uint64_t now = clock_steady_ms(), retry_ms = RETRY_MIN_MS;
    const struct patience p = {.deadline_ms = timeout_ms > UINT32_MAX
                                                  ? now + UINT32_MAX
                                                  : now + timeout_ms,
                               .stop = stop,
                               .look_ms = STOP_LOOK_MS};
    enum status st;

    buf_clear(reply);
    if (request.n > ENDPOINT_MESSAGE_MAX) {
        log_error("endpoint", "request of %zu bytes is over the limit of %zu",
                  request.n, ENDPOINT_MESSAGE_MAX);
        return ST_LIMIT;
    }
    if ((st = enter(e, &p)) != ST_OK)
        return st;
    for (;;) {
        st = e->dialer != NULL ? call_over_link(e, request, reply, &p)
                               : call_inside(e, request, reply, &p);
        if (st == ST_NONE)
            continue;
        if (st != ST_IO || (st = patience_sleep(&p, retry_ms)) != ST_OK)
            break;
        retry_ms = retry_ms * 2 < RETRY_MAX_MS ? retry_ms * 2 : RETRY_MAX_MS;
    }
    leave(e);
    return st;
}
