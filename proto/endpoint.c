/* endpoint.c -- the asking half of endpoint.h: calls that share one connection.
 *
 *     TO_SEND --wire_send--> SENT --reply--> ANSWERED
 *        ^                     |
 *        +-- connection died --+
 *
 * Every call has a number that its reply bears, so many are under way on the
 * connection and may be answered in any order.  Whoever waits for a call drives
 * it: sends it, connects when there is no connection and it is time to, sends
 * it again when the connection has died.  So a call can reach the receiver more
 * than once.  Replies come on threads of nng and only wake those who wait.
 *
 * A call that is given up is forgotten: its number is not used again, and a
 * late reply finds nobody.  If nothing at all has come over the connection
 * meanwhile, that is given up, too: the peer's machine may be gone.
 *
 * Over inproc:// the call goes into the queue of the server of that name.
 *
 * Bounds: CALLS_MAX calls under way at once (further ones wait, inside their
 * deadline); ENDPOINT_MESSAGE_MAX bytes a message. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "call_queue.h"
#include "spare.h"
#include "tls.h"
#include "transport.h"
#include "wire.h"

enum {
    CALLS_MAX = 256,    /* a power of two: the low bits of a number */
    STOP_LOOK_MS = 200, /* how often a call looks at *stop */
    RETRY_MIN_MS = 50,
    RETRY_MAX_MS = 1000, /* between two tries to connect */
    DIAL_MS = 10000,
    SILENCE_MS = 1000 /* after which a connection may be thought dead */
};

struct endpoint_call {
    struct endpoint *e;
    struct str request;
    struct deadline deadline;
    enum { TO_SEND, SENT, ANSWERED } state;
    uint32_t number;
    uint64_t sent_ms;
    struct buf reply;
    pthread_cond_t changed;
    struct call_queue *queue; /* inproc://: it is queued there, as `inside` */
    struct call *inside;
};

struct endpoint {
    char *url, host[256];
    const char *service, *key; /* endpoint_options */
    nng_stream_dialer *dialer; /* NULL: inproc:// */
    nng_aio *dialing;
    struct tls_keys *keys; /* NULL: no TLS */

    pthread_mutex_t lock;
    pthread_cond_t changed; /* there is a connection, or a free slot, or time */
    enum { APART, BURYING, DIALING, GREETING, OPEN } state;
    struct wire *wire;           /* GREETING, OPEN */
    struct wire *dead;           /* ended, to be freed by whoever waits */
    uint64_t since_ms, heard_ms; /* of the wire */
    uint64_t retry_at_ms, retry_ms;
    struct endpoint_call *slot[CALLS_MAX];
    uint32_t turn[CALLS_MAX]; /* high bits of the numbers of a slot */
    size_t next_slot, under_way, calls_n;
    bool answers;     /* this wire has brought one */
    char why[200];    /* there is no connection; "": not known */
    char another[64]; /* service, to which the last wire led; "": none */
    struct log_limit said;
};

/* ---- slots ---- */

/* Under lock.  False: none is free. */
static bool
take_slot(struct endpoint *e, struct endpoint_call *c)
{
    size_t i = e->next_slot;

    if (e->under_way == CALLS_MAX)
        return false;
    while (e->slot[i] != NULL)
        i = (i + 1) % CALLS_MAX;
    e->next_slot = (i + 1) % CALLS_MAX;
    if (++e->turn[i] > UINT32_MAX / CALLS_MAX)
        e->turn[i] = 1; /* so no number is 0, the hello's */
    e->slot[i] = c;
    e->under_way++;
    c->number = e->turn[i] * CALLS_MAX + (uint32_t)i;
    return true;
}

static void
leave_slot(struct endpoint *e, struct endpoint_call *c)
{
    size_t i = c->number % CALLS_MAX;

    if (e->slot[i] != c)
        return;
    e->slot[i] = NULL;
    if (e->under_way-- == CALLS_MAX)
        pthread_cond_broadcast(&e->changed);
}

/* ---- the connection ---- */

/* Under lock: everything that was sent over it is to be sent again. */
static void
come_apart(struct endpoint *e, bool failed)
{
    uint64_t now = clock_steady_ms();

    for (size_t i = 0; i < CALLS_MAX; i++) {
        struct endpoint_call *c = e->slot[i];

        if (c == NULL)
            continue;
        leave_slot(e, c);
        c->state = TO_SEND;
        pthread_cond_signal(&c->changed);
    }
    if (failed) {
        e->retry_at_ms = now + e->retry_ms;
        e->retry_ms =
            e->retry_ms * 2 < RETRY_MAX_MS ? e->retry_ms * 2 : RETRY_MAX_MS;
    }
    assert(e->wire == NULL || e->dead == NULL);
    if (e->wire != NULL)
        e->dead = e->wire;
    e->wire = NULL;
    e->state = APART;
    pthread_cond_broadcast(&e->changed);
}

/* Under lock: nothing is sent to it, since a message of one service may mean
 * something else to another. */
static void
refuse_service(struct endpoint *e, struct str service)
{
    snprintf(e->another, sizeof e->another, "%.*s", STRF(service));
    wire_end(e->wire);
    come_apart(e, true);
}

static void
on_opened(void *self, struct str service)
{
    struct endpoint *e = self;

    pthread_mutex_lock(&e->lock);
    e->heard_ms = clock_steady_ms();
    if (e->state == GREETING && e->service != NULL && service.n > 0 &&
        !str_eq(service, str_c(e->service)))
        refuse_service(e, service);
    else if (e->state == GREETING)
        e->state = OPEN;
    e->why[0] = '\0';
    pthread_cond_broadcast(&e->changed);
    pthread_mutex_unlock(&e->lock);
}

static void
on_message(void *self, uint32_t number, struct buf *message)
{
    struct endpoint *e = self;
    struct endpoint_call *c;

    pthread_mutex_lock(&e->lock);
    e->heard_ms = clock_steady_ms();
    e->answers = true;
    e->retry_ms = RETRY_MIN_MS;
    c = e->slot[number % CALLS_MAX];
    if (c != NULL && c->number == number && c->state == SENT) {
        c->reply = *message;
        *message = (struct buf){0};
        c->state = ANSWERED;
        leave_slot(e, c);
        pthread_cond_signal(&c->changed);
    }
    pthread_mutex_unlock(&e->lock);
}

static void
on_holds(void *self, size_t bytes)
{
    struct endpoint *e = self;

    (void)bytes;
    pthread_mutex_lock(&e->lock);
    e->heard_ms = clock_steady_ms(); /* a long reply is coming */
    pthread_mutex_unlock(&e->lock);
}

static void
on_sent(void *self)
{
    (void)self;
}

static void
on_ended(void *self, const char *why)
{
    struct endpoint *e = self;

    if (why != NULL)
        log_rarely(&e->said, LOG_WARN, "endpoint", "url=%s no connection: %s",
                   e->url, why);
    pthread_mutex_lock(&e->lock);
    if (why != NULL)
        snprintf(e->why, sizeof e->why, "%s", why);
    if (e->wire != NULL)
        come_apart(e, !e->answers);
    pthread_mutex_unlock(&e->lock);
}

/* On a thread of nng: connected, or not. */
static void
on_dialed(void *self)
{
    static const struct wire_events events = {.opened = on_opened,
                                              .message = on_message,
                                              .holds = on_holds,
                                              .sent = on_sent,
                                              .ended = on_ended};
    struct endpoint *e = self;
    const struct wire_setup setup = {.events = &events,
                                     .self = e,
                                     .keys = e->keys,
                                     .name = e->keys ? e->host : NULL};
    int rc = nng_aio_result(e->dialing);
    struct wire *w = NULL;

    if (rc == 0)
        (void)wire_new(&w, nng_aio_get_output(e->dialing, 0), &setup);
    pthread_mutex_lock(&e->lock);
    if (w == NULL) {
        transport_absent(e->url, rc ? rc : NNG_ENOMEM, e->why, sizeof e->why);
        come_apart(e, true);
    } else {
        e->wire = w;
        e->state = GREETING;
        e->since_ms = e->heard_ms = clock_steady_ms();
        e->answers = false;
        wire_start(w);
    }
    pthread_mutex_unlock(&e->lock);
}

/* Under lock, which is given up meanwhile: free what is left of the last
 * connection.  Nobody connects before it is done, so that its last callbacks
 * are not taken for the next one's. */
static void
bury(struct endpoint *e)
{
    struct wire *w = e->dead;

    e->dead = NULL;
    e->state = BURYING;
    pthread_mutex_unlock(&e->lock);
    wire_free(w);
    pthread_mutex_lock(&e->lock);
    e->state = APART;
    pthread_cond_broadcast(&e->changed);
}

/* ---- opening and closing ---- */

static void
endpoint_free(struct endpoint *e)
{
    struct wire *last, *dead;

    if (e->dialing != NULL)
        nng_aio_stop(e->dialing);
    pthread_mutex_lock(&e->lock); /* a callback may be under way */
    last = e->wire;
    dead = e->dead;
    e->wire = e->dead = NULL;
    pthread_mutex_unlock(&e->lock);
    wire_free(last);
    wire_free(dead);
    nng_aio_free(e->dialing);
    if (e->dialer != NULL)
        nng_stream_dialer_free(e->dialer);
    tls_keys_close(e->keys);
    pthread_cond_destroy(&e->changed);
    pthread_mutex_destroy(&e->lock);
    free(e->url);
    free(e);
}

static enum status
prepare_dialing(struct endpoint *e, const struct endpoint_options *o)
{
    enum status st;

    if (transport_is_encrypted(e->url)) {
        if (!transport_host(e->url, e->host, sizeof e->host))
            return transport_report(NNG_EADDRINVAL, e->url, "connect");
        if ((st = tls_keys_open(&e->keys, o, false, NULL)) != ST_OK)
            return st;
    }
    if ((st = transport_dialer(&e->dialer, e->url)) != ST_OK)
        return st;
    if (nng_aio_alloc(&e->dialing, on_dialed, e) != 0)
        return ST_NOMEM;
    nng_aio_set_timeout(e->dialing, DIAL_MS);
    return ST_OK;
}

enum status
endpoint_check(const char *url, const struct endpoint_options *o)
{
    struct tls_keys *keys = NULL;
    enum status st = transport_check(url, o);

    if (st == ST_OK && transport_is_encrypted(url))
        st = tls_keys_open(&keys, o, false, NULL);
    tls_keys_close(keys);
    return st;
}

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
    if (o != NULL) {
        e->service = o->service;
        e->key = o->key;
    }
    e->retry_ms = RETRY_MIN_MS;
    e->said = (struct log_limit)LOG_LIMIT(2);
    pthread_mutex_init(&e->lock, NULL);
    thread_condition(&e->changed);
    if (transport_name(url) == NULL && (st = prepare_dialing(e, o)) != ST_OK)
        endpoint_free(e);
    else
        *out = e;
    return st;
}

void
endpoint_why(struct endpoint *e, char *out, size_t size)
{
    pthread_mutex_lock(&e->lock);
    snprintf(out, size, "%s", e->why);
    pthread_mutex_unlock(&e->lock);
}

void
endpoint_close(struct endpoint *e)
{
    if (e == NULL)
        return;
    assert(e->calls_n == 0);
    endpoint_free(e);
}

/* ---- a call over the connection ---- */

/* Under lock: one step towards its being sent.  ST_NONE: wait first; ST_USAGE:
 * there is nobody to send it to. */
static enum status
step(struct endpoint *e, struct endpoint_call *c)
{
    if (e->dead != NULL) {
        bury(e);
        return ST_OK;
    }
    if (e->state == APART && clock_steady_ms() >= e->retry_at_ms) {
        e->state = DIALING;
        e->another[0] = '\0';
        nng_stream_dialer_dial(e->dialer, e->dialing);
        return ST_OK;
    }
    if (e->another[0] != '\0')
        return ST_USAGE;
    if (e->state != OPEN || !take_slot(e, c))
        return ST_NONE;
    c->state = SENT;
    c->sent_ms = clock_steady_ms();
    wire_send(e->wire, c->number, c->request);
    return ST_OK;
}

/* Under lock: wait for what the call waits for. */
static enum status
wait_for(struct endpoint *e, struct endpoint_call *c)
{
    struct deadline p = c->deadline;
    enum status st;

    if (c->state == SENT)
        return deadline_wait(&p, &c->changed, &e->lock);
    if (e->state == APART && e->retry_at_ms < p.at_ms)
        p.at_ms = e->retry_at_ms;
    st = deadline_wait(&p, &e->changed, &e->lock);
    if (st == ST_TIMEOUT && clock_steady_ms() < c->deadline.at_ms)
        return ST_OK; /* time to connect */
    return st;
}

/* Under lock: nobody waits for it any more. */
static void
give_up(struct endpoint *e, struct endpoint_call *c)
{
    uint64_t now = clock_steady_ms(), since = e->heard_ms;
    bool greeting = e->state == GREETING;

    if (c->state == SENT && c->sent_ms > since)
        since = c->sent_ms;
    leave_slot(e, c);
    if (e->wire != NULL && (c->state == SENT || greeting) &&
        now >= since + SILENCE_MS) {
        if (greeting)
            log_rarely(&e->said, LOG_WARN, "endpoint",
                       "url=%s no connection: nobody says hello there", e->url);
        wire_end(e->wire);
        come_apart(e, true);
    }
}

/* Under lock. */
static void
say_another(struct endpoint *e)
{
    log_rarely(&e->said, LOG_ERROR, "endpoint",
               "a %s answers at %s, not a %s%s%s%s", e->another, e->url,
               e->service, e->key != NULL ? " (" : "",
               e->key != NULL ? e->key : "", e->key != NULL ? ")" : "");
}

static enum status
receive_outside(struct endpoint_call *c)
{
    struct endpoint *e = c->e;
    enum status st = ST_OK;

    pthread_mutex_lock(&e->lock);
    while (c->state != ANSWERED && st == ST_OK) {
        st = c->state == TO_SEND ? step(e, c) : ST_NONE;
        if (st == ST_NONE)
            st = wait_for(e, c);
    }
    if (c->state == ANSWERED)
        st = ST_OK;
    else
        give_up(e, c);
    if (st == ST_USAGE)
        say_another(e);
    pthread_mutex_unlock(&e->lock);
    return st;
}

/* ---- a call inside the process ---- */

/* Queue it, if its server is there. */
static enum status
post_inside(struct endpoint_call *c, const struct deadline *p)
{
    enum status st = call_queue_find(&c->queue, transport_name(c->e->url), p);

    if (st != ST_OK)
        return st;
    if ((c->inside = call_new()) == NULL) {
        st = ST_NOMEM;
    } else {
        spare_take(&c->inside->request, c->request.n);
        buf_str(&c->inside->request, c->request);
        st = call_queue_post(c->queue, c->inside);
    }
    if (st == ST_OK)
        return ST_OK;
    call_free(c->inside);
    c->inside = NULL;
    call_queue_leave(c->queue);
    c->queue = NULL;
    return st;
}

static enum status
receive_inside(struct endpoint_call *c)
{
    enum status st = ST_OK;

    while (c->inside == NULL) {
        if ((st = post_inside(c, &c->deadline)) == ST_IO) /* it ends */
            st = deadline_sleep(&c->deadline, RETRY_MIN_MS);
        if (st != ST_OK)
            return st;
    }
    if ((st = call_queue_wait(c->queue, &c->inside, &c->deadline)) == ST_OK) {
        c->reply = c->inside->reply;
        c->inside->reply = (struct buf){0};
    }
    call_free(c->inside);
    call_queue_leave(c->queue);
    return st;
}

/* ---- calls ---- */

static enum status
check_size(struct str request)
{
    if (request.n <= ENDPOINT_MESSAGE_MAX)
        return ST_OK;
    log_error("endpoint", "request of %zu bytes is over the limit of %zu",
              request.n, ENDPOINT_MESSAGE_MAX);
    return ST_LIMIT;
}

struct endpoint_call *
endpoint_send(struct endpoint *e, struct str request, uint64_t timeout_ms,
              const atomic_bool *stop)
{
    const struct deadline now = {0};
    struct endpoint_call *c = calloc(1, sizeof *c);

    if (c == NULL)
        return NULL;
    c->e = e;
    c->request = request;
    c->deadline = (struct deadline){
        .at_ms = clock_steady_ms() +
                 (timeout_ms > UINT32_MAX ? UINT32_MAX : timeout_ms),
        .stop = stop,
        .look_ms = STOP_LOOK_MS};
    thread_condition(&c->changed);
    pthread_mutex_lock(&e->lock);
    e->calls_n++;
    if (e->dialer != NULL && request.n <= ENDPOINT_MESSAGE_MAX)
        while (c->state == TO_SEND && step(e, c) == ST_OK)
            ;
    pthread_mutex_unlock(&e->lock);
    if (e->dialer == NULL && request.n <= ENDPOINT_MESSAGE_MAX)
        (void)post_inside(c, &now);
    return c;
}

enum status
endpoint_receive(struct endpoint_call *c, struct buf *reply)
{
    struct endpoint *e = c->e;
    enum status st = check_size(c->request);

    buf_clear(reply);
    if (st == ST_OK)
        st = e->dialer != NULL ? receive_outside(c) : receive_inside(c);
    if (st == ST_OK) {
        buf_free(reply);
        *reply = c->reply;
    } else {
        buf_free(&c->reply);
    }
    pthread_mutex_lock(&e->lock);
    e->calls_n--;
    pthread_mutex_unlock(&e->lock);
    pthread_cond_destroy(&c->changed);
    free(c);
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
    struct endpoint_call *c = endpoint_send(e, request, timeout_ms, stop);

    return c != NULL ? endpoint_receive(c, reply) : ST_NOMEM;
}
