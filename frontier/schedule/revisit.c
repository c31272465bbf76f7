/* revisit.c -- pages that are fetched again when their time has come.
 *
 *  revisit  key of `seen`            -> URL, how often it was fetched,
 * interval, digest of its text, ETag, Last-Modified due      be64 when | key of
 * seen  -> nothing
 *
 * A kept page gets a row when it ends; at its date it goes back into its host's
 * queue, with the score it had.  The crawler asks whether it has changed
 * (RFC 9110, section 13).  A page that changed is looked at in half the time,
 * one that did not in half as much time again, within recrawl.interval_min and
 * _max: few requests are enough to follow pages of all speeds.  Off unless
 * recrawl.interval_seconds is set; then rows stay but nothing becomes due. */
#include "frontier/inside.h"
#include "frontier/store/pack.h"
#include "winnow/log.h"

#define DUE_KEY 24u
#define PROMOTE_MAX 1000u /* pages queued again by one call */
#define HEADER_MAX 512u   /* bytes of an ETag that are worth keeping */

static struct str
revisit_bytes(struct frontier *f, const struct frontier_revisit *v)
{
    struct buf *b = &f->row;

    buf_clear(b);
    pack_number(b, v->times);
    pack_number(b, v->due_ms);
    pack_number(b, v->interval_ms);
    pack_fixed(b, v->digest, 8);
    pack_text(b, v->etag);
    pack_text(b, v->last_modified);
    pack_text(b, v->reason);
    pack_text(b, v->url);
    return buf_view(b);
}

static bool
revisit_read(struct frontier_revisit *v, struct str bytes)
{
    struct unpack u = {bytes, false};

    v->times = unpack_u32(&u);
    v->due_ms = unpack_number(&u);
    v->interval_ms = unpack_number(&u);
    v->digest = unpack_fixed(&u, 8);
    v->etag = unpack_text(&u);
    v->last_modified = unpack_text(&u);
    v->reason = unpack_text(&u);
    v->url = unpack_text(&u);
    return !u.bad;
}

static struct row_key
due_key(uint64_t due_ms, struct row_seen_key key)
{
    struct row_key k = {.n = DUE_KEY};

    for (int i = 0; i < 8; i++)
        k.bytes[i] = (unsigned char)(due_ms >> (56 - 8 * i));
    memcpy(k.bytes + 8, key.bytes, sizeof key.bytes);
    return k;
}

/* ST_NONE: the page was never kept. */
enum status
frontier_revisit_get(struct frontier *f, struct row_seen_key key,
                     struct frontier_revisit *out)
{
    struct str value;
    enum status st =
        tables_get(f->tables, TABLE_REVISIT, row_seen_bytes(&key), &value);

    if (st == ST_OK && !revisit_read(out, value))
        st = frontier_corrupt("revisit");
    return st;
}

static enum status
forget_date(struct frontier *f, struct row_seen_key key, uint64_t due_ms)
{
    struct row_key old = due_key(due_ms, key);
    enum status st = due_ms == 0
                         ? ST_OK
                         : tables_delete(f->tables, TABLE_DUE, row_bytes(&old));

    return st == ST_NONE ? ST_OK : st;
}

enum status
frontier_revisit_drop(struct frontier *f, struct row_seen_key key)
{
    struct frontier_revisit v;
    enum status st = frontier_revisit_get(f, key, &v);

    if (st != ST_OK)
        return st == ST_NONE ? ST_OK : st;
    if ((st = forget_date(f, key, v.due_ms)) != ST_OK)
        return st;
    return tables_delete(f->tables, TABLE_REVISIT, row_seen_bytes(&key));
}

static uint64_t
adapted(const struct frontier *f, const struct frontier_revisit *v,
        bool changed)
{
    uint64_t ms = v->times == 0 ? f->rules.revisit_ms
                  : changed     ? v->interval_ms / 2
                                : v->interval_ms + v->interval_ms / 2;

    if (ms < f->rules.revisit_min_ms)
        ms = f->rules.revisit_min_ms;
    return ms > f->rules.revisit_max_ms ? f->rules.revisit_max_ms : ms;
}

enum status
frontier_revisit_plan(struct frontier *f, struct row_seen_key key,
                      const struct frontier_done *d, uint64_t now_ms)
{
    struct frontier_revisit v = {0};
    struct row_key due;
    bool changed = d->outcome != OUTCOME_UNCHANGED;
    enum status st;

    if (f->rules.revisit_ms == 0)
        return ST_OK;
    if ((st = frontier_revisit_get(f, key, &v)) != ST_OK && st != ST_NONE)
        return st;
    v.etag = arena_str(f->arena, v.etag); /* a write moves them */
    v.last_modified = arena_str(f->arena, v.last_modified);
    v.reason = arena_str(f->arena, v.reason);
    if ((st = forget_date(f, key, v.due_ms)) != ST_OK)
        return st;
    changed = changed && (d->digest == 0 || d->digest != v.digest);
    v.interval_ms = adapted(f, &v, changed);
    v.due_ms = now_ms + v.interval_ms;
    v.times++;
    v.url = d->url;
    if (d->outcome != OUTCOME_UNCHANGED) {
        v.digest = d->digest;
        v.etag = d->etag.n <= HEADER_MAX ? d->etag : S("");
        v.last_modified =
            d->last_modified.n <= HEADER_MAX ? d->last_modified : S("");
        v.reason = str_sub(d->reason, 0, ROW_REASON_MAX);
    }
    due = due_key(v.due_ms, key);
    if (v.due_ms < f->revisit_due_ms)
        f->revisit_due_ms = v.due_ms;
    st = tables_put(f->tables, TABLE_REVISIT, row_seen_bytes(&key),
                    revisit_bytes(f, &v));
    return st == ST_OK
               ? tables_put(f->tables, TABLE_DUE, row_bytes(&due), S(""))
               : st;
}

/* When the next page is due; AGENDA_NEVER: none, or it is off. */
enum status
frontier_revisit_peek(struct frontier *f)
{
    struct str key, value;
    enum status st;

    f->revisit_due_ms = AGENDA_NEVER;
    if (f->rules.revisit_ms == 0)
        return ST_OK;
    st = tables_seek(f->tables, TABLE_DUE, S(""), &key, &value);
    if (st != ST_OK)
        return st == ST_NONE ? ST_OK : st;
    if (key.n != DUE_KEY)
        return frontier_corrupt("due");
    f->revisit_due_ms = 0;
    for (size_t i = 0; i < 8; i++)
        f->revisit_due_ms = f->revisit_due_ms << 8 | (unsigned char)key.p[i];
    return ST_OK;
}

/* Done and due: a row in its host's queue again. */
static enum status
queue_again(struct frontier *f, struct row_seen_key key,
            const struct frontier_revisit *v, struct row_seen *s)
{
    struct row_queued q = {.kind = FRONTIER_PAGE, .facts = s->facts};
    struct row_url url;
    struct host *h;
    enum status st;

    if (!row_url_split(&url, v->url))
        return frontier_corrupt("revisit");
    q.https = url.https;
    q.whole = !url.plain;
    q.rest = url.plain ? url.rest : v->url;
    q.facts.redirects = 0;
    if ((st = frontier_host_named(f, url.authority, S(""), false, &h)) != ST_OK)
        return st == ST_NONE ? frontier_corrupt("names") : st;
    *s =
        (struct row_seen){.state = ROW_QUEUED,
                          .place = {h->id, frontier_shelf(f, h, &url.rest),
                                    s->place.priority, ++f->counters.sequence}};
    f->counters.totals.done--;
    f->counters.totals.revisits++;
    frontier_count_queued(f, s->place.priority, 1);
    if ((st = frontier_queue_add(f, h, s->place, &q)) != ST_OK)
        return st;
    return frontier_seen_put(f, key, s);
}

static enum status
promote_one(struct frontier *f)
{
    struct frontier_revisit v;
    struct row_seen_key key;
    struct row_seen s;
    struct str at, value;
    enum status st = tables_seek(f->tables, TABLE_DUE, S(""), &at, &value);

    if (st != ST_OK || at.n != DUE_KEY)
        return st == ST_OK || st == ST_NONE ? frontier_corrupt("due") : st;
    memcpy(key.bytes, at.p + 8, sizeof key.bytes);
    if ((st = forget_date(f, key, f->revisit_due_ms)) != ST_OK ||
        (st = frontier_revisit_get(f, key, &v)) != ST_OK ||
        (st = frontier_seen_get(f, key, &s)) != ST_OK)
        return st == ST_NONE ? frontier_corrupt("revisit") : st;
    if (s.state != ROW_DONE)
        return ST_OK;
    arena_reset(f->scratch);
    v.url = arena_str(f->scratch, v.url);
    return queue_again(f, key, &v, &s);
}

enum status
frontier_revisit_promote(struct frontier *f, uint64_t now_ms)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < PROMOTE_MAX && f->revisit_due_ms <= now_ms; i++)
        if ((st = promote_one(f)) != ST_OK ||
            (st = frontier_revisit_peek(f)) != ST_OK)
            break;
    return st;
}
