/* st_metadata.c -- what the page is called, who wrote it and when, and what
 * else it says of itself.
 *
 * Sources (sources_*.c) add candidates for each field, a model or the rank of
 * the source chooses (choose.c).  Where values come from stays with the
 * document (meta.candidates). */
#include "clean/chain/stage.h"
#include "metadata.h"
#include "sources_head.h"

/* As the options have it; without one noindex is obeyed and the title found. */
struct metadata_stage {
    bool ignore_noindex, raw_title;
};

static const struct metadata_stage modes[2][2] = {
    {{false, false}, {false, true}}, {{true, false}, {true, true}}};

static enum status
open_metadata(void **self, const struct opts *o)
{
    date_names_init();
    sources_head_init();
    *self = NULL;
    if (o != NULL)
        *self =
            (void *)(uintptr_t)&modes[!o->clean_noindex]
                                     [str_eq(o->clean_find_title, S("off"))];
    return ST_OK;
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
    metadata_choose(&c, heading_i);
    if (mode->raw_title)
        d->meta.title = raw_title(d->page_counts);
    metadata_robots(d, !mode->ignore_noindex);
    return ST_OK;
}

const struct stage stage_metadata = {
    .name = "metadata",
    .needs = DOC_BLOCKS,
    .open = open_metadata,
    .run = run,
};
