/* st_shingles.c -- the two ways to recognise a text again: the digest of the
 * clean text for equal ones, the fingerprint of its shingles for similar ones.
 *
 * Only for documents that may be kept. */
#include <stdlib.h>

#include "clean/chain/stage.h"
#include "winnow/memory.h"

static enum status
open_size(void **self, const struct opts *o)
{
    uint32_t *size = memory_try(sizeof *size);

    if (size == NULL)
        return ST_NOMEM;
    *size = (uint32_t)o->dedup_shingle_size;
    *self = size;
    return ST_OK;
}

/* Of the same bytes as document_text() gives. */
static struct hash128
digest(const struct document *d)
{
    size_t size = 0, n = 0;
    char *text;

    for (uint32_t i = 0; i < d->blocks_n; i++)
        if (d->blocks[i].kept)
            size += d->blocks[i].text.n + 1;
    text = arena_raw(d->arena, size);
    for (uint32_t i = 0; i < d->blocks_n; i++)
        if (d->blocks[i].kept) {
            memcpy(text + n, d->blocks[i].text.p, d->blocks[i].text.n);
            n += d->blocks[i].text.n;
            text[n++] = '\n';
        }
    return hash128(str_n(text, n));
}

static enum status
run(const void *self, struct document *d)
{
    struct shingler s;

    shingler_init(&s, *(const uint32_t *)self);
    for (uint32_t i = 0; i < d->tokens_n; i++)
        shingler_add(&s, d->token_hashes[i]);
    shingler_finish(&s, &d->fingerprint);
    d->digest = digest(d);
    return ST_OK;
}

const struct stage stage_shingles = {
    .name = "shingles",
    .needs = DOC_TOKENS | DOC_NORMAL,
    .gives = DOC_FINGERPRINT | DOC_DIGEST,
    .kept_only = true,
    .open = open_size,
    .run = run,
    .close = memory_free,
};
