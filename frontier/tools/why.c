/* why.c -- why a URL was or was not fetched, for people. */
#include <math.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/link.h"
#include "frontier/features/trap.h"
#include "frontier/parts.h"
#include "frontier_tools.h"

#define BEFORE_MAX 1000000 /* rows looked at to say how many are before it */

static void
duration(struct buf *out, uint64_t from_ms, uint64_t to_ms)
{
    if (to_ms == SCHEDULE_NEVER)
        buf_c(out, "never");
    else if (to_ms <= from_ms)
        buf_c(out, "now");
    else
        buf_printf(out, "in %.1f s", (double)(to_ms - from_ms) / 1000);
}

static void
say_sitemap(struct frontier *f, const struct row_facts *p, struct buf *out)
{
    struct host *on;
    char when[21];

    buf_c(out, "  found: in a sitemap");
    if (p->parent_host != 0 &&
        url_store_host(f->db, p->parent_host, &on) == ST_OK)
        buf_printf(out, " on %.*s", STRF(on->row.name));
    if (p->has_hint)
        buf_printf(out, ", its priority there: %.2f", (double)p->hint);
    if (p->lastmod_ms > 0) {
        clock_iso(p->lastmod_ms, when);
        buf_printf(out, ", last modified %s", when);
    }
    buf_char(out, '\n');
    if (!scoring_scorer(f->sc)->listed)
        buf_c(out, "  its score: what pages of its host were worth then\n");
}

/* Traps are looked for in URLs of pages that the operator has not given. */
static bool
may_be_trap(const struct frontier *f, const struct row_seen *s)
{
    struct row_queued q;

    if (row_has_ended(s->state))
        return !s->facts.seed && s->verdict != VERDICT_SITEMAP &&
               s->verdict != VERDICT_NO_SITEMAP;
    return url_store_waiting_read(f->db, s, &q) != ST_OK ||
           (q.kind == FRONTIER_PAGE && !q.facts.seed);
}

/* What in the URL itself lowers it, or makes it another's twin. `s`: NULL, it
 * has not come in. */
static void
say_features(const struct frontier *f, const struct row_seen *s, struct str url,
             struct str rest, uint64_t now_ms, struct buf *out)
{
    enum trap t = s == NULL || may_be_trap(f, s)
                      ? trap_of(rest, trap_year(now_ms))
                      : TRAP_NONE;
    const struct control_rule *rule = schedule_deleted(f->sched, url);
    struct buf plain = {0};

    if (t != TRAP_NONE)
        buf_printf(out, "trap: %s (%s)%s\n", trap_name(t), trap_meaning(t),
                   schedule_settings(f->sched).traps
                       ? ": its score is lowered"
                       : ": not minded (traps.lower)");
    if (trap_without_session(&plain, url, f->db->keys >= ROW_KEYS_FORMS))
        buf_printf(out, "session: the same page as %.*s\n",
                   STRF(buf_view(&plain)));
    if (rule != NULL)
        buf_printf(out, "deleted: by the operator's %.*s\n",
                   STRF(rule->pattern));
    buf_free(&plain);
}

static void
say_score(struct frontier *f, const struct row_facts *p, uint16_t priority,
          struct buf *out)
{
    static const char *const relations[] = {"same host", "same domain",
                                            "external", "unknown"};
    static const char *const parents[] = {
        [PARENT_NONE] = "its worth unknown",
        [PARENT_KEPT] = "a good document",
        [PARENT_DOUBTFUL] = "the right language, doubtful text",
        [PARENT_SHORT] = "too short to judge",
        [PARENT_LANGUAGE] = "another language",
    };
    struct host *parent;

    buf_printf(out,
               "score of the link: %.3f (class %zu of 0..9, 0 first; scorer "
               "now %s)\n",
               (double)priority / ROW_PRIORITY_MAX,
               row_priority_class(priority), scoring_scorer(f->sc)->name);
    buf_printf(out, "  depth: %u, redirects: %u\n", p->depth, p->redirects);
    if (p->seed) {
        buf_c(out, "  found: given as a seed\n");
        return;
    }
    if (p->sitemap) {
        say_sitemap(f, p, out);
        return;
    }
    if (p->has_badness)
        buf_printf(out, "  badness of the linking page: %.2f (%s)\n",
                   (double)p->badness, parents[p->parent]);
    else
        buf_c(out, "  badness of the linking page: unknown\n");
    buf_printf(out,
               "  boilerplate value of the linking block: %.4f (0 text, 1 "
               "boilerplate)\n  link: %s\n",
               (double)p->boilerplate, relations[p->relation & 3]);
    if (p->parent_host != 0 &&
        url_store_host(f->db, p->parent_host, &parent) == ST_OK)
        buf_printf(out, "  found on: a page of %.*s, hash %010llx\n",
                   STRF(parent->row.name), (unsigned long long)p->parent_hash);
}

static void
say_address(struct frontier *f, const struct row_host *h, uint64_t now_ms,
            struct buf *out)
{
    if (h->address == ADDRESS_UNKNOWN) {
        buf_c(out, "  server address: not known\n");
    } else if (h->address == ADDRESS_EXEMPT) {
        buf_c(out, "  server address: loopback, without a clock\n");
    } else {
        buf_printf(out, "  server address: hash %016llx, free ",
                   (unsigned long long)h->address);
        duration(out, now_ms, schedule_address_due(f->sched, h->address));
        buf_char(out, '\n');
    }
}

static void
say_host(struct frontier *f, const struct row_host *h, uint64_t now_ms,
         struct buf *out)
{
    char when[21];

    buf_printf(out, "host: %.*s\n", STRF(h->name));
    buf_printf(out,
               "  queued: %llu, fetched: %llu, kept: %llu, failures in a row: "
               "%u\n",
               (unsigned long long)h->queued, (unsigned long long)h->fetched,
               (unsigned long long)h->outcomes.n[CLASS_KEPT], h->failures);
    if (schedule_grows(f->sched, h))
        buf_printf(out,
                   "  asked rarely: its last %u pages led almost only to new "
                   "URLs, or on in a calendar or the like "
                   "(traps.growth_pages)\n",
                   (unsigned)h->growth);
    if (schedule_pages_left(f->sched, h) == 0)
        buf_printf(out,
                   "  full: %llu of its pages have been fetched "
                   "(limits.host_pages)\n",
                   (unsigned long long)outcomes_pages(&h->outcomes));
    if (schedule_paused(f->sched, h->name) != NULL)
        buf_printf(out, "  paused: by the operator's %.*s\n",
                   STRF(schedule_paused(f->sched, h->name)->pattern));
    if (h->sitemap_urls > 0)
        buf_printf(out, "  URLs from sitemaps: %llu\n",
                   (unsigned long long)h->sitemap_urls);
    say_address(f, h, now_ms, out);
    buf_printf(out, "  delay: %llu ms (last response: %u ms), ",
               (unsigned long long)schedule_delay(f->sched, h), h->response_ms);
    if (h->lease.out) {
        buf_c(out, "something of it is out; its lease ends ");
        duration(out, now_ms, h->lease.deadline_ms);
    } else {
        buf_c(out, "due ");
        duration(out, now_ms, schedule_due(f->sched, h));
    }
    buf_c(out, "\n  robots.txt: ");
    if (!schedule_settings(f->sched).robots) {
        buf_c(out, "not asked for (politeness.robots)\n");
    } else if (h->robots.pending) {
        buf_c(out, "redirected, waiting for another host\n");
    } else if (h->robots.unreachable > 0) {
        buf_printf(out, "unreachable (%u tries, last status %u), again ",
                   h->robots.unreachable, h->robots.status);
        duration(out, now_ms, h->robots.retry_ms);
        buf_char(out, '\n');
    } else if (h->robots.version == 0) {
        buf_c(out, "not fetched yet\n");
    } else {
        clock_iso(h->robots.fetched_ms, when);
        buf_printf(out, "version %llu, status %u, fetched %s, expires ",
                   (unsigned long long)h->robots.version, h->robots.status,
                   when);
        duration(out, now_ms, h->robots.expiry_ms);
        buf_char(out, '\n');
    }
}

static void
say_outcomes(const struct outcome_counts *c, struct buf *out)
{
    for (int i = 0; i < CLASS_N; i++)
        if (c->n[i] > 0)
            buf_printf(out, " %s=%u", outcome_class_name(i), c->n[i]);
    buf_c(out, outcomes_pages(c) > 0 ? "\n" : " no page yet\n");
}

/* What has come of pages of its kind, and with what it competes for that. */
static enum status
say_url_class(struct frontier *f, const struct row_host *h,
              struct row_position position, const struct row_queued *q,
              struct buf *out)
{
    const struct url_class *s = &h->url_classes.item[position.url_class];

    if (position.url_class >= h->url_classes.n)
        return url_store_corrupt("hosts");
    buf_printf(out, "competes with: %.3f\n",
               scorer_score(scoring_effective(f->sc, h, position.url_class,
                                              position.priority)));
    buf_printf(out, "  its URL class: %u of %zu, queued: %llu, so far:",
               position.url_class + 1u, h->url_classes.n,
               (unsigned long long)s->queued);
    say_outcomes(&s->outcomes, out);
    buf_c(out, "  its host so far:");
    say_outcomes(&h->outcomes, out);
    scoring_explain(f->sc, h, position.url_class, q, out);
    return ST_OK;
}

/* How many of its URL class are before it, and of how many it is one. */
static enum status
say_position(struct frontier *f, struct row_position position, struct buf *out)
{
    const struct frontier_totals *t = &f->db->counters.totals;
    struct row_key from =
        row_queue_url_class(position.host, position.url_class);
    struct row_position at;
    struct str key, value;
    uint64_t n = 0, above = 0;
    size_t class = row_priority_class(position.priority);
    enum status st =
        tables_seek(f->db->tables, TABLE_QUEUE, row_bytes(&from), &key, &value);

    for (; st == ST_OK && n < BEFORE_MAX && row_queue_position(&at, key) &&
           at.host == position.host && at.url_class == position.url_class &&
           at.sequence != position.sequence;
         n++)
        st = tables_next(f->db->tables, TABLE_QUEUE, &key, &value);
    for (size_t i = 0; i < class; i++)
        above += t->queued_by_priority[i];
    buf_printf(
        out,
        "before it: %llu of its URL class; of all %llu queued, %llu are in "
        "higher classes and %llu in its own\n",
        (unsigned long long)n, (unsigned long long)t->queued,
        (unsigned long long)above,
        (unsigned long long)t->queued_by_priority[class]);
    return st == ST_NONE ? ST_OK : st;
}

static void
say_held(struct frontier *f, const struct host *h, const struct row_queued *q,
         struct buf *out)
{
    const struct control_rule *rule;

    arena_reset(f->db->scratch);
    rule = schedule_held_by(f->sched,
                            row_queued_url(q, h->row.name, f->db->scratch));
    if (rule == NULL)
        buf_c(out, "state: held, comes back into the queue soon\n");
    else
        buf_printf(out,
                   rule->action == CONTROL_DELETE
                       ? "state: held: deleted by the operator's %.*s; "
                         "--resume brings it back, until --compact\n"
                       : "state: held: paused by the operator's %.*s\n",
                   STRF(rule->pattern));
}

static void
say_tries(const struct row_queued *q, struct buf *out)
{
    if (q->attempts > 0)
        buf_printf(out, "state: queued, try %u failed, tried again soon\n",
                   q->attempts);
    else if (q->crashes > 0)
        buf_printf(out, "state: queued, %u crawlers ended while they had it\n",
                   q->crashes);
    else
        buf_c(out, "state: queued, not fetched yet\n");
}

static enum status
say_queued(struct frontier *f, const struct host *h, const struct row_seen *s,
           uint64_t now_ms, struct buf *out)
{
    const struct row_lease *l = &h->row.lease;
    struct row_queued q;
    enum status st = url_store_waiting_read(f->db, s, &q);

    if (st != ST_OK)
        return st;
    if (s->state == ROW_HELD) {
        say_held(f, h, &q, out);
    } else if (s->state == ROW_UNREPORTED) {
        buf_c(out, "state: fetched, its report has not come yet\n");
    } else if (row_is_out(&h->row, s->position)) {
        buf_printf(out, "state: leased to crawler %016llx, its lease ends ",
                   (unsigned long long)l->crawler);
        duration(out, now_ms, l->deadline_ms);
        buf_char(out, '\n');
    } else if (s->state == ROW_LATER) {
        buf_printf(out, "state: queued, try %u failed, tried again ",
                   q.attempts);
        duration(out, now_ms, s->due_ms);
        buf_char(out, '\n');
    } else {
        say_tries(&q, out);
    }
    say_score(f, &q.facts, s->position.priority, out);
    if ((st = say_url_class(f, &h->row, s->position, &q, out)) != ST_OK)
        return st;
    return s->state == ROW_QUEUED ? say_position(f, s->position, out) : ST_OK;
}

static void
say_ended(struct frontier *f, const struct row_seen *s, struct buf *out)
{
    char when[21];

    clock_iso(s->ended_ms, when);
    buf_printf(out, "state: %s, reason: %s, at %s (log/crawl.jsonl has more)\n",
               s->outcome == OUTCOME_REDIRECT ? "redirected"
                                              : row_state_name(s->state),
               verdict_name(s->verdict), when);
    if (s->has_badness)
        buf_printf(out, "badness of the page: %.2f\n", (double)s->badness);
    if (s->facts.explored)
        buf_c(out, "chosen by chance, not for its score (frontier.explore)\n");
    say_score(f, &s->facts, s->position.priority, out);
}

static enum status
say_revisit(struct frontier *f, struct str authority, struct str url,
            uint64_t now_ms, struct buf *out)
{
    struct row_revisit v;
    enum status st = url_store_revisit_get(
        f->db, row_seen_key(f->db->keys, authority, url), &v);

    if (st != ST_OK)
        return st == ST_NONE ? ST_OK : st;
    if (v.interval_ms == 0) /* it was named, and not kept since */
        return ST_OK;
    buf_printf(out, "fetched every %.0f s now, again ",
               (double)v.interval_ms / 1000);
    duration(out, now_ms, v.due_ms);
    buf_c(out,
          schedule_settings(f->sched).revisits ? "\n" : " (recrawl is off)\n");
    return ST_OK;
}

struct wanted {
    struct row_seen_key key;
    bool found;
};

static enum status
is_it(void *self, const struct candidate *c)
{
    struct wanted *w = self;

    w->found = w->found ||
               memcmp(c->key.bytes, w->key.bytes, sizeof w->key.bytes) == 0;
    return w->found ? ST_STOPPED : ST_OK;
}

/* Is it in the log of links that are not merged yet? */
static bool
waits(struct frontier *f, struct str authority, struct str url)
{
    struct wanted w = {.key = row_seen_key(f->db->keys, authority, url)};

    (void)intake_each(f->in, is_it, &w);
    return w.found;
}

/* ... or there were better ones. */
static void
say_dropped(struct frontier *f, struct str authority, struct buf *out)
{
    struct host *h;

    buf_c(out, "\n");
    if (intake_limits(f->in).host_queue > 0 &&
        url_store_host_named(f->db, authority, S(""), false, &h) == ST_OK &&
        h->row.queued >= intake_limits(f->in).host_queue)
        buf_printf(out,
                   "  or it was dropped: its host's queue is full "
                   "(frontier.host_queue_max=%llu) of links that are as good "
                   "or better\n",
                   (unsigned long long)intake_limits(f->in).host_queue);
    if (f->db->counters.totals.links_dropped > 0)
        buf_printf(out,
                   "  of all links %llu were dropped because there were better "
                   "ones (frontier.page_links_max, host_queue_max, "
                   "domain_queue_max); they come in when they are found again "
                   "and there is room\n",
                   (unsigned long long)f->db->counters.totals.links_dropped);
}

enum status
frontier_why(struct frontier *f, struct str url, uint64_t now_ms,
             struct buf *out)
{
    struct row_url parts;
    struct row_seen s;
    struct host *h;
    enum status st, revisit;

    buf_printf(out, "url: %.*s\n", STRF(url));
    if (!row_url_split(&parts, url)) {
        buf_c(out, "state: never queued: not an http or https URL\n");
        return ST_OK;
    }
    st = url_store_seen_get(
        f->db, row_seen_key(f->db->keys, parts.authority, url), &s);
    if (st == ST_NONE && url.n > intake_limits(f->in).url_size_max) {
        buf_printf(out,
                   "state: refused: %zu bytes are more than "
                   "frontier.url_size_max (%llu)\n",
                   url.n,
                   (unsigned long long)intake_limits(f->in).url_size_max);
    } else if (st == ST_NONE && waits(f, parts.authority, url)) {
        buf_c(out, "state: found: waits to be taken into the queue with other "
                   "new links (frontier.merge_seconds)\n");
    } else if (st == ST_NONE) {
        buf_c(out, "state: never seen: no page fetched so far links to it in "
                   "this form, or the link was left out before it came here "
                   "(scope.*, limits.depth, rel=nofollow)");
        say_dropped(f, parts.authority, out);
    } else if (st != ST_OK) {
        return st;
    }
    if (st == ST_OK && row_has_ended(s.state))
        say_ended(f, &s, out);
    say_features(f, st == ST_OK ? &s : NULL, url, parts.rest, now_ms, out);
    if (st == ST_OK &&
        (revisit = say_revisit(f, parts.authority, url, now_ms, out)) != ST_OK)
        return revisit;
    if ((st == ST_OK || st == ST_NONE) &&
        url_store_host_named(f->db, parts.authority, S(""), false, &h) !=
            ST_OK) {
        buf_printf(out, "host: %.*s was never met\n", STRF(parts.authority));
        return ST_OK;
    }
    if (st == ST_OK && !row_has_ended(s.state))
        st = say_queued(f, h, &s, now_ms, out);
    if (st == ST_NONE)
        st = ST_OK;
    if (st == ST_OK)
        say_host(f, &h->row, now_ms, out);
    return st;
}
