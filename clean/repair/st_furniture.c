/* st_furniture.c -- takes drawn lines out of the text (furniture.h).  Off
 * unless clean.furniture. */
#include "clean/blocks/block_edit.h"
#include "clean/chain/stage.h"
#include "furniture.h"

static enum status
open_switch(void **self, const struct opts *o)
{
    static char on;

    *self = o->clean_furniture ? &on : NULL;
    return ST_OK;
}

static struct str
change(const void *self, struct arena *a, struct str s)
{
    (void)self;
    return furniture_remove(a, s);
}

static enum status
run(const void *self, struct document *d)
{
    if (self != NULL)
        document_change(d, change, self);
    return ST_OK;
}

const struct stage stage_furniture = {
    .name = "furniture",
    .needs = DOC_BLOCKS | DOC_BOILERPLATE,
    .open = open_switch,
    .run = run,
};
