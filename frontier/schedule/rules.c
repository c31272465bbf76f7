/* rules.c -- what operators have said: the table `control`, and which of its
 * rules a host or a URL falls under.
 *
 *  control  pattern -> action, since when, flags
 *
 * A rule stays until it is taken back; all are in memory, too. */
#include <stdlib.h>

#include "base/big_endian.h"
#include "base/clock.h"
#include "base/memory.h"
#include "frontier/features/pattern.h"
#include "schedule_inside.h"

#define RULE_SIZE 10u

enum { FLAG_UNFINISHED = 1, FLAG_FORGOTTEN = 2 };

static const char *const actions[] = {"list", "pause", "resume", "delete"};

void
schedule_control_forget(struct schedule *sched)
{
    free(sched->rule);
    sched->rule = NULL;
    arena_free(sched->rules_arena);
    sched->rules_arena = NULL;
    sched->rule_n = sched->unfinished_n = sched->returns_n = 0;
    sched->paused_hosts.n = sched->deleted_hosts.n = sched->url_rules.n = 0;
    sched->scan_n = 0; /* it begins anew */
}

static void
remember(struct schedule *sched, enum control_action action, struct str pattern,
         uint64_t since_ms, unsigned flags)
{
    bool unfinished = (flags & FLAG_UNFINISHED) != 0;

    sched->rule = memory_need(
        realloc(sched->rule, (sched->rule_n + 1) * sizeof *sched->rule));
    sched->rule[sched->rule_n++] = (struct control_rule){
        action, arena_str(sched->rules_arena, pattern), since_ms, unfinished,
        (flags & FLAG_FORGOTTEN) != 0};
    sched->returns_n += (action == CONTROL_PAUSE && pattern_of_urls(pattern)) ||
                        action == CONTROL_RESUME;
    sched->unfinished_n += unfinished;
}

/* ---- which of them speak of a host, or of a URL ---- */

static bool
pauses_host(const struct control_rule *r)
{
    return r->action == CONTROL_PAUSE && !pattern_of_urls(r->pattern);
}

static bool
deletes_host(const struct control_rule *r)
{
    return r->action == CONTROL_DELETE && !pattern_of_urls(r->pattern);
}

static bool
holds_url(const struct control_rule *r)
{
    return (r->action == CONTROL_PAUSE || r->action == CONTROL_DELETE) &&
           pattern_of_urls(r->pattern);
}

static void
find_some(struct schedule *sched, struct rules_some *out,
          bool (*is_one)(const struct control_rule *r))
{
    struct str *pattern =
        ARENA_ARRAY(sched->rules_arena, struct str, sched->rule_n);

    *out = (struct rules_some){
        .rule = ARENA_ARRAY(sched->rules_arena, uint32_t, sched->rule_n)};
    for (size_t i = 0; i < sched->rule_n; i++)
        if (is_one(&sched->rule[i])) {
            pattern[out->n] = sched->rule[i].pattern;
            out->rule[out->n++] = (uint32_t)i;
        }
    pattern_set_init(&out->patterns, sched->rules_arena, pattern, out->n);
}

static void
index_rules(struct schedule *sched)
{
    struct str *pattern =
        ARENA_ARRAY(sched->rules_arena, struct str, sched->rule_n);

    for (size_t i = 0; i < sched->rule_n; i++)
        pattern[i] = sched->rule[i].pattern;
    pattern_set_init(&sched->all_rules, sched->rules_arena, pattern,
                     (uint32_t)sched->rule_n);
    find_some(sched, &sched->paused_hosts, pauses_host);
    find_some(sched, &sched->deleted_hosts, deletes_host);
    find_some(sched, &sched->url_rules, holds_url);
}

/* The rules as the store has them. */
enum status
schedule_control_load(struct schedule *sched)
{
    struct str key, value;
    enum status st =
        tables_seek(sched->db->tables, TABLE_CONTROL, S(""), &key, &value);

    schedule_control_forget(sched);
    sched->rules_arena = arena_new();
    for (; st == ST_OK;
         st = tables_next(sched->db->tables, TABLE_CONTROL, &key, &value)) {
        if (value.n != RULE_SIZE || value.p[0] < CONTROL_PAUSE ||
            value.p[0] > CONTROL_DELETE) {
            st = url_store_corrupt("control");
            break;
        }
        remember(sched, (enum control_action)value.p[0], key,
                 be64_get(value.p + 1), (unsigned char)value.p[9]);
    }
    if (st != ST_NONE) {
        schedule_control_forget(sched);
        return st;
    }
    index_rules(sched);
    return ST_OK;
}

const struct control_rule *
schedule_rule(const struct schedule *sched, struct str pattern)
{
    uint32_t i = sched->rule_n == 0
                     ? PATTERN_NONE
                     : pattern_set_same(&sched->all_rules, pattern);

    return i == PATTERN_NONE ? NULL : &sched->rule[i];
}

size_t
schedule_control_rules(const struct schedule *sched,
                       const struct control_rule **out)
{
    *out = sched->rule;
    return sched->rule_n;
}

void
frontier_control_say(const struct control_rule *rule, struct buf *out)
{
    char when[21];

    clock_iso(rule->since_ms, when);
    buf_printf(out, "%s %.*s since %s%s\n",
               rule->forgotten                  ? "forget"
               : rule->action <= CONTROL_DELETE ? actions[rule->action]
                                                : "?",
               STRF(rule->pattern), when,
               rule->unfinished ? ", not finished" : "");
}

static const struct control_rule *
of_host(const struct schedule *sched, const struct rules_some *some,
        struct str authority)
{
    uint32_t i = some->n == 0 ? PATTERN_NONE
                              : pattern_set_host(&some->patterns, authority);

    return i == PATTERN_NONE ? NULL : &sched->rule[some->rule[i]];
}

const struct control_rule *
schedule_paused(const struct schedule *sched, struct str authority)
{
    return of_host(sched, &sched->paused_hosts, authority);
}

static const struct control_rule *
held_by(const struct schedule *sched, struct str url, bool deletes)
{
    const struct control_rule *found =
        of_host(sched, &sched->deleted_hosts, pattern_authority(url));

    for (uint32_t k = 0; k < sched->url_rules.n && found == NULL; k++) {
        const struct control_rule *r = &sched->rule[sched->url_rules.rule[k]];

        if ((!deletes || r->action == CONTROL_DELETE) &&
            pattern_url(r->pattern, url))
            found = r;
    }
    return found;
}

const struct control_rule *
schedule_deleted(const struct schedule *sched, struct str url)
{
    return held_by(sched, url, true);
}

const struct control_rule *
schedule_held_by(const struct schedule *sched, struct str url)
{
    return held_by(sched, url, false);
}

enum status
schedule_rule_set(struct schedule *sched, const struct control_rule *rule)
{
    char value[RULE_SIZE] = {(char)rule->action};
    enum status st;

    be64_put(value + 1, rule->since_ms);
    value[9] = (char)((rule->unfinished ? FLAG_UNFINISHED : 0) |
                      (rule->forgotten ? FLAG_FORGOTTEN : 0));
    st = tables_put(sched->db->tables, TABLE_CONTROL, rule->pattern,
                    str_n(value, sizeof value));
    return st == ST_OK ? schedule_control_load(sched) : st;
}

enum status
schedule_rule_drop(struct schedule *sched, struct str pattern)
{
    enum status st = tables_delete(sched->db->tables, TABLE_CONTROL, pattern);

    return st == ST_OK ? schedule_control_load(sched) : st;
}

bool
schedule_has_url_rules(const void *self)
{
    const struct schedule *sched = self;

    return sched->deleted_hosts.n + sched->url_rules.n > 0;
}

bool
schedule_is_deleted(const void *self, struct str url)
{
    return schedule_deleted(self, url) != NULL;
}

bool
schedule_is_held(const void *self, struct str url)
{
    return schedule_held_by(self, url) != NULL;
}
