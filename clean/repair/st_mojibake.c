/* st_mojibake.c -- repair of text that was encoded twice, before anything is
 * cut up: strip drops soft hyphens and folds blanks, which can be half of such
 * a character.  Off unless clean.mojibake. */
#include "clean/chain/stage.h"
#include "mojibake.h"

static enum status
open_switch(void **self, const struct opts *o)
{
    static char on;

    *self = o->clean_mojibake ? &on : NULL;
    return ST_OK;
}

static enum status
run(const void *self, struct document *d)
{
    if (self != NULL && d->utf8.n > 0)
        d->utf8 = mojibake_repair(d->arena, d->utf8);
    return ST_OK;
}

const struct stage stage_mojibake = {
    .name = "mojibake",
    .needs = DOC_UTF8,
    .gives = DOC_UTF8,
    .open = open_switch,
    .run = run,
};
