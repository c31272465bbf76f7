/* st_type.c -- rejects documents by their Content-Type header.  Off unless
 * clean.content_types lists what is wanted; a document without the header is
 * not rejected by it. */
#include <stdlib.h>

#include "base/memory.h"
#include "clean/chain/stage.h"

struct types {
    size_t n;
    struct str item[];
};

static enum status
open_types(void **self, const struct opts *o)
{
    const struct opt_list *list = &o->clean_content_types;
    struct types *t;
    size_t bytes = 0;
    char *p;

    if (list->n == 0)
        return ST_OK;
    for (size_t i = 0; i < list->n; i++)
        bytes += list->item[i].n;
    t = memory_try(sizeof *t + list->n * sizeof *t->item + bytes);
    if (t == NULL)
        return ST_NOMEM;
    p = (char *)&t->item[list->n];
    t->n = list->n;
    for (size_t i = 0; i < list->n; i++) {
        memcpy(p, list->item[i].p, list->item[i].n);
        t->item[i] = str_n(p, list->item[i].n);
        p += list->item[i].n;
    }
    *self = t;
    return ST_OK;
}

/* "text/html" is wanted by itself, by "text/" followed by a star, and by a star
 * alone. */
static bool
is_wanted(struct str type, struct str wanted)
{
    if (!str_ends(wanted, S("*")))
        return str_eq_nocase(type, wanted);
    wanted.n--;
    return str_starts_nocase(type, wanted);
}

static enum status
run(const void *self, struct document *d)
{
    const struct types *t = self;
    struct str type = str_trim(
        str_sub(d->content_type, 0, str_find(d->content_type, ';', 0)));

    if (t == NULL || type.n == 0)
        return ST_OK;
    for (size_t i = 0; i < t->n; i++)
        if (is_wanted(type, t->item[i]))
            return ST_OK;
    document_reject(d, VERDICT_CONTENT_TYPE);
    return ST_OK;
}

const struct stage stage_type = {
    .name = "type",
    .needs = DOC_BYTES,
    .open = open_types,
    .run = run,
    .close = memory_free,
};
