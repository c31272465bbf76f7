/* caller.c -- see caller.h.
 *
 * Between two tries there is a pause that doubles, so that a service that comes
 * back is found soon and one that stays away is not asked all the time. */
#include "caller.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/reminder.h"
#include "deadline.h"
#include "spare.h"

enum { PAUSE_LEAST_MS = 50, PAUSE_MOST_MS = 2000, STOP_LOOK_MS = 50 };

struct caller {
    struct endpoint *endpoint;
    char *url;
    const struct caller_setup *setup;
    struct reminder trouble;
};

enum status
caller_open(struct caller **out, struct str url,
            const struct endpoint_options *o, const struct caller_setup *setup)
{
    struct caller *c = calloc(1, sizeof *c);
    enum status st = ST_NOMEM;

    *out = NULL;
    if (c == NULL)
        return ST_NOMEM;
    c->setup = setup;
    c->trouble = (struct reminder)REMINDER_INITIALIZER;
    if ((c->url = strndup(url.p, url.n)) != NULL)
        st = endpoint_dial(&c->endpoint, c->url, o);
    if (st != ST_OK)
        caller_close(c);
    else
        *out = c;
    return st;
}

void
caller_close(struct caller *c)
{
    if (c == NULL)
        return;
    endpoint_close(c->endpoint);
    free(c->url);
    free(c);
}

const char *
caller_url(const struct caller *c)
{
    return c->url;
}

/* ---- a call ---- */

void
caller_begin(struct caller *c, struct asked *q, void *self,
             const atomic_bool *stop)
{
    q->self = self;
    if (q->timeout_ms == 0)
        q->timeout_ms = c->setup->timeout_ms;
    q->first =
        endpoint_send(c->endpoint, buf_view(&q->request), q->timeout_ms, stop);
}

void
asked_free(struct asked *q)
{
    spare_leave(&q->request);
    buf_free(&q->reply);
}

/* The answer to the first try, or to one more. */
static enum status
try_once(struct caller *c, struct asked *q, const atomic_bool *stop,
         struct str *detail)
{
    enum status st =
        q->first != NULL
            ? endpoint_receive(q->first, &q->reply)
            : endpoint_call_until(c->endpoint, buf_view(&q->request), &q->reply,
                                  q->timeout_ms, stop);

    *detail = S("");
    q->first = NULL;
    if (st == ST_OK)
        return c->setup->read(q->self, buf_view(&q->reply), detail);
    return st == ST_STOPPED || st == ST_LIMIT || st == ST_USAGE ? st
                                                                : ST_TIMEOUT;
}

enum status
caller_try(struct caller *c, struct asked *q, const atomic_bool *stop)
{
    struct str detail;

    return try_once(c, q, stop, &detail);
}

/* What holds it up; NULL: nothing, the call is over. */
static const char *
trouble(enum status st)
{
    switch (st) {
    case ST_TIMEOUT: return "does not answer";
    case ST_BUSY: return "is busy";
    case ST_FULL: return "is full";
    case ST_STORE: return "has a fault";
    case ST_IO: return "answers what cannot be read";
    default: return NULL;
    }
}

/* Why a try came to `st`: what the service says of it, or, if it says nothing,
 * what the connection failed of. */
static void
say(const struct caller *c, enum log_level level, enum status st,
    struct str detail, const char *end)
{
    char why[200] = "";

    if (st == ST_TIMEOUT) {
        endpoint_why(c->endpoint, why, sizeof why);
        detail = str_c(why);
    }
    log_write(level, c->setup->topic, "url=%s %s %s%s%.*s%s", c->url,
              c->setup->name, trouble(st), detail.n > 0 ? ": " : "",
              STRF(detail), end);
}

void
caller_say_unanswered(const struct caller *c)
{
    say(c, LOG_ERROR, ST_TIMEOUT, S(""), "");
}

enum status
caller_finish(struct caller *c, struct asked *q, const atomic_bool *stop)
{
    const struct deadline ever = {DEADLINE_NEVER, stop, STOP_LOOK_MS};
    uint64_t wait = PAUSE_LEAST_MS;
    struct str detail;
    const char *what;
    enum status st;

    while ((what = trouble(st = try_once(c, q, stop, &detail))) != NULL) {
        if (reminder_due(&c->trouble, what))
            say(c, LOG_WARN, st, detail, "; waiting");
        if (deadline_sleep(&ever, wait) != ST_OK)
            return ST_STOPPED;
        wait = wait * 2 < PAUSE_MOST_MS ? wait * 2 : PAUSE_MOST_MS;
    }
    if (st == ST_OK && reminder_over(&c->trouble))
        log_info(c->setup->topic, "url=%s %s answers again", c->url,
                 c->setup->name);
    return st;
}
