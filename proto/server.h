/* server.h -- answers requests that endpoints send (endpoint.h), in groups.
 *
 * Requests may come twice: what is answered must be idempotent, and is not
 * acknowledged before it is durable.  One thread starts and stops it. */
#ifndef PROTO_SERVER_H
#define PROTO_SERVER_H

#include "endpoint.h"

struct server; /* opaque */

struct server_call; /* one request to be answered */

/* `handle` gets the requests that were waiting together (group commit: one
 * transaction for all) and must fill every reply, but for those it keeps: they
 * come again, as they are, in front of the next group, which is handed over at
 * once.  So a handler can work in slices and look at what else has come between
 * two of them.  It runs in one thread of the server, never concurrently. */
struct server_call {
    struct str request;
    struct buf reply;
    bool kept;   /* set by the handler: not answered yet */
    bool bad;    /* ... it could not be used: its sender is still a stranger */
    void *state; /* the handler's own, of a call it keeps; NULL at first */
};

typedef void server_handle(void *self, struct server_call *calls,
                           size_t calls_n);

/* Listen on `url` and start the thread.  `o` (NULL: as in endpoint.h) is read
 * here only; `self` must live as long as the server, which the caller ends with
 * server_stop().  ST_USAGE: the URL cannot be used; ST_IO: it is taken;
 * ST_NOMEM: no memory, or no thread (all reported). */
enum status server_start(struct server **out, const char *url,
                         const struct endpoint_options *o,
                         server_handle *handle, void *self);
/* Answer at a second address, too (no tls+tcp://).  ST_USAGE, ST_IO: reported,
 * the server works on without it. */
enum status server_also(struct server *v, const char *url);
/* Call the handler, without any call, when none has come for `ms`: once, and
 * the latest such wish counts; UINT64_MAX: never.  Thread-safe. */
void server_again(struct server *v, uint64_t ms);
/* What the handler's thread does at its end, with the handler's `self`: for
 * what only that thread may end.  To be said before server_stop(). */
void server_at_end(struct server *v, void (*end)(void *self));
/* Finish the calls in hand, then stop; NULL allowed. */
void server_stop(struct server *v);

#endif
