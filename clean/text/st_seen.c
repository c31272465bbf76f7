/* st_seen.c -- documents whose text (or bytes) a document before them had.
 *
 * Off unless clean.duplicates says what is compared.  The key is 128 bits of
 * the whole text or page, or of bytes at even distances
 * (clean.duplicates_bytes).  texrex took these of the page with its headers, so
 * that the same page under another URL went unnoticed.  Of two equal
 * documents in two threads the one that comes here first is kept.
 *
 * Shared by all threads under one lock: an addition takes a microsecond. */
#include <pthread.h>
#include <stdlib.h>

#include "base/bloom.h"
#include "clean/chain/stage.h"
#include "winnow/buf.h"
#include "winnow/log.h"
#include "winnow/memory.h"

#define FIRST_N ((uint64_t)1 << 17) /* fits 1 MiB at an error of 1e-12 */

struct seen_digests {
    pthread_mutex_t lock;
    struct bloom *bloom;
    uint64_t samples; /* bytes of a page that count; 0: all */
    bool bytes, full;
};

struct stage_seen {
    struct seen_digests *s;
};

static void
close_seen(void *self)
{
    struct stage_seen *h = self;

    if (h == NULL)
        return;
    if (h->s != NULL) {
        pthread_mutex_destroy(&h->s->lock);
        bloom_close(h->s->bloom);
        memory_free(h->s);
    }
    memory_free(h);
}

static enum status
open_seen(void **self, const struct opts *o)
{
    const struct bloom_options bloom = {BLOOM_SPREAD, o->clean_duplicates_error,
                                        FIRST_N, o->clean_duplicates_mib << 20};
    struct stage_seen *h;
    enum status st = ST_NOMEM;

    if (str_eq(o->clean_duplicates, S("off")))
        return ST_OK;
    if ((h = memory_zero(1, sizeof *h)) == NULL ||
        (h->s = memory_zero(1, sizeof *h->s)) == NULL)
        goto fail;
    pthread_mutex_init(&h->s->lock, NULL);
    h->s->samples = o->clean_duplicates_bytes;
    h->s->bytes = str_eq(o->clean_duplicates, S("bytes"));
    st = bloom_open(&h->s->bloom, &bloom);
    if (st != ST_OK)
        goto fail;
    *self = h;
    return ST_OK;

fail:
    close_seen(h);
    return st;
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
    key = h->s->bytes ? key_of(d, h->s->samples) : d->digest;
    pthread_mutex_lock(&h->s->lock);
    before = bloom_add(h->s->bloom, key);
    if (!h->s->full && bloom_stat(h->s->bloom).excess_n > 0) {
        h->s->full = true;
        log_warn("clean", "clean.duplicates_mib is used up: new documents are "
                          "no longer remembered");
    }
    pthread_mutex_unlock(&h->s->lock);
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
