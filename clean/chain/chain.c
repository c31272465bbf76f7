/* chain.c -- opens, runs and closes the stages of a table.
 *
 * A table whose order is wrong is a bug of ours or of whoever edits it, so it
 * is found once, when the chain is opened, and not per page.  The chain holds
 * the stages' own state and nothing else; it is read-only while running. */
#include "chain.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/memory.h"

struct chain {
    size_t n;
    const struct stage *stage[CHAIN_STAGES_MAX];
    void *self[CHAIN_STAGES_MAX];
};

static const char *
part_name(unsigned bit)
{
    static const char *const names[] = {
        "bytes",   "utf8",        "blocks", "boilerplate", "tokens",
        "badness", "fingerprint", "digest", "normal text",
    };
    size_t i = 0;

    while (bit >>= 1)
        i++;
    return i < sizeof names / sizeof *names ? names[i] : "?";
}

/* The stage that gives `bit`. */
static const char *
giver(const struct stage *const *known, unsigned bit)
{
    for (; *known != NULL; known++)
        if ((*known)->gives & bit)
            return (*known)->name;
    return "none";
}

static enum status
check_needs(const struct stage *const *table, const struct stage *const *known,
            unsigned given)
{
    for (; *table != NULL; table++) {
        unsigned missing = (*table)->needs & ~given;

        if (missing != 0) {
            unsigned bit = missing & (0u - missing);
            const char *by = giver(known, bit);

            log_error("clean",
                      "clean.chain: stage %s needs \"%s\": put stage %s "
                      "before it",
                      (*table)->name, part_name(bit), by);
            return ST_USAGE;
        }
        given |= (*table)->gives;
    }
    return ST_OK;
}

static void
close_chain(void *c)
{
    chain_close(c);
}

enum status
chain_open(struct chain **out, const struct stage *const *table,
           const struct stage *const *known, unsigned given,
           const struct opts *o)
{
    struct memory_held held;
    struct chain *c;
    enum status st;

    *out = NULL;
    if ((st = check_needs(table, known, given)) != ST_OK)
        return st;
    if ((c = memory_zero(1, sizeof *c)) == NULL)
        return ST_NOMEM;
    memory_hold(&held, close_chain, c);
    for (; *table != NULL && st != ST_NOMEM; table++) {
        enum status opened = ST_OK;

        assert(c->n < CHAIN_STAGES_MAX);
        if ((*table)->open != NULL)
            opened = (*table)->open(&c->self[c->n], o);
        if (opened == ST_OK)
            c->stage[c->n++] = *table;
        else if (st == ST_OK || opened == ST_NOMEM)
            st = opened; /* the others may have faults of their own to tell */
    }
    memory_let_go(&held);
    if (st != ST_OK) {
        chain_close(c);
        return st;
    }
    *out = c;
    return ST_OK;
}

void
chain_close(struct chain *c)
{
    if (c == NULL)
        return;
    while (c->n-- > 0)
        if (c->stage[c->n]->close != NULL)
            c->stage[c->n]->close(c->self[c->n]);
    memory_free(c);
}

size_t
chain_stages_n(const struct chain *c)
{
    return c->n;
}

const char *
chain_stage_name(const struct chain *c, size_t stage_i)
{
    return c->stage[stage_i]->name;
}

enum status
chain_run_one(const struct chain *c, size_t stage_i, struct document *d,
              bool all)
{
    const struct stage *s = c->stage[stage_i];

    if (s->kept_only && !all && d->reject != VERDICT_NONE)
        return ST_OK;
    return s->run(c->self[stage_i], d);
}

enum status
chain_run(const struct chain *c, struct document *d, bool all)
{
    for (size_t i = 0; i < c->n; i++) {
        enum status st;

        if (d->only_kept && d->reject != VERDICT_NONE)
            return ST_OK;
        st = chain_run_one(c, i, d, all);
        if (st == ST_NOMEM)
            return st;
        if (st != ST_OK) {
            log_error("clean", "stage=%s status=%s", c->stage[i]->name,
                      status_name(st));
            return st;
        }
    }
    return ST_OK;
}
