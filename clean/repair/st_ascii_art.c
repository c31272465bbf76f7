/* st_ascii_art.c -- takes drawn lines out of the text (ascii_art.h).  Off
 * unless clean.ascii_art.  Code stays: "a || b" is none. */
#include "ascii_art.h"
#include "clean/blocks/block_edit.h"
#include "clean/chain/stage.h"

static enum status
open_switch(void **self, const struct opts *o)
{
    static char on;

    *self = o->clean_ascii_art ? &on : NULL;
    return ST_OK;
}

static struct str
change(const void *self, struct arena *a, struct str s, bool code)
{
    (void)self;
    return code ? s : ascii_art_remove(a, s);
}

static enum status
run(const void *self, struct document *d)
{
    if (self != NULL)
        document_change(d, change, self);
    return ST_OK;
}

const struct stage stage_ascii_art = {
    .name = "ascii_art",
    .needs = DOC_BLOCKS | DOC_BOILERPLATE,
    .open = open_switch,
    .run = run,
};
