/* cleaner.c -- the chain with the stages of stages.tbl.h.
 *
 * To add a stage: write st_NAME.c with a `const struct stage stage_NAME`, add
 * its row to stages.tbl.h and the file to CMakeLists.txt; chain_open() refuses
 * a place in the order that cannot work. */
#include "winnow/cleaner.h"

#include <stdlib.h>

#include "cleaner_chain.h"
#include "stages.h"

static const struct stage *const stages[] = {
#define STAGE(name, help) &stage_##name,
#include "stages.tbl.h"
#undef STAGE
    NULL};

struct cleaner {
    struct chain *chain;
};

enum status
cleaner_open(struct cleaner **out, const struct opts *o)
{
    struct cleaner *c = calloc(1, sizeof *c);
    enum status st;

    *out = NULL;
    if (c == NULL)
        return ST_NOMEM;
    if ((st = chain_open(&c->chain, stages, DOC_BYTES, o)) != ST_OK) {
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
