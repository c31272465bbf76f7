/* control.c -- what operators say while a crawl runs: hosts that rest, URLs
 * that are not wanted.
 *
 * A rule is a row of `control` (pattern -> action, since when) and stays until
 * it is taken back; all are in memory, too, RULES_MAX of them.  A paused host
 * keeps its queue, is due never, and takes links.  DELETE goes through the
 * queues that can hold a match, PIECE rows a call, so that leases go on in
 * between; what is out or waits for a retry is refused when it comes back into
 * the queue, what is found later when it is found.  Refused URLs stay seen,
 * with the reason "deleted". */
#include <stdlib.h>

#include "frontier/inside.h"
#include "frontier/signs/pattern.h"
#include "winnow/clock.h"
#include "winnow/log.h"

#define RULES_MAX 1000u
#define PIECE 5000u /* rows looked at by one call */

static const char *const actions[] = {"list", "pause", "resume", "delete"};

/* ---- rules ---- */

static void
remember(struct frontier *f, enum control_action action, struct str pattern,
         uint64_t since_ms)
{
    struct control_rule *more;
    char *copy = malloc(pattern.n + 1);

    more = realloc(f->rule, (f->rule_n + 1) * sizeof *more);
    if (copy == NULL || more == NULL) {
        log_error("frontier", "out of memory");
        abort();
    }
    memcpy(copy, pattern.p, pattern.n);
    f->rule = more;
    f->rule[f->rule_n++] =
        (struct control_rule){action, str_n(copy, pattern.n), since_ms};
    f->pauses_n += action == CONTROL_PAUSE;
    f->deletes_n += action == CONTROL_DELETE;
}

void
frontier_control_forget(struct frontier *f)
{
    for (size_t i = 0; i < f->rule_n; i++)
        free((char *)(uintptr_t)f->rule[i].pattern.p);
    free(f->rule);
    f->rule = NULL;
    f->rule_n = f->pauses_n = f->deletes_n = 0;
}

/* The rules as the store has them. */
enum status
frontier_control_load(struct frontier *f)
{
    struct str key, value;
    enum status st = tables_seek(f->tables, TABLE_CONTROL, S(""), &key, &value);

    frontier_control_forget(f);
    for (; st == ST_OK;
         st = tables_next(f->tables, TABLE_CONTROL, &key, &value)) {
        uint64_t since = 0;

        if (value.n != 9 || value.p[0] < CONTROL_PAUSE ||
            value.p[0] > CONTROL_DELETE)
            return frontier_corrupt("control");
        for (size_t i = 1; i < value.n; i++)
            since = since << 8 | (unsigned char)value.p[i];
        remember(f, (enum control_action)value.p[0], key, since);
    }
    return st == ST_NONE ? ST_OK : st;
}

static const struct control_rule *
known(const struct frontier *f, struct str pattern)
{
    for (size_t i = 0; i < f->rule_n; i++)
        if (str_eq(f->rule[i].pattern, pattern))
            return &f->rule[i];
    return NULL;
}

size_t
frontier_control_rules(const struct frontier *f,
                       const struct control_rule **out)
{
    *out = f->rule;
    return f->rule_n;
}

void
frontier_control_say(const struct control_rule *rule, struct buf *out)
{
    char when[21];

    clock_iso(rule->since_ms, when);
    buf_printf(out, "%s %.*s since %s\n",
               rule->action <= CONTROL_DELETE ? actions[rule->action] : "?",
               STRF(rule->pattern), when);
}

const struct control_rule *
frontier_paused(const struct frontier *f, struct str authority)
{
    for (size_t i = 0; i < f->rule_n && f->pauses_n > 0; i++)
        if (f->rule[i].action == CONTROL_PAUSE &&
            pattern_host(f->rule[i].pattern, authority))
            return &f->rule[i];
    return NULL;
}

const struct control_rule *
frontier_deleted(const struct frontier *f, struct str url)
{
    for (size_t i = 0; i < f->rule_n && f->deletes_n > 0; i++)
        if (f->rule[i].action == CONTROL_DELETE &&
            pattern_url(f->rule[i].pattern, url))
            return &f->rule[i];
    return NULL;
}

static enum status
store(struct frontier *f, enum control_action action, struct str pattern,
      uint64_t now_ms)
{
    char value[9] = {(char)action};

    for (int i = 0; i < 8; i++)
        value[1 + i] = (char)(unsigned char)(now_ms >> (56 - 8 * i));
    return tables_put(f->tables, TABLE_CONTROL, pattern,
                      str_n(value, sizeof value));
}

/* ---- hosts that match ---- */

static enum status
refresh(struct frontier *f, uint32_t id, struct control_change *c)
{
    struct host *h;
    enum status st = frontier_host(f, id, &h);

    if (st == ST_OK) {
        frontier_host_changed(f, h); /* an abort looks at it again, then */
        c->hosts++;
    }
    return st;
}

/* Tell the agenda of every host that the pattern matches. */
static enum status
refresh_all(struct frontier *f, struct control_change *c)
{
    struct str one = pattern_single(c->pattern), key, value;
    struct shelf room[SHELVES_MAX];
    struct row_host row;
    struct host *h;
    enum status st;

    if (pattern_of_urls(c->pattern))
        return ST_OK;
    if (one.n > 0 && str_find(one, ':', 0) < one.n) {
        st = frontier_host_named(f, one, S(""), false, &h);
        return st == ST_OK ? refresh(f, h->id, c) : st == ST_NONE ? ST_OK : st;
    }
    st = tables_seek(f->tables, TABLE_HOSTS, S(""), &key, &value);
    for (; st == ST_OK;
         st = tables_next(f->tables, TABLE_HOSTS, &key, &value)) {
        if (!row_host_read(&row, value, room))
            return frontier_corrupt("hosts");
        if (!pattern_host(c->pattern, row.name))
            continue;
        if ((st = refresh(f, row_be32(key), c)) != ST_OK)
            return st;
    }
    return st == ST_NONE ? ST_OK : st;
}

/* ---- deleting what is queued ---- */

/* A queued page out of the queue and into `seen` as refused. */
enum status
frontier_refuse(struct frontier *f, struct host *h, struct row_place place,
                const struct row_queued *q, struct str reason, uint64_t now_ms)
{
    struct row_seen s = {.state = ROW_REFUSED,
                         .place = place,
                         .facts = q->facts,
                         .outcome = OUTCOME_OUT_OF_SCOPE,
                         .ended_ms = now_ms,
                         .reason = reason};
    struct str url = frontier_queued_url(q, h->row.name, f->arena);
    enum status st;

    frontier_count_queued(f, place.priority, -1);
    f->counters.totals.refused++;
    h->row.causes.n[CAUSE_REFUSED]++;
    h->row.shelves.item[place.shelf].causes.n[CAUSE_REFUSED]++;
    if ((st = frontier_queue_remove(f, h, place)) != ST_OK)
        return st;
    frontier_host_changed(f, h);
    return frontier_seen_put(f, row_seen_key(h->row.name, url), &s);
}

static enum status
delete_one(struct frontier *f, struct row_place place, struct str value,
           struct control_change *c, uint64_t now_ms)
{
    struct row_queued q;
    struct host *h;
    struct str url;
    enum status st = frontier_host(f, place.host, &h);

    if (st != ST_OK)
        return st;
    arena_reset(f->scratch);
    if (!row_queued_read(&q, arena_str(f->scratch, value)))
        return frontier_corrupt("queue");
    url = frontier_queued_url(&q, h->row.name, f->scratch);
    if (q.kind == FRONTIER_ROBOTS || !pattern_url(c->pattern, url) ||
        (h->row.lease.out && h->row.lease.place.sequence == place.sequence))
        return ST_OK;
    c->urls++;
    f->counters.totals.deleted++;
    return frontier_refuse(f, h, place, &q, S("deleted"), now_ms);
}

/* Up to PIECE rows from c->next on; c->next_n = 0 at the end. */
static enum status
delete_some(struct frontier *f, struct control_change *c, uint64_t now_ms)
{
    struct str one = pattern_single(c->pattern), key, value;
    bool port = str_find(one, ':', 0) < one.n;
    struct row_key at = {.n = c->next_n};
    struct row_place place;
    struct host *h = NULL;
    enum status st = ST_OK;

    memcpy(at.bytes, c->next, c->next_n);
    c->next_n = 0;
    if (one.n > 0 && (port || pattern_of_urls(c->pattern))) {
        st = frontier_host_named(f, one, S(""), false, &h);
        if (st != ST_OK)
            return st == ST_NONE ? ST_OK : st;
        if (at.n == 0)
            at = row_queue_shelf(h->id, 0);
    }
    for (size_t i = 0; i < PIECE; i++) {
        st = tables_seek(f->tables, TABLE_QUEUE, row_bytes(&at), &key, &value);
        if (st != ST_OK)
            return st == ST_NONE ? ST_OK : st;
        if (!row_queue_place(&place, key))
            return frontier_corrupt("queue");
        if (h != NULL && place.host != h->id)
            return ST_OK;
        if ((st = delete_one(f, place, value, c, now_ms)) != ST_OK)
            return st;
        place.sequence++; /* the key behind it */
        at = row_queue_key(place);
    }
    memcpy(c->next, at.bytes, at.n);
    c->next_n = at.n;
    return ST_OK;
}

/* ---- the call ---- */

static enum status
set_rule(struct frontier *f, struct control_change *c, uint64_t now_ms)
{
    const struct control_rule *old = known(f, c->pattern);
    enum status st;

    if (c->action == CONTROL_RESUME && old == NULL) {
        log_error("frontier", "resume=%.*s: was neither paused nor deleted",
                  STRF(c->pattern));
        return ST_USAGE;
    }
    if (old == NULL && f->rule_n == RULES_MAX) {
        log_error("frontier",
                  "there are %u pauses and deletions already; resume some",
                  RULES_MAX);
        return ST_USAGE;
    }
    st = c->action == CONTROL_RESUME
             ? tables_delete(f->tables, TABLE_CONTROL, c->pattern)
             : store(f, c->action, c->pattern, now_ms);
    return st == ST_OK ? frontier_control_load(f) : st;
}

enum status
frontier_control(struct frontier *f, struct control_change *c, uint64_t now_ms)
{
    bool first = c->next_n == 0;
    enum status st;

    c->hosts = c->urls = 0;
    if (c->action == CONTROL_LIST)
        return ST_OK;
    if (!pattern_good(c->pattern) ||
        c->next_n > sizeof((struct row_key *)NULL)->bytes ||
        (c->action == CONTROL_PAUSE && pattern_of_urls(c->pattern))) {
        log_error("frontier",
                  "%s=%.*s: not a pattern: a host (a.example, .example, "
                  "*.shop.example)%s, without blanks",
                  actions[c->action], STRF(c->pattern),
                  c->action == CONTROL_PAUSE
                      ? ""
                      : " or a URL (http://a.example/x*)");
        return ST_USAGE;
    }
    if (first) {
        if ((st = set_rule(f, c, now_ms)) != ST_OK ||
            (st = refresh_all(f, c)) != ST_OK)
            return st;
        log_info("frontier", "%s=%.*s hosts=%llu", actions[c->action],
                 STRF(c->pattern), (unsigned long long)c->hosts);
    }
    if (c->action != CONTROL_DELETE)
        return ST_OK;
    st = delete_some(f, c, now_ms);
    if (st == ST_OK && c->urls > 0)
        log_info("frontier", "delete=%.*s urls=%llu", STRF(c->pattern),
                 (unsigned long long)c->urls);
    return st;
}
