/* control.c -- what operators say while a crawl runs: hosts that rest, URLs
 * that are not wanted.
 *
 * There are CONTROL_RULES_MAX rules (rules.c) at most.  A paused host keeps its
 * queue, is due never, and takes links.  What a pattern of URLs does to those
 * that are queued is done piece by piece (control_scan.c), so that leases go on
 * in between: the operator's program asks for the next piece until there is
 * none, and if it stops asking, leases finish what is unfinished.  What is
 * found later is judged when it is found; what is deleted then is not even
 * remembered.
 */
#include "base/log.h"
#include "frontier/features/pattern.h"
#include "schedule_inside.h"

#define PIECE 5000u       /* rows looked at by one call */
#define PIECE_LEASE 1000u /* ... by a lease that finishes for another */
#define ALONE_MS 2000u    /* so long after the operator's last call */
#define NAMES_MS 60000u   /* ... names of hosts are kept */

static const char *const actions[] = {"list", "pause", "resume", "delete",
                                      "look"};

/* ---- hosts that match ---- */

struct refresh {
    struct schedule *sched;
    struct control_change *change;
};

static void
refresh_met(void *self, struct host *h)
{
    struct refresh *m = self;

    if (!pattern_host(m->change->pattern, h->row.name))
        return;
    url_store_host_leased(m->sched->db, h); /* for schedule_settle() */
    m->change->hosts++;
}

/* One that the transaction has met is known. */
static enum status
refresh_stored(struct schedule *sched, uint32_t id, struct control_change *c)
{
    struct url_class room[URL_CLASSES_MAX];
    struct row_host row;
    enum status st;

    if (url_store_host_met(sched->db, id) != NULL)
        return ST_OK;
    if ((st = url_store_host_load(sched->db, id, &row, room)) != ST_OK)
        return st == ST_NONE ? url_store_corrupt("hosts") : st;
    schedule_host(sched, id, &row);
    c->hosts++;
    return ST_OK;
}

/* Tell the scheduler of every host that the pattern matches.  Of millions,
 * perhaps: none is kept in memory or written, and an abort looks at all. */
static enum status
refresh_all(struct schedule *sched, struct control_change *c)
{
    struct url_class room[URL_CLASSES_MAX];
    struct hosts_named named;
    struct str key, value;
    struct row_host row;
    enum status st;

    if (pattern_of_urls(c->pattern))
        return ST_OK;
    st = hosts_named_find(&sched->names, sched->db, c->pattern, &named);
    if (st != ST_OK)
        return st;
    sched->told_anew = true;
    url_store_hosts_met(sched->db, refresh_met, &(struct refresh){sched, c});
    if (!named.all)
        return ST_OK;
    st = tables_seek(sched->db->tables, TABLE_HOSTS, S(""), &key, &value);
    for (; st == ST_OK;
         st = tables_next(sched->db->tables, TABLE_HOSTS, &key, &value)) {
        if (!row_host_read(&row, value, room))
            return url_store_corrupt("hosts");
        if (pattern_host(c->pattern, row.name) &&
            (st = refresh_stored(sched, row_be32(key), c)) != ST_OK)
            return st;
    }
    return st == ST_NONE ? ST_OK : st;
}

/* ---- the call ---- */

/* Does it move what is queued?  `rule`: what the pattern was until now. */
static bool
sweeps(const struct control_change *c, const struct control_rule *rule)
{
    if (c->action == CONTROL_RESUME)
        return rule != NULL &&
               (pattern_of_urls(c->pattern) || rule->action != CONTROL_PAUSE);
    return c->action == CONTROL_DELETE || pattern_of_urls(c->pattern);
}

/* What was forgotten for its owner is not taken back by a slip. */
static bool
would_undo(const struct control_change *c, const struct control_rule *old)
{
    if (old == NULL || !old->forgotten || c->forgotten ||
        c->action == CONTROL_DELETE)
        return false;
    log_error("frontier", "%s=%.*s: was forgotten, and stays so",
              actions[c->action], STRF(c->pattern));
    return true;
}

static enum status
set_rule(struct schedule *sched, const struct control_change *c,
         bool unfinished, uint64_t now_ms)
{
    const struct control_rule *old = schedule_rule(sched, c->pattern);

    if (c->action == CONTROL_RESUME && old == NULL) {
        log_error("frontier", "resume=%.*s: was neither paused nor deleted",
                  STRF(c->pattern));
        return ST_USAGE;
    }
    if (old == NULL && sched->rule_n == CONTROL_RULES_MAX) {
        log_error("frontier",
                  "there are %u pauses and deletions already; resume some",
                  CONTROL_RULES_MAX);
        return ST_USAGE;
    }
    if (would_undo(c, old))
        return ST_USAGE;
    if (c->action == CONTROL_RESUME && !unfinished)
        return schedule_rule_drop(sched, c->pattern);
    return schedule_rule_set(
        sched, &(struct control_rule){
                   .action = c->action,
                   .pattern = c->pattern,
                   .since_ms = now_ms,
                   .unfinished = unfinished,
                   .forgotten = c->action == CONTROL_DELETE &&
                                (c->forgotten || (old && old->forgotten))});
}

/* Every row was looked at. */
static enum status
finish(struct schedule *sched, const struct control_change *c)
{
    const struct control_rule *rule = schedule_rule(sched, c->pattern);

    log_info("frontier", "%s=%.*s finished", actions[c->action],
             STRF(c->pattern));
    return set_rule(sched, c, false, rule->since_ms);
}

/* A piece; nothing when somebody else has finished, or wants another thing. */
static enum status
sweep(struct schedule *sched, struct control_change *c, size_t rows,
      uint64_t now_ms)
{
    const struct control_rule *rule = schedule_rule(sched, c->pattern);
    enum status st;

    if (rule == NULL || rule->action != c->action || !rule->unfinished) {
        c->next_n = 0;
        return ST_OK;
    }
    st = schedule_control_scan(sched, c, rows, now_ms);
    if (st == ST_OK && c->urls > 0)
        log_info("frontier", "%s=%.*s urls=%llu", actions[c->action],
                 STRF(c->pattern), (unsigned long long)c->urls);
    return st == ST_OK && c->next_n == 0 ? finish(sched, c) : st;
}

static bool
is_good(const struct control_change *c)
{
    if (pattern_good(c->pattern) &&
        c->next_n <= sizeof((struct row_key *)NULL)->bytes)
        return true;
    log_error("frontier",
              "%s=%.*s: not a pattern: a host (a.example, .example, "
              "*.shop.example) or a URL (http://a.example/x*), without blanks",
              actions[c->action], STRF(c->pattern));
    return false;
}

/* One that no URL and no host can match is a slip.  What is there already may
 * be taken back. */
static bool
can_match(const struct control_change *c)
{
    const char *why =
        c->action == CONTROL_RESUME ? NULL : pattern_fault(c->pattern);

    if (why != NULL)
        log_error("frontier", "%s=%.*s matches nothing: %s", actions[c->action],
                  STRF(c->pattern), why);
    return why == NULL;
}

/* c->pattern is as a rule keeps it. */
static enum status
control(struct schedule *sched, struct control_change *c, uint64_t now_ms)
{
    bool first = c->next_n == 0, sweeping;
    enum status st;

    c->hosts = c->urls = 0;
    if (c->action == CONTROL_LIST)
        return ST_OK;
    if (c->action == CONTROL_PURGE)
        return schedule_control_scan(sched, c, PIECE, now_ms);
    if (!is_good(c) || !can_match(c))
        return ST_USAGE;
    if (c->action == CONTROL_LOOK)
        return schedule_control_scan(sched, c, PIECE, now_ms);
    sweeping = sweeps(c, schedule_rule(sched, c->pattern));
    if (first) {
        if ((st = set_rule(sched, c, sweeping, now_ms)) != ST_OK ||
            (st = refresh_all(sched, c)) != ST_OK)
            return st;
        log_info("frontier", "%s=%.*s hosts=%llu", actions[c->action],
                 STRF(c->pattern), (unsigned long long)c->hosts);
    }
    sched->scanned_ms = now_ms;
    return sweeping ? sweep(sched, c, PIECE, now_ms) : ST_OK;
}

enum status
schedule_control(struct schedule *sched, struct control_change *c,
                 uint64_t now_ms)
{
    const struct control_rule *rule = schedule_rule(sched, c->pattern);
    struct arena *a = sched->db->arena;
    struct str given = c->pattern;
    enum status st;

    sched->asked_ms = now_ms;
    /* a rule of before may be kept in another case; rules come anew */
    c->pattern =
        rule != NULL ? arena_str(a, rule->pattern) : pattern_kept(a, given);
    st = control(sched, c, now_ms);
    c->pattern = given;
    return st;
}

enum status
schedule_control_go_on(struct schedule *sched, uint64_t now_ms)
{
    struct control_change c = {.next_n = sched->scan_n};
    size_t i = 0;
    enum status st;

    if (sched->unfinished_n == 0 && now_ms > sched->asked_ms + NAMES_MS)
        hosts_named_free(&sched->names);
    if (sched->unfinished_n == 0 || now_ms < sched->scanned_ms + ALONE_MS)
        return ST_OK;
    while (!sched->rule[i].unfinished)
        i++;
    c.action = sched->rule[i].action;
    c.pattern = arena_str(sched->db->arena,
                          sched->rule[i].pattern); /* rules come anew */
    memcpy(c.next, sched->scan_next, c.next_n);
    if ((st = sweep(sched, &c, PIECE_LEASE, now_ms)) != ST_OK)
        return st;
    sched->scan_n = c.next_n;
    memcpy(sched->scan_next, c.next, c.next_n);
    return ST_OK;
}
