/* frontier_model.h -- a frontier without any cleverness: arrays, scanned.
 *
 * It knows the rules (frontier.h, proto/frontier.proto), not the ways of the
 * real one.  Where chance decides (jitter) the test checks the bounds and tells
 * the model what came out. */
#ifndef FRONTIER_MODEL_H
#define FRONTIER_MODEL_H

#include "frontier_help.h"

enum { HOSTS = 7, PATHS = 9, URLS = HOSTS * PATHS, HOPS_MAX = 64 };
enum m_state { UNSEEN, QUEUED, LATER, DONE, FAILED, REFUSED };

struct m_url {
    enum m_state state;
    uint32_t priority;
    uint64_t order, due;
    uint32_t depth, redirects, attempts;
    bool seed, lowered;
};

struct m_hop { /* a robots.txt asked for by another host */
    bool used;
    int at, owner;
    uint32_t hops;
    uint64_t order;
    char url[64];
};

struct m_host {
    bool met, out, out_robots, pending;
    int url; /* out: index, -1 */
    int hop; /* out: index, -1 */
    uint64_t crawler, call, started, deadline;
    uint64_t next, fetched, version, expiry, robots_retry;
    uint32_t failures, unreachable, crawl_delay;
    uint64_t useful, wasted; /* pages: all of one shape here */
    uint64_t kept;           /* of the useful ones */
};

struct model {
    struct m_url url[URLS];
    struct m_hop hop[HOPS_MAX];
    struct m_host host[HOSTS];
    uint64_t order, now, pages, kept;
};

static inline const char *
m_name(int i) /* of host i / PATHS, http and https mixed */
{
    static char names[URLS][48];

    snprintf(names[i], sizeof names[i], "%s://h%d.test/p%d",
             i % 3 == 0 ? "https" : "http", i / PATHS, i % PATHS);
    return names[i];
}

static inline int
m_find(struct str url)
{
    for (int i = 0; i < URLS; i++)
        if (str_eq(url, str_c(m_name(i))))
            return i;
    return -1;
}

static inline uint64_t
m_delay(const struct m_host *h, const struct opts *o)
{
    uint64_t d = h->crawl_delay < o->politeness_crawl_delay_max_ms
                     ? h->crawl_delay
                     : o->politeness_crawl_delay_max_ms;

    return d > o->politeness_delay_ms ? d : o->politeness_delay_ms;
}

/* The best hop or URL of a host's queue (leased ones too). False: none. */
static inline bool
m_head(const struct model *m, int host, int *url, int *hop)
{
    *url = *hop = -1;
    for (int i = 0; i < HOPS_MAX; i++)
        if (m->hop[i].used && m->hop[i].at == host &&
            (*hop < 0 || m->hop[i].order < m->hop[*hop].order))
            *hop = i;
    for (int i = host * PATHS; *hop < 0 && i < (host + 1) * PATHS; i++)
        if (m->url[i].state == QUEUED &&
            (*url < 0 || m->url[i].priority > m->url[*url].priority ||
             (m->url[i].priority == m->url[*url].priority &&
              m->url[i].order < m->url[*url].order)))
            *url = i;
    return *url >= 0 || *hop >= 0;
}

static inline bool
m_due(const struct model *m, int host)
{
    const struct m_host *h = &m->host[host];
    int url, hop;

    if (h->out || !m_head(m, host, &url, &hop) || h->next > m->now)
        return false;
    return hop >= 0 || (!h->pending && h->robots_retry <= m->now);
}

static inline void
m_return(struct model *m, int host, const struct opts *o)
{
    struct m_host *h = &m->host[host];

    h->out = false;
    if (h->next < m->now + m_delay(h, o))
        h->next = m->now + m_delay(h, o);
}

/* What happens before any lease: leases end, what waited is queued. */
static inline void
m_tick(struct model *m, const struct opts *o)
{
    for (int i = 0; i < HOSTS; i++)
        if (m->host[i].out && m->host[i].deadline <= m->now)
            m_return(m, i, o);
    for (int i = 0; i < URLS; i++)
        if (m->url[i].state == LATER && m->url[i].due <= m->now)
            m->url[i].state = QUEUED;
}

static inline uint32_t
m_priority(const struct opts *o, const struct link_signals *s)
{
    struct random r = random_seed(0);
    const struct scorer *sc = scorer_find(o->frontier_scorer);

    return (uint32_t)(1 + sc->score(s, &r) * 65533);
}

/* Steering: is the shape of the host's pages bad?  Then lower than `p`. */
static inline uint32_t
m_lower(const struct m_host *h, uint32_t p)
{
    if (h->wasted < 3 || h->wasted <= 2 * h->useful)
        return p;
    return (uint32_t)(1 + (p - 1) * (h->useful + 1) /
                              (h->useful + 1 + 2 * h->wasted));
}

/* With what priority the host's best URL competes.  What is wasted in a bad
 * shape does not count against the host. */
static inline uint32_t
m_effective(const struct m_host *h, uint32_t p, bool steers)
{
    uint64_t wasted =
        h->wasted >= 3 && h->wasted > 2 * h->useful ? 0 : h->wasted;

    if (!steers)
        return p;
    p = (uint32_t)((p - 1) * (h->useful + 1) / (h->useful + 1 + 4 * wasted));
    if (5 * h->kept < h->useful)
        p = (uint32_t)(p * (5 * h->kept + 4) / (h->useful + 4));
    return 1 + p;
}

static inline void
m_raise(struct m_url *u, uint32_t priority, uint32_t depth, uint32_t redirects,
        bool lowered)
{
    u->priority = priority;
    u->depth = depth < u->depth ? depth : u->depth;
    u->redirects = redirects;
    u->lowered = lowered;
}

/* A link to `i` was found; `steer`: shapes and twins count. */
static inline void
m_put(struct model *m, int i, uint32_t priority, uint32_t depth,
      uint32_t redirects, bool steer, bool seed)
{
    struct m_url *u = &m->url[i];
    struct m_host *h = &m->host[i / PATHS];
    uint32_t low = steer ? m_lower(h, priority) : priority;

    if (u->state == UNSEEN) {
        h->met = true;
        *u = (struct m_url){.state = QUEUED,
                            .priority = low,
                            .lowered = low != priority,
                            .seed = seed,
                            .order = ++m->order,
                            .depth = depth,
                            .redirects = redirects};
    } else if (u->state == QUEUED && low >= u->priority + 65534 / 20 &&
               !(h->out && h->url == i)) {
        m_raise(u, low, depth, redirects, low != priority);
        u->seed = seed;
    }
}

static inline void
m_totals(const struct model *m, struct frontier_totals *t)
{
    *t = (struct frontier_totals){.pages = m->pages, .kept = m->kept};
    for (int i = 0; i < URLS; i++) {
        const struct m_url *u = &m->url[i];
        const struct m_host *h = &m->host[i / PATHS];

        t->seen += u->state != UNSEEN;
        t->done += u->state == DONE;
        t->failed += u->state == FAILED;
        t->refused += u->state == REFUSED;
        if (u->state != QUEUED && u->state != LATER)
            continue;
        if (h->out && h->url == i) {
            t->leased++;
            continue;
        }
        t->queued++;
        t->queued_by_priority[9 - u->priority * 10 / 65535]++;
    }
    for (int i = 0; i < HOSTS; i++) {
        int url, hop;

        t->hosts += m->host[i].met;
        if (m->host[i].out || !m_head(m, i, &url, &hop))
            continue;
        t->hosts_ready += m_due(m, i);
        t->hosts_waiting += !m_due(m, i);
    }
}

#endif
