/* sample.c -- see sample.h.  Most pages are sampled without a copy; of the
 * others the words are counted anew, an addition each. */
#include "sample.h"

/* The runs of words in blocks of running text; neighbours are one run, so that
 * word order is seen across their border. */
static void
find_runs(struct sample *x, const struct document *d)
{
    uint32_t at = 0, end = 0; /* end: of the last run */

    x->runs = arena_raw(d->arena, ((size_t)d->blocks_n + 1) * sizeof *x->runs);
    for (uint32_t i = 0; i < d->blocks_n; i++) {
        const struct block *b = &d->blocks[i];

        if (!b->counted)
            continue;
        if (b->running && b->tokens > 0) {
            if (x->runs_n > 0 && end == at)
                x->runs[x->runs_n - 1].n += b->tokens;
            else
                x->runs[x->runs_n++] = (struct token_run){at, b->tokens};
            x->tokens_n += b->tokens;
            end = at + b->tokens;
        }
        at += b->tokens;
    }
}

static void
count_types(struct sample *x, const struct document *d)
{
    struct token_type *types =
        arena_raw(d->arena, (size_t)d->types_n * sizeof *types);

    for (uint32_t i = 0; i < d->types_n; i++)
        types[i] = (struct token_type){d->types[i].text, d->types[i].hash, 0};
    for (uint32_t i = 0; i < x->runs_n; i++)
        for (uint32_t k = 0; k < x->runs[i].n; k++)
            types[x->tokens[x->runs[i].first + k]].count++;
    x->types = types;
}

void
sample_take(struct sample *x, const struct document *d, bool everything)
{
    *x = (struct sample){.arena = d->arena,
                         .types = d->types,
                         .types_n = d->types_n,
                         .tokens = d->token_types};
    find_runs(x, d);
    x->running = !everything && x->tokens_n >= SAMPLE_WORDS_MIN &&
                 x->tokens_n >= SAMPLE_SHARE_MIN * d->tokens_n;
    if (x->running && x->tokens_n < d->tokens_n) {
        count_types(x, d);
    } else {
        x->runs[0] = (struct token_run){0, d->tokens_n};
        x->runs_n = 1;
        x->tokens_n = d->tokens_n;
    }
}
