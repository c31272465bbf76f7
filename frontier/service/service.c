/* service.c -- the frontier behind an endpoint: what each call means (who is
 * served when: turns.c).  All in the server's one thread. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/folder_id.h"
#include "base/log.h"
#include "decides.h"
#include "frontier/tools/frontier_tools.h"
#include "proto/options.h"
#include "proto/server.h"
#include "turns.h"

#define LEASE_MAX 10000     /* URLs of one lease call */
#define SOCKET_PATH_MAX 107 /* of sockaddr_un */
#define LINKS_AT_ONCE 256u  /* of a call that may be cut */

/* KIND_reply(): the answer to a job, of that kind and empty. */
#define REPLY(Kind, kind, KIND)                                                \
    static Winnow__Frontier__##Kind##Reply *kind##_reply(                      \
        struct frontier_service *s, struct turn_job *j)                        \
    {                                                                          \
        Winnow__Frontier__##Kind##Reply *r =                                   \
            ARENA_NEW(s->arena, Winnow__Frontier__##Kind##Reply);              \
                                                                               \
        winnow__frontier__##kind##_reply__init(r);                             \
        j->reply.result_case = WINNOW__FRONTIER__REPLY__RESULT_##KIND;         \
        j->reply.kind = r;                                                     \
        return r;                                                              \
    }
REPLY(Hello, hello, HELLO)
REPLY(Lease, lease, LEASE)
REPLY(Done, done, DONE)
REPLY(Put, put, PUT)
REPLY(Control, control, CONTROL)
REPLY(Robots, robots, ROBOTS)
REPLY(Stat, stat, STAT)
REPLY(Why, why, WHY)
REPLY(Job, job, JOB)
#undef REPLY

/* So many of the n links of a call are next. */
static size_t
piece(const struct turn_job *j, size_t n)
{
    return n - j->at < LINKS_AT_ONCE ? n - j->at : LINKS_AT_ONCE;
}

/* They are in. */
static void
go_on(struct turn_job *j, size_t done, size_t n)
{
    j->begun = true;
    j->at += done;
    j->ended = j->at >= n;
}

static message_totals *
totals(struct frontier_service *s, uint64_t now_ms)
{
    struct frontier_totals t;

    frontier_totals(s->frontier, &t, now_ms);
    return message_from_totals(s->arena, &t);
}

/* Once a hello: what its crawler died of, then its leases. */
static enum status
begin_crawler(struct frontier_service *s,
              const Winnow__Frontier__HelloRequest *q,
              Winnow__Frontier__HelloReply *r, uint64_t now_ms)
{
    struct str *poison;
    size_t n;
    enum status st =
        frontier_suspects(s->frontier, q->crawler, q->suspects, q->n_suspects,
                          now_ms, s->arena, &poison, &n);

    r->poisoned = ARENA_ARRAY(s->arena, char *, n);
    for (size_t i = 0; i < n && st == ST_OK; i++)
        r->poisoned[r->n_poisoned++] = arena_cstr(s->arena, poison[i]);
    return st == ST_OK ? frontier_hello(s->frontier, q->crawler, now_ms) : st;
}

/* What this call brings has to wait; what others want is done. */
static enum status
no_room(struct turn_job *j)
{
    winnow__frontier__reply__init(&j->reply);
    j->reply.code = WINNOW__FRONTIER__CODE__FULL;
    j->reply.message = (char *)(uintptr_t)status_name(ST_FULL);
    j->ended = true;
    return ST_OK;
}

static enum status
hello(struct frontier_service *s, struct turn_job *j, uint64_t now_ms)
{
    const Winnow__Frontier__HelloRequest *q = j->request->hello;
    Winnow__Frontier__HelloReply *r =
        j->begun ? j->reply.hello : hello_reply(s, j);
    size_t n = piece(j, q->n_seeds), fresh, queued = 0;
    const struct frontier_link *seeds =
        message_links(s->arena, q->seeds + j->at, n);
    message_totals *before = totals(s, now_ms);
    enum status st = j->begun ? ST_OK : begin_crawler(s, q, r, now_ms);

    if (st == ST_OK)
        st = frontier_seed(s->frontier, seeds, n, now_ms, &fresh);
    if (st == ST_OK && q->again)
        st = frontier_again(s->frontier, seeds, n, now_ms, &queued);
    go_on(j, n, q->n_seeds);
    r->totals = totals(s, now_ms);
    r->seeds_respelled += r->totals->links_respelled - before->links_respelled;
    r->seeds_refused += r->totals->links_refused - before->links_refused;
    r->again += queued;
    return st;
}

static enum status
requests_ended(struct frontier_service *s,
               const Winnow__Frontier__LeaseRequest *q, uint64_t now_ms)
{
    struct frontier_done d;
    enum status st = ST_OK;

    for (size_t i = 0; i < q->n_ended && st == ST_OK; i++) {
        message_to_ended(&d, q->ended[i], now_ms);
        d.crawler = q->crawler;
        st = frontier_request_ended(s->frontier, &d, now_ms);
    }
    return st;
}

static enum status
lease(struct frontier_service *s, struct turn_job *j, uint64_t now_ms)
{
    const Winnow__Frontier__LeaseRequest *q = j->request->lease;
    Winnow__Frontier__LeaseReply *r = lease_reply(s, j);
    size_t max = q->max < LEASE_MAX ? q->max : LEASE_MAX, n = 0, soon_n = 0;
    struct frontier_lease *leases = NULL;
    struct str *soon = NULL;
    uint64_t wake_ms = 0;
    enum status st;

    frontier_set_budget(s->frontier, q->pages_max);
    st = requests_ended(s, q, now_ms);
    if (st == ST_OK)
        st = frontier_lease(s->frontier, q->crawler, q->call, max, now_ms,
                            s->arena, &leases, &n, &wake_ms);
    r->leases = ARENA_ARRAY(s->arena, message_lease *, n);
    for (size_t i = 0; i < n && st == ST_OK; i++)
        r->leases[r->n_leases++] = message_from_lease(s->arena, &leases[i]);
    if (st == ST_OK && n > 0)
        st = frontier_unmet(s->frontier, s->arena, &soon, &soon_n);
    r->soon = ARENA_ARRAY(s->arena, char *, soon_n);
    for (size_t i = 0; i < soon_n && st == ST_OK; i++)
        r->soon[r->n_soon++] = arena_cstr(s->arena, soon[i]);
    r->wake_ms = wake_ms;
    r->totals = totals(s, now_ms);
    return st;
}

static bool
brings_links(const Winnow__Frontier__DoneRequest *q)
{
    for (size_t i = 0; i < q->n_done; i++)
        if (q->done[i]->n_links > 0 &&
            q->done[i]->outcome != WINNOW__FRONTIER__OUTCOME__REDIRECT)
            return true;
    return false;
}

/* One of its reports: a page's outcome and its links are never parted.  Without
 * room for links none of them is taken: all are sent again. */
static enum status
done(struct frontier_service *s, struct turn_job *j, uint64_t now_ms)
{
    const Winnow__Frontier__DoneRequest *q = j->request->done;
    struct frontier_done d;
    size_t fresh, known, refused;
    enum status st;

    if (!j->begun && brings_links(q) && !frontier_has_room(s->frontier))
        return no_room(j);
    if (!j->begun)
        (void)done_reply(s, j);
    if (j->at >= q->n_done) {
        j->ended = true;
        return ST_OK;
    }
    message_to_done(&d, s->arena, q->done[j->at], now_ms);
    d.crawler = q->crawler;
    st = frontier_done(s->frontier, &d, now_ms, &fresh, &known, &refused);
    go_on(j, 1, q->n_done);
    return st;
}

static enum status
put(struct frontier_service *s, struct turn_job *j, uint64_t now_ms)
{
    const Winnow__Frontier__PutRequest *q = j->request->put;
    Winnow__Frontier__PutReply *r = j->begun ? j->reply.put : put_reply(s, j);
    size_t n = piece(j, q->n_links);
    const struct frontier_link *links =
        message_links(s->arena, q->links + j->at, n);
    struct frontier_put_counts counts;
    bool enough = false;
    enum status st;

    if (n > 0 && !frontier_has_room(s->frontier))
        return no_room(j);
    st = frontier_sitemap_put(s->frontier, str_c(q->url), str_c(q->owner),
                              links, n, now_ms, &counts, &enough);

    go_on(j, n, q->n_links);
    r->enough = enough;
    return st;
}

static void
list_rules(struct frontier_service *s, Winnow__Frontier__ControlReply *r)
{
    const struct control_rule *rule;
    size_t n = frontier_control_rules(s->frontier, &rule);

    r->rules = ARENA_ARRAY(s->arena, Winnow__Frontier__Rule *, n);
    for (; r->n_rules < n; r->n_rules++, rule++) {
        Winnow__Frontier__Rule *m = ARENA_NEW(s->arena, Winnow__Frontier__Rule);

        winnow__frontier__rule__init(m);
        m->action = (Winnow__Frontier__Action)rule->action;
        m->pattern = arena_cstr(s->arena, rule->pattern);
        m->since_ms = rule->since_ms;
        m->unfinished = rule->unfinished;
        m->forgotten = rule->forgotten;
        r->rules[r->n_rules] = m;
    }
}

/* A request that cannot be used is its sender's, not its neighbours'. */
static enum status
control(struct frontier_service *s, struct turn_job *j, uint64_t now_ms)
{
    const Winnow__Frontier__ControlRequest *q = j->request->control;
    Winnow__Frontier__ControlReply *r = control_reply(s, j);
    struct buf sample = {.arena = s->arena};
    struct control_change c = {.pattern = str_c(q->pattern), .sample = &sample};
    enum status st;

    c.action = q->action <= WINNOW__FRONTIER__ACTION__LOOK
                   ? (enum control_action)q->action
                   : CONTROL_LIST;
    c.forgotten = q->forgotten;
    c.next_n = q->from.len <= sizeof c.next ? q->from.len : 0;
    if (c.next_n > 0)
        memcpy(c.next, q->from.data, c.next_n);
    st = frontier_control(s->frontier, &c, now_ms);
    if (st == ST_USAGE) {
        j->reply.code = WINNOW__FRONTIER__CODE__BAD;
        j->reply.message = (char *)(uintptr_t) "the pattern cannot be used";
        return ST_OK;
    }
    r->hosts = c.hosts;
    r->urls = c.urls;
    r->next.data =
        (uint8_t *)arena_cstr(s->arena, str_n((const char *)c.next, c.next_n));
    r->next.len = c.next_n;
    r->sample = arena_cstr(s->arena, buf_view(&sample));
    if (c.action == CONTROL_LIST) {
        list_rules(s, r);
        frontier_save_soon(s->frontier); /* who asks may look into the folder */
    }
    return st;
}

static enum status
robots(struct frontier_service *s, struct turn_job *j)
{
    Winnow__Frontier__RobotsReply *r = robots_reply(s, j);
    struct frontier_robots out;
    enum status st;

    st = frontier_robots(s->frontier, str_c(j->request->robots->authority),
                         s->arena, &out, &r->version);
    r->robots = message_from_robots(s->arena, &out);
    return st;
}

static enum status
stat(struct frontier_service *s, struct turn_job *j, uint64_t now_ms)
{
    Winnow__Frontier__StatReply *r = stat_reply(s, j);
    struct buf reliability = {.arena = s->arena};

    frontier_reliability(s->frontier, &reliability);
    r->reliability = arena_cstr(s->arena, buf_view(&reliability));
    r->totals = totals(s, now_ms);
    r->scorer = arena_cstr(s->arena, str_c(frontier_scorer_name(s->frontier)));
    r->version = arena_cstr(s->arena, S(WINNOW_VERSION));
    return ST_OK;
}

static enum status
why(struct frontier_service *s, struct turn_job *j, uint64_t now_ms)
{
    Winnow__Frontier__WhyReply *r = why_reply(s, j);
    struct buf text = {0};
    enum status st =
        frontier_why(s->frontier, str_c(j->request->why->url), now_ms, &text);

    r->text = arena_cstr(s->arena, buf_view(&text));
    buf_free(&text);
    return st;
}

static enum status
job(struct frontier_service *s, struct turn_job *j)
{
    Winnow__Frontier__JobReply *r = job_reply(s, j);
    struct buf differences = {.arena = s->arena};
    enum status st =
        frontier_job(s->frontier, str_c(j->request->job->facts),
                     j->request->job->change, !s->has_job, &differences);

    s->has_job |= st == ST_OK && differences.n == 0;
    r->differences = arena_cstr(s->arena, buf_view(&differences));
    r->folder_id = s->folder_id;
    r->decides = s->decides.p;
    return st;
}

/* Of a crawler that began with the frontier of another folder: it would work
 * off the URLs of this one by the job that it told the other. */
static bool
is_strange(const struct frontier_service *s, const message_request *r)
{
    return r != NULL && folder_id_is_other(r->folder_id, s->folder_id) &&
           r->call_case != WINNOW__FRONTIER__REQUEST__CALL_JOB;
}

enum status
service_answer(struct frontier_service *s, struct turn_job *j, uint64_t now_ms)
{
    j->reply.code = WINNOW__FRONTIER__CODE__OK;
    j->ended = true; /* all but those that say otherwise */
    if (is_strange(s, j->request)) {
        j->reply.code = WINNOW__FRONTIER__CODE__BAD;
        j->reply.message = (char *)(uintptr_t)folder_id_other;
        return ST_OK;
    }
    switch (j->request ? j->request->call_case
                       : WINNOW__FRONTIER__REQUEST__CALL__NOT_SET) {
    case WINNOW__FRONTIER__REQUEST__CALL_HELLO: return hello(s, j, now_ms);
    case WINNOW__FRONTIER__REQUEST__CALL_LEASE: return lease(s, j, now_ms);
    case WINNOW__FRONTIER__REQUEST__CALL_DONE: return done(s, j, now_ms);
    case WINNOW__FRONTIER__REQUEST__CALL_ROBOTS: return robots(s, j);
    case WINNOW__FRONTIER__REQUEST__CALL_STAT: return stat(s, j, now_ms);
    case WINNOW__FRONTIER__REQUEST__CALL_WHY: return why(s, j, now_ms);
    case WINNOW__FRONTIER__REQUEST__CALL_JOB: return job(s, j);
    case WINNOW__FRONTIER__REQUEST__CALL_PUT: return put(s, j, now_ms);
    case WINNOW__FRONTIER__REQUEST__CALL_CONTROL: return control(s, j, now_ms);
    default:
        j->reply.code = WINNOW__FRONTIER__CODE__BAD;
        j->reply.message = (char *)(uintptr_t) "not a request";
        return ST_OK;
    }
}

/* For `winnow frontier DIR --pause ...`; a crawl does not depend on it. */
static void
listen_in_folder(struct frontier_service *s, const char *dir)
{
    struct buf url = {0};
    bool fits;

    buf_printf(&url, "ipc://%s/" FRONTIER_SOCKET, dir);
    fits = url.n < SOCKET_PATH_MAX + strlen("ipc://");
    if (!fits || server_also(s->server, url.p) != ST_OK)
        log_warn("frontier",
                 "dir=%s %s: pause, resume and delete only through "
                 "frontier.url",
                 dir,
                 fits ? "has no socket" : "is too long a path for a socket");
    buf_free(&url);
}

uint64_t
service_now(struct frontier_service *s)
{
    struct timekeeper_clocks c;

    timekeeper_look(&c);
    return timekeeper_now(&s->time, &c);
}

static enum status
open_store(struct frontier_service *s, const char *dir, const struct opts *o)
{
    struct timekeeper_clocks c;
    bool unsure;
    enum status st;

    timekeeper_look(&c);
    timekeeper_start(&s->time, dir, &c, &unsure);
    st = frontier_open(&s->frontier, dir, o, timekeeper_now(&s->time, &c));
    if (st == ST_OK && unsure)
        st = frontier_time_lost(s->frontier, timekeeper_now(&s->time, &c));
    if (s->frontier != NULL && st == ST_FULL)
        st = ST_OK; /* the callers will wait */
    if (st == ST_OK)
        st = frontier_save_later(s->frontier, o);
    if (st == ST_OK)
        st = timekeeper_keep(&s->time, dir, &c);
    if (s->frontier != NULL)
        s->folder_id = folder_id(dir);
    return s->frontier != NULL && st == ST_FULL ? ST_OK : st;
}

/* LMDB's transaction is the thread's that began it. */
static void
end_of_thread(void *self)
{
    struct frontier_service *s = self;

    frontier_save_now(s->frontier);
}

enum status
frontier_service_start(struct frontier_service **out, const char *dir,
                       const struct opts *o)
{
    const struct endpoint_options options = endpoint_options_frontier(o);
    struct frontier_service *s = calloc(1, sizeof *s);
    char *url = NULL;
    enum status st = ST_NOMEM;

    *out = NULL;
    if (s == NULL ||
        (url = strndup(o->frontier_url.p, o->frontier_url.n)) == NULL)
        goto fail;
    frontier_decides(o, &s->decides);
    buf_char(&s->decides, '\0');
    if ((st = open_store(s, dir, o)) != ST_OK ||
        (st = server_start(&s->server, url, &options, turns_handle, s)) !=
            ST_OK)
        goto fail;
    free(url);
    s->alarm = s->server;
    server_at_end(s->server, end_of_thread);
    server_again(s->server, 0); /* what waits since the last time */
    listen_in_folder(s, dir);
    *out = s;
    return ST_OK;

fail:
    if (st == ST_NOMEM)
        log_error("frontier",
                  "dir=%s the system allows no more memory or "
                  "threads (ulimit -v, ulimit -u)",
                  dir);
    free(url);
    frontier_service_stop(s);
    return st;
}

void
frontier_service_stop(struct frontier_service *s)
{
    if (s == NULL)
        return;
    server_stop(s->server);
    frontier_close(s->frontier);
    turns_free(&s->turns);
    buf_free(&s->decides);
    free(s);
}
