/* st_metadata.c -- what the page is called, who wrote it and when, and what
 * else it says of itself.
 *
 * Sources (sources_*.c) add candidates for each field, a model or the rank of
 * the source chooses (choose.c).  Where values come from stays with the
 * document (meta.candidates). */
#include <stdio.h>
#include <stdlib.h>

#include "author_fit.h"
#include "clean/chain/stage.h"
#include "metadata.h"
#include "model.h"
#include "rights.h"
#include "sources_head.h"

/* As the options have it; without one noindex is obeyed, the title found and
 * the date sure. */
struct metadata_stage {
    bool ignore_noindex, raw_title;
    char purpose[16]; /* clean.rights */
    enum date_trust dates;
};

static enum date_trust
trust_of(struct str word)
{
    return str_eq(word, S("any"))      ? DATES_ANY
           : str_eq(word, S("likely")) ? DATES_LIKELY
                                       : DATES_SURE;
}

static enum status
open_metadata(void **self, const struct opts *o)
{
    date_names_init();
    sources_head_init();
    author_fit_init();
    *self = NULL;
    if (o != NULL) {
        struct metadata_stage *mode = calloc(1, sizeof *mode);

        if (mode == NULL)
            return ST_NOMEM;
        mode->ignore_noindex = !o->clean_noindex;
        mode->raw_title = str_eq(o->clean_find_title, S("off"));
        mode->dates = trust_of(o->clean_dates);
        snprintf(mode->purpose, sizeof mode->purpose, "%.*s",
                 STRF(o->clean_rights));
        *self = mode;
    }
    return ST_OK;
}

static void
close_metadata(void *self)
{
    free(self);
}

/* <title>, else what stands for it. */
static struct str
raw_title(const struct page_counts *page)
{
    static const struct str names[] = {STR("<title>"), STR("og:title"),
                                       STR("dc.title"), STR("twitter:title")};

    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (uint32_t i = 0; i < page->heads_n; i++)
            if (str_eq(page->heads[i].key, names[n]))
                return page->heads[i].value;
    return (struct str)STR("");
}

static enum status
run(const void *self, struct document *d)
{
    static const struct metadata_stage plain;
    const struct metadata_stage *mode = self != NULL ? self : &plain;
    struct guesses c;
    uint32_t heading_i;

    metadata_collect(&c, d, &heading_i);
    c.date_least = meta_model_date(mode->dates);
    metadata_choose(&c, heading_i);
    if (mode->raw_title)
        d->meta.title = raw_title(d->page_counts);
    metadata_robots(d, !mode->ignore_noindex);
    metadata_rights(d, str_c(mode->purpose));
    return ST_OK;
}

const struct stage stage_metadata = {
    .name = "metadata",
    .needs = DOC_BLOCKS,
    .open = open_metadata,
    .close = close_metadata,
    .run = run,
};
