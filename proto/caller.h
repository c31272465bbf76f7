/* caller.h -- calls of a service that are made until they are answered: sent,
 * repeated, given up when the caller stops.
 *
 * The service may be absent, slow, busy, or out of disk space.  That is said
 * once, then every minute, and when it is over.  Calls must be idempotent
 * (endpoint.h).  Thread-safe: any number of threads call, each its own calls.
 */
#ifndef PROTO_CALLER_H
#define PROTO_CALLER_H

#include "endpoint.h"

struct caller; /* opaque */

/* What the reply comes to.  ST_OK: done.  ST_BUSY, ST_FULL, ST_STORE (a fault
 * of the service), ST_IO (it cannot be read): the call is made again, `*detail`
 * is what the service says of it.  Any other, and a fault that read()
 * reports itself, ends the call: so does ST_INVALID. */
typedef enum status caller_read(void *self, struct str reply,
                                struct str *detail);

struct caller_setup {
    const char *topic;   /* of log lines */
    const char *name;    /* of the service, in them */
    uint64_t timeout_ms; /* without an answer; then it is sent again */
    caller_read *read;
};

/* Connects in the background.  The texts of `o` and *setup must live as long.
 * ST_USAGE (reported), ST_NOMEM.  Owned by the caller. */
enum status caller_open(struct caller **out, struct str url,
                        const struct endpoint_options *o,
                        const struct caller_setup *setup);
void caller_close(struct caller *c); /* NULL is allowed; no call under way */
const char *caller_url(const struct caller *c);

/* A call under way; many may be. */
struct asked {
    struct buf request;  /* the message, before caller_begin() */
    uint64_t timeout_ms; /* of a try; 0: the setup's */
    struct buf reply;
    struct endpoint_call *first; /* the first try */
    void *self;                  /* of read() */
};

/* Send q->request.  stop: gives up soon after it becomes true; NULL: never. */
void caller_begin(struct caller *c, struct asked *q, void *self,
                  const atomic_bool *stop);
/* Make the call until it is answered.  ST_OK, what read() ended it with,
 * ST_LIMIT (the message is too long), ST_USAGE (reported: another service
 * answers there), or ST_STOPPED. */
enum status caller_finish(struct caller *c, struct asked *q,
                          const atomic_bool *stop);
/* The same with one try, and nothing is said: ST_TIMEOUT, or what read()
 * says. */
enum status caller_try(struct caller *c, struct asked *q,
                       const atomic_bool *stop);
/* Says, for an operator who waits, why that came to ST_TIMEOUT. */
void caller_say_unanswered(const struct caller *c);
void asked_free(struct asked *q);

#endif
