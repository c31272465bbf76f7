/* st_title.c -- rejects documents without a title, if clean.find_title is
 * `require`.  What the title is the stage `metadata` says. */
#include "clean/chain/stage.h"

static const bool required;

static enum status
open_mode(void **self, const struct opts *o)
{
    *self = str_eq(o->clean_find_title, S("require"))
                ? (void *)(uintptr_t)&required
                : NULL;
    return ST_OK;
}

static enum status
run(const void *self, struct document *d)
{
    if (self != NULL && d->meta.title.n == 0)
        document_reject(d, VERDICT_NO_TITLE);
    return ST_OK;
}

const struct stage stage_title = {
    .name = "title",
    .needs = DOC_BLOCKS | DOC_NORMAL,
    .open = open_mode,
    .run = run,
};
