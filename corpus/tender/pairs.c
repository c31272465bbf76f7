/* pairs.c -- the second stage: documents that share a key become pairs.
 *
 * Of a key that `max` documents or more have nothing is said by count (texrex's
 * rule: it is a phrase of the page generator).  By near it would be a loss to
 * leave them out, as many copies of one page share all their bands: each goes
 * with the best few of them, which is where a star would have its centre. */
#include <stdlib.h>

#include "base/big_endian.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/progress.h"
#include "corpus/sort/sorted.h"
#include "tender_inside.h"

#define HUBS 4
#define FEW 16
#define AHEAD 16 /* records */

struct pairing;

struct pairer { /* of a thread */
    struct pairing *p;
    struct spill_writer *to;
    struct sorted_room room;
    uint64_t key;   /* whose documents are being gathered */
    uint32_t *rank; /* of them; until they are all there, their numbers */
    size_t ranks_n, ranks_room;
    uint64_t pairs, overfull;
};

struct pairing {
    const struct tender *t;
    const struct spill *keys;
    const uint32_t *ranks; /* by number */
    unsigned shift;        /* from a rank to a bucket of `pairs` */
    struct pairer *pairer;
    struct progress *progress;
    char *scratch;
};

static void
put_pair(struct pairer *me, uint32_t better, uint32_t lesser)
{
    unsigned char record[PAIR_SIZE];

    be32_put(record, lesser);
    be32_put(record + 4, better);
    spill_put(me->to, lesser >> me->p->shift, record);
    me->pairs++;
}

static int
by_rank(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

/* Most keys that are shared are so by a few. */
static void
sort_ranks(uint32_t *rank, size_t n)
{
    if (n > FEW) {
        qsort(rank, n, sizeof *rank, by_rank);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        uint32_t moved = rank[i];
        size_t at = i;

        for (; at > 0 && rank[at - 1] > moved; at--)
            rank[at] = rank[at - 1];
        rank[at] = moved;
    }
}

/* Each once, in order; how many. */
static size_t
unite(uint32_t *rank, size_t n)
{
    size_t left = 0;

    sort_ranks(rank, n);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || rank[i] != rank[i - 1])
            rank[left++] = rank[i];
    return left;
}

/* The ranks of several documents, each once, in order; how many.  Of a single
 * one, as most keys have, the rank is not even looked up: it stands anywhere in
 * memory. */
static size_t
ranks_of(struct pairer *me)
{
    size_t n = me->ranks_n;

    me->ranks_n = 0;
    if (n < 2)
        return 0;
    for (size_t i = 0; i < n; i++)
        me->rank[i] = me->p->ranks[me->rank[i]];
    return unite(me->rank, n);
}

/* The documents of one key are all there. */
static void
finish_key(struct pairer *me)
{
    const struct tender *t = me->p->t;
    size_t n = ranks_of(me), hubs = n;

    if (n >= t->o->max) {
        me->overfull++;
        hubs = t->near > 0 ? HUBS : 0;
    }
    for (size_t i = 0; i < n && i < hubs; i++)
        for (size_t k = i + 1; k < n; k++)
            put_pair(me, me->rank[i], me->rank[k]);
}

/* Into the cache with the rank of what comes AHEAD records later, if that has
 * the key of the one behind or before it: then it will be looked up.  (Inlined,
 * since gcc 12 takes a function that does no more for one that does nothing.)
 */
static inline __attribute__((always_inline)) void
prefetch_rank(const struct pairer *me, const unsigned char *record)
{
    const unsigned char *r = record + (ptrdiff_t)AHEAD * KEY_SIZE;
    uint64_t key = be64_get(r);

    if (key == be64_get(r - KEY_SIZE) || key == be64_get(r + KEY_SIZE))
        __builtin_prefetch(&me->p->ranks[be32_get(r + 8)]);
}

static enum status
take_keys(void *self, const void *records, size_t n)
{
    struct pairer *me = self;
    const unsigned char *r = records;

    for (size_t i = 0; i < n; i++, r += KEY_SIZE) {
        uint64_t key = be64_get(r);

        if (i + AHEAD + 1 < n)
            prefetch_rank(me, r);
        if (key != me->key) {
            finish_key(me);
            me->key = key;
        }
        if (me->ranks_n == me->ranks_room) {
            me->ranks_room = me->ranks_room ? 2 * me->ranks_room : 1024;
            me->rank = memory_need(
                realloc(me->rank, me->ranks_room * sizeof *me->rank));
        }
        me->rank[me->ranks_n++] = be32_get(r + 8);
    }
    return ST_OK;
}

static enum status
pair_bucket(void *self, size_t bucket, size_t thread)
{
    struct pairing *p = self;
    struct pairer *me = &p->pairer[thread];
    struct buf scratch = {0};
    enum status st;

    buf_printf(&scratch, "%s.%zu", p->scratch, thread);
    st = sorted_each(p->keys, (unsigned)bucket, 0, 64, &me->room, scratch.p,
                     take_keys, me);
    finish_key(me);
    buf_free(&scratch);
    progress_add(p->progress, spill_n(p->keys, (unsigned)bucket));
    return st;
}

static enum status
pair_all(struct pairing *p, struct tender *t, struct spill *pairs)
{
    size_t threads = t->o->threads;
    enum status st, finish;

    p->pairer = memory_need(calloc(threads, sizeof *p->pairer));
    for (size_t i = 0; i < threads; i++) {
        p->pairer[i].p = p;
        p->pairer[i].to = spill_writer_new(pairs);
        p->pairer[i].room.bytes_max =
            tender_room_bytes(t, t->o->size_max, KEY_SIZE);
    }
    p->progress =
        progress_begin("pairing documents", "hashes", spill_all_n(p->keys));
    st = pool_each(threads, spill_buckets(p->keys), pair_bucket, p);
    progress_end(p->progress);
    for (size_t i = 0; i < threads; i++) {
        spill_writer_end(p->pairer[i].to);
        sorted_room_free(&p->pairer[i].room);
        free(p->pairer[i].rank);
        t->counts.pairs += p->pairer[i].pairs;
        t->counts.overfull += p->pairer[i].overfull;
    }
    free(p->pairer);
    finish = spill_finish(pairs);
    return st != ST_OK ? st : finish;
}

static unsigned
log2_of(unsigned n)
{
    unsigned bits = 0;

    while (1u << bits < n)
        bits++;
    return bits;
}

enum status
tender_pairs(struct tender *t)
{
    char *keys_path = tender_path(t, "keys"), *path = tender_path(t, "pairs");
    struct pairing p = {.t = t, .scratch = tender_path(t, "part")};
    struct spill *keys = NULL, *pairs = NULL;
    uint32_t *ranks = NULL;
    enum status st = tender_spill_open(t, &keys, keys_path);

    if (st == ST_OK) {
        unsigned bits = log2_of(spill_buckets(keys));

        ranks = tender_numbers(t, "ranks", t->facts.documents_n);
        p.keys = keys;
        p.ranks = ranks;
        p.shift = tender_rank_shift(t, bits);
        st = ranks == NULL
                 ? ST_IO
                 : tender_spill_make(t, &pairs, path, 1u << bits, PAIR_SIZE);
    }
    if (st == ST_OK)
        st = pair_all(&p, t, pairs);
    spill_close(keys);
    spill_close(pairs);
    free(ranks);
    free(p.scratch);
    free(keys_path);
    free(path);
    return st;
}
