/* peers.c -- see peers.h.
 *
 * A peer is a stranger until a call of its has been answered that was worth an
 * answer.  When there are too many connections, or too many from one address,
 * strangers go first, the oldest before all; then who has been silent longest
 * (its endpoint connects again with its next call).  So whoever works is heard,
 * however many only hold the line.
 *
 * One budget holds everybody's messages: those that come in, those that wait
 * for the handler or are with it, and the answers that are not sent.  Memory
 * for what comes in is counted before it is taken, and until it is freed.  When
 * the budget is used up, strangers go first, those with most; who brings more
 * is not read from until memory has come back; and if none can come back, since
 * it all lies in messages that are not whole, the largest of those goes.
 *
 * The keeper's thread looks at deadlines: for the hello, for a message that has
 * begun, for an answer that is not read.  It frees those that have ended, which
 * no callback may do.
 *
 * Locks: `lock`, then a wire's own; no event of a wire is called under either.
 *
 * Bounds: CALLS_MAX calls of a peer are in hand; connections and memory as the
 * options say, and for each connection what a read brings (64 KiB) and TLS.
 * Answers are counted when they are made, and copied one at a time. */
#include "peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "transport.h"
#include "wire.h"

enum {
    CALLS_MAX = 64,
    LOOK_MS = 200,      /* the keeper */
    HELLO_MS = 10000,   /* TLS, hello and the first call begun */
    MESSAGE_MS = 10000, /* a message, and 1 s more for each ... */
    MESSAGE_BYTES_S = 256 * 1024,
    ANSWER_MS = 30000, /* a peer that does not read its answers */
    CLOSE_MS = 2000,
    CALL_BYTES = 256 /* of a call beside its message */
};

struct peer {
    struct peers *all;
    struct wire *wire;
    struct transport_place place;
    uint64_t came_ms, heard_ms;
    bool known;                     /* a call of its was answered */
    bool begun;                     /* a call has come, or begun to */
    size_t calls;                   /* in hand */
    size_t coming;                  /* memory of a message that is not whole */
    size_t leaving;                 /* ... of answers that are not sent */
    bool waits_calls, waits_memory; /* not read from */
    bool ended;
    struct peer *next;
};

struct peers {
    struct call_queue *queue;
    const char *service; /* what is said to them; NULL: nothing */
    size_t peers_max, place_max, memory_max;
    struct thread_beside keeper; /* ended: nobody is let in */
    struct peer *first;
    size_t n, calls;
    size_t memory, ending; /* counted; of it, of those that have ended */
};

static struct log_limit said_ends = LOG_LIMIT(10);
static struct log_limit said_full = LOG_LIMIT(3);

/* ---- who goes ---- */

static const char *
name_of(const struct peer *x)
{
    return x->place.known ? x->place.text : "(socket)";
}

/* Under lock: the keeper shall free it. */
static void
forget(struct peers *ps, struct peer *x)
{
    if (x->ended)
        return;
    x->ended = true;
    ps->ending += x->coming + x->leaving;
    pthread_cond_signal(&ps->keeper.changed);
}

static void
let_go(struct peer *x, const char *why)
{
    if (x->ended)
        return;
    wire_end(x->wire);
    forget(x->all, x);
    if (why != NULL)
        log_rarely(&said_ends, LOG_WARN, "endpoint", "peer=%s let go: %s",
                   name_of(x), why);
}

/* Does x go before y?  Strangers before known ones, idle ones first. */
static bool
goes_before(const struct peer *x, const struct peer *y)
{
    if (x->known != y->known)
        return y->known;
    return x->heard_ms < y->heard_ms;
}

static bool
same_place(const struct peer *x, const struct peer *y)
{
    return x->place.known && y->place.known &&
           memcmp(x->place.network, y->place.network,
                  sizeof x->place.network) == 0;
}

/* Who has the least right to stay, of all or of a place; NULL: nobody that
 * could go. */
static struct peer *
least(struct peers *ps, const struct peer *place)
{
    struct peer *found = NULL;

    for (struct peer *x = ps->first; x != NULL; x = x->next)
        if (!x->ended && x->calls == 0 &&
            (place == NULL || same_place(x, place)) &&
            (found == NULL || goes_before(x, found)))
            found = x;
    return found;
}

/* The stranger (or whoever) that holds most of what is not in hand. */
static struct peer *
largest(struct peers *ps, bool known, const struct peer *but)
{
    struct peer *found = NULL;

    for (struct peer *x = ps->first; x != NULL; x = x->next)
        if (!x->ended && x->known == known && x != but &&
            x->coming + x->leaving > 0 &&
            (found == NULL ||
             x->coming + x->leaving > found->coming + found->leaving))
            found = x;
    return found;
}

static const char no_memory[] =
    "the memory for messages is used up (services.memory_mib)";

static void
hold_back(struct peer *x)
{
    if (x == NULL || x->ended || x->waits_memory)
        return;
    x->waits_memory = true;
    wire_pause(x->wire);
}

/* Is there too much?  Then somebody goes, or x, who brings more, is not read
 * from; x may be NULL. */
static void
keep_budget(struct peers *ps, struct peer *x)
{
    struct peer *y;

    if (ps->memory > ps->memory_max && ps->ending > 0)
        hold_back(x); /* until that is freed */
    while (ps->memory - ps->ending > ps->memory_max) {
        if ((y = largest(ps, false, NULL)) == NULL && ps->calls > 0) {
            hold_back(x);
            return;
        }
        if (y == NULL && (y = largest(ps, true, x)) == NULL)
            return; /* x is alone: its message is no longer than allowed */
        let_go(y, no_memory);
        hold_back(x);
    }
}

/* Under lock, whenever memory has come back. */
static void
wake_waiting(struct peers *ps)
{
    if (ps->memory > ps->memory_max && (ps->calls > 0 || ps->ending > 0))
        return;
    for (struct peer *x = ps->first; x != NULL; x = x->next)
        if (x->waits_memory && !x->ended) {
            x->waits_memory = false;
            if (!x->waits_calls)
                wire_go_on(x->wire);
        }
}

/* Under lock: what its answers hold by now. */
static void
count_answers(struct peers *ps, struct peer *x)
{
    struct wire_look look;

    if (x->ended)
        return;
    wire_look(x->wire, &look);
    ps->memory += look.send_holds - x->leaving;
    x->leaving = look.send_holds;
}

/* ---- events of a wire ---- */

static void
on_opened(void *self, struct str service)
{
    (void)self;
    (void)service;
}

static void
on_holds(void *self, size_t bytes)
{
    struct peer *x = self;
    struct peers *ps = x->all;

    pthread_mutex_lock(&ps->keeper.lock);
    if (!x->ended) {
        bool more = bytes > x->coming;

        ps->memory += bytes - x->coming;
        x->coming = bytes;
        x->begun = x->begun || bytes > 0;
        if (more)
            keep_budget(ps, x);
    }
    pthread_mutex_unlock(&ps->keeper.lock);
}

static void answered(struct call *c);
static void on_ended(void *self, const char *why);

static void
on_message(void *self, uint32_t number, struct buf *message)
{
    struct peer *x = self;
    struct peers *ps = x->all;
    struct call *c = call_new();

    if (c == NULL) {
        wire_end(x->wire);
        on_ended(x, "there is no memory for its call");
        return;
    }
    c->request = *message;
    *message = (struct buf){0};
    c->number = number;
    c->owner = x;
    c->answered = answered;
    c->held = c->request.cap + CALL_BYTES;
    pthread_mutex_lock(&ps->keeper.lock);
    if (x->ended) { /* and perhaps about to be freed */
        pthread_mutex_unlock(&ps->keeper.lock);
        call_free(c);
        return;
    }
    x->heard_ms = clock_steady_ms();
    x->begun = true;
    x->calls++;
    ps->calls++;
    ps->memory += c->held - x->coming; /* the message's memory is the call's */
    x->coming = 0;
    keep_budget(ps, x);
    if (x->calls >= CALLS_MAX && !x->waits_calls) {
        x->waits_calls = true;
        wire_pause(x->wire);
    }
    pthread_mutex_unlock(&ps->keeper.lock);
    if (call_queue_post(ps->queue, c) != ST_OK) /* the server ends */
        answered(c);
}

static void
on_sent(void *self)
{
    struct peer *x = self;
    struct peers *ps = x->all;

    pthread_mutex_lock(&ps->keeper.lock);
    count_answers(ps, x);
    wake_waiting(ps);
    pthread_mutex_unlock(&ps->keeper.lock);
}

static void
on_ended(void *self, const char *why)
{
    struct peer *x = self;
    struct peers *ps = x->all;

    pthread_mutex_lock(&ps->keeper.lock);
    if (why != NULL && !x->ended)
        log_rarely(&said_ends, LOG_WARN, "endpoint", "peer=%s refused: %s",
                   name_of(x), why);
    forget(ps, x);
    wake_waiting(ps);
    pthread_mutex_unlock(&ps->keeper.lock);
}

/* The handler has answered, on its thread. */
static void
answered(struct call *c)
{
    struct peer *x = c->owner;
    struct peers *ps = x->all;
    size_t n = c->reply.n;

    if (c->state == CALL_ANSWERED && n <= ENDPOINT_MESSAGE_MAX)
        wire_send(x->wire, c->number, buf_view(&c->reply));
    else if (c->state == CALL_ANSWERED)
        log_error("endpoint", "reply of %zu bytes is over the limit", n);
    pthread_mutex_lock(&ps->keeper.lock);
    x->known = x->known || (c->state == CALL_ANSWERED && !c->bad);
    x->heard_ms = clock_steady_ms();
    ps->memory -= c->held;
    count_answers(ps, x);
    x->calls--;
    ps->calls--;
    keep_budget(ps, NULL);
    if (x->waits_calls && x->calls <= CALLS_MAX / 2) {
        x->waits_calls = false;
        if (!x->waits_memory)
            wire_go_on(x->wire);
    }
    wake_waiting(ps);
    pthread_mutex_unlock(&ps->keeper.lock);
    call_free(c);
}

/* ---- coming ---- */

/* Under lock: room for one more of x's place.  False: there is none. */
static bool
make_room(struct peers *ps, const struct peer *x)
{
    size_t n = 0, here = 0;
    struct peer *y;

    for (y = ps->first; y != NULL; y = y->next) {
        n += !y->ended;
        here += !y->ended && same_place(x, y);
    }
    if (here >= ps->place_max) {
        if ((y = least(ps, x)) == NULL)
            return false;
        let_go(y, "too many connections of its address, and it is idle "
                  "(services.connections_address)");
    } else if (n >= ps->peers_max) {
        if ((y = least(ps, NULL)) == NULL)
            return false;
        let_go(y, "too many connections, and it is idle "
                  "(services.connections)");
    }
    return true;
}

void
peers_admit(struct peers *ps, nng_stream *stream, struct tls_keys *keys)
{
    static const struct wire_events events = {.opened = on_opened,
                                              .message = on_message,
                                              .holds = on_holds,
                                              .sent = on_sent,
                                              .ended = on_ended};
    struct peer *x = calloc(1, sizeof *x);
    const struct wire_setup setup = {.events = &events,
                                     .self = x,
                                     .keys = keys,
                                     .service = ps->service,
                                     .server = true};

    if (x == NULL) {
        nng_stream_free(stream);
        return;
    }
    x->all = ps;
    x->came_ms = x->heard_ms = clock_steady_ms();
    transport_place_of(&x->place, stream);
    if (wire_new(&x->wire, stream, &setup) != ST_OK) {
        free(x);
        return;
    }
    pthread_mutex_lock(&ps->keeper.lock);
    if (!ps->keeper.ended && make_room(ps, x)) {
        x->next = ps->first;
        ps->first = x;
        ps->n++;
        pthread_cond_signal(&ps->keeper.changed);
        wire_start(x->wire);
        x = NULL;
    }
    pthread_mutex_unlock(&ps->keeper.lock);
    if (x == NULL)
        return;
    log_rarely(&said_full, LOG_WARN, "endpoint",
               "peer=%s refused: all connections are busy", name_of(x));
    wire_free(x->wire);
    free(x);
}

void
peers_make_room(struct peers *ps)
{
    struct peer *x;

    pthread_mutex_lock(&ps->keeper.lock);
    if ((x = least(ps, NULL)) != NULL)
        let_go(x, "no descriptor is left, and it is idle");
    pthread_mutex_unlock(&ps->keeper.lock);
    log_rarely(&said_full, LOG_WARN, "endpoint",
               "no descriptor or memory for one more connection (ulimit -n)");
}

/* ---- the keeper ---- */

/* What it has let pass; NULL: nothing. */
static const char *
late_for(const struct peer *x, uint64_t now)
{
    struct wire_look l;

    wire_look(x->wire, &l);
    if (!x->begun && now > x->came_ms + HELLO_MS)
        return l.open ? "it said hello and nothing more for 10 s"
                      : "no hello within 10 s";
    if (l.message_since_ms > 0 && !x->waits_memory && !x->waits_calls &&
        now > l.message_since_ms + MESSAGE_MS +
                  l.message_length / (MESSAGE_BYTES_S / 1000))
        return "a message that was begun did not come whole in time";
    if (l.send_since_ms > 0 && now > l.send_since_ms + ANSWER_MS)
        return "it does not read its answers";
    return NULL;
}

/* Under lock: end those that are late; take out of the list who may be freed.
 */
static struct peer *
sweep(struct peers *ps)
{
    struct peer *gone = NULL, *x;
    uint64_t now = clock_steady_ms();
    const char *why;

    for (x = ps->first; x != NULL; x = x->next)
        if (!x->ended && (why = late_for(x, now)) != NULL)
            let_go(x, why);
    for (struct peer **at = &ps->first; (x = *at) != NULL;) {
        if (!x->ended || x->calls > 0) {
            at = &x->next;
            continue;
        }
        *at = x->next;
        x->next = gone;
        gone = x;
        ps->n--;
    }
    return gone;
}

/* How much memory that has given back. */
static size_t
free_peers(struct peer *x)
{
    struct peer *next;
    size_t bytes = 0;

    for (; x != NULL; x = next) {
        next = x->next;
        bytes += x->coming + x->leaving;
        wire_free(x->wire);
        free(x);
    }
    return bytes;
}

static void *
keep(void *self)
{
    struct peers *ps = self;
    const struct deadline idle = {DEADLINE_NEVER, NULL, 0};

    thread_name("peers");
    pthread_mutex_lock(&ps->keeper.lock);
    while (!ps->keeper.ended || ps->first != NULL) {
        struct peer *gone = sweep(ps);
        struct deadline look = {clock_steady_ms() + LOOK_MS, NULL, 0};

        if (gone != NULL) {
            size_t bytes;

            pthread_mutex_unlock(&ps->keeper.lock);
            bytes = free_peers(gone);
            pthread_mutex_lock(&ps->keeper.lock);
            ps->memory -= bytes;
            ps->ending -= bytes;
            wake_waiting(ps);
            continue;
        }
        if (ps->keeper.ended && ps->first == NULL)
            break;
        deadline_wait(ps->first != NULL ? &look : &idle, &ps->keeper.changed,
                      &ps->keeper.lock);
    }
    pthread_mutex_unlock(&ps->keeper.lock);
    return NULL;
}

/* ---- beginning and ending ---- */

enum status
peers_open(struct peers **out, struct call_queue *queue,
           const struct endpoint_options *o)
{
    struct peers *ps = calloc(1, sizeof *ps);

    *out = NULL;
    if (ps == NULL)
        return ST_NOMEM;
    ps->queue = queue;
    ps->service = o != NULL ? o->service : NULL;
    ps->peers_max = o != NULL && o->connections > 0 ? o->connections : 1000;
    ps->place_max = o != NULL && o->connections_address > 0
                        ? o->connections_address
                        : ps->peers_max;
    ps->memory_max =
        o != NULL && o->memory > 0 ? o->memory : (size_t)256 * 1024 * 1024;
    if (!thread_beside_start(&ps->keeper, keep, ps)) {
        free(ps);
        return ST_NOMEM;
    }
    *out = ps;
    return ST_OK;
}

/* Is something still on its way to somebody? */
static bool
is_sending(struct peers *ps)
{
    bool yes = false;

    pthread_mutex_lock(&ps->keeper.lock);
    for (struct peer *x = ps->first; x != NULL && !yes; x = x->next) {
        struct wire_look l;

        wire_look(x->wire, &l);
        yes = !x->ended && l.to_send > 0;
    }
    pthread_mutex_unlock(&ps->keeper.lock);
    return yes;
}

void
peers_close(struct peers *ps)
{
    uint64_t until = clock_steady_ms() + CLOSE_MS;

    if (ps == NULL)
        return;
    while (is_sending(ps) && clock_steady_ms() < until)
        clock_sleep_ms(5);
    pthread_mutex_lock(&ps->keeper.lock);
    ps->keeper.ended = true;
    for (struct peer *x = ps->first; x != NULL; x = x->next)
        let_go(x, NULL);
    pthread_mutex_unlock(&ps->keeper.lock);
    thread_beside_end(&ps->keeper);
    free(ps);
}
