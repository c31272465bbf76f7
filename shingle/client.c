/* client.c -- see winnow/dedup.h: the crawler's half of the dedup calls.
 *
 * A document is sent until it is acked.  Sending again is safe: the service
 * knows the visit.  What goes wrong meanwhile is the service's affair or a
 * matter of time, so the client waits, says once what for, and again every
 * REMIND_MS.  One endpoint serves all threads; each call runs on the caller's
 * thread, and no state but the messages' is shared. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "dedup_message.h"
#include "proto/options.h"
#include "winnow/clock.h"
#include "winnow/endpoint.h"
#include "winnow/log.h"

enum {
    ATTEMPT_MS = 10000, /* without an answer; then it is sent again */
    PAUSE_MS = 1000,    /* between two tries after a refusal */
    BUSY_MS = 100,
    SLICE_MS = 100, /* how often a pause looks at *stop */
    REMIND_MS = 60000
};

struct dedup_client {
    struct endpoint *endpoint;
    char *url;
    uint64_t sender;
    pthread_mutex_t lock;
    const char *trouble; /* last said, NULL: none */
    bool refused;        /* said */
    uint64_t said_ms;
};

enum status
dedup_client_open(struct dedup_client **out, const struct opts *o)
{
    const struct endpoint_options options = endpoint_options_of(o);
    struct dedup_client *c = calloc(1, sizeof *c);
    enum status st;

    *out = NULL;
    if (c == NULL ||
        (c->url = strndup(o->dedup_url.p, o->dedup_url.n)) == NULL) {
        free(c);
        return ST_NOMEM;
    }
    if ((st = endpoint_dial(&c->endpoint, c->url, &options)) != ST_OK) {
        free(c->url);
        free(c);
        return st;
    }
    c->sender = hash_mix(clock_wall_ms() << 22 ^ (uint64_t)getpid());
    pthread_mutex_init(&c->lock, NULL);
    *out = c;
    return ST_OK;
}

void
dedup_client_close(struct dedup_client *c)
{
    if (c == NULL)
        return;
    endpoint_close(c->endpoint);
    pthread_mutex_destroy(&c->lock);
    free(c->url);
    free(c);
}

/* Say it once and then every minute, whichever thread meets it. */
static void
complain(struct dedup_client *c, const char *trouble, struct str detail)
{
    uint64_t now = clock_steady_ms();

    pthread_mutex_lock(&c->lock);
    if (c->trouble != trouble || now >= c->said_ms + REMIND_MS) {
        log_warn("ship", "url=%s %s, waiting %.*s", c->url, trouble,
                 STRF(detail));
        c->trouble = trouble;
        c->said_ms = now;
    }
    pthread_mutex_unlock(&c->lock);
}

static void
relax(struct dedup_client *c)
{
    pthread_mutex_lock(&c->lock);
    if (c->trouble != NULL)
        log_info("ship", "url=%s documents are accepted again", c->url);
    c->trouble = NULL;
    pthread_mutex_unlock(&c->lock);
}

static void
pause_for(uint64_t ms, const atomic_bool *stop)
{
    for (uint64_t slept = 0; slept < ms && !*stop; slept += SLICE_MS)
        clock_sleep_ms(SLICE_MS);
}

/* Once: the caller ends, and other threads meet the same. */
static void
say_refused(struct dedup_client *c, struct str why)
{
    pthread_mutex_lock(&c->lock);
    if (!c->refused)
        log_error("ship", "url=%s refuses a document: %.*s", c->url, STRF(why));
    c->refused = true;
    pthread_mutex_unlock(&c->lock);
}

/* What a refusal means.  ST_BUSY: try again. */
static enum status
refused(struct dedup_client *c, const struct message_reply *r,
        const atomic_bool *stop)
{
    switch (r->code) {
    case MESSAGE_BUSY: pause_for(BUSY_MS, stop); return ST_BUSY;
    case MESSAGE_BAD: say_refused(c, r->text); return ST_INVALID;
    case MESSAGE_FULL:
        complain(c, "no space left at the service", r->text);
        break;
    default: complain(c, "the service has a fault", r->text); break;
    }
    pause_for(PAUSE_MS, stop);
    return ST_BUSY;
}

/* One try.  ST_BUSY, ST_TIMEOUT: try again. */
static enum status
attempt(struct dedup_client *c, struct str request, struct buf *bytes,
        struct arena *a, const atomic_bool *stop, struct dedup_answer *out)
{
    struct message_reply r;
    enum status st =
        endpoint_call_until(c->endpoint, request, bytes, ATTEMPT_MS, stop);

    if (st == ST_TIMEOUT) {
        complain(c, "the service does not answer", S(""));
    } else if (st == ST_IO) {
        complain(c, "the connection fails", S(""));
        pause_for(PAUSE_MS, stop);
        return ST_BUSY;
    }
    if (st != ST_OK)
        return st;
    arena_reset(a);
    st = dedup_message_read_reply(buf_view(bytes), a, &r);
    if (st != ST_OK || (r.code == MESSAGE_OK && r.answers_n != 1)) {
        complain(c, "the reply is not one of a dedup service", S(""));
        pause_for(PAUSE_MS, stop);
        return ST_BUSY;
    }
    if (r.code != MESSAGE_OK)
        return refused(c, &r, stop);
    relax(c);
    *out = r.answers[0];
    return ST_OK;
}

enum status
dedup_client_put(struct dedup_client *c, const struct dedup_document *doc,
                 const atomic_bool *stop, struct dedup_answer *out)
{
    struct buf request = {0}, reply = {0};
    struct arena *a = arena_new();
    enum status st;

    dedup_message_put(doc, c->sender, &request);
    do
        st = *stop ? ST_STOPPED
                   : attempt(c, buf_view(&request), &reply, a, stop, out);
    while (st == ST_BUSY || st == ST_TIMEOUT);
    arena_free(a);
    buf_free(&request);
    buf_free(&reply);
    return st;
}

enum status
dedup_client_stat(struct dedup_client *c, struct dedup_stat *out,
                  uint64_t timeout_ms)
{
    struct buf request = {0}, reply = {0};
    struct arena *a = arena_new();
    struct message_reply r;
    enum status st;

    dedup_message_stat(&request);
    st = endpoint_call(c->endpoint, buf_view(&request), &reply, timeout_ms);
    if (st == ST_OK)
        st = dedup_message_read_reply(buf_view(&reply), a, &r);
    if (st == ST_OK && (r.code != MESSAGE_OK || !r.has_stat))
        st = ST_INVALID;
    if (st == ST_OK)
        *out = r.stat;
    arena_free(a);
    buf_free(&request);
    buf_free(&reply);
    return st;
}
