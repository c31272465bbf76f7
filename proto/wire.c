/* wire.c -- see wire.h.
 *
 * Two operations of nng, one that receives and one that sends, each started
 * again by its own callback:
 *
 *     received -> [TLS] -> frames -> hello, or events->message -> receive
 *     wire_send -> [TLS] -> out;  out -> going -> send -> sent -> send
 *
 * So messages that come together are read at once, and those that are sent
 * while bytes are under way leave together with the next.  `lock` guards what
 * both directions and other threads touch; what is received belongs to the one
 * receive callback.  Events are called without the lock.
 *
 * Why not nng's own messages (its SP protocols REQ and REP over its pipes): in
 * 1.5.2, Debian 12's, the death of a peer can silence a socket for good.  When
 * a peer goes away while two sides greet each other, the greeting fails with
 * NNG_ECLOSED, which a listener or dialer takes for its own end: it never
 * accepts or dials again (nng issue 1518, fixed in 1.6.0; unit_publisher stages
 * it).  And in two of 24 runs under load, a connection that was closed between
 * the header and the body of a message left the receive under way for ever, and
 * with it the one thread that cleans up for the whole process.  (No test shows
 * that: 40,000 staged hang-ups at that place did not.)  Streams have neither a
 * greeting nor that thread's wait: closing one ends its operations there and
 * then.
 *
 * Memory for a message is asked for by an event before it is taken.  When the
 * answer is to wait, what was read and not looked at yet stays, and is looked
 * at before more is read.
 *
 * Bounds: FIRST_SIZE bytes are read from a stranger at a time, READ_SIZE from
 * who has said hello; one message of ENDPOINT_MESSAGE_MAX. */
#include "wire.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "endpoint.h"
#include "frame.h"

enum {
    FIRST_SIZE = 2048,
    READ_SIZE = 64 * 1024,
    KEEP_SIZE = 4096,
    DEAF_MS = 250, /* for the peer to read why it is refused */
    DEAF_SIZE = 256 * 1024
};

struct wire {
    nng_stream *stream;
    nng_aio *receiving, *sending;
    struct wire_setup setup;
    pthread_mutex_t lock;

    /* Of the receive callback. */
    char first[FIRST_SIZE], *in; /* in: READ_SIZE, once it is open */
    struct buf plain, message;
    struct frame frame;
    struct str rest; /* read, to be looked at when it goes on */
    size_t held;     /* told by the event */
    bool deaf;       /* what comes is not looked at */
    size_t missed;   /* so much has come then */

    /* Under lock. */
    struct tls *tls; /* NULL: in the clear */
    struct buf out, going;
    size_t going_n;           /* bytes of it that are sent */
    bool in_flight;           /* a send is under way */
    bool armed;               /* a receive is, or its callback runs */
    bool paused, ended, last; /* last: nothing is sent after what waits */
    struct wire_look look;
    char why[200];
};

void
wire_end(struct wire *w)
{
    pthread_mutex_lock(&w->lock);
    if (!w->ended)
        nng_stream_close(w->stream);
    w->ended = true;
    pthread_mutex_unlock(&w->lock);
}

/* By itself. */
static void
end(struct wire *w, const char *why)
{
    bool first;

    pthread_mutex_lock(&w->lock);
    first = !w->ended;
    pthread_mutex_unlock(&w->lock);
    wire_end(w);
    if (first)
        w->setup.events->ended(w->setup.self, why);
}

/* ---- sending ---- */

static void
start_send(struct wire *w)
{
    nng_iov piece = {w->going.p + w->going_n, w->going.n - w->going_n};

    nng_aio_set_iov(w->sending, 1, &piece);
    nng_stream_send(w->stream, w->sending);
}

/* Under lock: send what waits, unless something is under way. */
static void
push(struct wire *w)
{
    struct buf empty = w->going;

    if (w->in_flight || w->ended || w->out.n == 0)
        return;
    buf_clear(&empty);
    w->going = w->out;
    w->out = empty;
    w->going_n = 0;
    w->in_flight = true;
    w->look.send_since_ms = clock_steady_ms();
    start_send(w);
}

/* A burst is over: give back what only it needed. */
static void
shrink(struct buf *b)
{
    if (b->cap > KEEP_SIZE)
        buf_free(b);
    buf_clear(b);
}

/* On a thread of nng. */
static void
on_sent(void *arg)
{
    struct wire *w = arg;
    bool idle = false, open;

    pthread_mutex_lock(&w->lock);
    if (nng_aio_result(w->sending) != 0) {
        open = w->look.open;
        pthread_mutex_unlock(&w->lock);
        end(w, open ? NULL : "the connection is dead");
        return;
    }
    w->going_n += nng_aio_count(w->sending);
    w->look.send_since_ms = clock_steady_ms();
    if (w->going_n < w->going.n) {
        if (!w->ended)
            start_send(w);
    } else {
        w->in_flight = false;
        w->look.send_since_ms = 0;
        shrink(&w->going);
        w->going_n = 0;
        idle = w->out.n == 0;
        push(w);
    }
    pthread_mutex_unlock(&w->lock);
    if (idle)
        w->setup.events->sent(w->setup.self);
}

/* Under lock. */
static enum status
put(struct wire *w, uint32_t number, struct str message)
{
    unsigned char header[FRAME_HEADER_SIZE];
    enum status st;

    frame_header(header, number, message.n);
    if (w->tls != NULL) {
        st = tls_out(w->tls, str_n((const char *)header, sizeof header),
                     &w->out);
        return st == ST_OK ? tls_out(w->tls, message, &w->out) : st;
    }
    buf_reserve(&w->out, sizeof header + message.n);
    buf_add(&w->out, header, sizeof header);
    buf_str(&w->out, message);
    return ST_OK;
}

void
wire_send(struct wire *w, uint32_t number, struct str message)
{
    pthread_mutex_lock(&w->lock);
    if (!w->ended && !w->last && put(w, number, message) == ST_OK)
        push(w);
    pthread_mutex_unlock(&w->lock);
}

/* Under lock: it is over, but the peer shall hear what waits (an alert, a
 * refusal). */
static void
say_last(struct wire *w, const char *why)
{
    snprintf(w->why, sizeof w->why, "%s", why);
    w->last = true;
    push(w);
}

/* ---- hello ---- */

/* Under lock. */
static void
say_hello(struct wire *w, uint16_t lowest, uint16_t highest, const char *text)
{
    const struct hello h = {lowest, highest, str_c(text)};
    struct buf message = {0};

    hello_write(&message, &h);
    put(w, 0, buf_view(&message));
    buf_free(&message);
    push(w);
}

/* Under lock. */
static void
introduce(struct wire *w)
{
    const char *service = w->setup.service;
    char text[100];

    snprintf(text, sizeof text, "winnow " WINNOW_VERSION "%s%s",
             service != NULL ? ": " : "", service != NULL ? service : "");
    say_hello(w, HELLO_VERSION, HELLO_VERSION, text);
}

/* The peer's; ST_INVALID: `why` tells. */
static enum status
check_hello(const struct wire *w, const struct hello *h, char *why, size_t n)
{
    if (h->lowest <= HELLO_VERSION && h->highest >= HELLO_VERSION)
        return ST_OK;
    if (!w->setup.server && h->highest == 0)
        snprintf(why, n, "refused by the service: %.*s", STRF(h->text));
    else
        snprintf(why, n,
                 "the peer speaks versions %u to %u of winnow's protocol, this "
                 "is version %d",
                 h->lowest, h->highest, HELLO_VERSION);
    return ST_INVALID;
}

/* The first message.  ST_INVALID: the wire ends. */
static enum status
greet(struct wire *w)
{
    struct hello h;
    char why[200] = "the peer's hello cannot be read";
    enum status st = w->frame.number == 0
                         ? hello_read(&h, buf_view(&w->message))
                         : ST_INVALID;

    if (st == ST_OK)
        st = check_hello(w, &h, why, sizeof why);
    if (st == ST_OK && (w->in = malloc(READ_SIZE)) == NULL)
        st = ST_NOMEM;
    pthread_mutex_lock(&w->lock);
    if (st != ST_OK) {
        if (w->setup.server)
            say_hello(w, 0, 0, why);
        say_last(w, why);
    } else {
        w->look.open = true;
        if (w->setup.server)
            introduce(w);
    }
    pthread_mutex_unlock(&w->lock);
    if (st == ST_OK)
        w->setup.events->opened(w->setup.self, hello_service(&h));
    return st;
}

/* ---- receiving ---- */

static void
start_receive(struct wire *w)
{
    nng_iov piece = {w->in ? w->in : w->first, w->in ? READ_SIZE : FIRST_SIZE};

    nng_aio_set_iov(w->receiving, 1, &piece);
    nng_stream_recv(w->stream, w->receiving);
}

static size_t
message_most(const struct wire *w)
{
    return w->in != NULL ? ENDPOINT_MESSAGE_MAX : HELLO_SIZE_MAX;
}

/* Since when a message is under way, and how long it is. */
static void
note_progress(struct wire *w)
{
    bool begun = frame_is_under_way(&w->frame);

    pthread_mutex_lock(&w->lock);
    if (!begun)
        w->look.message_since_ms = 0;
    else if (w->look.message_since_ms == 0)
        w->look.message_since_ms = clock_steady_ms();
    w->look.message_length = begun ? w->frame.length : 0;
    pthread_mutex_unlock(&w->lock);
}

static bool
may_go_on(struct wire *w)
{
    bool yes;

    pthread_mutex_lock(&w->lock);
    yes = !w->paused && !w->ended;
    pthread_mutex_unlock(&w->lock);
    return yes;
}

/* May the message under way hold so much memory?  A hello always may. */
static bool
may_hold(struct wire *w, size_t bytes)
{
    if (w->in == NULL || w->held == bytes)
        return true;
    w->held = bytes;
    w->setup.events->holds(w->setup.self, bytes);
    return may_go_on(w);
}

/* A message is whole. */
static enum status
hand_over(struct wire *w)
{
    if (w->in == NULL) {
        if (greet(w) != ST_OK)
            return ST_IO; /* it ends by itself */
    } else if (w->frame.number == 0) {
        return ST_INVALID;
    } else {
        w->setup.events->message(w->setup.self, w->frame.number, &w->message);
    }
    buf_free(&w->message);
    w->held = 0;
    frame_begin(&w->frame, message_most(w));
    pthread_mutex_lock(&w->lock);
    w->look.message_since_ms = 0;
    pthread_mutex_unlock(&w->lock);
    return ST_OK;
}

/* What it sends is refused. */
static void
refuse(struct wire *w, enum status st, struct str bytes)
{
    const char *why = st == ST_LIMIT   ? "the peer announces too long a message"
                      : st == ST_NOMEM ? "there is no memory for its message"
                      : w->in == NULL  ? frame_speaks(bytes)
                                       : "the peer sends what is no message";

    pthread_mutex_lock(&w->lock);
    if (w->setup.server && w->in == NULL)
        say_hello(w, 0, 0, why);
    say_last(w, why);
    pthread_mutex_unlock(&w->lock);
}

static enum status
take_frames(struct wire *w, struct str bytes)
{
    const struct str all = bytes;
    enum status st;

    while (bytes.n > 0) {
        if (!may_hold(w, frame_wants(&w->frame, &w->message, bytes.n))) {
            w->rest = bytes;
            break;
        }
        st = frame_take(&w->frame, &w->message, &bytes);
        if (st == ST_OK)
            st = hand_over(w);
        if (st != ST_OK && st != ST_NONE) {
            if (st != ST_IO)
                refuse(w, st, all);
            return ST_IO;
        }
        if (st == ST_OK && !may_go_on(w)) {
            w->rest = bytes;
            break;
        }
    }
    note_progress(w);
    return ST_OK;
}

/* Through TLS; once it is ready, the asker's hello. */
static enum status
decrypt(struct wire *w, struct str bytes)
{
    enum status st;
    bool before;

    buf_clear(&w->plain);
    pthread_mutex_lock(&w->lock);
    before = tls_is_ready(w->tls);
    st = tls_in(w->tls, bytes, &w->plain, &w->out);
    if (st == ST_OK && !before && tls_is_ready(w->tls) && !w->setup.server)
        introduce(w);
    if (st == ST_OK)
        push(w);
    else
        say_last(w, tls_why(w->tls));
    pthread_mutex_unlock(&w->lock);
    return st;
}

/* Hanging up with bytes unread would take back what was sent last: read on for
 * a while, but do not look. */
static void
hear_no_more(struct wire *w, size_t bytes)
{
    w->deaf = true;
    w->missed += bytes;
    if (w->missed > DEAF_SIZE) {
        end(w, w->why);
        return;
    }
    nng_aio_set_timeout(w->receiving, DEAF_MS);
    pthread_mutex_lock(&w->lock);
    if (!w->ended)
        start_receive(w);
    pthread_mutex_unlock(&w->lock);
}

/* Under lock: with what is left of the last read, on a thread of nng's, or with
 * the next one. */
static void
go_on(struct wire *w)
{
    if (w->rest.n == 0)
        start_receive(w);
    else if (nng_aio_begin(w->receiving))
        nng_aio_finish(w->receiving, 0);
}

/* On a thread of nng. */
static void
on_received(void *arg)
{
    struct wire *w = arg;
    struct str bytes = w->rest;
    bool again = bytes.n > 0;
    enum status st = ST_OK;

    if (nng_aio_result(w->receiving) != 0) {
        end(w, w->deaf        ? w->why
               : w->look.open ? NULL
                              : "it has hung up before its hello");
        return;
    }
    if (!again)
        bytes = str_n(w->in ? w->in : w->first, nng_aio_count(w->receiving));
    w->rest = S("");
    if (w->deaf)
        st = ST_IO;
    else if (!again && w->tls != NULL && (st = decrypt(w, bytes)) == ST_OK)
        bytes = buf_view(&w->plain);
    if (st == ST_OK)
        st = take_frames(w, bytes);
    if (st != ST_OK) {
        hear_no_more(w, bytes.n);
        return;
    }
    if (w->rest.n == 0)
        buf_free(&w->plain);
    pthread_mutex_lock(&w->lock);
    w->armed = !w->paused && !w->ended;
    if (w->armed)
        go_on(w);
    pthread_mutex_unlock(&w->lock);
}

void
wire_pause(struct wire *w)
{
    pthread_mutex_lock(&w->lock);
    w->paused = true;
    pthread_mutex_unlock(&w->lock);
}

void
wire_go_on(struct wire *w)
{
    pthread_mutex_lock(&w->lock);
    w->paused = false;
    if (!w->armed && !w->ended && !w->last) {
        w->armed = true;
        go_on(w);
    }
    pthread_mutex_unlock(&w->lock);
}

/* ---- beginning and ending ---- */

enum status
wire_new(struct wire **out, nng_stream *stream, const struct wire_setup *setup)
{
    struct wire *w = calloc(1, sizeof *w);

    *out = NULL;
    if (w == NULL) {
        nng_stream_free(stream);
        return ST_NOMEM;
    }
    w->stream = stream;
    w->setup = *setup;
    pthread_mutex_init(&w->lock, NULL);
    frame_begin(&w->frame, HELLO_SIZE_MAX);
    if (nng_aio_alloc(&w->receiving, on_received, w) != 0 ||
        nng_aio_alloc(&w->sending, on_sent, w) != 0 ||
        (setup->keys != NULL &&
         (w->tls = tls_new(setup->keys, setup->name)) == NULL)) {
        wire_free(w);
        return ST_NOMEM;
    }
    nng_aio_set_timeout(w->receiving, NNG_DURATION_INFINITE);
    nng_aio_set_timeout(w->sending, NNG_DURATION_INFINITE);
    *out = w;
    return ST_OK;
}

void
wire_start(struct wire *w)
{
    if (!w->setup.server && w->tls != NULL) {
        (void)decrypt(w, S("")); /* the first words of the handshake */
    } else if (!w->setup.server) {
        pthread_mutex_lock(&w->lock);
        introduce(w);
        pthread_mutex_unlock(&w->lock);
    }
    wire_go_on(w);
}

void
wire_look(struct wire *w, struct wire_look *out)
{
    pthread_mutex_lock(&w->lock);
    *out = w->look;
    out->to_send = w->out.n + w->going.n - w->going_n;
    out->send_holds = w->out.cap + w->going.cap;
    pthread_mutex_unlock(&w->lock);
}

void
wire_free(struct wire *w)
{
    if (w == NULL)
        return;
    wire_end(w);
    if (w->receiving != NULL)
        nng_aio_stop(w->receiving);
    if (w->sending != NULL)
        nng_aio_stop(w->sending);
    nng_aio_free(w->receiving);
    nng_aio_free(w->sending);
    nng_stream_free(w->stream);
    tls_free(w->tls);
    buf_free(&w->out);
    buf_free(&w->going);
    buf_free(&w->plain);
    buf_free(&w->message);
    free(w->in);
    pthread_mutex_destroy(&w->lock);
    free(w);
}
