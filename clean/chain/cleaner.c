/* cleaner.c -- the chain with the stages of stages.tbl.h that clean.chain
 * names.
 *
 * To add a stage: write st_NAME.c with a `const struct stage stage_NAME`, add
 * its row to stages.tbl.h, its name to clean.chain (opt.tbl.h) and the file to
 * CMakeLists.txt; chain_open() refuses a place in the order that cannot work.
 */
#include "winnow/cleaner.h"

#include <stdlib.h>

#include "cleaner_chain.h"
#include "stages.h"

static const struct stage *const known[] = {
#define STAGE(name, help) &stage_##name,
#include "stages.tbl.h"
#undef STAGE
    NULL};

struct cleaner {
    struct chain *chain;
};

static const struct stage *
stage_named(struct str name)
{
    for (size_t i = 0; known[i] != NULL; i++)
        if (str_eq(name, str_c(known[i]->name)))
            return known[i];
    return NULL;
}

/* The stages of clean.chain; its words are checked with the options. */
static void
choose(const struct opt_list *names,
       const struct stage *table[CHAIN_STAGES_MAX + 1])
{
    size_t n = 0;

    for (size_t i = 0; i < names->n && n < CHAIN_STAGES_MAX; i++)
        if ((table[n] = stage_named(names->item[i])) != NULL)
            n++;
    table[n] = NULL;
}

enum status
cleaner_open(struct cleaner **out, const struct opts *o)
{
    const struct stage *table[CHAIN_STAGES_MAX + 1];
    struct cleaner *c = calloc(1, sizeof *c);
    enum status st;

    *out = NULL;
    if (c == NULL)
        return ST_NOMEM;
    choose(&o->clean_chain, table);
    if ((st = chain_open(&c->chain, table, known, DOC_BYTES, o)) != ST_OK) {
        free(c);
        return st;
    }
    *out = c;
    return ST_OK;
}

void
cleaner_close(struct cleaner *c)
{
    if (c == NULL)
        return;
    chain_close(c->chain);
    free(c);
}

bool
cleaner_has(const struct cleaner *c, const char *stage)
{
    for (size_t i = 0; i < chain_stages_n(c->chain); i++)
        if (strcmp(chain_stage_name(c->chain, i), stage) == 0)
            return true;
    return false;
}

enum status
cleaner_run(const struct cleaner *c, struct document *d, bool all)
{
    return chain_run(c->chain, d, all);
}

const struct chain *
cleaner_chain(const struct cleaner *c)
{
    return c->chain;
}
