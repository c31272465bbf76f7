/* rules.c -- what operators have said: the table `control`, and which of its
 * rules a host or a URL falls under.
 *
 *  control  pattern -> action, since when, unfinished or not
 *
 * A rule stays until it is taken back; all are in memory, too. */
#include <stdlib.h>

#include "frontier/features/pattern.h"
#include "frontier/inside.h"
#include "winnow/clock.h"
#include "winnow/memory.h"

#define RULE_SIZE 10u

static const char *const actions[] = {"list", "pause", "resume", "delete"};

static void
remember(struct frontier *f, enum control_action action, struct str pattern,
         uint64_t since_ms, bool unfinished)
{
    char *copy = memory_need(malloc(pattern.n + 1));

    memcpy(copy, pattern.p, pattern.n);
    f->rule = memory_need(realloc(f->rule, (f->rule_n + 1) * sizeof *f->rule));
    f->rule[f->rule_n++] = (struct control_rule){action, str_n(copy, pattern.n),
                                                 since_ms, unfinished};
    f->pauses_n += action == CONTROL_PAUSE && !pattern_of_urls(pattern);
    f->holds_n += action == CONTROL_PAUSE && pattern_of_urls(pattern);
    f->deletes_n += action == CONTROL_DELETE;
    f->unfinished_n += unfinished;
}

void
frontier_control_forget(struct frontier *f)
{
    for (size_t i = 0; i < f->rule_n; i++)
        free((char *)(uintptr_t)f->rule[i].pattern.p);
    free(f->rule);
    f->rule = NULL;
    f->rule_n = f->pauses_n = f->holds_n = f->deletes_n = f->unfinished_n = 0;
    f->scan_n = 0; /* it begins anew */
}

/* The rules as the store has them. */
enum status
frontier_control_load(struct frontier *f)
{
    struct str key, value;
    enum status st =
        tables_seek(f->db->tables, TABLE_CONTROL, S(""), &key, &value);

    frontier_control_forget(f);
    for (; st == ST_OK;
         st = tables_next(f->db->tables, TABLE_CONTROL, &key, &value)) {
        uint64_t since = 0;

        if (value.n != RULE_SIZE || value.p[0] < CONTROL_PAUSE ||
            value.p[0] > CONTROL_DELETE)
            return url_store_corrupt("control");
        for (size_t i = 1; i < 9; i++)
            since = since << 8 | (unsigned char)value.p[i];
        remember(f, (enum control_action)value.p[0], key, since,
                 value.p[9] != 0);
    }
    return st == ST_NONE ? ST_OK : st;
}

const struct control_rule *
frontier_rule(const struct frontier *f, struct str pattern)
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
    buf_printf(out, "%s %.*s since %s%s\n",
               rule->action <= CONTROL_DELETE ? actions[rule->action] : "?",
               STRF(rule->pattern), when,
               rule->unfinished ? ", not finished" : "");
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

const struct control_rule *
frontier_held_by(const struct frontier *f, struct str url)
{
    for (size_t i = 0; i < f->rule_n && f->holds_n > 0; i++)
        if (f->rule[i].action == CONTROL_PAUSE &&
            pattern_of_urls(f->rule[i].pattern) &&
            pattern_url(f->rule[i].pattern, url))
            return &f->rule[i];
    return NULL;
}

enum status
frontier_rule_set(struct frontier *f, enum control_action action,
                  struct str pattern, uint64_t since_ms, bool unfinished)
{
    char value[RULE_SIZE] = {(char)action};
    enum status st;

    for (int i = 0; i < 8; i++)
        value[1 + i] = (char)(unsigned char)(since_ms >> (56 - 8 * i));
    value[9] = (char)unfinished;
    st = tables_put(f->db->tables, TABLE_CONTROL, pattern,
                    str_n(value, sizeof value));
    return st == ST_OK ? frontier_control_load(f) : st;
}

enum status
frontier_rule_drop(struct frontier *f, struct str pattern)
{
    enum status st = tables_delete(f->db->tables, TABLE_CONTROL, pattern);

    return st == ST_OK ? frontier_control_load(f) : st;
}

bool
frontier_has_url_rules(const void *self)
{
    const struct frontier *f = self;

    return f->deletes_n + f->holds_n > 0;
}

bool
frontier_is_deleted(const void *self, struct str url)
{
    return frontier_deleted(self, url) != NULL;
}

bool
frontier_is_held(const void *self, struct str url)
{
    return frontier_held_by(self, url) != NULL;
}
