/* suspect.c -- URLs that may have killed their crawler.
 *
 * A lease that is void for no reason counts as a try of its URL when
 *
 *   the crawler is back and says that it was reading that page when it died
 *   (a crash leaves its page, kill -9 the one or two that were being read), or
 *   the lease ran out and its crawler has not been heard of for half of it (of
 * a page; a robots.txt is asked for again).
 *
 * The third ends the URL: failed, "poison".  The count stands in the URL's row
 * in the queue.  So that a crash does not count for others, too, a crawler has
 * one suspect (a URL with a try) at a time.  Leases that a crawler merely had
 * out at a kill -9 are no tries, or three kills would end the best pages of a
 * crawl.
 *
 * A robots.txt that is suspect is unreachable: asked for again after a back-off
 * that doubles. */
#include "base/log.h"
#include "schedule_inside.h"

#define TRIES_MAX 3u
#define WAIT_MS 1000u /* for the suspect that is out */

static enum status
count_try(struct schedule *sched, const struct row_lease *l,
          struct row_queued *q)
{
    struct row_key key = row_queue_key(l->position);
    enum status st = url_store_queue_read(sched->db, l->position, q);

    if (st != ST_OK)
        return st;
    q->rest = arena_str(sched->db->arena, q->rest);
    q->crashes++;
    row_queued_write(&sched->db->row, q);
    return tables_put(sched->db->tables, TABLE_QUEUE, row_bytes(&key),
                      buf_view(&sched->db->row));
}

/* Reported in its crawler's place. */
static enum status
end(struct schedule *sched, const struct row_lease *l, struct str url,
    enum frontier_outcome outcome, enum verdict verdict, uint64_t now_ms)
{
    const struct frontier_done d = {.url = url,
                                    .crawler = l->crawler,
                                    .call = l->call,
                                    .kind = l->kind,
                                    .outcome = outcome,
                                    .verdict = verdict,
                                    .finished_ms = now_ms,
                                    .contacted = true};
    struct schedule_found none;

    return schedule_done(sched, &d, now_ms, &none);
}

static void
say_try(struct str url, uint32_t crashes)
{
    log_warn("frontier", "url=%.*s its crawler died while it was out: try %u%s",
             STRF(url), crashes,
             crashes >= TRIES_MAX ? ", it has failed: poison" : "");
}

enum status
schedule_unreported_try_failed(struct schedule *sched, struct host *h,
                               struct row_position position,
                               const struct row_lease *l, uint64_t now_ms,
                               struct str *poison)
{
    struct row_queued q;
    struct str url;
    enum status st = url_store_unreported_read(sched->db, position, &q);

    *poison = S("");
    if (st != ST_OK)
        return st;
    q.rest = arena_str(sched->db->arena, q.rest);
    url = row_queued_url(&q, h->row.name, sched->db->arena);
    q.crashes++;
    say_try(url, q.crashes);
    if (q.crashes < TRIES_MAX)
        return url_store_unreported_add(sched->db, h, position, &q, l);
    *poison = url;
    return end(sched, l, url, OUTCOME_FAILED, VERDICT_POISON, now_ms);
}

enum status
schedule_try_failed(struct schedule *sched, struct host *h, uint64_t now_ms,
                    struct str *poison)
{
    const struct row_lease *l = &h->row.lease;
    bool robots = frontier_is_rules(l->kind);
    struct row_queued q = {0};
    struct frontier_lease lease;
    enum status st = ST_OK;

    *poison = S("");
    if (!robots && l->position.sequence == 0)
        return ST_OK; /* it has ended */
    if (!robots)
        st = count_try(sched, l, &q);
    if (st == ST_OK)
        st = schedule_describe(sched, h, NULL, sched->db->arena, &lease);
    if (st != ST_OK)
        return st;
    if (robots) {
        log_warn("frontier", "url=%.*s its crawler died of it, perhaps",
                 STRF(lease.url));
        return end(sched, l, lease.url, OUTCOME_RETRY, VERDICT_CRASH, now_ms);
    }
    say_try(lease.url, q.crashes);
    if (q.crashes < TRIES_MAX)
        return ST_OK;
    *poison = lease.url;
    return end(sched, l, lease.url, OUTCOME_FAILED, VERDICT_POISON, now_ms);
}

static bool
among(const uint64_t *hashes, size_t n, uint64_t hash)
{
    for (size_t i = 0; i < n; i++)
        if (hashes[i] == hash)
            return true;
    return false;
}

struct suspects { /* of one crawler */
    uint64_t crawler;
    const uint64_t *hashes;
    size_t n;
    uint64_t now_ms;
    struct arena *arena;
    struct str *poison;
    size_t poison_n;
};

static void
note_poison(struct suspects *s, struct str url)
{
    if (url.n > 0 && s->poison_n < s->n)
        s->poison[s->poison_n++] = arena_str(s->arena, url);
}

static enum status
suspect_unreported(struct schedule *sched, struct row_position position,
                   const struct row_lease *l, void *self)
{
    struct suspects *s = self;
    struct str url;
    struct host *h;
    enum status st;

    if (l->crawler != s->crawler || !among(s->hashes, s->n, l->url_hash))
        return ST_OK;
    if ((st = url_store_host(sched->db, position.host, &h)) != ST_OK)
        return st;
    st = schedule_unreported_try_failed(sched, h, position, l, s->now_ms, &url);
    if (st == ST_OK)
        note_poison(s, url);
    return st;
}

enum status
schedule_suspects(struct schedule *sched, uint64_t crawler,
                  const uint64_t *hashes, size_t n, uint64_t now_ms,
                  struct arena *a, struct str **poison, size_t *poison_n)
{
    struct suspects s = {.crawler = crawler,
                         .hashes = hashes,
                         .n = n,
                         .now_ms = now_ms,
                         .arena = a,
                         .poison = ARENA_ARRAY(a, struct str, n)};
    const uint32_t *ids;
    size_t ids_n;
    struct host *h;
    struct str url;
    enum status st = ST_OK;

    *poison_n = 0;
    *poison = s.poison;
    if (n == 0)
        return ST_OK;
    ids = schedule_hosts_out(sched, &ids_n);
    for (size_t i = 0; i < ids_n && st == ST_OK; i++) {
        if ((st = url_store_host(sched->db, ids[i], &h)) != ST_OK ||
            h->row.lease.crawler != crawler ||
            !among(hashes, n, h->row.lease.url_hash))
            continue;
        st = schedule_try_failed(sched, h, now_ms, &url);
        if (st == ST_OK)
            note_poison(&s, url);
    }
    if (st == ST_OK)
        st = schedule_unreported_each(sched, suspect_unreported, &s);
    *poison_n = s.poison_n;
    return st;
}

bool
schedule_vanished(struct schedule *sched, uint64_t crawler, uint64_t now_ms)
{
    const struct crawler *c = schedule_crawler(sched, crawler);
    uint64_t heard = sched->opened_ms;

    if (c == NULL)
        return false;
    heard = c->heard_ms > heard ? c->heard_ms : heard;
    return heard + sched->rules.lease_ms / 2 <= now_ms;
}

/* Has the crawler a suspect out already? */
static enum status
has_suspect(struct schedule *sched, uint64_t crawler, bool *has)
{
    size_t n;
    const uint32_t *ids = schedule_hosts_out(sched, &n);
    struct row_queued q;
    struct host *h;
    enum status st = ST_OK;

    *has = false;
    for (size_t i = 0; i < n && st == ST_OK && !*has; i++) {
        if ((st = url_store_host(sched->db, ids[i], &h)) != ST_OK ||
            h->row.lease.crawler != crawler ||
            frontier_is_rules(h->row.lease.kind) ||
            h->row.lease.position.sequence == 0)
            continue;
        st = url_store_queue_read(sched->db, h->row.lease.position, &q);
        *has = st == ST_OK && q.crashes > 0;
    }
    return st;
}

enum status
schedule_one_suspect(struct schedule *sched, struct host *h, uint64_t crawler,
                     const struct row_queued *q, uint64_t now_ms)
{
    bool has;
    enum status st;

    if (q->crashes == 0)
        return ST_OK;
    if ((st = has_suspect(sched, crawler, &has)) != ST_OK || !has)
        return st;
    scheduler_delay(sched->scheduler, h->id, now_ms + WAIT_MS);
    return ST_BUSY;
}
