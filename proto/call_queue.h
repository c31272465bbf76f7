/* call_queue.h -- the calls that wait for a server's handler.
 *
 * Connections' threads and, over inproc://, the callers themselves queue here;
 * the server's thread takes what waits and answers it.  Thread-safe. */
#ifndef PROTO_CALL_QUEUE_H
#define PROTO_CALL_QUEUE_H

#include "base/buf.h"
#include "deadline.h"

/* One call; belongs to who queues it, while it is in the queue. */
struct call {
    struct buf request, reply;
    bool bad;        /* the handler could not use it */
    uint32_t number; /* the owner's, these three */
    size_t held;
    void *owner;
    enum { CALL_OUT, CALL_WAITING, CALL_TAKEN, CALL_ANSWERED } state;
    /* Called on the handler's thread, which gives the call back so; NULL:
     * somebody waits by call_queue_wait(). */
    void (*answered)(struct call *c);
    bool abandoned; /* nobody waits for the answer */
    pthread_cond_t changed;
    struct call *next;
};

struct call *call_new(void);    /* NULL: no memory */
void call_free(struct call *c); /* NULL allowed */

struct call_queue; /* opaque */

enum status call_queue_open(struct call_queue **out);

/* Queue c->request.  ST_IO: the queue is closed. */
enum status call_queue_post(struct call_queue *q, struct call *c);

/* Wait for the answer to a queued call without `answered`.  ST_OK: c->reply
 * holds it; ST_TIMEOUT, ST_STOPPED: the time was over; then *c is NULL if
 * the handler has it. */
enum status call_queue_wait(struct call_queue *q, struct call **c,
                            const struct deadline *d);

/* ---- the answering side ---- */

/* Take up to `room` of the calls that wait; with `wait`, when there are some or
 * the alarm rings.  False: the queue is closed and empty. */
bool call_queue_take(struct call_queue *q, struct call **calls, size_t room,
                     bool wait, size_t *taken);
/* Rings once, at that time of clock_steady_ms(); DEADLINE_NEVER: never. */
void call_queue_alarm(struct call_queue *q, uint64_t at_ms);
void call_queue_answer(struct call_queue *q, struct call *c);

/* Refuse further calls and be found no more.  Those in the queue are still
 * taken and answered. */
void call_queue_close(struct call_queue *q);
/* A closed one, when all have left; NULL is allowed. */
void call_queue_free(struct call_queue *q);

/* ---- queues with names: inproc:// ---- */

/* Let `q` be found; ST_BUSY: there is one of that name. */
enum status call_queue_publish(struct call_queue *q, const char *name);

/* Wait until there is one of that name; give it back with call_queue_leave().
 */
enum status call_queue_find(struct call_queue **out, const char *name,
                            const struct deadline *d);
void call_queue_leave(struct call_queue *q);

#endif
