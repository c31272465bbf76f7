/* st_interstitial.c -- rejects what was sent in place of a page: its text is
 * nobody's document.  Stands before whatever calls it empty or short. */
#include "clean/chain/stage.h"
#include "interstitial.h"

static enum status
run(const void *self, struct document *d)
{
    struct interstitial_page p = {
        .headers = d->origin.headers, .body = d->utf8, .links_n = d->links_n};
    enum verdict why;

    (void)self;
    for (uint32_t i = 0; i < d->blocks_n && p.chars <= INTERSTITIAL_CHARS_MAX;
         i++)
        p.chars += d->blocks[i].chars;
    why = interstitial_of(&p);
    if (why != VERDICT_NONE && d->reject == VERDICT_EMPTY)
        d->reject = why; /* what strip says of a page of scripts */
    else if (why != VERDICT_NONE)
        document_reject(d, why);
    return ST_OK;
}

const struct stage stage_interstitial = {
    .name = "interstitial",
    .needs = DOC_BLOCKS,
    .run = run,
};
