/* server.c -- the answering half of endpoint.h: one REP socket with
 * SERVER_CALLS contexts that receive all the time.
 *
 * nng's threads (which must never block) only put a context that has a request
 * into the line `ready`; the server's thread takes the whole line, hands it to
 * `handle` and sends the replies.  So while `handle` works the next group
 * gathers, and a group is as large as the load makes it.
 *
 *     RECEIVING --request--> READY --handle--> SENDING --sent--> RECEIVING
 *
 * Closing (nng issue 1543: nng_close may hang while operations are in flight):
 * every aio is stopped before its context, every context before the socket.
 *
 * Bounds: SERVER_CALLS requests in hand, ENDPOINT_MESSAGE_MAX bytes a message;
 * a longer one closes its connection.  So the server's memory ends at
 * (SERVER_CALLS + connections) messages. */
#include "transport.h"

#include <errno.h>
#include <nng/protocol/reqrep0/rep.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "winnow/clock.h"
#include "winnow/log.h"

enum {
    SERVER_CALLS = 32,
    REPLY_TIMEOUT_MS = 30000, /* a peer that does not read its reply */
    LINGER_MS = 20            /* nng does not flush replies when it closes */
};

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
server_listen(struct server *v, const char *url,
              const struct endpoint_keys *keys)
{
    int rc = transport_listen(v->socket, url, keys);

    if (rc == NNG_EADDRINUSE && remove_stale(url)) {
        log_info("endpoint", "url=%s removed the socket a killed process left",
                 url);
        rc = transport_listen(v->socket, url, keys);
    }
    return rc == 0 ? ST_OK : transport_report(rc, url, "listen");
}

static enum status
open_seats(struct server *v, const char *url)
{
    int rc;

    for (; v->seats_n < SERVER_CALLS; v->seats_n++) {
        struct seat *s = &v->seats[v->seats_n];

        s->server = v;
        if ((rc = nng_ctx_open(&s->context, v->socket)) != 0)
            return transport_report(rc, url, "open a context");
        if ((rc = nng_aio_alloc(&s->aio, seat_done, s)) != 0) {
            nng_ctx_close(s->context);
            return transport_report(rc, url, "open a context");
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
server_start(struct server **out, const char *url,
             const struct endpoint_keys *keys, server_handle *handle,
             void *self)
{
    struct server *v;
    enum status st;
    int rc;

    *out = NULL;
    if ((st = transport_check(url, keys)) != ST_OK)
        return st;
    if ((v = calloc(1, sizeof *v)) == NULL)
        return ST_NOMEM;
    v->handle = handle;
    v->self = self;
    pthread_mutex_init(&v->lock, NULL);
    pthread_cond_init(&v->changed, NULL);
    if ((rc = nng_rep0_open(&v->socket)) != 0) {
        st = transport_report(rc, url, "open a socket");
        goto no_socket;
    }
    if ((rc = transport_limits(v->socket)) != 0) {
        st = transport_report(rc, url, "set the limits");
        goto no_listener;
    }
    if ((st = open_seats(v, url)) != ST_OK ||
        (st = server_listen(v, url, keys)) != ST_OK)
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

enum status
server_also(struct server *v, const char *url)
{
    enum status st = transport_check(url, NULL);

    return st == ST_OK ? server_listen(v, url, NULL) : st;
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
