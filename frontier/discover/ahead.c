/* ahead.c -- see ahead.h.
 *
 * A merge has three parts: read and sort (pure, from the log and its keys),
 * look up and write (the store's one transaction), commit (waiting for the
 * disk).  The first is done here, on another core, while the frontier's thread
 * does the others.
 *
 * A ring of SLICES slices goes round between two queues: empty ones to the
 * thread, full ones back.  Only the queues and their locks are shared; a slice
 * belongs to who has popped it.  A slice ends between two URLs; an empty one
 * is the end. */
#include "ahead.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "winnow/memory.h"
#include "winnow/workq.h"

#define SLICES 8u
#define SLICE_LINKS 4096u /* but all links of the last URL */

struct slice {
    struct candidate **c;
    size_t n;
    enum status st;
    struct arena *arena;
};

struct ahead {
    struct slice slice[SLICES];
    struct workq *full, *empty;
    pthread_t thread;
    bool threaded;
    /* Of the thread: where it is. */
    struct generation *g;
    struct row_seen_key after;
    uint32_t bucket, i;
    bool skip, sorted; /* links up to `after`; the bucket */
    int year;
    struct buf room;
    /* Of the frontier's thread: what it is taking from. */
    struct slice *now;
    size_t taken;
};

/* ---- the thread ---- */

static enum status
read_link(const struct ahead *a, uint64_t at, struct candidate *c)
{
    struct str record;
    enum status st = journal_next(a->g->journal, &at, &record);

    if (st == ST_STORE)
        return st; /* reported */
    return st == ST_OK && candidate_read(c, record) ? ST_OK
                                                    : frontier_corrupt("links");
}

static bool
is_behind(const struct row_seen_key *key, const struct row_seen_key *after)
{
    return memcmp(key->bytes, after->bytes, sizeof key->bytes) > 0;
}

/* The next link's entry; NULL: that was all. */
static const struct generation_entry *
next_entry(struct ahead *a)
{
    for (; a->bucket < GENERATION_BUCKETS;
         a->bucket++, a->i = 0, a->sorted = false) {
        struct generation_bucket *b = &a->g->bucket[a->bucket];

        if (!a->sorted)
            generation_sort(b);
        a->sorted = true;
        while (a->skip && a->i < b->n &&
               !is_behind(&b->entry[a->i].key, &a->after))
            a->i++;
        if (a->i < b->n)
            return &b->entry[a->i];
    }
    return NULL;
}

static enum status
fill(struct ahead *a, struct slice *s)
{
    const struct generation_entry *e;
    struct candidate *all;
    size_t room = SLICE_LINKS;
    enum status st = ST_OK;

    s->n = 0;
    arena_reset(s->arena);
    all = arena_raw(s->arena, room * sizeof *all);
    for (; (e = next_entry(a)) != NULL; a->i++) {
        if (s->n >= SLICE_LINKS &&
            memcmp(e->key.bytes, all[s->n - 1].key.bytes, sizeof e->key.bytes))
            break;
        if (s->n == room) {
            all = arena_grow(s->arena, all, room * sizeof *all,
                             2 * room * sizeof *all);
            room *= 2;
        }
        if ((st = read_link(a, e->at, &all[s->n])) != ST_OK)
            return st;
        s->n++;
    }
    s->c = arena_raw(s->arena, s->n * sizeof *s->c);
    for (size_t i = 0; i < s->n; i++)
        s->c[i] = &all[i];
    s->n = candidate_join(s->c, s->n);
    for (size_t i = 0; i < s->n; i++)
        candidate_prepare(s->c[i], a->year, &a->room);
    return ST_OK;
}

static void *
work(void *self)
{
    struct ahead *a = self;
    struct slice *s;
    void *item;
    bool more = true;

    while (more && workq_pop(a->empty, &item, UINT64_MAX) == ST_OK) {
        s = item;
        s->st = fill(a, s);
        more = s->st == ST_OK && s->n > 0;
        if (workq_push(a->full, s) != ST_OK)
            break;
    }
    return NULL;
}

/* ---- the frontier's thread ---- */

static bool
start_thread(struct ahead *a)
{
    sigset_t all, before;
    int rc;

    sigfillset(&all); /* signals are for those who wait for them */
    pthread_sigmask(SIG_BLOCK, &all, &before);
    rc = pthread_create(&a->thread, NULL, work, a);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return rc == 0;
}

struct ahead *
ahead_start(struct generation *g, const struct row_seen_key *after, int year)
{
    struct ahead *a = memory_need(calloc(1, sizeof *a));

    a->g = g;
    a->year = year;
    if (after != NULL) {
        a->after = *after;
        a->skip = true;
        a->bucket = (uint32_t)generation_bucket(after);
    }
    a->full = workq_new(SLICES);
    a->empty = workq_new(SLICES);
    for (size_t i = 0; i < SLICES; i++) {
        a->slice[i].arena = arena_new();
        (void)workq_push(a->empty, &a->slice[i]);
    }
    a->threaded = start_thread(a);
    return a;
}

static void
drain(struct workq *q)
{
    void *item;

    workq_close(q);
    while (workq_pop(q, &item, 0) == ST_OK)
        ;
    workq_free(q);
}

void
ahead_stop(struct ahead *a)
{
    if (a == NULL)
        return;
    workq_close(a->full); /* it gives up at its next slice */
    workq_close(a->empty);
    if (a->threaded)
        pthread_join(a->thread, NULL);
    drain(a->full);
    drain(a->empty);
    for (size_t i = 0; i < SLICES; i++)
        arena_free(a->slice[i].arena);
    buf_free(&a->room);
    free(a);
}

static void
next_slice(struct ahead *a)
{
    void *item;

    if (!a->threaded) {
        a->now = &a->slice[0];
        a->now->st = fill(a, a->now);
    } else {
        if (a->now != NULL)
            (void)workq_push(a->empty, a->now);
        (void)workq_pop(a->full, &item, UINT64_MAX); /* never closed here */
        a->now = item;
    }
    a->taken = 0;
}

enum status
ahead_take(struct ahead *a, size_t want, struct candidate ***out, size_t *n)
{
    const struct slice *s;
    size_t from, links = 0;

    if (a->now == NULL ||
        (a->taken == a->now->n && a->now->n > 0 && a->now->st == ST_OK))
        next_slice(a);
    s = a->now;
    if (s->st != ST_OK || s->n == 0)
        return s->st == ST_OK ? ST_NONE : s->st;
    from = a->taken;
    do
        links += s->c[a->taken++]->links;
    while (a->taken < s->n && links < want);
    *out = s->c + from;
    *n = a->taken - from;
    return ST_OK;
}
