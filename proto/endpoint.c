/* endpoint.c -- see endpoint.h; all of nng (1.5.2) ends in this file.
 *
 * Asking: one REQ socket, a pool of contexts; a call takes one, sends, waits,
 * receives, gives it back.  nng sends a request again when its connection dies
 * and after RESEND_MS without a reply, so one call can reach the receiver more
 * than once.  The receive starts only when the send has ended, because
 * cancelling a receive while its request still waits to be sent crashes this
 * version (nng issue 1702).
 *
 * Answering: one REP socket with SERVER_CALLS contexts that receive all the
 * time.  nng's threads (which must never block) only put a context that has a
 * request into the line `ready`; the server's thread takes the whole line,
 * hands it to `handle` and sends the replies.  So while `handle` works the next
 * group gathers, and a group is as large as the load makes it.
 *
 *     RECEIVING --request--> READY --handle--> SENDING --sent--> RECEIVING
 *
 * Closing (nng issue 1543: nng_close may hang while operations are in flight):
 * every aio is stopped before its context, every context before the socket.
 *
 * Bounds: CALLS_MAX calls of one endpoint at once (further callers wait, inside
 * their deadline), SERVER_CALLS requests in hand, ENDPOINT_MESSAGE_MAX bytes a
 * message; a longer one closes its connection.  So the server's memory ends at
 * (SERVER_CALLS + connections) messages.  Peers are not authenticated: listen
 * on loopback or on a network that is trusted. */
#include "winnow/endpoint.h"

#include <assert.h>
#include <errno.h>
#include <nng/nng.h>
#include <nng/protocol/reqrep0/rep.h>
#include <nng/protocol/reqrep0/req.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "winnow/clock.h"
#include "winnow/log.h"

enum {
    CALLS_MAX = 256,
    SERVER_CALLS = 32,
    RESEND_MS = 5000,
    RECONNECT_MIN_MS = 100,
    RECONNECT_MAX_MS = 2000,
    REPLY_TIMEOUT_MS = 30000, /* a peer that does not read its reply */
    STOP_LOOK_MS = 200,       /* how often a waiting call looks at *stop */
    LINGER_MS = 20            /* nng does not flush replies when it closes */
};

/* nng's codes end here. */
static enum status
from_nng(int rc)
{
    switch (rc) {
    case 0: return ST_OK;
    case NNG_ENOMEM: return ST_NOMEM;
    case NNG_ETIMEDOUT: return ST_TIMEOUT;
    case NNG_EMSGSIZE: return ST_LIMIT;
    case NNG_ECLOSED:
    case NNG_ECANCELED: return ST_STOPPED;
    case NNG_EINVAL:
    case NNG_EADDRINVAL:
    case NNG_ENOTSUP: return ST_USAGE;
    default: return ST_IO;
    }
}

/* A URL this build can carry?  Otherwise say why not. */
static enum status
check_url(const char *url)
{
    static const struct str known[] = {STR("inproc://"), STR("ipc://"),
                                       STR("tcp://")};
    struct str u = str_c(url);

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (str_starts(u, known[i]) && u.n > known[i].n)
            return ST_OK;
    }
    log_error("endpoint",
              "%s: not an address: use inproc://NAME, ipc:///PATH or "
              "tcp://ADDRESS:PORT",
              url);
    return ST_USAGE;
}

static enum status
report(int rc, const char *url, const char *doing)
{
    enum status st = from_nng(rc);

    log_error("endpoint", "%s: cannot %s: %s", url, doing, nng_strerror(rc));
    return st == ST_NOMEM || st == ST_USAGE ? st : ST_IO;
}

static int
set_limits(nng_socket socket)
{
    int rc;

    if ((rc = nng_socket_set_size(socket, NNG_OPT_RECVMAXSZ,
                                  ENDPOINT_MESSAGE_MAX)) != 0)
        return rc;
    if ((rc = nng_socket_set_ms(socket, NNG_OPT_RECONNMINT,
                                RECONNECT_MIN_MS)) != 0)
        return rc;
    return nng_socket_set_ms(socket, NNG_OPT_RECONNMAXT, RECONNECT_MAX_MS);
}

/* ---- the asking half ---- */

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
endpoint_dial(struct endpoint **out, const char *url)
{
    struct endpoint *e;
    enum status st;
    int rc;

    *out = NULL;
    if ((st = check_url(url)) != ST_OK)
        return st;
    if ((e = calloc(1, sizeof *e)) == NULL)
        return ST_NOMEM;
    if ((rc = nng_req0_open(&e->socket)) != 0) {
        st = report(rc, url, "open a socket");
        goto no_socket;
    }
    if ((rc = set_limits(e->socket)) != 0 ||
        (rc = nng_socket_set_ms(e->socket, NNG_OPT_REQ_RESENDTIME,
                                RESEND_MS)) != 0 ||
        (rc = nng_dial(e->socket, url, NULL, NNG_FLAG_NONBLOCK)) != 0) {
        st = report(rc, url, "connect");
        goto no_dialer;
    }
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

/* Wait until the operation under way ends; *stop (NULL: none) cancels it. */
static int
lane_wait(struct lane *l, const volatile bool *stop)
{
    bool cancelled = false;

    pthread_mutex_lock(&l->lock);
    while (l->busy) {
        struct timespec until = steady_time(clock_steady_ms() + STOP_LOOK_MS);

        if (stop == NULL || cancelled) {
            pthread_cond_wait(&l->ended, &l->lock);
        } else if (*stop) {
            cancelled = true;
            pthread_mutex_unlock(&l->lock);
            nng_aio_abort(l->aio, NNG_ECANCELED);
            pthread_mutex_lock(&l->lock);
        } else {
            pthread_cond_timedwait(&l->ended, &l->lock, &until);
        }
    }
    pthread_mutex_unlock(&l->lock);
    nng_aio_wait(l->aio); /* the callback has returned */
    return nng_aio_result(l->aio);
}

/* One round trip over a lane of our own. */
static enum status
lane_call(struct lane *l, nng_msg *request, nng_msg **reply,
          uint64_t deadline_ms, const volatile bool *stop)
{
    int rc;

    nng_aio_set_timeout(l->aio, time_left(deadline_ms));
    nng_aio_set_msg(l->aio, request);
    l->busy = true;
    nng_ctx_send(l->context, l->aio);
    if ((rc = lane_wait(l, stop)) != 0) {
        nng_msg_free(nng_aio_get_msg(l->aio)); /* still ours */
        nng_aio_set_msg(l->aio, NULL);
        return from_nng(rc);
    }
    nng_aio_set_timeout(l->aio, time_left(deadline_ms));
    l->busy = true;
    nng_ctx_recv(l->context, l->aio);
    if ((rc = lane_wait(l, stop)) != 0)
        return from_nng(rc);
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
                    uint64_t timeout_ms, const volatile bool *stop)
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

/* ---- the answering half ---- */

enum seat_state { SEAT_IDLE, SEAT_RECEIVING, SEAT_READY, SEAT_SENDING };

/* One REP context: it holds one request until that is answered. */
struct seat {
    struct server *server;
    nng_ctx context;
    nng_aio *aio;
    nng_msg *request;
    enum seat_state state; /* under server.lock */
};

struct server {
    nng_socket socket;
    server_handle *handle;
    void *self;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct seat seats[SERVER_CALLS];
    size_t seats_n;                   /* opened */
    struct seat *ready[SERVER_CALLS]; /* in order of arrival */
    size_t ready_n, sending_n;
    bool stopping;
    bool replied; /* since the start */
};

/* Receive the next request, unless the server stops.  Caller holds the lock;
 * nng calls back later, never from inside. */
static void
seat_receive(struct seat *s)
{
    if (s->server->stopping) {
        s->state = SEAT_IDLE;
        return;
    }
    s->state = SEAT_RECEIVING;
    nng_aio_set_timeout(s->aio, NNG_DURATION_INFINITE);
    nng_ctx_recv(s->context, s->aio);
}

/* On a thread of nng: an operation of this seat ended. */
static void
seat_done(void *arg)
{
    struct seat *s = arg;
    struct server *v = s->server;
    int rc = nng_aio_result(s->aio);

    pthread_mutex_lock(&v->lock);
    if (s->state == SEAT_SENDING) {
        if (rc != 0) { /* the asker went away: it asks again */
            nng_msg_free(nng_aio_get_msg(s->aio));
            nng_aio_set_msg(s->aio, NULL);
        }
        v->sending_n--;
        seat_receive(s);
    } else if (rc == 0) {
        s->request = nng_aio_get_msg(s->aio);
        nng_aio_set_msg(s->aio, NULL);
        s->state = SEAT_READY;
        v->ready[v->ready_n++] = s;
    } else if (rc == NNG_ECLOSED || rc == NNG_ECANCELED) {
        s->state = SEAT_IDLE;
    } else {
        seat_receive(s);
    }
    pthread_cond_broadcast(&v->changed);
    pthread_mutex_unlock(&v->lock);
}

/* Send `reply` for the request this seat holds.  A reply that cannot be made is
 * not sent: the asker runs into its timeout and asks again. */
static void
seat_reply(struct seat *s, struct str reply)
{
    nng_msg *msg = NULL;

    nng_msg_free(s->request);
    s->request = NULL;
    if (reply.n > ENDPOINT_MESSAGE_MAX)
        log_error("endpoint", "reply of %zu bytes is over the limit", reply.n);
    else if (nng_msg_alloc(&msg, reply.n) != 0)
        log_error("endpoint", "no memory for a reply of %zu bytes", reply.n);
    pthread_mutex_lock(&s->server->lock);
    if (msg == NULL) {
        seat_receive(s); /* drops the request it had */
    } else {
        if (reply.n > 0)
            memcpy(nng_msg_body(msg), reply.p, reply.n);
        s->state = SEAT_SENDING;
        s->server->sending_n++;
        s->server->replied = true;
        nng_aio_set_timeout(s->aio, REPLY_TIMEOUT_MS);
        nng_aio_set_msg(s->aio, msg);
        nng_ctx_send(s->context, s->aio);
    }
    pthread_mutex_unlock(&s->server->lock);
}

/* Wait for requests; take all that are there.  0: stopping, none left. */
static size_t
take_group(struct server *v, struct seat **group)
{
    size_t n;

    pthread_mutex_lock(&v->lock);
    while (v->ready_n == 0 && !v->stopping)
        pthread_cond_wait(&v->changed, &v->lock);
    n = v->ready_n;
    memcpy(group, v->ready, n * sizeof *group);
    v->ready_n = 0;
    pthread_mutex_unlock(&v->lock);
    return n;
}

static void *
server_run(void *arg)
{
    struct server *v = arg;
    struct seat *group[SERVER_CALLS];
    struct server_call calls[SERVER_CALLS] = {0};
    size_t n;

    while ((n = take_group(v, group)) > 0) {
        for (size_t i = 0; i < n; i++) {
            calls[i].request = str_n(nng_msg_body(group[i]->request),
                                     nng_msg_len(group[i]->request));
            buf_clear(&calls[i].reply);
        }
        v->handle(v->self, calls, n);
        for (size_t i = 0; i < n; i++)
            seat_reply(group[i], buf_view(&calls[i].reply));
    }
    for (size_t i = 0; i < SERVER_CALLS; i++)
        buf_free(&calls[i].reply);
    return NULL;
}

/* Is nobody behind this socket file (left by a killed process)?  Then remove
 * it: nng does not, and bind(2) fails for ever. */
static bool
remove_stale(const char *url)
{
    struct str path = str_sub(str_c(url), sizeof "ipc://" - 1, SIZE_MAX);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    bool stale = false;
    int fd;

    if (!str_starts(str_c(url), S("ipc://")) ||
        path.n >= sizeof address.sun_path)
        return false;
    memcpy(address.sun_path, path.p, path.n);
    if ((fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) < 0)
        return false;
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0 &&
        errno == ECONNREFUSED)
        stale = unlink(address.sun_path) == 0;
    close(fd);
    return stale;
}

static enum status
server_listen(struct server *v, const char *url)
{
    int rc;

    if ((rc = set_limits(v->socket)) != 0)
        return report(rc, url, "set the limits");
    rc = nng_listen(v->socket, url, NULL, 0);
    if (rc == NNG_EADDRINUSE && remove_stale(url)) {
        log_info("endpoint", "url=%s removed the socket a killed process left",
                 url);
        rc = nng_listen(v->socket, url, NULL, 0);
    }
    return rc == 0 ? ST_OK : report(rc, url, "listen");
}

static enum status
open_seats(struct server *v, const char *url)
{
    int rc;

    for (; v->seats_n < SERVER_CALLS; v->seats_n++) {
        struct seat *s = &v->seats[v->seats_n];

        s->server = v;
        if ((rc = nng_ctx_open(&s->context, v->socket)) != 0)
            return report(rc, url, "open a context");
        if ((rc = nng_aio_alloc(&s->aio, seat_done, s)) != 0) {
            nng_ctx_close(s->context);
            return report(rc, url, "open a context");
        }
    }
    return ST_OK;
}

static void
close_seats(struct server *v)
{
    for (size_t i = 0; i < v->seats_n; i++)
        nng_aio_stop(v->seats[i].aio);
    for (size_t i = 0; i < v->seats_n; i++) {
        nng_ctx_close(v->seats[i].context);
        nng_aio_free(v->seats[i].aio);
    }
}

enum status
server_start(struct server **out, const char *url, server_handle *handle,
             void *self)
{
    struct server *v;
    enum status st;
    int rc;

    *out = NULL;
    if ((st = check_url(url)) != ST_OK)
        return st;
    if ((v = calloc(1, sizeof *v)) == NULL)
        return ST_NOMEM;
    v->handle = handle;
    v->self = self;
    pthread_mutex_init(&v->lock, NULL);
    pthread_cond_init(&v->changed, NULL);
    if ((rc = nng_rep0_open(&v->socket)) != 0) {
        st = report(rc, url, "open a socket");
        goto no_socket;
    }
    if ((st = open_seats(v, url)) != ST_OK ||
        (st = server_listen(v, url)) != ST_OK)
        goto no_listener;
    pthread_mutex_lock(&v->lock);
    for (size_t i = 0; i < v->seats_n; i++)
        seat_receive(&v->seats[i]);
    pthread_mutex_unlock(&v->lock);
    if ((rc = pthread_create(&v->thread, NULL, server_run, v)) != 0) {
        log_error("endpoint", "%s: no thread: %s", url, strerror(rc));
        st = ST_NOMEM;
        v->stopping = true;
        goto no_listener;
    }
    *out = v;
    return ST_OK;

no_listener:
    close_seats(v);
    nng_close(v->socket);
no_socket:
    pthread_cond_destroy(&v->changed);
    pthread_mutex_destroy(&v->lock);
    free(v);
    return st;
}

void
server_stop(struct server *v)
{
    if (v == NULL)
        return;
    pthread_mutex_lock(&v->lock);
    v->stopping = true;
    pthread_cond_broadcast(&v->changed);
    pthread_mutex_unlock(&v->lock);
    pthread_join(v->thread, NULL);

    pthread_mutex_lock(&v->lock);
    while (v->sending_n > 0)
        pthread_cond_wait(&v->changed, &v->lock);
    pthread_mutex_unlock(&v->lock);
    if (v->replied)
        clock_sleep_ms(LINGER_MS);
    close_seats(v);
    for (size_t i = 0; i < v->ready_n; i++) /* came too late: asked again */
        nng_msg_free(v->ready[i]->request);
    nng_close(v->socket);
    pthread_cond_destroy(&v->changed);
    pthread_mutex_destroy(&v->lock);
    free(v);
}
