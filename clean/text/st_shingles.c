/* st_shingles.c -- the two ways to recognise a text again: the digest of the
 * clean text for equal ones, fingerprint and signature of its shingles for
 * similar ones.
 *
 * Only for documents that may be kept. */
#include <stdlib.h>

#include "clean/chain/stage.h"
#include "winnow/memory.h"

struct st_shingles {
    struct fingerprinter *fingerprinter;
    uint32_t size;
};

static void
close_shingles(void *self)
{
    struct st_shingles *t = self;

    if (t == NULL)
        return;
    fingerprinter_close(t->fingerprinter);
    memory_free(t);
}

static enum status
open_shingles(void **self, const struct opts *o)
{
    struct fingerprint_scheme scheme = fingerprint_scheme_of(o);
    struct st_shingles *t = memory_zero(1, sizeof *t);
    enum status st = ST_NOMEM;

    if (t == NULL ||
        (st = fingerprinter_open(&t->fingerprinter, &scheme)) != ST_OK) {
        close_shingles(t);
        return st;
    }
    t->size = scheme.shingle_size;
    *self = t;
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
    const struct st_shingles *t = self;
    size_t room = d->tokens_n * sizeof(uint64_t);
    uint64_t *shingle = arena_raw(d->arena, room);
    size_t n = shingles_make(d->token_hashes, d->tokens_n, t->size, shingle);

    fingerprinter_make(t->fingerprinter, shingle, n, &d->fingerprint);
    signature_make(shingle, n, d->arena, &d->signature);
    d->digest = digest(d);
    return ST_OK;
}

const struct stage stage_shingles = {
    .name = "shingles",
    .needs = DOC_TOKENS | DOC_NORMAL,
    .gives = DOC_FINGERPRINT | DOC_DIGEST,
    .kept_only = true,
    .open = open_shingles,
    .run = run,
    .close = close_shingles,
};
