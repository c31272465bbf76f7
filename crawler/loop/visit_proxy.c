/* visit_proxy.c -- a visit through the proxy has ended: by the host's doing or
 * the proxy's?  What the proxy cannot do now is no URL's fault: it goes back
 * into the queue, and conditions.c waits.
 *
 * In doubt the proxy is asked for a host that cannot exist, before the visit
 * ends (fetch_proxy.c); its answer is about itself only.
 *
 * That hosts cannot be reached is theirs to answer for, unless some that had
 * been are lost one after the other and no other one is reached between: then
 * the proxy has lost its network.  Hosts that were never there say nothing, of
 * which the end of a crawl may have many.  While the crawl waits for it a visit
 * now and then, of another host each time, counts as what comes of it. */
#include "loop_impl.h"

#include "base/hash.h"

struct proxy_question {
    struct loop *loop;
    struct visit *visit;
};

static void
give_back(struct loop *l, struct visit *v, enum condition missing)
{
    bool contacted = v->reply.connected;

    condition_missing(l->c, missing, v->url.host);
    fetch_reply_free(&v->reply); /* it may be the proxy's */
    v->contacted = contacted;
    visit_finish(l, v, VERDICT_RETURNED);
}

static void
reached(struct loop *l)
{
    l->far.ever = true;
    l->far.lost_n = l->far.all_n = 0;
    l->far.since_ms = 0;
    condition_there(l->c, CONDITION_FAR);
}

/* One more host is not reached.  True: that is the proxy's fault. */
static bool
reaches_nobody(struct loop *l, const struct visit *v)
{
    uint64_t host = hash64(v->lease.authority);

    l->far.all_n++;
    if (slots_was_fast(l->slots, v)) {
        for (size_t i = 0; i < l->far.lost_n; i++)
            if (l->far.lost[i] == host)
                return false;
        l->far.lost[l->far.lost_n++] = host;
    }
    return l->far.lost_n == PROXY_LOST ||
           (!l->far.ever && l->far.all_n == PROXY_LOST_EARLY);
}

static void
not_reached(struct loop *l, struct visit *v)
{
    if (l->far.since_ms == 0 && reaches_nobody(l, v))
        l->far.since_ms = l->now_ms;
    if (l->far.since_ms != 0 && v->started_ms <= l->far.since_ms)
        give_back(l, v, CONDITION_FAR);
    else
        visit_finish(l, v, v->reply.fault);
}

/* A gateway's word, though it may be one before the host itself. */
static bool
is_far(const struct visit *v, enum fetch_proxy says)
{
    return says == FETCH_PROXY_FAR ||
           v->reply.fault == VERDICT_CONNECT_TIMEOUT ||
           v->reply.status == 502 || v->reply.status == 504;
}

static void
decide(struct loop *l, struct visit *v, enum fetch_proxy says)
{
    switch (says) {
    case FETCH_PROXY_FINE:
    case FETCH_PROXY_FAR:
        condition_there(l->c, CONDITION_PROXY);
        condition_there(l->c, CONDITION_LOGIN);
        if (is_far(v, says)) {
            not_reached(l, v);
        } else {
            reached(l);
            visit_finish(l, v, v->reply.fault);
        }
        break;
    case FETCH_PROXY_LOGIN:
        condition_there(l->c, CONDITION_PROXY);
        give_back(l, v, CONDITION_LOGIN);
        break;
    case FETCH_PROXY_DOUBTFUL:
    case FETCH_PROXY_AWAY: give_back(l, v, CONDITION_PROXY); break;
    }
}

/* We have ended it. */
static bool
was_cancelled(const struct fetch_reply *r)
{
    return r->proxy == FETCH_PROXY_FINE &&
           verdict_kind(r->fault) == VERDICT_KIND_RETURNED;
}

/* A proxy that knows no tunnels says so before it looks at the login. */
static bool
knows_no_tunnel(const struct fetch_reply *r)
{
    return r->proxy_status == 400 || r->proxy_status == 405 ||
           r->proxy_status == 501;
}

static void
answered(void *arg)
{
    struct proxy_question *q = arg;
    struct visit *v = q->visit;
    enum fetch_proxy says = v->race.reply.proxy;
    bool cancelled = was_cancelled(&v->race.reply);

    v->race.transfer = NULL;
    if (says == FETCH_PROXY_FAR) /* as it should */
        says = FETCH_PROXY_FINE;
    if (v->reply.fault == VERDICT_NONE && says == FETCH_PROXY_FINE &&
        knows_no_tunnel(&v->race.reply)) /* the doubt was about a login */
        says = FETCH_PROXY_LOGIN;
    fetch_reply_free(&v->race.reply);
    if (cancelled)
        visit_finish(q->loop, v, VERDICT_RETURNED);
    else
        decide(q->loop, v, says);
}

void
visit_proxied_ended(struct loop *l, struct visit *v)
{
    struct fetch_request ask = fetch_proxy_question();
    struct proxy_question *q;

    if (was_cancelled(&v->reply)) {
        visit_finish(l, v, v->reply.fault);
    } else if (v->reply.proxy != FETCH_PROXY_DOUBTFUL) {
        decide(l, v, v->reply.proxy);
    } else {
        q = ARENA_NEW(v->arena, struct proxy_question);
        *q = (struct proxy_question){l, v};
        v->race.transfer =
            fetch_start(l->fetch, &ask, &v->race.reply, l->now_ms, answered, q);
    }
}
