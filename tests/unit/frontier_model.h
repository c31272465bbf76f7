/* frontier_model.h -- a frontier without any cleverness: arrays, scanned.
 *
 * It knows the rules (frontier.h, proto/frontier.proto), not the ways of the
 * real one.  Where chance decides (jitter) the test checks the bounds and tells
 * the model what came out. */
#ifndef TEST_FRONTIER_MODEL_H
#define TEST_FRONTIER_MODEL_H

#include "frontier_help.h"

enum {
    HOSTS = 7,
    PATHS = 9,
    KINDS = 3,
    URLS = HOSTS * PATHS,
    HOPS_MAX = 64,
    WAIT_MAX = 256,
    VOID_MAX = 24
};
enum m_state { UNSEEN, QUEUED, LATER, UNREPORTED, DONE, FAILED, REFUSED };

struct m_url {
    enum m_state state;
    uint32_t priority;
    uint64_t order, due;
    uint32_t depth, redirects, attempts;
    bool seed;
    uint64_t crawler, call, deadline; /* unreported: its lease */
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
    int url;  /* out: index, -1 */
    int gone; /* out: index of what was out, ended by a late report; -1 */
    int hop;  /* out: index, -1 */
    uint64_t crawler, call, started, deadline;
    uint64_t next, fetched, version, expiry, robots_retry;
    uint32_t failures, unreachable, crawl_delay;
    struct outcome_counts of[KINDS]; /* how pages ended, by kind */
};

struct m_link { /* accepted, not yet merged */
    int to;
    uint32_t priority, depth;
    uint64_t order;
};

struct m_void { /* a lease that is void; its crawler hangs, and may report */
    int url;
    uint64_t crawler, call;
};

struct store_model {
    struct m_void void_of[VOID_MAX]; /* a ring */
    uint64_t void_n, late;
    struct m_link wait[WAIT_MAX];
    int wait_n;
    struct m_url url[URLS];
    struct m_hop hop[HOPS_MAX];
    struct m_host host[HOSTS];
    uint64_t order, now, pages, kept;
};

static inline const char *
m_name(int i) /* of host i / PATHS, http and https mixed, three kinds */
{
    static const char *const dirs[KINDS] = {"", "a/", "b/de/"};
    static char names[URLS][48];

    snprintf(names[i], sizeof names[i], "%s://h%d.test/%sp%d",
             i % 3 == 0 ? "https" : "http", i / PATHS, dirs[i % PATHS % KINDS],
             i % PATHS);
    return names[i];
}

static inline int
m_kind(int i)
{
    return i % PATHS % KINDS;
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

/* With what priority a URL competes, by all that has come of its host. */
static inline uint32_t
m_effective(const struct store_model *m, const struct opts *o, int i)
{
    const struct scorer *sc = scorer_find(o->frontier_scorer);
    const struct m_host *h = &m->host[i / PATHS];
    struct outcome_counts all = {{0}};
    struct scorer_yields y = {.url_class = &h->of[m_kind(i)], .host = &all};
    const struct scorer_tools none = {0};

    if (sc->now == NULL)
        return m->url[i].priority;
    for (int k = 0; k < KINDS; k++) {
        for (int c = 0; c < CLASS_N; c++)
            all.n[c] += h->of[k].n[c];
        if (scorer_bad_url_class(&h->of[k]))
            y.bad_wasted += outcomes_wasted(&h->of[k]);
    }
    return (uint32_t)(1 +
                      sc->now((m->url[i].priority - 1) / 65533.0, &y, &none) *
                          65533);
}

/* Is URL a to be fetched before b of the same host? */
static inline bool
m_before(const struct store_model *m, const struct opts *o, int a, int b)
{
    uint32_t x = m_effective(m, o, a), y = m_effective(m, o, b);

    if (x != y)
        return x > y;
    if (m->url[a].priority != m->url[b].priority)
        return m->url[a].priority > m->url[b].priority;
    return m->url[a].order < m->url[b].order;
}

/* The best hop or URL of a host's queue (leased ones too). False: none. */
static inline bool
m_head(const struct store_model *m, const struct opts *o, int host, int *url,
       int *hop)
{
    *url = *hop = -1;
    for (int i = 0; i < HOPS_MAX; i++)
        if (m->hop[i].used && m->hop[i].at == host &&
            (*hop < 0 || m->hop[i].order < m->hop[*hop].order))
            *hop = i;
    for (int i = host * PATHS; *hop < 0 && i < (host + 1) * PATHS; i++)
        if (m->url[i].state == QUEUED && (*url < 0 || m_before(m, o, i, *url)))
            *url = i;
    return *url >= 0 || *hop >= 0;
}

static inline size_t
m_unreported(const struct store_model *m, int host)
{
    size_t n = 0;

    for (int i = host * PATHS; i < (host + 1) * PATHS; i++)
        n += m->url[i].state == UNREPORTED;
    return n;
}

/* Of its own pages: has the host had all, with so many that are on their way?
 */
static inline bool
m_full(const struct store_model *m, const struct opts *o, int host, size_t n)
{
    uint64_t had = n;

    for (int k = 0; k < KINDS; k++)
        had += outcomes_pages(&m->host[host].of[k]);
    return o->limits_host_pages > 0 && had >= o->limits_host_pages;
}

static inline bool
m_due(const struct store_model *m, const struct opts *o, int host)
{
    const struct m_host *h = &m->host[host];
    int url, hop;

    if (h->out || !m_head(m, o, host, &url, &hop) || h->next > m->now)
        return false;
    return hop >= 0 || (!h->pending && h->robots_retry <= m->now &&
                        !m_full(m, o, host, m_unreported(m, host)));
}

static inline void
m_note_void(struct store_model *m, int url, uint64_t crawler, uint64_t call)
{
    m->void_of[m->void_n++ % VOID_MAX] = (struct m_void){url, crawler, call};
}

/* Nobody will report what is unreported, or only late. */
static inline void
m_take_back(struct store_model *m, int url)
{
    struct m_url *u = &m->url[url];

    m_note_void(m, url, u->crawler, u->call);
    u->state = QUEUED;
}

static inline void
m_return(struct store_model *m, int host, const struct opts *o)
{
    struct m_host *h = &m->host[host];
    int url = h->url >= 0 ? h->url : h->gone;

    if (!h->out_robots && url >= 0)
        m_note_void(m, url, h->crawler, h->call);
    h->out = false;
    if (h->next < m->now + m_delay(h, o))
        h->next = m->now + m_delay(h, o);
}

/* What happens before any lease: leases end, what waited is queued. */
static inline void
m_tick(struct store_model *m, const struct opts *o)
{
    for (int i = 0; i < HOSTS; i++)
        if (m->host[i].out && m->host[i].deadline <= m->now)
            m_return(m, i, o);
    for (int i = 0; i < URLS; i++)
        if (m->url[i].state == LATER && m->url[i].due <= m->now)
            m->url[i].state = QUEUED;
        else if (m->url[i].state == UNREPORTED && m->url[i].deadline <= m->now)
            m_take_back(m, i);
}

static inline uint32_t
m_priority(const struct opts *o, const struct link_signals *s)
{
    const struct scorer_tools none = {0};
    const struct scorer *sc = scorer_find(o->frontier_scorer);

    return (uint32_t)(1 + sc->score(s, &none) * 65533);
}

static inline void
m_raise(struct m_url *u, uint32_t priority, uint32_t depth, uint32_t redirects)
{
    u->priority = priority;
    u->depth = depth < u->depth ? depth : u->depth;
    u->redirects = redirects;
}

/* A link to `i` was found; `order`: as number so many. */
static inline void
m_put_as(struct store_model *m, int i, uint32_t priority, uint32_t depth,
         uint32_t redirects, bool seed, uint64_t order)
{
    struct m_url *u = &m->url[i];
    struct m_host *h = &m->host[i / PATHS];

    if (u->state == UNSEEN) {
        h->met = true;
        *u = (struct m_url){.state = QUEUED,
                            .priority = priority,
                            .seed = seed,
                            .order = order,
                            .depth = depth,
                            .redirects = redirects};
    } else if (u->state == QUEUED && priority >= u->priority + 65534 / 20 &&
               !(h->out && h->url == i)) {
        m_raise(u, priority, depth, redirects);
        u->seed = seed;
    }
}

static inline void
m_put(struct store_model *m, int i, uint32_t priority, uint32_t depth,
      uint32_t redirects, bool seed)
{
    m_put_as(m, i, priority, depth, redirects, seed, ++m->order);
}

/* A link that is merged later. */
static inline void
m_wait(struct store_model *m, int i, uint32_t priority, uint32_t depth)
{
    m->wait[m->wait_n++] = (struct m_link){i, priority, depth, ++m->order};
}

/* What waits is merged: of the links to one URL the best one, in the place in
 * line of the first. */
static inline void
m_merge(struct store_model *m)
{
    for (int i = 0; i < m->wait_n; i++) {
        struct m_link *first = &m->wait[i];

        if (first->to < 0)
            continue;
        for (int k = i + 1; k < m->wait_n; k++) {
            struct m_link *next = &m->wait[k];

            if (next->to != first->to)
                continue;
            if (next->priority > first->priority)
                first->priority = next->priority;
            next->to = -1;
        }
        m_put_as(m, first->to, first->priority, first->depth, 0, false,
                 first->order);
    }
    m->wait_n = 0;
}

static inline void
m_totals(const struct store_model *m, const struct opts *o,
         struct frontier_totals *t)
{
    *t = (struct frontier_totals){.pages = m->pages, .kept = m->kept};
    for (int i = 0; i < URLS; i++) {
        const struct m_url *u = &m->url[i];
        const struct m_host *h = &m->host[i / PATHS];

        t->seen += u->state != UNSEEN;
        t->done += u->state == DONE;
        t->failed += u->state == FAILED;
        t->refused += u->state == REFUSED;
        t->leased += u->state == UNREPORTED;
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
        t->hosts_out += m->host[i].out + m_unreported(m, i);
        if (m->host[i].out || !m_head(m, o, i, &url, &hop))
            continue;
        if (hop < 0 && m_full(m, o, i, 0)) {
            t->hosts_full++;
            continue;
        }
        t->hosts_ready += m_due(m, o, i);
        t->hosts_waiting += !m_due(m, o, i);
    }
}

#endif
