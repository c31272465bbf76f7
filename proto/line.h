/* line.h -- the line of calls that wait for a server's handler.
 *
 * Connections' threads and, over inproc://, the callers themselves queue here;
 * the server's thread takes what waits and answers it.  Thread-safe. */
#ifndef PROTO_LINE_H
#define PROTO_LINE_H

#include "patience.h"
#include "winnow/buf.h"

/* One call; belongs to who queues it, while it is queued to the line. */
struct call {
    struct buf request, reply;
    bool bad;        /* the handler could not use it */
    uint32_t number; /* the owner's, these three */
    size_t held;
    void *owner;
    enum { CALL_OUT, CALL_WAITING, CALL_TAKEN, CALL_ANSWERED } state;
    /* Called on the handler's thread, which gives the call back so; NULL:
     * somebody waits by line_wait(). */
    void (*answered)(struct call *c);
    bool abandoned; /* nobody waits for the answer */
    pthread_cond_t changed;
    struct call *next;
};

struct call *call_new(void);    /* NULL: no memory */
void call_free(struct call *c); /* NULL allowed */

struct line; /* opaque */

enum status line_open(struct line **out);

/* Queue c->request.  ST_IO: the line is closed. */
enum status line_post(struct line *n, struct call *c);

/* Wait for the answer to a queued call without `answered`.  ST_OK: c->reply
 * holds it; ST_TIMEOUT, ST_STOPPED: the patience was over; then *c is NULL if
 * the handler has it. */
enum status line_wait(struct line *n, struct call **c,
                      const struct patience *p);

/* ---- the answering side ---- */

/* Take up to `room` of the calls that wait; with `wait`, when there are some or
 * the alarm rings.  False: the line is closed and empty. */
bool line_take(struct line *n, struct call **calls, size_t room, bool wait,
               size_t *taken);
/* Rings once, at that time of clock_steady_ms(); PATIENCE_ENDLESS: never. */
void line_alarm(struct line *n, uint64_t at_ms);
void line_answer(struct line *n, struct call *c);

/* Refuse further calls and be found no more.  Those in the line are still taken
 * and answered. */
void line_close(struct line *n);
void line_free(struct line *n); /* a closed one, when all have left; NULL ok */

/* ---- lines with names: inproc:// ---- */

/* Let `n` be found; ST_BUSY: there is one of that name. */
enum status line_publish(struct line *n, const char *name);

/* Wait until there is one of that name; give it back with line_leave(). */
enum status line_find(struct line **out, const char *name,
                      const struct patience *p);
void line_leave(struct line *n);

#endif
