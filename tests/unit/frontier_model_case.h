/* frontier_model_case.h -- a frontier and its model side by side: how what is
 * out ends, told to both, by chance.  Pages, robots.txt, reports that nobody
 * waits for. */
#ifndef FRONTIER_MODEL_CASE_H
#define FRONTIER_MODEL_CASE_H

#include "frontier_model.h"

static struct store_model m;
static struct opts o;
static struct frontier *f;
static struct random r;
static struct arena *arena;
static uint64_t contacted[HOSTS]; /* end of the last request: the judge */
static long unreported_n;         /* reports of what was unreported */
static long late_out;             /* late reports of what another has by then */
static bool late;                 /* the report is not of who holds the lease */

static inline uint64_t
below(uint64_t n)
{
    return random_below(&r, n);
}

/* What chance decided, from the store: the model is told. */
static inline struct row_host
real_host(int i)
{
    struct host *h = NULL;
    char name[24];
    int n = snprintf(name, sizeof name, "h%d.test", i);

    CHECK(url_store_host_named(f->db, str_n(name, (size_t)n), S(""), false,
                               &h) == ST_OK);
    return h->row;
}

static inline bool
jittered(uint64_t got, uint64_t base)
{
    return got >= base * 3 / 4 - 1 && got <= base * 5 / 4 + 1;
}

static inline void
report(struct frontier_done *d)
{
    size_t fresh, known, refused;

    CHECK(frontier_done(f, d, m.now, &fresh, &known, &refused) == ST_OK);
}

/* The clock after a report; `host` is still out if it was. */
static inline void
m_contact(int host, const struct frontier_done *d)
{
    struct m_host *h = &m.host[host];
    uint64_t end = d->finished_ms;

    if (!d->contacted)
        return;
    if (end > m.now || (h->out && end < h->started))
        end = m.now;
    if (end + m_delay(h, &o) > h->next)
        h->next = end + m_delay(h, &o);
    contacted[host] = end > contacted[host] ? end : contacted[host];
}

static inline enum outcome_class
m_outcome_class(enum m_state state, const struct frontier_done *d)
{
    if (state == REFUSED)
        return CLASS_REFUSED;
    if (state == FAILED)
        return CLASS_ERROR;
    if (d->outcome == OUTCOME_REDIRECT)
        return CLASS_REDIRECT;
    return d->verdict == VERDICT_KEPT             ? CLASS_KEPT
           : d->verdict == VERDICT_SHORT          ? CLASS_SHORT
           : d->verdict == VERDICT_LANGUAGE       ? CLASS_LANGUAGE
           : d->verdict == VERDICT_BADNESS        ? CLASS_BADNESS
           : d->verdict == VERDICT_NEAR_DUPLICATE ? CLASS_NEAR
                                                  : CLASS_OTHER;
}

/* It is not out any more; its host has answered, or was not asked. */
static inline void
m_out_ends(int i, const struct frontier_done *d, bool answered)
{
    struct m_host *h = &m.host[i / PATHS];

    if (h->out && h->url == i) {
        if (late) { /* who has it keeps the host */
            h->url = -1;
            h->gone = i;
        } else {
            h->out = false;
        }
    }
    if (answered && d->contacted && !late)
        h->failures = 0;
    h->fetched += d->contacted;
}

static inline void
m_end(int i, enum m_state state, const struct frontier_done *d)
{
    struct m_host *h = &m.host[i / PATHS];

    m.url[i].state = state;
    m_out_ends(i, d, state != REFUSED);
    h->of[m_kind(i)].n[m_outcome_class(state, d)]++;
    if (state == DONE && d->outcome == OUTCOME_FETCHED) {
        m.pages++;
        m.kept += d->verdict == VERDICT_KEPT;
    } else if (state == FAILED) {
        m.pages += d->contacted;
    }
}

static inline void
fetched(int i, struct frontier_done *d)
{
    struct frontier_link links[6];
    struct link_signals s = {.has_badness = below(4) != 0,
                             .badness = (float)below(6000) / 100};

    d->outcome = OUTCOME_FETCHED;
    s.parent = (enum link_parent[]){PARENT_KEPT, PARENT_DOUBTFUL, PARENT_SHORT,
                                    PARENT_LANGUAGE}[below(4)];
    d->verdict = (enum verdict[]){
        [PARENT_KEPT] = below(3) ? VERDICT_KEPT : VERDICT_NEAR_DUPLICATE,
        [PARENT_DOUBTFUL] = VERDICT_BADNESS,
        [PARENT_SHORT] = VERDICT_SHORT,
        [PARENT_LANGUAGE] = VERDICT_LANGUAGE}[s.parent];
    d->has_badness = s.has_badness;
    d->badness = s.badness;
    d->links = links;
    m_end(i, DONE, d);
    s.depth = m.url[i].depth + 1;
    for (d->links_n = below(6); d->links_n > 0; d->links_n--)
        if (below(3) != 0)
            break;
    for (size_t k = 0; k < d->links_n; k++) {
        int to;

        do { /* twice the same URL in one batch is another test */
            to = (int)below(URLS);
            links[k] = help_link(m_name(to));
            for (size_t x = 0; x < k; x++)
                if (str_eq(links[x].url, links[k].url))
                    to = -1;
        } while (to < 0);
        links[k].boilerplate = (float)below(11) / 10;
        if (links[k].boilerplate > 0.35F && links[k].boilerplate < 0.45F)
            links[k].boilerplate = 0.5F; /* no score next to a seed's */
        s.boilerplate = links[k].boilerplate;
        if (o.frontier_merge_from == 0)
            m_wait(&m, to, m_priority(&o, &s), s.depth);
        else
            m_put(&m, to, m_priority(&o, &s), s.depth, 0, false);
    }
    report(d);
}

static inline void
redirected(int i, struct frontier_done *d)
{
    int to = (int)below(URLS);
    struct frontier_link link = help_link(m_name(to));
    struct m_url u = m.url[i];

    d->outcome = OUTCOME_REDIRECT;
    d->links = &link;
    d->links_n = 1;
    if (u.redirects >= o.fetch_redirects_max) {
        m_end(i, FAILED, d);
    } else if (to == i) {
        m_out_ends(i, d, true);
        m.url[i].state = LATER;
        m.url[i].due = m.now;
        m.url[i].redirects++;
    } else {
        m_end(i, DONE, d);
        m_put(&m, to, u.priority, u.depth, u.redirects + 1, u.seed);
    }
    report(d);
}

/* Passing failure number n of a host: it is held back from the second on. */
static inline void
m_hold(int host, uint64_t before, uint64_t retry_after)
{
    struct m_host *h = &m.host[host];
    uint64_t real = real_host(host).next_contact_ms, least = before;

    if (++h->failures > 1) {
        uint64_t base = o.politeness_retry_ms << (h->failures - 2);

        if (base < SCHEDULE_BACKOFF_MAX_MS / 2) {
            uint64_t most = m.now + base * 5 / 4 + 1;

            least = m.now + base * 3 / 4 - 1;
            CHECK(real >= least && (real <= most || real == before ||
                                    real == m.now + retry_after));
        }
    }
    CHECK(real >= before && real >= m.now + retry_after);
    h->next = real;
}

static inline void
retry(int i, struct frontier_done *d)
{
    struct m_host *h = &m.host[i / PATHS];
    struct m_url *u = &m.url[i];
    uint64_t base = o.politeness_retry_ms << u->attempts, due;
    uint32_t failures = h->failures;
    struct row_seen seen;
    char host[24];

    d->outcome = OUTCOME_RETRY;
    d->retry_after_ms = below(3) ? 0 : (uint32_t)below(4000);
    report(d);
    if (u->attempts >= o.politeness_retries) {
        m_end(i, FAILED, d);
        h->failures = failures;
        m_hold(i / PATHS, h->next, d->retry_after_ms);
        return;
    }
    if (h->url == i)
        h->out = false;
    m_hold(i / PATHS, h->next, d->retry_after_ms);
    snprintf(host, sizeof host, "h%d.test", i / PATHS);
    CHECK(url_store_seen_get(f->db,
                             row_seen_key(ROW_KEYS_NEW, str_c(host), d->url),
                             &seen) == ST_OK);
    CHECK(seen.state == ROW_LATER);
    due = seen.due_ms - m.now;
    CHECK(jittered(due, base) || due == d->retry_after_ms);
    CHECK(due >= d->retry_after_ms);
    u->state = LATER;
    u->due = seen.due_ms;
    u->attempts++;
}

/* Of a URL that a late report has ended meanwhile. */
static inline void
gone_done(struct frontier_done *d, int host)
{
    d->outcome = below(2) ? OUTCOME_FETCHED : OUTCOME_RETURNED;
    m_contact(host, d);
    m.host[host].out = false;
    report(d);
}

static inline void
any_end(int i, struct frontier_done *d)
{
    struct m_host *h = &m.host[i / PATHS];

    switch (below(8)) {
    case 0:
    case 1:
    case 2:
        m_contact(i / PATHS, d);
        fetched(i, d);
        break;
    case 3:
        m_contact(i / PATHS, d);
        redirected(i, d);
        break;
    case 4:
        d->contacted = below(2);
        m_contact(i / PATHS, d);
        retry(i, d);
        break;
    case 5:
        d->outcome = OUTCOME_FAILED;
        d->verdict = verdict_http(404);
        m_contact(i / PATHS, d);
        m_end(i, FAILED, d);
        report(d);
        break;
    case 6:
        d->outcome = below(2) ? OUTCOME_DISALLOWED : OUTCOME_OUT_OF_SCOPE;
        d->contacted = false;
        m_end(i, REFUSED, d);
        report(d);
        break;
    default:
        d->outcome = OUTCOME_RETURNED;
        d->contacted = false;
        if (m.url[i].state == UNREPORTED)
            m.url[i].state = QUEUED;
        else
            h->out = false;
        report(d);
    }
}

static inline void
page_done(int i)
{
    struct m_host *h = &m.host[i / PATHS];
    struct frontier_done d = {.url = str_c(m_name(i)),
                              .crawler = h->crawler,
                              .call = below(2) ? h->call : 0,
                              .finished_ms = m.now - below(50),
                              .contacted = true};

    if (h->gone >= 0)
        gone_done(&d, i / PATHS);
    else
        any_end(i, &d);
}

/* ---- what is unreported ---- */

/* The request of what is out of a host has ended; now and then who says so has
 * no lease. */
static inline void
request_ended(void)
{
    int host = (int)below(HOSTS), i;
    struct m_host *h = &m.host[host];
    struct outcome_counts all = {{0}};
    struct frontier_done d = {.finished_ms = m.now - below(50),
                              .contacted = true};
    bool right = below(8) != 0;
    uint64_t known;

    if (!h->out || h->out_robots)
        return;
    i = h->url >= 0 ? h->url : h->gone;
    d.url = str_c(m_name(i));
    d.crawler = right ? h->crawler : 3;
    d.call = h->call;
    CHECK(frontier_request_ended(f, &d, m.now) == ST_OK);
    for (int k = 0; k < KINDS; k++)
        for (int c = 0; c < CLASS_N; c++)
            all.n[c] += h->of[k].n[c];
    known = outcomes_there(&all);
    if (known > o.frontier_host_unreported_max)
        known = o.frontier_host_unreported_max;
    if (!right || h->url < 0 || h->failures > 0 ||
        m_unreported(&m, host) >= known)
        return;
    m_contact(host, &d);
    m.url[i].state = UNREPORTED;
    m.url[i].crawler = h->crawler;
    m.url[i].call = h->call;
    m.url[i].deadline = h->deadline;
    h->out = false;
}

static inline void
unreported_done(void)
{
    int i = (int)below(URLS);
    struct frontier_done d = {.finished_ms = m.now - below(50),
                              .contacted = true};

    for (int k = 0; k < URLS && m.url[i].state != UNREPORTED; k++)
        i = (i + 1) % URLS;
    if (m.url[i].state != UNREPORTED)
        return;
    unreported_n++;
    d.url = str_c(m_name(i));
    d.crawler = m.url[i].crawler;
    d.call = m.url[i].call;
    any_end(i, &d);
}

/* ---- robots ---- */

static inline void
m_known(struct m_host *owner, uint32_t crawl_delay)
{
    owner->version = frontier_robots_version(S(""));
    owner->expiry = m.now + o.politeness_robots_ttl_seconds * 1000;
    owner->unreachable = 0;
    owner->robots_retry = 0;
    owner->crawl_delay = crawl_delay;
    if (crawl_delay > 0 && owner->next > 0 &&
        owner->next < m.now + m_delay(owner, &o))
        owner->next = m.now + m_delay(owner, &o);
}

static inline void
m_follow(int owner, uint32_t hops, int to, const char *url)
{
    int i = 0;

    while (m.hop[i].used)
        i++;
    m.host[owner].pending = true;
    m.host[to].met = true;
    m.hop[i] = (struct m_hop){.used = true,
                              .at = to,
                              .owner = owner,
                              .hops = hops + 1,
                              .order = ++m.order};
    snprintf(m.hop[i].url, sizeof m.hop[i].url, "%s", url);
}

static inline void
robots_done(int host)
{
    struct m_host *h = &m.host[host];
    int hop = h->hop, owner = hop >= 0 ? m.hop[hop].owner : host;
    uint32_t hops = hop >= 0 ? m.hop[hop].hops : 0;
    struct m_host *of = &m.host[owner];
    char url[64] = "", target[64];
    struct frontier_link link;
    struct frontier_done d = {.kind = FRONTIER_ROBOTS,
                              .crawler = h->crawler,
                              .call = h->call,
                              .finished_ms = m.now,
                              .contacted = true};
    uint64_t what = below(8);

    if (hop >= 0)
        snprintf(url, sizeof url, "%s", m.hop[hop].url);
    else { /* which scheme?  the one that is out */
        snprintf(url, sizeof url, "http://h%d.test/robots.txt", host);
        if (hash64(str_c(url)) != real_host(host).lease.url_hash)
            snprintf(url, sizeof url, "https://h%d.test/robots.txt", host);
    }
    d.url = str_c(url);
    if (what == 7) {
        d.outcome = OUTCOME_RETURNED;
        d.contacted = false;
        h->out = false;
        report(&d);
        return;
    }
    m_contact(host, &d);
    h->out = false;
    if (hop >= 0) {
        m.hop[hop].used = false;
        of->pending = false;
    }
    if (what < 4) {
        d.outcome = OUTCOME_ROBOTS_DONE;
        d.robots.status = 200;
        d.robots.crawl_delay_ms = below(3) ? 0 : (uint32_t)below(5000);
        m_known(of, d.robots.crawl_delay_ms);
        report(&d);
    } else if (what == 4) {
        d.outcome = OUTCOME_FAILED;
        d.contacted = true;
        d.outcome = OUTCOME_ROBOTS_DONE;
        d.robots.unreachable = true;
        report(&d);
        of->robots_retry = real_host(owner).robots.retry_ms;
        CHECK(jittered(of->robots_retry - m.now,
                       o.politeness_retry_ms << of->unreachable));
        of->unreachable++;
        of->expiry = 0;
    } else {
        int to = (int)below(HOSTS);

        snprintf(target, sizeof target, "http://h%d.test/other-robots%d.txt",
                 to, (int)below(3));
        link = help_link(target);
        d.outcome = OUTCOME_REDIRECT;
        d.links = &link;
        d.links_n = 1;
        if (hops >= 5)
            m_known(of, 0);
        else
            m_follow(owner, hops, to, target);
        report(&d);
    }
}

/* ---- reports nobody waits for ---- */

static inline void
repeated_report(void)
{
    int i = (int)below(URLS);
    struct frontier_done d = help_done(str_c(m_name(i)), OUTCOME_FAILED, m.now);

    if (m.url[i].state < DONE)
        return;
    d.contacted = false;
    d.crawler = 3; /* of whom nobody holds anything */
    m.late++;
    report(&d);
}

/* A crawler that hung reports a lease that is void: its URL may be queued
 * again, out to another crawler, out to the same one, or ended. */
static inline const struct m_void *
void_lease(void)
{
    uint64_t from = below(VOID_MAX);

    for (uint64_t k = 0; k < VOID_MAX; k++) {
        const struct m_void *v = &m.void_of[(from + k) % VOID_MAX];
        const struct m_host *h = &m.host[v->url / PATHS];

        if (v->call != 0 && h->out && h->url == v->url)
            return v;
    }
    return &m.void_of[from];
}

static inline void
late_report(void)
{
    const struct m_void *v = void_lease();
    int i = v->url;
    struct m_host *h = &m.host[i / PATHS];
    struct frontier_done d = {.url = str_c(m_name(i)),
                              .crawler = v->crawler,
                              .call = v->call,
                              .finished_ms = m.now,
                              .contacted = true};

    if (v->call == 0)
        return;
    m.late++;
    late = true;
    late_out += h->out && h->url == i;
    if (below(3) == 0) {
        d.contacted = false;
        d.outcome = OUTCOME_RETURNED;
        report(&d);
    } else if (m.url[i].state < DONE && below(3) != 0) {
        m_contact(i / PATHS, &d);
        if (below(3) != 0)
            fetched(i, &d);
        else
            redirected(i, &d);
    } else { /* only moves the clock */
        d.outcome = below(2) ? OUTCOME_FAILED : OUTCOME_RETRY;
        m_contact(i / PATHS, &d);
        report(&d);
    }
    late = false;
}

static inline void
some_outcome(void)
{
    int host = (int)below(HOSTS);

    for (int i = 0; i < HOSTS && !m.host[host].out; i++)
        host = (host + 1) % HOSTS;
    if (!m.host[host].out)
        return;
    if (m.host[host].out_robots)
        robots_done(host);
    else
        page_done(m.host[host].gone >= 0 ? m.host[host].gone
                                         : m.host[host].url);
}

#endif
