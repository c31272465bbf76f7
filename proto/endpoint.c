/* endpoint.c -- the asking half of endpoint.h: one REQ socket, a pool of
 * contexts; a call takes one, sends, waits, receives, gives it back.
 *
 * nng sends a request again when its connection dies and after RESEND_MS
 * without a reply, so one call can reach the receiver more than once.  The
 * receive starts only when the send has ended, because cancelling a receive
 * while its request still waits to be sent crashes this version (nng issue
 * 1702).  Its timeouts are lost now and then: under load, with the receiver
 * killed and started again, one run in sixty of the endpoint test stood still
 * for good, all callers waiting for a send whose time had passed, nng's expiry
 * threads asleep.  So each call keeps a deadline of its own and aborts the
 * operation when nng has not; trying again also wakes nng's timers.
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
    LATE_MS = 500       /* a deadline that nng has missed by so much is ours */
};

/* A context with its operation, used by one call at a time. */
struct lane {
    nng_ctx context;
    nng_aio *aio;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool busy;         /* the operation has not ended */
    struct lane *next; /* idle ones */
};

struct endpoint {
    nng_socket socket;
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

enum status
endpoint_dial(struct endpoint **out, const char *url,
              const struct endpoint_keys *keys)
{
    struct endpoint *e;
    enum status st;
    int rc;

    *out = NULL;
    if ((st = transport_check(url, keys)) != ST_OK)
        return st;
    if ((e = calloc(1, sizeof *e)) == NULL)
        return ST_NOMEM;
    if ((rc = nng_req0_open(&e->socket)) != 0) {
        st = transport_report(rc, url, "open a socket");
        goto no_socket;
    }
    if ((rc = transport_limits(e->socket)) != 0 ||
        (rc = nng_socket_set_ms(e->socket, NNG_OPT_REQ_RESENDTIME,
                                RESEND_MS)) != 0) {
        st = transport_report(rc, url, "set the limits");
        goto no_dialer;
    }
    if ((st = transport_dial(e->socket, url, keys)) != ST_OK)
        goto no_dialer;
    pthread_mutex_init(&e->lock, NULL);
    steady_cond_init(&e->given_back);
    *out = e;
    return ST_OK;

no_dialer:
    nng_close(e->socket);
no_socket:
    free(e);
    return st;
}

void
endpoint_close(struct endpoint *e)
{
    struct lane *l;

    if (e == NULL)
        return;
    while ((l = e->idle) != NULL) {
        e->idle = l->next;
        lane_free(l);
        e->lanes_n--;
    }
    assert(e->lanes_n == 0);
    nng_close(e->socket);
    pthread_cond_destroy(&e->given_back);
    pthread_mutex_destroy(&e->lock);
    free(e);
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
    bool make = false;

    pthread_mutex_lock(&e->lock);
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
    pthread_mutex_unlock(&e->lock);
    if (!make || (*out = lane_new(e->socket)) != NULL)
        return ST_OK;
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
lane_call(struct lane *l, nng_msg *request, nng_msg **reply,
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
        return transport_status(rc);
    }
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
    if ((st = lane_call(l, asked, &answered, deadline_ms, stop)) == ST_OK) {
        buf_add(reply, nng_msg_body(answered), nng_msg_len(answered));
        nng_msg_free(answered);
    }
out:
    lane_give_back(e, l);
    return st;
}
