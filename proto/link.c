/* link.c -- see link.h.
 *
 * Messages are told apart by frames (frame.h).
 *
 * Why not nng's own messages (its SP protocols REQ and REP over its pipes): in
 * 1.5.2, Debian 12's, the death of a peer can silence a socket for good.  When
 * a peer goes away while two sides greet each other, the greeting fails with
 * NNG_ECLOSED, which a listener or dialer takes for its own end: it never
 * accepts or dials again (nng issue 1518).  And when a connection is closed
 * between the header and the body of a message, the receive under way never
 * ends, and the one thread that cleans up for the whole process waits for it
 * for ever.  Streams have neither a greeting nor that thread's wait: closing
 * one ends its operations there and then.
 *
 * Every operation runs on one aio, started and awaited by the thread that owns
 * the link.  It is cancelled by that thread only, so that it cannot be
 * cancelled while the stream is freed. */
#include "link.h"

#include <stdlib.h>

#include "frame.h"

struct link {
    nng_stream *stream; /* NULL: not connected yet */
    nng_aio *aio;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool busy; /* the operation has not ended */
};

/* On a thread of nng: the operation ended. */
static void
operation_ended(void *arg)
{
    struct link *l = arg;

    pthread_mutex_lock(&l->lock);
    l->busy = false;
    pthread_cond_signal(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

static enum status
link_new(struct link **out)
{
    struct link *l = calloc(1, sizeof *l);

    if (l == NULL || nng_aio_alloc(&l->aio, operation_ended, l) != 0) {
        free(l);
        return ST_NOMEM;
    }
    nng_aio_set_timeout(l->aio, NNG_DURATION_INFINITE);
    pthread_mutex_init(&l->lock, NULL);
    patience_cond_init(&l->changed);
    *out = l;
    return ST_OK;
}

void
link_hang_up(struct link *l)
{
    if (l->stream != NULL)
        nng_stream_close(l->stream);
}

void
link_close(struct link *l)
{
    if (l == NULL)
        return;
    link_hang_up(l);
    nng_aio_free(l->aio);
    if (l->stream != NULL)
        nng_stream_free(l->stream);
    pthread_cond_destroy(&l->changed);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

void
link_wake(struct link *l)
{
    pthread_mutex_lock(&l->lock);
    pthread_cond_signal(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

/* Give up the operation under way.  A stream is closed for it: its owner closes
 * it then anyway, and over TLS cancelling is lost while nng 1.5.2 has nothing
 * under way below (seen when a service was killed in a handshake). */
static void
give_up(struct link *l)
{
    if (l->stream != NULL)
        link_hang_up(l);
    else
        nng_aio_abort(l->aio, NNG_ECANCELED);
}

/* Wait until the operation under way ends, or give it up. */
static enum status
await(struct link *l, const struct patience *p)
{
    enum status st = ST_OK;

    pthread_mutex_lock(&l->lock);
    while (l->busy) {
        st = patience_wait(p, &l->changed, &l->lock);
        if (l->busy && st != ST_OK) {
            pthread_mutex_unlock(&l->lock);
            give_up(l);
            pthread_mutex_lock(&l->lock);
        }
    }
    pthread_mutex_unlock(&l->lock);
    nng_aio_wait(l->aio); /* the callback has returned */
    switch (nng_aio_result(l->aio)) {
    case 0: return ST_OK;
    case NNG_ENOMEM: return ST_NOMEM;
    default: return st != ST_OK ? st : ST_IO;
    }
}

/* The operation under way gives *out its stream, or *out is closed. */
static enum status
connected(struct link **out, const struct patience *p)
{
    enum status st = await(*out, p);

    if (st == ST_OK) {
        (*out)->stream = nng_aio_get_output((*out)->aio, 0);
    } else {
        link_close(*out);
        *out = NULL;
    }
    return st;
}

enum status
link_dial(struct link **out, nng_stream_dialer *dialer,
          const struct patience *p)
{
    enum status st = link_new(out);

    if (st != ST_OK)
        return st;
    (*out)->busy = true;
    nng_stream_dialer_dial(dialer, (*out)->aio);
    return connected(out, p);
}

enum status
link_accept(struct link **out, nng_stream_listener *listener,
            const struct patience *p)
{
    enum status st = link_new(out);

    if (st != ST_OK)
        return st;
    (*out)->busy = true;
    nng_stream_listener_accept(listener, (*out)->aio);
    return connected(out, p);
}

/* Move some of the pieces by nng_stream_send() or nng_stream_recv(). */
static enum status
move_some(struct link *l, void (*start)(nng_stream *, nng_aio *),
          const nng_iov *pieces, unsigned pieces_n, const struct patience *p,
          size_t *moved)
{
    enum status st;

    nng_aio_set_iov(l->aio, pieces_n, pieces);
    l->busy = true;
    start(l->stream, l->aio);
    st = await(l, p);
    *moved = st == ST_OK ? nng_aio_count(l->aio) : 0;
    return st;
}

enum status
link_send(struct link *l, struct str message, const struct patience *p)
{
    unsigned char header[FRAME_HEADER_SIZE];
    nng_iov pieces[2] = {{header, sizeof header},
                         {(void *)message.p, message.n}};
    nng_iov *rest = pieces, *end = pieces + (message.n > 0 ? 2 : 1);
    enum status st;
    size_t moved;

    frame_header(header, message.n);
    while (rest < end) {
        if ((st = move_some(l, nng_stream_send, rest, (unsigned)(end - rest), p,
                            &moved)) != ST_OK)
            return st;
        for (; rest < end && moved >= rest->iov_len; rest++)
            moved -= rest->iov_len;
        if (rest < end) {
            rest->iov_buf = (char *)rest->iov_buf + moved;
            rest->iov_len -= moved;
        }
    }
    return ST_OK;
}

enum status
link_receive(struct link *l, struct buf *message, const struct patience *p)
{
    struct frame frame;
    struct frame_room room[2];
    nng_iov pieces[2];
    size_t moved;
    unsigned n;
    enum status st;

    frame_begin(&frame, message);
    do {
        n = frame_room(&frame, message, room);
        for (unsigned i = 0; i < n; i++)
            pieces[i] = (nng_iov){room[i].p, room[i].n};
        st = move_some(l, nng_stream_recv, pieces, n, p, &moved);
        if (st == ST_OK)
            st = frame_arrived(&frame, message, moved);
    } while (st == ST_NONE);
    return st;
}
