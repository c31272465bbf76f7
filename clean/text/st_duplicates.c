/* st_duplicates.c -- blocks whose text repeats an earlier block of the page.
 *
 * Teasers, quotes pulled out of the text, mobile copies of a paragraph.  Short
 * repeats (below clean.duplicate_bytes_min) are left alone: refrains, "Yes.",
 * table cells, headings.  A copy is dropped only when the earlier one is kept;
 * when the first one was taken for boilerplate, the later one stays and becomes
 * the first. */
#include <stdlib.h>

#include "clean/chain/stage.h"

#define SLOTS_MIN 64

static enum status
open_bytes_min(void **self, const struct opts *o)
{
    uint64_t *bytes_min = malloc(sizeof *bytes_min);

    if (bytes_min == NULL)
        return ST_NOMEM;
    *bytes_min = o->clean_duplicate_bytes_min;
    *self = bytes_min;
    return ST_OK;
}

static void
drop(struct document *d, struct block *b, int32_t original)
{
    b->kept = false;
    b->duplicate_of = original;
    d->kept_blocks_n--;
    d->kept_chars -= b->chars;
}

static enum status
run(const void *self, struct document *d)
{
    uint32_t slots_n = SLOTS_MIN, *slots; /* index + 1 */
    const uint64_t *bytes_min = self;

    if (d->kept_blocks_n < 2)
        return ST_OK;
    while (slots_n < d->kept_blocks_n * 2)
        slots_n *= 2;
    slots = ARENA_ARRAY(d->arena, uint32_t, slots_n);
    for (uint32_t i = 0; i < d->blocks_n; i++) {
        struct block *b = &d->blocks[i];
        uint32_t at;

        if (!b->kept || b->text.n < *bytes_min)
            continue;
        at = (uint32_t)hash64(b->text) & (slots_n - 1);
        while (slots[at] != 0 &&
               !str_eq(d->blocks[slots[at] - 1].text, b->text))
            at = (at + 1) & (slots_n - 1);
        if (slots[at] == 0)
            slots[at] = i + 1;
        else
            drop(d, b, (int32_t)(slots[at] - 1));
    }
    return ST_OK;
}

const struct stage stage_duplicates = {
    .name = "duplicates",
    .needs = DOC_BOILERPLATE | DOC_NORMAL,
    .open = open_bytes_min,
    .run = run,
    .close = free,
};
