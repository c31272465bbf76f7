/* scores.c -- the third stage: which pairs reach the threshold.
 *
 * By count: how often a pair came.  By near: once for each pair the two
 * fingerprints are compared, of many pairs at a time, since they stand anywhere
 * in a file that may be larger than memory. */
#include <stdlib.h>

#include "base/big_endian.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/progress.h"
#include "prints.h"

#define AHEAD 16 /* pairs */

struct scoring_run;

struct batch_pair {
    uint64_t pair;
    uint32_t lesser, better; /* numbers of the documents */
};

struct scorer_thread {
    struct scoring_run *r;
    struct spill_writer *to;
    struct sorted_room room;
    uint64_t pair; /* lesser | better, which is being counted */
    uint32_t n;
    uint64_t scored;
    struct print_batch *batch;  /* NULL: by count */
    struct batch_pair *waiting; /* for their fingerprints */
    size_t waiting_n, waiting_room;
    struct arena *arena; /* of a comparison */
};

struct scoring_run {
    const struct tender *t;
    const struct spill *pairs;
    struct prints *prints; /* NULL: by count */
    size_t batch_bytes;    /* of a thread */
    unsigned shift;
    struct scorer_thread *thread;
    struct progress *progress;
    char *scratch;
};

static void
put_score(struct scorer_thread *me, uint64_t pair, uint32_t score)
{
    unsigned char record[SCORE_SIZE];

    be64_put(record, pair);
    be32_put(record + 8, score);
    spill_put(me->to, (uint32_t)(pair >> 32) >> me->r->shift, record);
    me->scored++;
}

static void
compare(struct scorer_thread *me, const struct batch_pair *p)
{
    double j =
        print_batch_resemblance(me->batch, p->lesser, p->better, me->arena);

    if (j >= me->r->t->near)
        put_score(me, p->pair, (uint32_t)(j * MILLION + .5));
}

/* All that are waiting, in the order they came. */
static enum status
compare_waiting(struct scorer_thread *me)
{
    const struct batch_pair *p = me->waiting;
    enum status st = print_batch_gather(me->batch);

    for (size_t i = 0; st == ST_OK && i < me->waiting_n; i++) {
        if (i + AHEAD < me->waiting_n) {
            print_batch_prefetch(me->batch, p[i + AHEAD].lesser);
            print_batch_prefetch(me->batch, p[i + AHEAD].better);
        }
        compare(me, &p[i]);
    }
    print_batch_clear(me->batch);
    me->waiting_n = 0;
    return st;
}

static enum status
wait_for_prints(struct scorer_thread *me)
{
    size_t bytes = print_batch_n(me->batch) * prints_bytes_each(me->r->prints) +
                   me->waiting_n * sizeof *me->waiting;
    enum status st = bytes < me->r->batch_bytes ? ST_OK : compare_waiting(me);

    if (me->waiting_n == me->waiting_room) {
        me->waiting_room = me->waiting_room ? 2 * me->waiting_room : 1024;
        me->waiting = memory_need(
            realloc(me->waiting, me->waiting_room * sizeof *me->waiting));
    }
    me->waiting[me->waiting_n++] = (struct batch_pair){
        me->pair, print_batch_want(me->batch, (uint32_t)(me->pair >> 32)),
        print_batch_want(me->batch, (uint32_t)me->pair)};
    return st;
}

/* All of one pair have come. */
static enum status
finish_pair(struct scorer_thread *me)
{
    enum status st = ST_OK;

    if (me->n > 0 && me->batch != NULL)
        st = wait_for_prints(me);
    else if (me->n > 0 && me->n >= me->r->t->limit)
        put_score(me, me->pair, me->n);
    me->n = 0;
    return st;
}

static enum status
take_pairs(void *self, const void *records, size_t n)
{
    struct scorer_thread *me = self;
    const unsigned char *r = records;
    enum status st = ST_OK;

    for (size_t i = 0; i < n && st == ST_OK; i++, r += PAIR_SIZE) {
        uint64_t pair = be64_get(r);

        if (me->batch != NULL && i + AHEAD < n) /* it stands anywhere */
            prints_prefetch(me->r->prints,
                            be32_get(r + (ptrdiff_t)AHEAD * PAIR_SIZE + 4));
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

/* What a thread was left with. */
static enum status
score_rest(void *self, size_t i, size_t thread)
{
    struct scoring_run *r = self;

    (void)thread;
    return r->thread[i].batch == NULL ? ST_OK : compare_waiting(&r->thread[i]);
}

static enum status
score_all(struct scoring_run *r, struct tender *t, struct spill *scores)
{
    size_t threads = t->o->threads;
    enum status st, finish;

    r->batch_bytes = tender_batch_bytes(t);
    r->thread = memory_need(calloc(threads, sizeof *r->thread));
    for (size_t i = 0; i < threads; i++) {
        struct scorer_thread *me = &r->thread[i];

        me->r = r;
        me->to = spill_writer_new(scores);
        me->room.bytes_max = tender_room_bytes(t, t->o->ddsize_max, PAIR_SIZE);
        me->batch = r->prints == NULL ? NULL : print_batch_new(r->prints);
        me->arena = arena_new();
    }
    r->progress =
        progress_begin("comparing pairs", "pairs", spill_all_n(r->pairs));
    st = pool_each(threads, spill_buckets(r->pairs), score_bucket, r);
    if (st == ST_OK)
        st = pool_each(threads, threads, score_rest, r);
    progress_end(r->progress);
    for (size_t i = 0; i < threads; i++) {
        struct scorer_thread *me = &r->thread[i];

        spill_writer_end(me->to);
        sorted_room_free(&me->room);
        print_batch_free(me->batch);
        free(me->waiting);
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
    enum status st = tender_spill_open(t, pairs, from);
    unsigned buckets, bits = 0;

    if (st == ST_OK) {
        r->pairs = *pairs;
        buckets = spill_buckets(*pairs);
        while (1u << bits < buckets)
            bits++;
        r->shift = tender_rank_shift(t, bits);
        st = tender_spill_make(t, scores, to, buckets, SCORE_SIZE);
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
