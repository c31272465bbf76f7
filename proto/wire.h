/* wire.h -- one connection, for whole messages both ways at the same time, over
 * a byte stream of nng, in the clear or in TLS.
 *
 * Nobody waits for a wire: it calls back, on threads of nng, and callbacks must
 * not wait.  Everything but wire_free() may be called from everywhere, also
 * while a lock of the caller's is held that callbacks take. */
#ifndef PROTO_WIRE_H
#define PROTO_WIRE_H

#include <nng/nng.h>

#include "base/buf.h"
#include "tls.h"

struct wire; /* opaque */

struct wire_events {
    /* Both sides have said hello and speak one language.  service: what the
     * other one is, in its own words; empty: it does not say. */
    void (*opened)(void *self, struct str service);
    /* A message is whole.  The callee may take the memory of it; what it leaves
     * is freed, and held no more. */
    void (*message)(void *self, uint32_t number, struct buf *message);
    /* So much memory will be held for the message that is under way: it is
     * taken next, unless wire_pause() or wire_end() is called. */
    void (*holds)(void *self, size_t bytes);
    /* All that was to be sent is. */
    void (*sent)(void *self);
    /* It is over, not by wire_end(); perhaps twice.  why: for people; NULL: the
     * peer has hung up on a wire that was open. */
    void (*ended)(void *self, const char *why);
};

struct wire_setup {
    const struct wire_events *events;
    void *self;
    struct tls_keys *keys; /* NULL: in the clear */
    const char *name;      /* TLS: that the service must bear */
    const char *service;   /* what we say we are; NULL: nothing */
    bool server;
};

/* Takes the stream in any case; nothing happens before wire_start(). */
enum status wire_new(struct wire **out, nng_stream *stream,
                     const struct wire_setup *setup);
void wire_start(struct wire *w);

/* Queue a message; nothing happens on one that has ended. */
void wire_send(struct wire *w, uint32_t number, struct str message);

/* Read no more for now; go on.  After the first, called in an event, no message
 * comes and no memory is taken before the second. */
void wire_pause(struct wire *w);
void wire_go_on(struct wire *w);

/* End it now.  Nothing is called back but what is under way. */
void wire_end(struct wire *w);

/* Ends it and waits for callbacks under way: never from one of them. */
void wire_free(struct wire *w); /* NULL is allowed */

/* How long something is under way, of clock_steady_ms(); 0: it is not. */
struct wire_look {
    bool open;
    uint64_t message_since_ms; /* the one that comes in */
    size_t message_length;     /* of it, as announced */
    uint64_t send_since_ms;    /* no byte went out since */
    size_t to_send;            /* bytes */
    size_t send_holds;         /* memory for them */
};
void wire_look(struct wire *w, struct wire_look *out);

#endif
