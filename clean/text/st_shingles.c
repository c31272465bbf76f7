/* st_shingles.c -- the two ways to recognise a text again: the digest of the
 * clean text for equal ones, fingerprint and signature of its shingles for
 * similar ones.
 *
 * Only for documents that may be kept. */
#include <stdlib.h>

#include "base/buf.h"
#include "base/memory.h"
#include "clean/chain/stage.h"

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

static struct hash128
digest(const struct document *d)
{
    struct buf text = {.arena = d->arena};

    buf_reserve(&text, document_text_bytes(d));
    document_text(d, &text);
    return hash128(buf_view(&text));
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
