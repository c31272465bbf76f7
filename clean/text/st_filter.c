/* st_filter.c -- the reasons to reject a document for what it holds.
 *
 * Nothing is removed here; the first reason met is kept, cheapest to explain
 * first: what is empty or short is called so and not "bad", since badness of
 * little text is noise.
 *
 * Another language fits better when its profile's badness is lower than that of
 * the best target language by clean.language_margin: close relatives (nl af, da
 * nb, cs sk) share function words and lie within it of each other. */
#include <stdlib.h>

#include "clean/chain/stage.h"
#include "winnow/memory.h"

#define LANGUAGE_BADNESS_MAX 35.0

struct limits {
    uint64_t chars_min, blocks_min, chars_all_min, blocks_all_min;
    double chars_share_min, blocks_share_min, language_margin, badness_max;
};

static enum status
open_limits(void **self, const struct opts *o)
{
    struct limits *l = memory_zero(1, sizeof *l);

    if (l == NULL)
        return ST_NOMEM;
    l->chars_min = o->clean_chars_min;
    l->blocks_min = o->clean_blocks_min;
    l->chars_all_min = o->clean_chars_all_min;
    l->blocks_all_min = o->clean_blocks_all_min;
    l->chars_share_min = o->clean_chars_share_min;
    l->blocks_share_min = o->clean_blocks_share_min;
    l->language_margin = o->clean_language_margin;
    l->badness_max = o->clean_badness_max;
    *self = l;
    return ST_OK;
}

static enum status
run(const void *self, struct document *d)
{
    const struct limits *l = self;

    if (d->blocks_n == 0 || d->all_chars == 0)
        document_reject(d, VERDICT_EMPTY);
    else if (d->kept_chars < l->chars_min || d->all_chars < l->chars_all_min)
        document_reject(d, VERDICT_SHORT);
    else if (d->kept_blocks_n < l->blocks_min ||
             d->blocks_n < l->blocks_all_min)
        document_reject(d, VERDICT_BLOCKS);
    else if (d->kept_chars < l->chars_share_min * d->all_chars ||
             d->kept_blocks_n < l->blocks_share_min * d->blocks_n)
        document_reject(d, VERDICT_BOILERPLATE);
    else if (d->badness_best + l->language_margin < d->badness &&
             d->badness_best <= LANGUAGE_BADNESS_MAX)
        document_reject(d, VERDICT_LANGUAGE);
    else if (d->badness > l->badness_max)
        document_reject(d, VERDICT_BADNESS);
    return ST_OK;
}

const struct stage stage_filter = {
    .name = "filter",
    .needs = DOC_BLOCKS | DOC_BOILERPLATE | DOC_BADNESS,
    .open = open_limits,
    .run = run,
    .close = memory_free,
};
