/* revisit.c -- pages that are fetched again when their time has come.
 *
 *  revisit  key of `seen`        -> URL, how often it was fetched, interval,
 *                                   digest of its text, ETag, Last-Modified;
 *                                   of a sitemap: whose it is
 *  due      be64 when | that key -> nothing
 *
 * A kept page gets a row when it ends, and a sitemap; at its date it goes back
 * into its host's queue, with the score it had.  The crawler asks whether it
 * has changed (RFC 9110, section 13).  A page that changed is looked at in half
 * the time, one that did not in half as much time again, within
 * recrawl.interval_min and _max: few requests are enough to follow pages of all
 * speeds.
 *
 * A sitemap that dates a page's last change after its last fetch makes it due
 * at once, but for interval_min.  Many sitemaps date everything today: of a
 * page that was found unchanged lately (its interval has grown) a quarter of
 * the interval has to pass, too.  Off unless
 * recrawl.interval_seconds is set; then rows stay but nothing becomes due.
 *
 * A page that is named by hand (frontier_again()) has a row, too, without an
 * interval until it is kept. */
#include "base/log.h"
#include "frontier/store/pack.h"
#include "schedule_inside.h"

#define PROMOTE_MAX 1000u /* pages queued again by one call */
#define CLOCKS_DIFFER_MS                                                       \
    ((uint64_t)24 * 3600 * 1000) /* a date to come is none */
#define HEADER_MAX 512u          /* bytes of an ETag that are worth keeping */

static enum status
forget_date(struct schedule *sched, struct row_seen_key key, uint64_t due_ms)
{
    struct row_key old = row_due_key(due_ms, key);
    enum status st = due_ms == 0 ? ST_OK
                                 : tables_delete(sched->db->tables, TABLE_DUE,
                                                 row_bytes(&old));

    return st == ST_NONE ? ST_OK : st;
}

enum status
schedule_revisit_drop(struct schedule *sched, struct row_seen_key key)
{
    struct row_revisit v;
    enum status st = url_store_revisit_get(sched->db, key, &v);

    if (st != ST_OK)
        return st == ST_NONE ? ST_OK : st;
    if ((st = forget_date(sched, key, v.due_ms)) != ST_OK)
        return st;
    return tables_delete(sched->db->tables, TABLE_REVISIT,
                         row_seen_bytes(&key));
}

static uint64_t
adapted(const struct schedule *sched, const struct row_revisit *v, bool changed)
{
    uint64_t ms = v->interval_ms == 0 ? sched->rules.revisit_ms
                  : changed           ? v->interval_ms / 2
                                      : v->interval_ms + v->interval_ms / 2;

    if (ms < sched->rules.revisit_min_ms)
        ms = sched->rules.revisit_min_ms;
    return ms > sched->rules.revisit_max_ms ? sched->rules.revisit_max_ms : ms;
}

static enum status
write_plan(struct schedule *sched, struct row_seen_key key,
           const struct row_revisit *v)
{
    struct row_key due = row_due_key(v->due_ms, key);
    enum status st;

    if (v->due_ms < sched->revisit_due_ms)
        sched->revisit_due_ms = v->due_ms;
    st = tables_put(sched->db->tables, TABLE_REVISIT, row_seen_bytes(&key),
                    url_store_revisit_bytes(sched->db, v));
    return st == ST_OK ? tables_put(sched->db->tables, TABLE_DUE,
                                    row_bytes(&due), S(""))
                       : st;
}

enum status
schedule_revisit_plan(struct schedule *sched, struct row_seen_key key,
                      const struct frontier_done *d, uint32_t owner,
                      uint64_t now_ms)
{
    struct row_revisit v = {0};
    bool changed = d->outcome != OUTCOME_UNCHANGED;
    enum status st;

    if (sched->rules.revisit_ms == 0)
        return ST_OK;
    if ((st = url_store_revisit_get(sched->db, key, &v)) != ST_OK &&
        st != ST_NONE)
        return st;
    v.etag = arena_str(sched->db->arena, v.etag); /* a write moves them */
    v.last_modified = arena_str(sched->db->arena, v.last_modified);
    if ((st = forget_date(sched, key, v.due_ms)) != ST_OK)
        return st;
    changed = changed && (d->digest == 0 || d->digest != v.digest);
    v.interval_ms = adapted(sched, &v, changed);
    v.due_ms = now_ms + v.interval_ms;
    v.times++;
    v.owner = owner;
    v.url = d->url;
    if (d->outcome != OUTCOME_UNCHANGED) {
        v.digest = d->digest;
        v.etag = d->etag.n <= HEADER_MAX ? d->etag : S("");
        v.last_modified =
            d->last_modified.n <= HEADER_MAX ? d->last_modified : S("");
        if (changed) /* else it is a duplicate of itself */
            v.verdict = d->verdict;
    }
    return write_plan(sched, key, &v);
}

/* An outage, however long, does not end it: a page that was not there for its
 * tries is asked again as if it had not changed. */
enum status
schedule_revisit_later(struct schedule *sched, struct row_seen_key key,
                       uint64_t now_ms)
{
    struct row_revisit v;
    enum status st = url_store_revisit_get(sched->db, key, &v);

    if (st != ST_OK || v.interval_ms == 0)
        return st == ST_NONE ? ST_OK : st;
    v.etag = arena_str(sched->db->arena, v.etag); /* a write moves them */
    v.last_modified = arena_str(sched->db->arena, v.last_modified);
    v.url = arena_str(sched->db->arena, v.url);
    if ((st = forget_date(sched, key, v.due_ms)) != ST_OK)
        return st;
    v.interval_ms = adapted(sched, &v, false);
    v.due_ms = now_ms + v.interval_ms;
    return write_plan(sched, key, &v);
}

/* What is fetched once more by hand is another visit, which the dedup service
 * judges anew, and no conditional request.  Its number is the time, since of
 * pages that are not followed nobody counts the visits. */
enum status
schedule_revisit_another(struct schedule *sched, struct row_seen_key key,
                         struct str url, enum verdict verdict, uint64_t now_ms)
{
    struct row_revisit v = {.url = url, .verdict = verdict};
    uint32_t now_s = (uint32_t)(now_ms / 1000);
    enum status st = url_store_revisit_get(sched->db, key, &v);

    if (st != ST_OK && st != ST_NONE)
        return st;
    v.times = v.times < now_s ? now_s : v.times + 1;
    v.etag = v.last_modified = S("");
    return tables_put(sched->db->tables, TABLE_REVISIT, row_seen_bytes(&key),
                      url_store_revisit_bytes(sched->db, &v));
}

/* How long after its last fetch a date in a sitemap counts. */
static uint64_t
least_wait(const struct schedule *sched, const struct row_revisit *v)
{
    uint64_t wait = sched->rules.revisit_min_ms;

    if (v->interval_ms > sched->rules.revisit_ms && v->interval_ms / 4 > wait)
        wait = v->interval_ms / 4;
    return wait;
}

enum status
schedule_revisit_listed(void *self, struct row_seen_key key,
                        uint64_t lastmod_ms, uint64_t now_ms)
{
    struct schedule *sched = self;
    struct row_revisit v;
    struct row_seen s;
    uint64_t due_ms;
    enum status st = url_store_revisit_get(sched->db, key, &v);

    if (st != ST_OK)
        return st == ST_NONE ? ST_OK : st;
    if ((st = url_store_seen_get(sched->db, key, &s)) != ST_OK ||
        s.state != ROW_DONE)
        return st == ST_NONE ? ST_OK : st;
    due_ms = s.ended_ms + least_wait(sched, &v);
    if (due_ms < now_ms)
        due_ms = now_ms;
    if (lastmod_ms <= s.ended_ms || lastmod_ms > now_ms + CLOCKS_DIFFER_MS ||
        due_ms >= v.due_ms)
        return ST_OK;
    v.etag = arena_str(sched->db->arena, v.etag); /* a write moves them */
    v.last_modified = arena_str(sched->db->arena, v.last_modified);
    v.url = arena_str(sched->db->arena, v.url);
    if ((st = forget_date(sched, key, v.due_ms)) != ST_OK)
        return st;
    v.due_ms = due_ms;
    if ((st = write_plan(sched, key, &v)) != ST_OK)
        return st;
    return schedule_revisit_peek(
        sched); /* the old date may have been the first */
}

/* The first date at `from` or behind, and its page.  ST_NONE: there is none. */
static enum status
next_date(struct schedule *sched, struct str from, uint64_t *due_ms,
          struct row_seen_key *page)
{
    struct str at, value;
    enum status st =
        tables_seek(sched->db->tables, TABLE_DUE, from, &at, &value);

    if (st != ST_OK)
        return st;
    return row_due_page(due_ms, page, at) ? ST_OK : url_store_corrupt("due");
}

/* When the next page is due; SCHEDULER_NEVER: none, or it is off. */
enum status
schedule_revisit_peek(struct schedule *sched)
{
    struct row_seen_key key;
    uint64_t due_ms = SCHEDULER_NEVER;
    enum status st = ST_OK;

    if (sched->rules.revisit_ms > 0)
        st = next_date(sched, S(""), &due_ms, &key);
    sched->revisit_due_ms = st == ST_OK ? due_ms : SCHEDULER_NEVER;
    return st == ST_NONE ? ST_OK : st;
}

/* A date behind the longest interval was written by another clock: from now,
 * its own interval. */
static enum status
cut_ahead(struct schedule *sched, uint64_t now_ms)
{
    const struct row_seen_key none = {{0}};
    struct row_key from =
        row_due_key(now_ms + sched->rules.revisit_max_ms + 1, none);
    struct row_revisit v;
    struct row_seen_key key = none;
    uint64_t due_ms = 0;
    enum status st = ST_OK;

    for (size_t i = 0; i < PROMOTE_MAX; i++) {
        if ((st = next_date(sched, row_bytes(&from), &due_ms, &key)) != ST_OK ||
            (st = url_store_revisit_get(sched->db, key, &v)) != ST_OK)
            break;
        v.etag = arena_str(sched->db->arena, v.etag); /* a write moves them */
        v.last_modified = arena_str(sched->db->arena, v.last_modified);
        v.url = arena_str(sched->db->arena, v.url);
        if (v.interval_ms > sched->rules.revisit_max_ms)
            v.interval_ms = sched->rules.revisit_max_ms;
        if ((st = forget_date(sched, key, due_ms)) != ST_OK)
            break;
        v.due_ms = now_ms + v.interval_ms;
        if ((st = write_plan(sched, key, &v)) != ST_OK)
            break;
    }
    sched->revisit_unchecked = st != ST_NONE;
    return st == ST_NONE ? ST_OK : st;
}

/* The first page that is due, if one still is: the one that was may have been
 * fetched before its date, as scorer `walk` does. */
static enum status
promote_one(struct schedule *sched, uint64_t now_ms)
{
    struct row_revisit v;
    struct row_seen_key key = {{0}}; /* gcc -O3 does not see that it is set */
    struct row_seen s;
    struct row_queued q = {0};
    uint64_t due_ms;
    enum status st = next_date(sched, S(""), &due_ms, &key);

    if (st != ST_OK || due_ms > now_ms)
        return st == ST_NONE ? ST_OK : st;
    if ((st = forget_date(sched, key, due_ms)) != ST_OK ||
        (st = url_store_revisit_get(sched->db, key, &v)) != ST_OK ||
        (st = url_store_seen_get(sched->db, key, &s)) != ST_OK)
        return st == ST_NONE ? url_store_corrupt("revisit") : st;
    if (s.state != ROW_DONE && s.state != ROW_FAILED)
        return ST_OK;
    arena_reset(sched->db->scratch);
    v.url = arena_str(sched->db->scratch, v.url);
    q.kind = v.owner ? FRONTIER_SITEMAP : FRONTIER_PAGE;
    q.owner = v.owner;
    return url_store_queue_again(sched->db, key, v.url, &q, &s);
}

enum status
schedule_revisit_promote(struct schedule *sched, uint64_t now_ms)
{
    enum status st = ST_OK;

    if (sched->revisit_unchecked && sched->rules.revisit_ms > 0 &&
        ((st = cut_ahead(sched, now_ms)) != ST_OK ||
         (st = schedule_revisit_peek(sched)) != ST_OK))
        return st;
    for (size_t i = 0; i < PROMOTE_MAX && sched->revisit_due_ms <= now_ms; i++)
        if ((st = promote_one(sched, now_ms)) != ST_OK ||
            (st = schedule_revisit_peek(sched)) != ST_OK)
            break;
    return st;
}
