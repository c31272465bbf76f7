/* st_duplicates.c -- blocks whose text repeats an earlier block of the page.
 *
 * Teasers, quotes pulled out of the text, mobile copies of a paragraph.  Short
 * repeats (below clean.duplicate_bytes_min) are left alone: refrains, "Yes.",
 * table cells, headings.  A copy is dropped only when the earlier one is kept;
 * when the first one was taken for boilerplate, the later one stays and becomes
 * the first.  Boilerplate that repeats any earlier block is marked as its copy,
 * too, as texrex does it: menus come twice. */
#include <stdlib.h>

#include "base/hashmap.h"
#include "base/memory.h"
#include "clean/chain/stage.h"

static enum status
open_bytes_min(void **self, const struct opts *o)
{
    uint64_t *bytes_min = memory_try(sizeof *bytes_min);

    if (bytes_min == NULL)
        return ST_NOMEM;
    *bytes_min = o->clean_duplicate_bytes_min;
    *self = bytes_min;
    return ST_OK;
}

static void
mark(struct document *d, struct block *b, uint32_t original)
{
    b->duplicate_of = (int32_t)original;
    if (!b->kept)
        return;
    b->kept = false;
    d->kept_blocks_n--;
    d->kept_chars -= b->chars;
}

static bool
is_text(const void *document, const void *slot, const void *text)
{
    const struct document *d = document;

    return str_eq(d->blocks[*(const uint32_t *)slot - 1].text,
                  *(const struct str *)text);
}

/* Texts of blocks: the number of the first that has it, from 1; of the first
 * that is kept, once there is one. */
static const struct hashmap_kind texts_kind = {
    sizeof(uint32_t), hashmap_numbered, is_text, NULL, NULL};

static enum status
run(const void *self, struct document *d)
{
    const uint64_t *bytes_min = self;
    struct hashmap texts;

    if (d->blocks_n < 2)
        return ST_OK;
    hashmap_init(&texts, &texts_kind, d->arena, d->blocks_n);
    for (uint32_t i = 0; i < d->blocks_n; i++) {
        struct block *b = &d->blocks[i];
        uint32_t *first;

        if (b->text.n == 0 || b->text.n < *bytes_min)
            continue;
        first = hashmap_put(&texts, &texts_kind, d, hash64(b->text), &b->text);
        if (*first == 0 || (b->kept && !d->blocks[*first - 1].kept))
            *first = i + 1;
        else
            mark(d, b, *first - 1);
    }
    return ST_OK;
}

const struct stage stage_duplicates = {
    .name = "duplicates",
    .needs = DOC_BOILERPLATE | DOC_NORMAL,
    .open = open_bytes_min,
    .run = run,
    .close = memory_free,
};
