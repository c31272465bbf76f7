/* st_seen.c -- documents whose text (or bytes) a document before them had.
 *
 * Off unless clean.duplicates says what is compared.  The key is 128 bits of
 * the whole text or page, or of bytes at even distances
 * (clean.duplicates_bytes).  texrex took these of the page with its headers, so
 * that the same page under another URL went unnoticed.  Of two equal
 * documents in two threads the one that comes here first is kept. */
#include "base/buf.h"
#include "base/memory.h"
#include "clean/chain/stage.h"
#include "seen.h"

struct stage_seen {
    struct seen_set *digests;
    uint64_t samples; /* bytes of a page that count; 0: all */
    bool bytes;
};

static void
close_seen(void *self)
{
    struct stage_seen *h = self;

    if (h != NULL)
        seen_close(h->digests);
    memory_free(h);
}

static enum status
open_seen(void **self, const struct opts *o)
{
    struct stage_seen *h;
    enum status st;

    if (str_eq(o->clean_duplicates, S("off")))
        return ST_OK;
    if ((h = memory_zero(1, sizeof *h)) == NULL)
        return ST_NOMEM;
    if ((st = seen_open(&h->digests, o, "documents")) != ST_OK) {
        close_seen(h);
        return st;
    }
    h->samples = o->clean_duplicates_bytes;
    h->bytes = str_eq(o->clean_duplicates, S("bytes"));
    *self = h;
    return ST_OK;
}

/* Every n-th byte, so that there are `samples`. */
static struct hash128
key_of(const struct document *d, uint64_t samples)
{
    struct buf some = {.arena = d->arena};
    struct hash128 key;

    if (samples == 0 || d->bytes.n <= samples)
        return hash128(d->bytes);
    for (uint64_t i = 1; i <= samples; i++)
        buf_char(&some, d->bytes.p[i * (d->bytes.n / samples) - 1]);
    key = hash128(buf_view(&some));
    buf_free(&some);
    return key;
}

static enum status
run(const void *self, struct document *d)
{
    const struct stage_seen *h = self;
    struct hash128 key;
    bool before;

    if (h == NULL || d->reject != VERDICT_NONE)
        return ST_OK;
    key = h->bytes ? key_of(d, h->samples) : d->digest;
    seen_lock(h->digests);
    before = seen_add(h->digests, key);
    seen_unlock(h->digests);
    if (before)
        document_reject(d, VERDICT_EXACT_DUPLICATE);
    return ST_OK;
}

const struct stage stage_seen = {
    .name = "seen",
    .needs = DOC_DIGEST,
    .kept_only = true,
    .open = open_seen,
    .run = run,
    .close = close_seen,
};
