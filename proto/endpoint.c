/* endpoint.c -- the asking half of endpoint.h: one REQ socket, a pool of
 * contexts; a call takes one, sends, waits, receives, gives it back.
 *
 * nng sends a request again when its connection dies and after RESEND_MS
 * without a reply, so one call can reach the receiver more than once.  The
 * receive starts only when the send has ended, because cancelling a receive
 * while its request still waits to be sent crashes this version (nng issue
 * 1702).
 *
 * A connection that dies can wedge this version for good: its reaper thread
 * waits for an operation of the dead connection that never ends, and the
 * dialer never connects again (seen in a few of a hundred runs of the endpoint
 * test, which kills the receiver twelve times).  So when nothing could be sent
 * for RENEW_MS although somebody listens at the address, the calls go on over a
 * new socket.  The old one is left as it is: closing it would wait for ever,
 * too.  That is no cure: the reaper is the whole process's, and a new socket
 * was seen to stay silent as well; then only a new process helps, which loses
 * nothing.  A call ends at its deadline, whatever nng does.
 *
 * Bounds: CALLS_MAX calls of one endpoint at once (further callers wait, inside
 * their deadline), ENDPOINT_MESSAGE_MAX bytes a message. */
#include "transport.h"

#include <assert.h>
#include <errno.h>
#include <nng/protocol/reqrep0/req.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "winnow/clock.h"
#include "winnow/log.h"

enum {
    CALLS_MAX = 256,
    RESEND_MS = 5000,
    STOP_LOOK_MS = 200, /* how often a waiting call looks at *stop */
    LATE_MS = 500,      /* a deadline that nng has missed by so much is ours */
    RENEW_MS = 10000,   /* without a connection to a peer that is there */
    RENEWALS_MAX = 50
};

/* A context with its operation, used by one call at a time. */
struct lane {
    nng_ctx context;
    nng_aio *aio;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool busy;         /* the operation has not ended */
    unsigned renewal;  /* of the endpoint, when it was made */
    struct lane *next; /* idle ones */
};

struct endpoint {
    nng_socket socket;
    char *url;
    struct endpoint_keys keys; /* borrowed; see endpoint_dial() */
    unsigned renewals;         /* sockets given up */
    /* Since when somebody listens and still nothing can be sent; 0: it can. */
    _Atomic uint64_t stuck_ms;
    pthread_mutex_t lock;
    pthread_cond_t given_back;
    struct lane *idle;
    size_t lanes_n; /* idle or in use */
};

/* A condition whose timed waits read the steady clock. */
static void
steady_cond_init(pthread_cond_t *c)
{
    pthread_condattr_t steady;

    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(c, &steady);
    pthread_condattr_destroy(&steady);
}

static void
lane_free(struct lane *l)
{
    nng_aio_stop(l->aio);
    nng_ctx_close(l->context);
    nng_aio_free(l->aio);
    pthread_cond_destroy(&l->ended);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

/* On a thread of nng: the operation of this lane ended. */
static void
lane_done(void *arg)
{
    struct lane *l = arg;

    pthread_mutex_lock(&l->lock);
    l->busy = false;
    pthread_cond_signal(&l->ended);
    pthread_mutex_unlock(&l->lock);
}

static struct lane *
lane_new(nng_socket socket)
{
    struct lane *l = calloc(1, sizeof *l);
    int rc;

    if (l == NULL)
        return NULL;
    if ((rc = nng_ctx_open(&l->context, socket)) != 0)
        goto failed;
    if ((rc = nng_aio_alloc(&l->aio, lane_done, l)) != 0) {
        nng_ctx_close(l->context);
        goto failed;
    }
    pthread_mutex_init(&l->lock, NULL);
    steady_cond_init(&l->ended);
    /* Not every build takes it per context; the socket's own holds then. */
    nng_ctx_set_ms(l->context, NNG_OPT_REQ_RESENDTIME, RESEND_MS);
    return l;

failed:
    log_error("endpoint", "no context: %s", nng_strerror(rc));
    free(l);
    return NULL;
}

static enum status
open_socket(nng_socket *out, const char *url, const struct endpoint_keys *keys)
{
    enum status st;
    int rc;

    if ((rc = nng_req0_open(out)) != 0)
        return transport_report(rc, url, "open a socket");
    if ((rc = transport_limits(*out)) != 0 ||
        (rc = nng_socket_set_ms(*out, NNG_OPT_REQ_RESENDTIME, RESEND_MS)) != 0)
        st = transport_report(rc, url, "set the limits");
    else
        st = transport_dial(*out, url, keys);
    if (st != ST_OK)
        nng_close(*out);
    return st;
}

enum status
endpoint_dial(struct endpoint **out, const char *url,
              const struct endpoint_keys *keys)
{
    struct endpoint *e;
    enum status st;

    *out = NULL;
    if ((st = transport_check(url, keys)) != ST_OK)
        return st;
    if ((e = calloc(1, sizeof *e)) == NULL || (e->url = strdup(url)) == NULL) {
        free(e);
        return ST_NOMEM;
    }
    if (keys != NULL)
        e->keys = *keys;
    if ((st = open_socket(&e->socket, url, keys)) != ST_OK) {
        free(e->url);
        free(e);
        return st;
    }
    pthread_mutex_init(&e->lock, NULL);
    steady_cond_init(&e->given_back);
    *out = e;
    return ST_OK;
}

void
endpoint_close(struct endpoint *e)
{
    struct lane *l;

    if (e == NULL)
        return;
    while ((l = e->idle) != NULL) {
        e->idle = l->next;
        if (l->renewal == 0)
            lane_free(l);
        e->lanes_n--;
    }
    assert(e->lanes_n == 0);
    if (e->renewals == 0) /* else nng is wedged: it would never return */
        nng_close(e->socket);
    pthread_cond_destroy(&e->given_back);
    pthread_mutex_destroy(&e->lock);
    free(e->url);
    free(e);
}

/* Nothing could be sent before the deadline: nobody there, or is it nng? */
static void
renew(struct endpoint *e)
{
    uint64_t since = e->stuck_ms, now = clock_steady_ms();
    nng_socket fresh;

    if (!transport_reachable(e->url)) {
        e->stuck_ms = 0;
        return;
    }
    if (since == 0)
        e->stuck_ms = now;
    if (since == 0 || now < since + RENEW_MS)
        return;
    pthread_mutex_lock(&e->lock);
    if (e->stuck_ms == since && e->renewals < RENEWALS_MAX &&
        open_socket(&fresh, e->url, &e->keys) == ST_OK) {
        e->socket = fresh;
        e->renewals++;
        e->stuck_ms = 0;
        log_warn("endpoint",
                 "url=%s no connection for %llu s to a peer that listens: "
                 "trying a new socket; should it stay silent, start this "
                 "program again (it loses nothing)",
                 e->url, (unsigned long long)(now - since) / 1000);
    }
    pthread_mutex_unlock(&e->lock);
}

static struct timespec
steady_time(uint64_t ms)
{
    return (struct timespec){.tv_sec = (time_t)(ms / 1000),
                             .tv_nsec = (long)(ms % 1000) * 1000000};
}

static enum status
lane_take(struct endpoint *e, uint64_t deadline_ms, struct lane **out)
{
    struct timespec until = steady_time(deadline_ms);
    nng_socket socket;
    unsigned renewal;
    bool make = false;

    pthread_mutex_lock(&e->lock);
    while (e->idle != NULL && e->idle->renewal != e->renewals) {
        e->idle = e->idle->next; /* given up with its socket */
        e->lanes_n--;
    }
    while (e->idle == NULL && e->lanes_n >= CALLS_MAX) {
        if (pthread_cond_timedwait(&e->given_back, &e->lock, &until) ==
            ETIMEDOUT) {
            pthread_mutex_unlock(&e->lock);
            return ST_TIMEOUT;
        }
    }
    if ((*out = e->idle) != NULL) {
        e->idle = (*out)->next;
    } else {
        e->lanes_n++;
        make = true;
    }
    socket = e->socket;
    renewal = e->renewals;
    pthread_mutex_unlock(&e->lock);
    if (!make)
        return ST_OK;
    if ((*out = lane_new(socket)) != NULL) {
        (*out)->renewal = renewal;
        return ST_OK;
    }
    pthread_mutex_lock(&e->lock);
    e->lanes_n--;
    pthread_mutex_unlock(&e->lock);
    return ST_NOMEM;
}

static void
lane_give_back(struct endpoint *e, struct lane *l)
{
    pthread_mutex_lock(&e->lock);
    l->next = e->idle;
    e->idle = l;
    pthread_cond_signal(&e->given_back);
    pthread_mutex_unlock(&e->lock);
}

/* What is left until the deadline, at least 1 (0 has a meaning of its own). */
static nng_duration
time_left(uint64_t deadline_ms)
{
    uint64_t now = clock_steady_ms();
    uint64_t left = deadline_ms > now ? deadline_ms - now : 1;

    return left > INT32_MAX ? INT32_MAX : (nng_duration)left;
}

/* Wait until the operation under way ends; *stop (NULL: none) cancels it, and
 * so does the deadline when nng's own clock has slept past it. */
static int
lane_wait(struct lane *l, uint64_t deadline_ms, const atomic_bool *stop)
{
    uint64_t late_ms = deadline_ms + LATE_MS;

    pthread_mutex_lock(&l->lock);
    while (l->busy) {
        uint64_t now = clock_steady_ms();
        bool stopped = stop != NULL && *stop;
        struct timespec until = steady_time(now + STOP_LOOK_MS);

        if (stopped || now >= late_ms) {
            late_ms = now + LATE_MS;
            pthread_mutex_unlock(&l->lock);
            nng_aio_abort(l->aio, stopped ? NNG_ECANCELED : NNG_ETIMEDOUT);
            pthread_mutex_lock(&l->lock);
        }
        if (l->busy)
            pthread_cond_timedwait(&l->ended, &l->lock, &until);
    }
    pthread_mutex_unlock(&l->lock);
    nng_aio_wait(l->aio); /* the callback has returned */
    return nng_aio_result(l->aio);
}

/* One round trip over a lane of our own. */
static enum status
lane_call(struct endpoint *e, struct lane *l, nng_msg *request, nng_msg **reply,
          uint64_t deadline_ms, const atomic_bool *stop)
{
    int rc;

    nng_aio_set_timeout(l->aio, time_left(deadline_ms));
    nng_aio_set_msg(l->aio, request);
    l->busy = true;
    nng_ctx_send(l->context, l->aio);
    if ((rc = lane_wait(l, deadline_ms, stop)) != 0) {
        nng_msg_free(nng_aio_get_msg(l->aio)); /* still ours */
        nng_aio_set_msg(l->aio, NULL);
        if (rc == NNG_ETIMEDOUT)
            renew(e);
        return transport_status(rc);
    }
    e->stuck_ms = 0;
    nng_aio_set_timeout(l->aio, time_left(deadline_ms));
    l->busy = true;
    nng_ctx_recv(l->context, l->aio);
    if ((rc = lane_wait(l, deadline_ms, stop)) != 0)
        return transport_status(rc);
    *reply = nng_aio_get_msg(l->aio);
    nng_aio_set_msg(l->aio, NULL);
    return ST_OK;
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
    uint64_t now = clock_steady_ms();
    uint64_t deadline_ms =
        timeout_ms > UINT32_MAX ? now + UINT32_MAX : now + timeout_ms;
    nng_msg *asked, *answered = NULL;
    struct lane *l;
    enum status st;

    buf_clear(reply);
    if (request.n > ENDPOINT_MESSAGE_MAX) {
        log_error("endpoint", "request of %zu bytes is over the limit of %zu",
                  request.n, ENDPOINT_MESSAGE_MAX);
        return ST_LIMIT;
    }
    if ((st = lane_take(e, deadline_ms, &l)) != ST_OK)
        return st;
    if (nng_msg_alloc(&asked, request.n) != 0) {
        st = ST_NOMEM;
        goto out;
    }
    if (request.n > 0)
        memcpy(nng_msg_body(asked), request.p, request.n);
    if ((st = lane_call(e, l, asked, &answered, deadline_ms, stop)) == ST_OK) {
        buf_add(reply, nng_msg_body(answered), nng_msg_len(answered));
        nng_msg_free(answered);
    }
out:
    lane_give_back(e, l);
    return st;
}
