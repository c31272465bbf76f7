/* scores.c -- the third stage: which pairs reach the threshold.
 *
 * By count: how often a pair came.  By near: once for each pair the two
 * fingerprints are read and compared; pairs come in the order of the lesser
 * document, so that one is read once for all its pairs. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/pool.h"
#include "base/progress.h"
#include "corpus/sort/big_endian.h"
#include "prints.h"

#define AHEAD 16 /* pairs */

struct scoring_run;

struct scorer_thread {
    struct scoring_run *r;
    struct spill_writer *to;
    struct sorted_room room;
    uint64_t pair; /* lesser | better, which is being counted */
    uint32_t n;
    uint64_t scored;
    struct print lesser, better;
    struct arena *arena;  /* of a comparison */
    uint32_t lesser_rank; /* RANK_NONE: none is loaded */
};

struct scoring_run {
    const struct tender *t;
    const struct spill *pairs;
    struct prints *prints; /* NULL: by count */
    unsigned shift;
    struct scorer_thread *thread;
    struct progress *progress;
    char *scratch;
};

static void
put_score(struct scorer_thread *me, uint32_t score)
{
    unsigned char record[SCORE_SIZE];

    be64_put(record, me->pair);
    be32_put(record + 8, score);
    spill_put(me->to, (uint32_t)(me->pair >> 32) >> me->r->shift, record);
    me->scored++;
}

static enum status
estimate(struct scorer_thread *me)
{
    const struct prints *prints = me->r->prints;
    uint32_t lesser = (uint32_t)(me->pair >> 32);
    enum status st = ST_OK;
    double j;

    if (lesser != me->lesser_rank) {
        me->lesser_rank = lesser;
        st = prints_load(prints, lesser, &me->lesser);
    }
    if (st == ST_OK)
        st = prints_load(prints, (uint32_t)me->pair, &me->better);
    if (st != ST_OK)
        return st;
    j = prints_resemblance(prints, &me->lesser, &me->better, me->arena);
    if (j >= me->r->t->near)
        put_score(me, (uint32_t)(j * MILLION + .5));
    return ST_OK;
}

/* All of one pair have come. */
static enum status
finish_pair(struct scorer_thread *me)
{
    enum status st = ST_OK;

    if (me->n > 0 && me->r->prints != NULL)
        st = estimate(me);
    else if (me->n > 0 && me->n >= me->r->t->limit)
        put_score(me, me->n);
    me->n = 0;
    return st;
}

/* What is read for the pairs that come soon stands anywhere in memory. */
static void
look_ahead(const struct prints *p, const unsigned char *pair)
{
    prints_prefetch(p, be32_get(pair + (ptrdiff_t)AHEAD * PAIR_SIZE + 4));
    prints_prefetch_order(
        p, be32_get(pair + (ptrdiff_t)2 * AHEAD * PAIR_SIZE + 4));
}

static enum status
take_pairs(void *self, const void *records, size_t n)
{
    struct scorer_thread *me = self;
    const unsigned char *r = records;
    enum status st = ST_OK;

    for (size_t i = 0; i < n && st == ST_OK; i++, r += PAIR_SIZE) {
        uint64_t pair = be64_get(r);

        if (me->r->prints != NULL && i + 2 * AHEAD < n)
            look_ahead(me->r->prints, r);

        if (pair != me->pair) {
            st = finish_pair(me);
            me->pair = pair;
        }
        me->n++;
    }
    return st;
}

static enum status
score_bucket(void *self, size_t bucket, size_t thread)
{
    struct scoring_run *r = self;
    struct scorer_thread *me = &r->thread[thread];
    struct buf scratch = {0};
    enum status st;

    buf_printf(&scratch, "%s.%zu", r->scratch, thread);
    st = sorted_each(r->pairs, (unsigned)bucket,
                     ((uint64_t)bucket << r->shift) << 32, 32 + r->shift,
                     &me->room, scratch.p, take_pairs, me);
    if (st == ST_OK)
        st = finish_pair(me);
    buf_free(&scratch);
    progress_add(r->progress, spill_n(r->pairs, (unsigned)bucket));
    return st;
}

static enum status
score_all(struct scoring_run *r, struct tender *t, struct spill *scores)
{
    size_t threads = t->o->threads;
    enum status st, finish;

    r->thread = memory_need(calloc(threads, sizeof *r->thread));
    for (size_t i = 0; i < threads; i++) {
        struct scorer_thread *me = &r->thread[i];

        me->r = r;
        me->to = spill_writer_new(scores);
        me->room.bytes_max = tender_room_bytes(t, t->o->ddsize_max, PAIR_SIZE);
        me->lesser_rank = RANK_NONE;
        me->arena = arena_new();
    }
    r->progress =
        progress_begin("comparing pairs", "pairs", spill_all_n(r->pairs));
    st = pool_each(threads, spill_buckets(r->pairs), score_bucket, r);
    progress_end(r->progress);
    for (size_t i = 0; i < threads; i++) {
        struct scorer_thread *me = &r->thread[i];

        spill_writer_end(me->to);
        sorted_room_free(&me->room);
        print_free(&me->lesser);
        print_free(&me->better);
        arena_free(me->arena);
        t->counts.scored += me->scored;
    }
    free(r->thread);
    finish = spill_finish(scores);
    return st != ST_OK ? st : finish;
}

static enum status
open_inputs(struct scoring_run *r, struct tender *t, struct spill **pairs,
            struct spill **scores)
{
    char *from = tender_path(t, "pairs"), *to = tender_path(t, "scores");
    enum status st = spill_open(pairs, from);
    unsigned buckets, bits = 0;

    if (st == ST_OK) {
        r->pairs = *pairs;
        buckets = spill_buckets(*pairs);
        while (1u << bits < buckets)
            bits++;
        r->shift = tender_rank_shift(t, bits);
        st = spill_make(scores, to, buckets, SCORE_SIZE,
                        tender_piece_bytes(t, buckets));
    }
    if (st == ST_OK && t->near > 0)
        st = prints_open(&r->prints, t);
    free(from);
    free(to);
    return st;
}

enum status
tender_scores(struct tender *t)
{
    struct scoring_run r = {.t = t, .scratch = tender_path(t, "part")};
    struct spill *pairs = NULL, *scores = NULL;
    enum status st = open_inputs(&r, t, &pairs, &scores);

    if (st == ST_OK)
        st = score_all(&r, t, scores);
    prints_close(r.prints);
    spill_close(pairs);
    spill_close(scores);
    free(r.scratch);
    return st;
}
