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

static void
remember(struct schedule *sched, enum control_action action, struct str pattern,
         uint64_t since_ms, unsigned flags)
{
    bool unfinished = (flags & FLAG_UNFINISHED) != 0;
    char *copy = memory_need(malloc(pattern.n + 1));

    memcpy(copy, pattern.p, pattern.n);
    sched->rule = memory_need(
        realloc(sched->rule, (sched->rule_n + 1) * sizeof *sched->rule));
    sched->rule[sched->rule_n++] =
        (struct control_rule){action, str_n(copy, pattern.n), since_ms,
                              unfinished, (flags & FLAG_FORGOTTEN) != 0};
    sched->pauses_n += action == CONTROL_PAUSE && !pattern_of_urls(pattern);
    sched->holds_n += (action == CONTROL_PAUSE && pattern_of_urls(pattern)) ||
                      action == CONTROL_DELETE;
    sched->returns_n += (action == CONTROL_PAUSE && pattern_of_urls(pattern)) ||
                        action == CONTROL_RESUME;
    sched->deletes_n += action == CONTROL_DELETE;
    sched->unfinished_n += unfinished;
}

void
schedule_control_forget(struct schedule *sched)
{
    for (size_t i = 0; i < sched->rule_n; i++)
        free((char *)(uintptr_t)sched->rule[i].pattern.p);
    free(sched->rule);
    sched->rule = NULL;
    sched->rule_n = sched->pauses_n = sched->holds_n = sched->deletes_n =
        sched->returns_n = sched->unfinished_n = 0;
    sched->scan_n = 0; /* it begins anew */
}

/* The rules as the store has them. */
enum status
schedule_control_load(struct schedule *sched)
{
    struct str key, value;
    enum status st =
        tables_seek(sched->db->tables, TABLE_CONTROL, S(""), &key, &value);

    schedule_control_forget(sched);
    for (; st == ST_OK;
         st = tables_next(sched->db->tables, TABLE_CONTROL, &key, &value)) {
        if (value.n != RULE_SIZE || value.p[0] < CONTROL_PAUSE ||
            value.p[0] > CONTROL_DELETE)
            return url_store_corrupt("control");
        remember(sched, (enum control_action)value.p[0], key,
                 be64_get(value.p + 1), (unsigned char)value.p[9]);
    }
    return st == ST_NONE ? ST_OK : st;
}

const struct control_rule *
schedule_rule(const struct schedule *sched, struct str pattern)
{
    for (size_t i = 0; i < sched->rule_n; i++)
        if (pattern_same(sched->rule[i].pattern, pattern))
            return &sched->rule[i];
    return NULL;
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

const struct control_rule *
schedule_paused(const struct schedule *sched, struct str authority)
{
    for (size_t i = 0; i < sched->rule_n && sched->pauses_n > 0; i++)
        if (sched->rule[i].action == CONTROL_PAUSE &&
            pattern_host(sched->rule[i].pattern, authority))
            return &sched->rule[i];
    return NULL;
}

const struct control_rule *
schedule_deleted(const struct schedule *sched, struct str url)
{
    for (size_t i = 0; i < sched->rule_n && sched->deletes_n > 0; i++)
        if (sched->rule[i].action == CONTROL_DELETE &&
            pattern_url(sched->rule[i].pattern, url))
            return &sched->rule[i];
    return NULL;
}

const struct control_rule *
schedule_held_by(const struct schedule *sched, struct str url)
{
    for (size_t i = 0; i < sched->rule_n && sched->holds_n > 0; i++)
        if ((sched->rule[i].action == CONTROL_DELETE ||
             (sched->rule[i].action == CONTROL_PAUSE &&
              pattern_of_urls(sched->rule[i].pattern))) &&
            pattern_url(sched->rule[i].pattern, url))
            return &sched->rule[i];
    return NULL;
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

    return sched->holds_n > 0;
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
