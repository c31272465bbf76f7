/* client.c -- see dedup.h: the crawler's half of the dedup calls.
 *
 * A document is sent until it is acked (proto/caller.h).  Sending again is
 * safe: the service knows the visit.  One connection serves all threads.  Many
 * documents travel as a few messages, all under way at once; of one that is
 * refused each document is sent alone, so that only the cause is refused. */
#include <stdlib.h>

#include "base/log.h"
#include "proto/caller.h"
#include "proto/endpoint.h"
#include "proto/options.h"
#include "shingle/message/dedup_message.h"

enum { ATTEMPT_MS = 10000 /* without an answer; then it is sent again */ };

struct dedup_client {
    struct caller *caller;
    uint64_t folder_id;  /* that it began with; 0: not known */
    atomic_bool refused; /* said */
};

/* A call on its way. */
struct dedup_call {
    struct asked asked;
    struct dedup_client *client;
    struct arena *arena; /* of the reply */
    struct dedup_reply reply;
    enum message_call call;
    size_t documents_n; /* of a put */
    size_t sentences_n; /* of what is asked about */
};

/* Once: the caller ends, and other threads meet the same. */
static void
say_refused(struct dedup_client *c, struct str why)
{
    if (!atomic_exchange(&c->refused, true))
        log_error("ship", "url=%s refuses a document: %.*s",
                  caller_url(c->caller), STRF(why));
}

/* Is the reply one to this call? */
static bool
answers(const struct dedup_call *q)
{
    switch (q->call) {
    case MESSAGE_STAT: return q->reply.has_stat;
    case MESSAGE_JOB: return q->reply.has_job;
    case MESSAGE_SENTENCES:
        return q->reply.has_known && q->reply.known.n == q->sentences_n;
    default: return q->reply.answers_n == q->documents_n;
    }
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
    case MESSAGE_OK: return answers(q) ? ST_OK : ST_IO;
    case MESSAGE_BUSY: return ST_BUSY;
    case MESSAGE_FULL: return ST_FULL;
    case MESSAGE_BAD:
        if (q->call == MESSAGE_PUT || q->call == MESSAGE_SENTENCES)
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
    const struct endpoint_options options = endpoint_options_dedup(o);
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

/* ---- documents ---- */

static void
begin_put(struct dedup_client *c, struct dedup_call *q,
          const struct dedup_document *docs, size_t n, const atomic_bool *stop)
{
    *q = (struct dedup_call){
        .client = c, .arena = arena_new(), .documents_n = n};
    dedup_message_put(docs, n, c->folder_id, &q->asked.request);
    caller_begin(c->caller, &q->asked, q, stop);
}

static enum status
finish_put(struct dedup_call *q, const atomic_bool *stop,
           struct dedup_answer *out)
{
    enum status st = caller_finish(q->client->caller, &q->asked, stop);

    for (size_t i = 0; i < q->documents_n; i++) {
        out[i] = (struct dedup_answer){.status = st};
        if (st == ST_OK)
            out[i] = q->reply.answers[i];
    }
    asked_free(&q->asked);
    arena_free(q->arena);
    return st;
}

enum status
dedup_client_put(struct dedup_client *c, const struct dedup_document *doc,
                 const atomic_bool *stop, struct dedup_answer *out)
{
    struct dedup_answer answer;
    struct dedup_call q;
    enum status st;

    if (*stop)
        return ST_STOPPED;
    begin_put(c, &q, doc, 1, stop);
    if ((st = finish_put(&q, stop, &answer)) == ST_OK)
        *out = answer;
    return st;
}

/* How many of them make the next message. */
static size_t
message_of(const struct dedup_document *docs, size_t n)
{
    size_t bytes = 0, i;

    for (i = 0; i < n && i < DEDUP_PUT_MAX; i++) {
        for (size_t k = 0; k < docs[i].records_n; k++)
            bytes += docs[i].records[k].bytes.n;
        if (i > 0 && bytes > DEDUP_PUT_BYTES)
            break;
    }
    return i;
}

/* A message was refused as a whole: which of its documents is it? */
static enum status
put_each(struct dedup_client *c, const struct dedup_document *docs, size_t n,
         const atomic_bool *stop, struct dedup_answer *out)
{
    enum status worst = ST_OK;

    for (size_t i = 0; i < n; i++) {
        enum status st = dedup_client_put(c, &docs[i], stop, &out[i]);

        out[i].status = st;
        if (st == ST_STOPPED)
            return st;
        if (st != ST_OK)
            worst = st;
    }
    return worst;
}

enum status
dedup_client_put_many(struct dedup_client *c, const struct dedup_document *docs,
                      size_t n, const atomic_bool *stop,
                      struct dedup_answer *out)
{
    struct arena *a = arena_new();
    struct dedup_call *q = ARENA_ARRAY(a, struct dedup_call, n);
    enum status worst = *stop ? ST_STOPPED : ST_OK;
    size_t calls_n = 0;

    for (size_t at = 0; at < n && worst == ST_OK; calls_n++) {
        size_t some = message_of(docs + at, n - at);

        begin_put(c, &q[calls_n], docs + at, some, stop);
        at += some;
    }
    for (size_t i = 0, at = 0; i < calls_n; i++) {
        size_t some = q[i].documents_n;
        enum status st = finish_put(&q[i], stop, out + at);

        if (st != ST_OK && st != ST_STOPPED && some > 1)
            st = put_each(c, docs + at, some, stop, out + at);
        if (st != ST_OK && worst != ST_STOPPED)
            worst = st;
        at += some;
    }
    arena_free(a);
    return worst;
}

enum status
dedup_client_job(struct dedup_client *c, const struct dedup_job *job,
                 const atomic_bool *stop, struct arena *a,
                 struct dedup_job_answer *out)
{
    struct dedup_call q = {
        .client = c, .arena = arena_new(), .call = MESSAGE_JOB};
    enum status st;

    *out = (struct dedup_job_answer){S(""), S("")};
    dedup_message_job(job, &q.asked.request);
    caller_begin(c->caller, &q.asked, &q, stop);
    st = caller_finish(c->caller, &q.asked, stop);
    if (st == ST_OK) {
        out->differences = arena_str(a, q.reply.differences);
        out->decides = arena_str(a, q.reply.decides);
        c->folder_id = q.reply.folder_id;
    }
    asked_free(&q.asked);
    arena_free(q.arena);
    return st == ST_INVALID ? ST_NONE : st;
}

enum status
dedup_client_known(struct dedup_client *c, const struct dedup_document *doc,
                   const atomic_bool *stop, bool *known)
{
    struct dedup_call q = {.client = c,
                           .arena = arena_new(),
                           .call = MESSAGE_SENTENCES,
                           .sentences_n = doc->sentences_n};
    enum status st;

    dedup_message_sentences(doc, c->folder_id, &q.asked.request);
    caller_begin(c->caller, &q.asked, &q, stop);
    st = caller_finish(c->caller, &q.asked, stop);
    for (size_t i = 0; i < doc->sentences_n; i++)
        known[i] = st == ST_OK && q.reply.known.p[i] != 0;
    asked_free(&q.asked);
    arena_free(q.arena);
    return st;
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
    else if (st == ST_TIMEOUT)
        caller_say_unanswered(c->caller);
    asked_free(&q.asked);
    arena_free(q.arena);
    return st;
}
