/* replacer.c -- see replacer.h.
 *
 * Most rules cannot apply to most texts: the set of bytes of a text says so
 * without looking at it again.  Rules that feed each other could make a text
 * grow without end (a to bb, b to cc ...), so one that would make it longer
 * than GROWTH times its first length is left out for that text.
 *
 * Different from texrex: TO may be empty (deletion), and U+00A0 is not deleted
 * (which glued words together): strip and normalise make it a blank. */
#include "replacer.h"

#include <stdlib.h>

#include "base/memory.h"
#include "list.h"

#define GROWTH 8u
#define GROWTH_FREE 4096u

struct replace_rule {
    struct str from, to;
};

struct replacer {
    struct arena *arena;
    struct replace_rule *rule;
    uint32_t n;
};

static bool
known(const struct replacer *r, struct str from)
{
    for (uint32_t i = 0; i < r->n; i++)
        if (str_eq(r->rule[i].from, from))
            return true;
    return false;
}

/* False: it is no rule. */
static bool
take(struct replacer *r, struct str line)
{
    size_t tab = str_find(line, '\t', 0);
    struct str from = str_sub(line, 0, tab),
               to = str_sub(line, tab + 1, line.n);

    if (tab == 0 || tab == line.n || memchr(to.p, '\t', to.n) != NULL)
        return false;
    if (!known(r, from))
        r->rule[r->n++] = (struct replace_rule){arena_str(r->arena, from),
                                                arena_str(r->arena, to)};
    return true;
}

enum status
replacer_parse(struct replacer **out, struct str text, uint32_t *bad)
{
    struct replacer *r = memory_zero(1, sizeof *r);
    size_t lines;
    struct str line;

    *out = NULL;
    *bad = 0;
    if (r == NULL)
        return ST_NOMEM;
    r->arena = arena_new();
    text = list_begin(text, &lines);
    if (lines > REPLACER_RULES_MAX)
        lines = REPLACER_RULES_MAX;
    r->rule = ARENA_ARRAY(r->arena, struct replace_rule, lines);
    while (list_next(&text, &line)) {
        if (r->n == REPLACER_RULES_MAX) {
            replacer_free(r);
            return ST_LIMIT;
        }
        *bad += !take(r, line);
    }
    *out = r;
    return ST_OK;
}

void
replacer_free(struct replacer *r)
{
    if (r == NULL)
        return;
    arena_free(r->arena);
    memory_free(r);
}

uint32_t
replacer_rules_n(const struct replacer *r)
{
    return r->n;
}

static void
survey(bool *has, struct str s)
{
    memset(has, 0, 256 * sizeof *has);
    for (size_t i = 0; i < s.n; i++)
        has[(unsigned char)s.p[i]] = true;
}

static bool
may_apply(const bool *has, struct str from)
{
    for (size_t i = 0; i < from.n; i++)
        if (!has[(unsigned char)from.p[i]])
            return false;
    return true;
}

static const char *
find(struct str s, size_t at, struct str what)
{
    return memmem(s.p + at, s.n - at, what.p, what.n);
}

static struct str
apply(const struct replace_rule *rule, struct arena *a, struct str s,
      size_t n_max)
{
    size_t times = 0, at = 0, n = 0;
    const char *hit;
    char *out;

    for (; (hit = find(s, at, rule->from)) != NULL; times++)
        at = (size_t)(hit - s.p) + rule->from.n;
    if (times == 0)
        return s;
    n = s.n - times * rule->from.n + times * rule->to.n;
    if (n > n_max)
        return s;
    out = arena_raw(a, n);
    for (at = n = 0; (hit = find(s, at, rule->from)) != NULL;) {
        size_t before = (size_t)(hit - s.p) - at;

        memcpy(out + n, s.p + at, before);
        n += before;
        memcpy(out + n, rule->to.p, rule->to.n);
        n += rule->to.n;
        at += before + rule->from.n;
    }
    memcpy(out + n, s.p + at, s.n - at);
    return str_n(out, n + s.n - at);
}

struct str
replacer_apply(const struct replacer *r, struct arena *a, struct str s)
{
    size_t n_max = s.n * GROWTH + GROWTH_FREE;
    bool has[256];

    if (s.n == 0)
        return s;
    survey(has, s);
    for (uint32_t i = 0; i < r->n; i++)
        if (may_apply(has, r->rule[i].from)) {
            struct str changed = apply(&r->rule[i], a, s, n_max);

            if (changed.p != s.p) {
                s = changed;
                survey(has, s);
            }
        }
    return s;
}
