/* client.c -- the frontier's calls, from the crawler's side.
 *
 * A call is repeated until it is answered or the crawler stops
 * (proto/caller.h).  Any number of threads may call; what one of them hands
 * over is cut into requests that are on their way together. */
#include <stdatomic.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "frontier_client.h"
#include "message.h"
#include "proto/caller.h"
#include "proto/options.h"

#define CALL_TIMEOUT_MS 5000
#define REQUEST_SIZE ((size_t)512 * 1024) /* ends a batch of reports */
#define PUT_LINKS 500u                    /* of a sitemap, in a request */
#define PREFETCH 32u                      /* requests on their way at once */
#define SEEDS_PER_CALL 20000

struct frontier_client {
    struct caller *caller;
    uint64_t folder_id;  /* that it began with; 0: not known */
    atomic_bool refused; /* said */
    struct opts const *opts;
    uint64_t crawler;
    uint64_t lease_call; /* number of the last one */
};

/* ---- one call, until it is answered ---- */

/* A request on its way.  The answer lives in the arena, which is not its own.
 */
struct frontier_call {
    struct asked asked;
    unsigned want; /* the result it is to have */
    struct arena *arena;
    message_reply *reply;
};

static enum status
read_reply(void *self, struct str bytes, struct str *detail)
{
    struct frontier_call *q = self;

    if (message_read_reply(&q->reply, q->arena, bytes) != ST_OK)
        return ST_INVALID;
    *detail = str_c(q->reply->message);
    switch (q->reply->code) {
    case WINNOW__FRONTIER__CODE__OK: break;
    case WINNOW__FRONTIER__CODE__BUSY: return ST_BUSY;
    case WINNOW__FRONTIER__CODE__FULL: return ST_FULL;
    case WINNOW__FRONTIER__CODE__STORE_FAILED: return ST_STORE;
    default: return ST_INVALID;
    }
    return (unsigned)q->reply->result_case == q->want ? ST_OK : ST_INVALID;
}

static const struct caller_setup setup = {.topic = "frontier",
                                          .name = "the frontier service",
                                          .timeout_ms = CALL_TIMEOUT_MS,
                                          .read = read_reply};

static void
begin(struct frontier_client *c, struct frontier_call *q,
      const message_request *m, unsigned want, const atomic_bool *stop,
      struct arena *a)
{
    message_request whole = *m;

    *q = (struct frontier_call){.want = want, .arena = a};
    whole.folder_id = c->folder_id;
    message_write_request(&q->asked.request, &whole);
    caller_begin(c->caller, &q->asked, q, stop);
}

static enum status
finish(struct frontier_client *c, struct frontier_call *q,
       const atomic_bool *stop)
{
    enum status st = caller_finish(c->caller, &q->asked, stop);

    if (st != ST_INVALID || atomic_exchange(&c->refused, true))
        return st;
    if (q->reply != NULL && q->reply->code == WINNOW__FRONTIER__CODE__BAD)
        log_error("frontier", "url=%s refuses a call: %s",
                  caller_url(c->caller), q->reply->message);
    else
        log_error("frontier", "url=%s speaks another version of the protocol",
                  caller_url(c->caller));
    return st;
}

/* `a` holds the answer. */
static enum status
call(struct frontier_client *c, const message_request *m, unsigned want,
     const atomic_bool *stop, struct arena *a, message_reply **reply)
{
    struct frontier_call q;
    enum status st;

    begin(c, &q, m, want, stop, a);
    st = finish(c, &q, stop);
    *reply = q.reply;
    asked_free(&q.asked);
    return st;
}

/* With one try, for an operator who waits: ST_TIMEOUT, ST_BUSY ... end it. */
static enum status
call_once(struct frontier_client *c, const message_request *m, unsigned want,
          struct arena *a, message_reply **reply)
{
    struct frontier_call q;
    enum status st;

    begin(c, &q, m, want, NULL, a);
    st = caller_try(c->caller, &q.asked, NULL);
    *reply = q.reply;
    asked_free(&q.asked);
    return st;
}

/* ---- opening and closing ---- */

enum status
frontier_client_open(struct frontier_client **out, const struct opts *o,
                     uint64_t crawler)
{
    const struct endpoint_options options = endpoint_options_frontier(o);
    struct frontier_client *c = calloc(1, sizeof *c);
    enum status st;

    *out = NULL;
    if (c == NULL)
        return ST_NOMEM;
    c->opts = o;
    c->crawler = crawler;
    st = caller_open(&c->caller, o->frontier_url, &options, &setup);
    if (st != ST_OK)
        free(c);
    else
        *out = c;
    return st;
}

void
frontier_client_close(struct frontier_client *c)
{
    if (c == NULL)
        return;
    caller_close(c->caller);
    free(c);
}

void
frontier_client_say_unanswered(const struct frontier_client *c)
{
    caller_say_unanswered(c->caller);
}

/* ---- the calls ---- */

/* Copies; in the wire's form they go with the reply. */
static struct str *
texts(struct arena *a, char *const *text, size_t n)
{
    struct str *copy = ARENA_ARRAY(a, struct str, n);

    for (size_t i = 0; i < n; i++)
        copy[i] = arena_str(a, str_c(text[i]));
    return copy;
}

static enum status
hello_once(struct frontier_client *c, const struct frontier_client_hello *hello,
           const atomic_bool *stop, struct arena *a,
           struct frontier_client_welcome *out)
{
    struct arena *own = arena_new();
    Winnow__Frontier__HelloRequest q;
    message_request m;
    message_reply *r;
    enum status st;

    winnow__frontier__request__init(&m);
    winnow__frontier__hello_request__init(&q);
    q.crawler = c->crawler;
    q.seeds = message_from_links(own, hello->seeds, hello->seeds_n);
    q.n_seeds = hello->seeds_n;
    q.again = hello->again;
    q.suspects = (uint64_t *)(uintptr_t)hello->suspects;
    q.n_suspects = hello->suspects_n;
    m.call_case = WINNOW__FRONTIER__REQUEST__CALL_HELLO;
    m.hello = &q;
    st = call(c, &m, WINNOW__FRONTIER__REPLY__RESULT_HELLO, stop, own, &r);
    if (st == ST_OK) {
        message_to_totals(&out->totals, r->hello->totals);
        out->again += r->hello->again;
    }
    if (st == ST_OK && hello->suspects_n > 0) {
        out->poisoned_n = r->hello->n_poisoned;
        out->poisoned = texts(a, r->hello->poisoned, out->poisoned_n);
    }
    if (st == ST_OK && r->hello->seeds_respelled + r->hello->seeds_refused > 0)
        log_warn("frontier", "seeds respelled=%llu refused=%llu",
                 (unsigned long long)r->hello->seeds_respelled,
                 (unsigned long long)r->hello->seeds_refused);
    arena_free(own);
    return st;
}

enum status
frontier_client_job(struct frontier_client *c, struct str facts, bool change,
                    const atomic_bool *stop, struct arena *a,
                    struct frontier_client_answer *out)
{
    Winnow__Frontier__JobRequest q;
    struct frontier_call asked;
    message_request m;
    enum status st;

    *out = (struct frontier_client_answer){S(""), S("")};
    winnow__frontier__request__init(&m);
    winnow__frontier__job_request__init(&q);
    q.facts = arena_cstr(a, facts);
    q.change = change;
    m.call_case = WINNOW__FRONTIER__REQUEST__CALL_JOB;
    m.job = &q;
    begin(c, &asked, &m, WINNOW__FRONTIER__REPLY__RESULT_JOB, stop, a);
    st = caller_finish(c->caller, &asked.asked, stop);
    if (st == ST_OK) {
        out->differences = str_c(asked.reply->job->differences);
        out->decides = str_c(asked.reply->job->decides);
        c->folder_id = asked.reply->job->folder_id;
    }
    asked_free(&asked.asked);
    return st == ST_INVALID ? ST_NONE : st;
}

enum status
frontier_client_hello(struct frontier_client *c,
                      const struct frontier_client_hello *hello,
                      const atomic_bool *stop, struct arena *a,
                      struct frontier_client_welcome *out)
{
    struct frontier_client_hello left = *hello, now;
    enum status st;

    *out = (struct frontier_client_welcome){0};
    c->lease_call = 0;
    do {
        now = left;
        if (now.seeds_n > SEEDS_PER_CALL)
            now.seeds_n = SEEDS_PER_CALL;
        st = hello_once(c, &now, stop, a, out);
        if (hello->answered != NULL)
            hello->answered();
        left.seeds += now.seeds_n;
        left.seeds_n -= now.seeds_n;
        left.suspects_n = 0; /* the frontier knows of them */
    } while (st == ST_OK && left.seeds_n > 0);
    return st;
}

static void
take_leases(struct frontier_client_leases *out, struct arena *a,
            const Winnow__Frontier__LeaseReply *r)
{
    *out = (struct frontier_client_leases){
        .lease = ARENA_ARRAY(a, struct frontier_lease, r->n_leases),
        .n = r->n_leases,
        .wake_ms = r->wake_ms,
        .soon = texts(a, r->soon, r->n_soon),
        .soon_n = r->n_soon};
    for (size_t i = 0; i < out->n; i++)
        message_to_lease(&out->lease[i], a, r->leases[i]);
    message_to_totals(&out->totals, r->totals);
}

enum status
frontier_client_lease(struct frontier_client *c,
                      const struct frontier_client_ask *ask,
                      const atomic_bool *stop, struct arena *a,
                      struct frontier_client_leases *out)
{
    struct arena *own = arena_new();
    Winnow__Frontier__LeaseRequest q;
    message_request m;
    message_reply *r;
    enum status st;

    *out = (struct frontier_client_leases){0};
    winnow__frontier__request__init(&m);
    winnow__frontier__lease_request__init(&q);
    q.crawler = c->crawler;
    q.max = ask->max < UINT32_MAX ? (uint32_t)ask->max : UINT32_MAX;
    q.call = ++c->lease_call;
    q.pages_max = c->opts->limits_pages;
    q.ended = ARENA_ARRAY(own, message_ended *, ask->ended_n);
    for (; q.n_ended < ask->ended_n; q.n_ended++)
        q.ended[q.n_ended] =
            message_from_ended(own, &ask->ended[q.n_ended], clock_steady_ms());
    m.call_case = WINNOW__FRONTIER__REQUEST__CALL_LEASE;
    m.lease = &q;
    st = call(c, &m, WINNOW__FRONTIER__REPLY__RESULT_LEASE, stop, own, &r);
    if (st == ST_OK)
        take_leases(out, a, r->lease);
    arena_free(own);
    return st;
}

static size_t
size_of(const struct frontier_done *d)
{
    size_t n = 256 + d->url.n + d->robots.body.n;

    for (size_t i = 0; i < d->links_n; i++)
        n += 64 + d->links[i].url.n + d->links[i].anchor.n +
             d->links[i].domain.n + d->links[i].path.n + d->links[i].language.n;
    return n;
}

static void
begin_done(struct frontier_client *c, struct frontier_call *ask,
           const struct frontier_done *done, size_t n, const atomic_bool *stop)
{
    struct arena *a = arena_new();
    Winnow__Frontier__DoneRequest q;
    message_request m;

    winnow__frontier__request__init(&m);
    winnow__frontier__done_request__init(&q);
    q.crawler = c->crawler;
    q.done = ARENA_ARRAY(a, message_done *, n);
    for (size_t i = 0; i < n; i++)
        q.done[q.n_done++] = message_from_done(a, &done[i], clock_steady_ms());
    m.call_case = WINNOW__FRONTIER__REQUEST__CALL_DONE;
    m.done = &q;
    begin(c, ask, &m, WINNOW__FRONTIER__REPLY__RESULT_DONE, stop, a);
}

enum status
frontier_client_done(struct frontier_client *c,
                     const struct frontier_done *done, size_t n,
                     const atomic_bool *stop)
{
    struct frontier_call asked[PREFETCH];
    enum status st = ST_OK;

    for (size_t from = 0; from < n && st == ST_OK;) {
        size_t k = 0;

        for (; k < PREFETCH && from < n; k++) {
            size_t size = 0, to = from;

            for (; to < n && (to == from || size < REQUEST_SIZE); to++)
                size += size_of(&done[to]);
            begin_done(c, &asked[k], done + from, to - from, stop);
            from = to;
        }
        for (size_t i = 0; i < k; i++) {
            enum status one = finish(c, &asked[i], stop);

            st = st == ST_OK ? one : st;
            arena_free(asked[i].arena);
            asked_free(&asked[i].asked);
        }
    }
    return st;
}

static void
begin_put(struct frontier_client *c, struct frontier_call *ask,
          struct str sitemap, struct str owner,
          const struct frontier_link *links, size_t n, const atomic_bool *stop)
{
    struct arena *a = arena_new();
    Winnow__Frontier__PutRequest q;
    message_request m;

    winnow__frontier__request__init(&m);
    winnow__frontier__put_request__init(&q);
    q.url = arena_cstr(a, sitemap);
    q.owner = arena_cstr(a, owner);
    q.links = message_from_links(a, links, n);
    q.n_links = n;
    m.call_case = WINNOW__FRONTIER__REQUEST__CALL_PUT;
    m.put = &q;
    begin(c, ask, &m, WINNOW__FRONTIER__REPLY__RESULT_PUT, stop, a);
}

enum status
frontier_client_put(struct frontier_client *c, struct str sitemap,
                    struct str owner, const struct frontier_link *links,
                    size_t n, const atomic_bool *stop, bool *enough)
{
    struct frontier_call asked[PREFETCH];
    enum status st = ST_OK;

    *enough = false;
    for (size_t from = 0; from < n && st == ST_OK && !*enough;) {
        size_t k = 0;

        for (; k < PREFETCH && from < n; k++) {
            size_t now = n - from < PUT_LINKS ? n - from : PUT_LINKS;

            begin_put(c, &asked[k], sitemap, owner, links + from, now, stop);
            from += now;
        }
        for (size_t i = 0; i < k; i++) {
            enum status one = finish(c, &asked[i], stop);

            if (one == ST_OK)
                *enough = *enough || asked[i].reply->put->enough;
            st = st == ST_OK ? one : st;
            arena_free(asked[i].arena);
            asked_free(&asked[i].asked);
        }
    }
    return st;
}

static void
say_rules(const Winnow__Frontier__ControlReply *r, struct buf *out)
{
    for (size_t i = 0; i < r->n_rules; i++)
        frontier_control_say(
            &(struct control_rule){
                (enum control_action)r->rules[i]->action,
                str_c(r->rules[i]->pattern), r->rules[i]->since_ms,
                r->rules[i]->unfinished, r->rules[i]->forgotten},
            out);
}

static void
take_sample(const Winnow__Frontier__ControlReply *r, struct control_change *c)
{
    struct str rest = str_c(r->sample), line;

    while (c->sample != NULL && str_cut(&rest, '\n', &line) && line.n > 0 &&
           c->sample_n++ < CONTROL_SAMPLE_MAX) {
        buf_str(c->sample, line);
        buf_char(c->sample, '\n');
    }
}

/* One piece of a change. */
static enum status
control_once(struct frontier_client *c, struct control_change *change,
             struct buf *rules)
{
    struct arena *a = arena_new();
    Winnow__Frontier__ControlRequest q;
    message_request m;
    message_reply *r;
    enum status st;

    winnow__frontier__request__init(&m);
    winnow__frontier__control_request__init(&q);
    q.action = (Winnow__Frontier__Action)change->action;
    q.pattern = arena_cstr(a, change->pattern);
    q.from.data = change->next;
    q.from.len = change->next_n;
    q.forgotten = change->forgotten;
    m.call_case = WINNOW__FRONTIER__REQUEST__CALL_CONTROL;
    m.control = &q;
    st = call_once(c, &m, WINNOW__FRONTIER__REPLY__RESULT_CONTROL, a, &r);
    if (st == ST_OK) {
        change->hosts += r->control->hosts;
        change->urls += r->control->urls;
        change->next_n = r->control->next.len <= sizeof change->next
                             ? r->control->next.len
                             : 0;
        if (change->next_n > 0)
            memcpy(change->next, r->control->next.data, change->next_n);
        if (rules != NULL)
            say_rules(r->control, rules);
        take_sample(r->control, change);
    }
    arena_free(a);
    return st == ST_INVALID ? ST_USAGE : st;
}

enum status
frontier_client_control(struct frontier_client *c,
                        struct control_change *change, struct buf *rules)
{
    enum status st;

    change->hosts = change->urls = 0;
    change->next_n = 0;
    do
        st = control_once(c, change, rules);
    while (st == ST_OK && change->next_n > 0);
    return st;
}

enum status
frontier_client_stat(struct frontier_client *c, struct arena *a,
                     struct frontier_client_stat *out)
{
    Winnow__Frontier__StatRequest q;
    message_request m;
    message_reply *r;
    enum status st;

    winnow__frontier__request__init(&m);
    winnow__frontier__stat_request__init(&q);
    m.call_case = WINNOW__FRONTIER__REQUEST__CALL_STAT;
    m.stat = &q;
    st = call_once(c, &m, WINNOW__FRONTIER__REPLY__RESULT_STAT, a, &r);
    if (st != ST_OK)
        return st;
    message_to_totals(&out->totals, r->stat->totals);
    out->scorer = str_c(r->stat->scorer);
    out->reliability = str_c(r->stat->reliability);
    return ST_OK;
}

enum status
frontier_client_why(struct frontier_client *c, struct str url, struct arena *a,
                    struct str *out)
{
    Winnow__Frontier__WhyRequest q;
    message_request m;
    message_reply *r;
    enum status st;

    winnow__frontier__request__init(&m);
    winnow__frontier__why_request__init(&q);
    q.url = arena_cstr(a, url);
    m.call_case = WINNOW__FRONTIER__REQUEST__CALL_WHY;
    m.why = &q;
    st = call_once(c, &m, WINNOW__FRONTIER__REPLY__RESULT_WHY, a, &r);
    if (st == ST_OK)
        *out = str_c(r->why->text);
    return st;
}

enum status
frontier_client_robots(struct frontier_client *c, struct str authority,
                       const atomic_bool *stop, struct arena *a,
                       struct frontier_robots *out, uint64_t *version)
{
    struct arena *own = arena_new();
    Winnow__Frontier__RobotsRequest q;
    message_request m;
    message_reply *r;
    enum status st;

    *out = (struct frontier_robots){0};
    *version = 0;
    winnow__frontier__request__init(&m);
    winnow__frontier__robots_request__init(&q);
    q.authority = arena_cstr(own, authority);
    m.call_case = WINNOW__FRONTIER__REQUEST__CALL_ROBOTS;
    m.robots = &q;
    st = call(c, &m, WINNOW__FRONTIER__REPLY__RESULT_ROBOTS, stop, own, &r);
    if (st == ST_OK) {
        message_to_robots(out, r->robots->robots);
        out->body = arena_str(a, out->body);
        *version = r->robots->version;
    }
    arena_free(own);
    return st;
}
