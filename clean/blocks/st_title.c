/* st_title.c -- the title of the document (title.h).  Off unless
 * clean.find_title; `require` rejects documents that have none. */
#include "clean/chain/stage.h"
#include "title.h"

#define HEADINGS_MAX 32u
#define TITLE_BYTES_MAX 1000u /* a longer title is not looked through */

enum title_mode { MODE_FIND = 1, MODE_REQUIRE };

static const enum title_mode find_title = MODE_FIND,
                             require_title = MODE_REQUIRE;

static enum status
open_mode(void **self, const struct opts *o)
{
    *self = NULL;
    if (str_eq(o->clean_find_title, S("find")))
        *self = (void *)&find_title;
    if (str_eq(o->clean_find_title, S("require")))
        *self = (void *)&require_title;
    return ST_OK;
}

/* h1 before h2, each in the order of the page. */
static size_t
collect(const struct document *d, struct str *headings)
{
    static const struct str level[] = {STR("h1"), STR("h2")};
    size_t n = 0;

    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < d->blocks_n && n < HEADINGS_MAX; i++)
            if (str_eq(d->blocks[i].container, level[k]))
                headings[n++] = d->blocks[i].text;
    return n;
}

static enum status
run(const void *self, struct document *d)
{
    struct str headings[HEADINGS_MAX];

    if (self == NULL)
        return ST_OK;
    if (d->meta.title.n <= TITLE_BYTES_MAX)
        d->meta.title =
            title_find(d->meta.title, headings, collect(d, headings));
    if (*(const enum title_mode *)self == MODE_REQUIRE && d->meta.title.n == 0)
        document_reject(d, VERDICT_NO_TITLE);
    return ST_OK;
}

const struct stage stage_title = {
    .name = "title",
    .needs = DOC_BLOCKS | DOC_NORMAL,
    .open = open_mode,
    .run = run,
};
