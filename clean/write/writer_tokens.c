/* writer_tokens.c -- a document's words and how often they occur, as texrex
 * has it: a line `# ID <TAB> types <TAB> tokens`, then for the most frequent
 * output.tokens_max types a line `TYPE <TAB> count <TAB> share of the tokens`,
 * the most frequent first, equal ones by their bytes. */
#include <stdlib.h>

#include "facts.h"
#include "writers.h"

static int
by_count(const void *a, const void *b)
{
    const struct token_type *const *x = a, *const *y = b;

    if ((*x)->count != (*y)->count)
        return (*x)->count > (*y)->count ? -1 : 1;
    return str_cmp((*x)->text, (*y)->text);
}

static void
render(const struct opts *o, const struct document *d, struct buf *out)
{
    const struct token_type **type;
    uint64_t n = d->types_n;

    buf_printf(out, "# %s\t%u\t%u\n", d->id.z, d->types_n, d->tokens_n);
    if (n == 0)
        return;
    type = ARENA_ARRAY(d->arena, const struct token_type *, n);
    for (uint64_t i = 0; i < n; i++)
        type[i] = &d->types[i];
    qsort(type, n, sizeof *type, by_count);
    if (o->output_tokens_max > 0 && o->output_tokens_max < n)
        n = o->output_tokens_max;
    for (uint64_t i = 0; i < n; i++) {
        buf_printf(out, "%.*s\t%u\t", STRF(type[i]->text), type[i]->count);
        fact_real((double)type[i]->count / d->tokens_n, out);
        buf_char(out, '\n');
    }
}

const struct writer writer_tokens = {
    .name = "tokens",
    .suffix = "tokens",
    .help = "types of each document with count and share, as texrex writes "
            "them",
    .render = render,
};
