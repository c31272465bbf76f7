/* publisher.c -- see publisher.h.
 *
 * PUB is what of nng's own protocols serves here: nothing is promised to a
 * subscriber, and whatever one of them does, sending does not wait.  But its
 * listener has the fault that keeps REQ and REP from us (wire.c): a peer that
 * hangs up during the greeting ends it for good, in nng 1.5.2.  Who comes then
 * is greeted, but never becomes a subscriber.  So a thread of ours comes once a
 * second as a subscriber would; when that does not make it one twice running,
 * the publisher is deaf.  Listening anew would not do: nng keeps memory and
 * descriptor of everyone it has greeted in vain.  Only another process is as
 * new.
 *
 * So a publisher belongs into a process of its own, which may end any time; and
 * there connections that say nothing (each takes a descriptor for the 10 s that
 * nng gives a greeting) are nobody else's trouble.
 *
 * Bounds: RECEIVE_MOST bytes of what a subscriber sends, which ends it. */
#include "publisher.h"

#include <nng/nng.h>
#include <nng/protocol/pubsub0/pub.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "deadline.h"
#include "transport.h"

enum {
    LOOK_MS = 1000,     /* between two looks at the listener */
    GREETING_MS = 1000, /* it has so long to greet back, */
    ADMIT_MS = 1000,    /* and so long to make a subscriber of who greets */
    STEP_MS = 10,
    DEAF_LOOKS = 2, /* in vain, one after the other: listen anew */
    GREETING_SIZE = 8,
    RECEIVE_MOST = 64
};

struct publisher {
    char *url;
    nng_socket socket;
    nng_stream_dialer *dialer;
    nng_aio *looking;
    struct thread_beside keeper;
    bool kept; /* the keeper runs */
    atomic_bool closing, deaf;
    atomic_size_t subscribers, came; /* now; ever */
};

/* ---- the listener ---- */

static enum status
listen_at(struct publisher *p)
{
    enum status st = transport_check_place(p->url);
    nng_listener l;
    int rc;

    if (st != ST_OK)
        return st;
    if ((rc = nng_listener_create(&l, p->socket, p->url)) != 0)
        return transport_report(rc, p->url, "publish");
    /* Of IPC only, of TCP only: others refuse it. */
    nng_listener_set_int(l, NNG_OPT_IPC_PERMISSIONS, 0600);
    nng_listener_set_bool(l, NNG_OPT_TCP_KEEPALIVE, true);
    rc = nng_listener_start(l, 0);
    return rc == 0 ? ST_OK : transport_report(rc, p->url, "publish");
}

/* One operation of a stream, waited for.  False: it has failed. */
static bool
done(struct publisher *p)
{
    nng_aio_wait(p->looking);
    return nng_aio_result(p->looking) == 0;
}

/* Greet as a subscriber does (nng's SP protocol: 0 S P 0, protocol, 0 0) and
 * be greeted back. */
static bool
greet(struct publisher *p, nng_stream *s)
{
    static char sub[GREETING_SIZE] = {0, 'S', 'P', 0, 0, 0x21, 0, 0};
    char got[GREETING_SIZE] = {0};
    nng_iov out = {sub, sizeof sub};
    size_t n = 0;

    nng_aio_set_iov(p->looking, 1, &out);
    nng_stream_send(s, p->looking);
    if (!done(p))
        return false;
    while (n < sizeof got) {
        nng_iov in = {got + n, sizeof got - n};

        nng_aio_set_iov(p->looking, 1, &in);
        nng_stream_recv(s, p->looking);
        if (!done(p))
            return false;
        n += nng_aio_count(p->looking);
    }
    return true;
}

/* Does who comes become a subscriber? */
static bool
admits(struct publisher *p)
{
    size_t before = p->came;
    nng_stream *s;

    nng_aio_set_timeout(p->looking, GREETING_MS);
    nng_stream_dialer_dial(p->dialer, p->looking);
    if (!done(p)) { /* with no descriptor left it is not the listener's fault */
        int rc = nng_aio_result(p->looking);

        return rc == NNG_ENOFILES || rc == NNG_ENOMEM;
    }
    s = nng_aio_get_output(p->looking, 0);
    if (greet(p, s))
        for (int ms = 0; ms < ADMIT_MS && p->came == before && !p->closing;
             ms += STEP_MS)
            clock_sleep_ms(STEP_MS);
    nng_stream_free(s);
    return p->came != before;
}

static void *
keep(void *self)
{
    struct publisher *p = self;
    unsigned in_vain = 0;

    while (!p->closing && in_vain < DEAF_LOOKS) {
        struct deadline look = {clock_steady_ms() + LOOK_MS, &p->closing, 0};

        pthread_mutex_lock(&p->keeper.lock);
        while (deadline_wait(&look, &p->keeper.changed, &p->keeper.lock) ==
               ST_OK)
            ;
        pthread_mutex_unlock(&p->keeper.lock);
        if (!p->closing)
            in_vain = admits(p) ? 0 : in_vain + 1;
    }
    p->deaf = in_vain == DEAF_LOOKS;
    return NULL;
}

bool
publisher_is_deaf(struct publisher *p)
{
    return p->deaf;
}

/* ---- subscribers ---- */

/* On threads of nng: one comes, or has gone (also when it was turned away). */
static void
on_pipe(nng_pipe pipe, nng_pipe_ev event, void *self)
{
    struct publisher *p = self;

    if (event == NNG_PIPE_EV_REM_POST) {
        p->subscribers--;
        return;
    }
    p->came++;
    if (++p->subscribers > PUBLISHER_MOST)
        nng_pipe_close(pipe);
}

size_t
publisher_subscribers(struct publisher *p)
{
    return p->subscribers;
}

/* ---- opening and closing ---- */

static enum status
check_url(const char *url, const struct endpoint_options *o)
{
    struct str u = str_c(url);

    if (str_starts(u, S("ipc://")) || str_starts(u, S("tcp://")))
        return transport_check(url, o);
    log_error("publish",
              "%s: cannot be published at: use ipc:///PATH or "
              "tcp://127.0.0.1:PORT",
              url);
    return ST_USAGE;
}

static enum status
open_socket(struct publisher *p)
{
    int rc = nng_pub0_open(&p->socket);

    if (rc != 0) {
        p->socket = (nng_socket)NNG_SOCKET_INITIALIZER;
        return transport_report(rc, p->url, "publish");
    }
    nng_socket_set_int(p->socket, NNG_OPT_SENDBUF, PUBLISHER_QUEUE);
    nng_socket_set_size(p->socket, NNG_OPT_RECVMAXSZ, RECEIVE_MOST);
    nng_pipe_notify(p->socket, NNG_PIPE_EV_ADD_PRE, on_pipe, p);
    nng_pipe_notify(p->socket, NNG_PIPE_EV_REM_POST, on_pipe, p);
    return listen_at(p);
}

enum status
publisher_open(struct publisher **out, const char *url,
               const struct endpoint_options *o)
{
    struct publisher *p;
    enum status st;

    *out = NULL;
    if ((st = check_url(url, o)) != ST_OK)
        return st;
    if ((p = calloc(1, sizeof *p)) == NULL)
        return ST_NOMEM;
    p->socket = (nng_socket)NNG_SOCKET_INITIALIZER;
    if ((p->url = strdup(url)) == NULL)
        st = ST_NOMEM;
    if (st == ST_OK)
        st = transport_dialer(&p->dialer, p->url); /* nng's first call */
    if (st == ST_OK)
        st = open_socket(p);
    if (st == ST_OK && (nng_aio_alloc(&p->looking, NULL, NULL) != 0 ||
                        !(p->kept = thread_beside_start(&p->keeper, keep, p))))
        st = ST_NOMEM;
    if (st != ST_OK)
        publisher_close(p);
    else
        *out = p;
    return st;
}

enum status
publisher_send(struct publisher *p, struct str head, struct str body)
{
    nng_msg *m;

    if (nng_msg_alloc(&m, 0) != 0)
        return ST_NOMEM;
    if (nng_msg_append(m, head.p, head.n) != 0 ||
        nng_msg_append(m, body.p, body.n) != 0 ||
        nng_sendmsg(p->socket, m, NNG_FLAG_NONBLOCK) != 0) {
        nng_msg_free(m);
        return ST_NOMEM;
    }
    return ST_OK;
}

void
publisher_close(struct publisher *p)
{
    if (p == NULL)
        return;
    p->closing = true;
    if (p->kept)
        thread_beside_end(&p->keeper);
    if (nng_socket_id(p->socket) > 0)
        nng_close(p->socket);
    nng_aio_free(p->looking);
    if (p->dialer != NULL)
        nng_stream_dialer_free(p->dialer);
    free(p->url);
    free(p);
}
