/* client.c -- see winnow/dedup.h: the crawler's half of the dedup calls.
 *
 * A document is sent until it is acked (proto/caller.h).  Sending again is
 * safe: the service knows the visit.  One connection serves all threads. */
#include <stdlib.h>

#include "dedup_message.h"
#include "proto/caller.h"
#include "proto/options.h"
#include "winnow/endpoint.h"
#include "winnow/log.h"

enum { ATTEMPT_MS = 10000 /* without an answer; then it is sent again */ };

struct dedup_client {
    struct caller *caller;
    atomic_bool refused; /* said */
};

/* A call on its way. */
struct dedup_call {
    struct asked asked;
    struct dedup_client *client;
    struct arena *arena; /* of the reply */
    struct dedup_reply reply;
    enum message_call call;
};

/* Once: the caller ends, and other threads meet the same. */
static void
say_refused(struct dedup_client *c, struct str why)
{
    if (!atomic_exchange(&c->refused, true))
        log_error("ship", "url=%s refuses a document: %.*s",
                  caller_url(c->caller), STRF(why));
}

static enum status
read_reply(void *self, struct str bytes, struct str *detail)
{
    struct dedup_call *q = self;
    struct dedup_reply *r = &q->reply;

    arena_reset(q->arena);
    if (dedup_message_read_reply(bytes, q->arena, r) != ST_OK)
        return ST_IO;
    *detail = r->text;
    switch (r->code) {
    case MESSAGE_OK:
        return (q->call == MESSAGE_STAT  ? r->has_stat
                : q->call == MESSAGE_JOB ? r->has_job
                                         : r->answers_n == 1)
                   ? ST_OK
                   : ST_IO;
    case MESSAGE_BUSY: return ST_BUSY;
    case MESSAGE_FULL: return ST_FULL;
    case MESSAGE_BAD:
        if (q->call == MESSAGE_PUT)
            say_refused(q->client, r->text);
        return ST_INVALID;
    default: return ST_STORE;
    }
}

static const struct caller_setup setup = {.topic = "ship",
                                          .name = "the dedup service",
                                          .timeout_ms = ATTEMPT_MS,
                                          .read = read_reply};

enum status
dedup_client_open(struct dedup_client **out, const struct opts *o)
{
    const struct endpoint_options options = endpoint_options_of(o);
    struct dedup_client *c = calloc(1, sizeof *c);
    enum status st;

    *out = NULL;
    if (c == NULL)
        return ST_NOMEM;
    st = caller_open(&c->caller, o->dedup_url, &options, &setup);
    if (st != ST_OK)
        free(c);
    else
        *out = c;
    return st;
}

void
dedup_client_close(struct dedup_client *c)
{
    if (c == NULL)
        return;
    caller_close(c->caller);
    free(c);
}

enum status
dedup_client_put(struct dedup_client *c, const struct dedup_document *doc,
                 const atomic_bool *stop, struct dedup_answer *out)
{
    struct dedup_call q = {.client = c, .arena = arena_new()};
    enum status st = ST_STOPPED;

    dedup_message_put(doc, &q.asked.request);
    if (!*stop) {
        caller_begin(c->caller, &q.asked, &q, stop);
        st = caller_finish(c->caller, &q.asked, stop);
    }
    if (st == ST_OK)
        *out = q.reply.answers[0];
    asked_free(&q.asked);
    arena_free(q.arena);
    return st;
}

enum status
dedup_client_job(struct dedup_client *c, const struct dedup_job *job,
                 const atomic_bool *stop, struct arena *a,
                 struct str *differences)
{
    struct dedup_call q = {
        .client = c, .arena = arena_new(), .call = MESSAGE_JOB};
    enum status st;

    *differences = S("");
    dedup_message_job(job, &q.asked.request);
    caller_begin(c->caller, &q.asked, &q, stop);
    st = caller_finish(c->caller, &q.asked, stop);
    if (st == ST_OK)
        *differences = arena_str(a, q.reply.differences);
    asked_free(&q.asked);
    arena_free(q.arena);
    return st == ST_INVALID ? ST_NONE : st;
}

enum status
dedup_client_stat(struct dedup_client *c, struct dedup_stat *out,
                  uint64_t timeout_ms)
{
    struct dedup_call q = {.asked = {.timeout_ms = timeout_ms},
                           .client = c,
                           .arena = arena_new(),
                           .call = MESSAGE_STAT};
    enum status st;

    dedup_message_stat(&q.asked.request);
    caller_begin(c->caller, &q.asked, &q, NULL);
    st = caller_try(c->caller, &q.asked, NULL);
    if (st == ST_OK)
        *out = q.reply.stat;
    asked_free(&q.asked);
    arena_free(q.arena);
    return st;
}
