/* block_turns.c -- see block_turns.h. */
#include "block_turns.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"

enum { AHEAD = 4 }; /* blocks that wait for one taker */

struct waiting_block {
    struct buf block;
    uint64_t too_long;
    struct waiting_block *next;
};

struct block_taker {
    struct waiting_block *first, **end;
    size_t waiting;
    bool asked, left;
};

struct block_turns {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct line_source *source;
    struct block_taker *taker;
    size_t takers, turn; /* whose the next block is */
    enum status ended;   /* ST_OK: there may be more */
};

struct block_turns *
block_turns_new(struct line_source *s, size_t takers)
{
    struct block_turns *t = memory_need(calloc(1, sizeof *t));

    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->changed, NULL);
    t->source = s;
    t->takers = takers;
    t->taker = memory_need(calloc(takers, sizeof *t->taker));
    for (size_t i = 0; i < takers; i++)
        t->taker[i].end = &t->taker[i].first;
    return t;
}

static void
drop(struct block_taker *of)
{
    while (of->first != NULL) {
        struct waiting_block *w = of->first;

        of->first = w->next;
        buf_free(&w->block);
        free(w);
    }
    of->end = &of->first;
    of->waiting = 0;
}

void
block_turns_free(struct block_turns *t)
{
    if (t == NULL)
        return;
    for (size_t i = 0; i < t->takers; i++)
        drop(&t->taker[i]);
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->changed);
    free(t->taker);
    free(t);
}

/* Another block, for whose turn it is. */
static void
read_one(struct block_turns *t)
{
    struct block_taker *to = &t->taker[t->turn];
    struct waiting_block *w = memory_need(calloc(1, sizeof *w));

    t->ended = line_source_block(t->source, &w->block, &w->too_long);
    *to->end = w;
    to->end = &w->next;
    to->waiting++;
    if (to->left)
        drop(to);
    t->turn = (t->turn + 1) % t->takers;
    pthread_cond_broadcast(&t->changed);
}

/* The first block that waits; the last one of all may have no lines, but tell
 * of lines that were too long. */
static bool
take_first(struct block_turns *t, struct block_taker *of, struct buf *block,
           uint64_t *too_long)
{
    struct waiting_block *w = of->first;
    struct buf before = *block;
    bool lines = w->block.n > 0;

    *too_long += w->too_long;
    *block = w->block;
    w->block = before;
    of->first = w->next;
    of->end = of->first == NULL ? &of->first : of->end;
    of->waiting--;
    buf_free(&w->block);
    free(w);
    pthread_cond_broadcast(&t->changed);
    return lines;
}

enum status
block_turns_next(struct block_turns *t, size_t i, struct buf *block,
                 uint64_t *too_long)
{
    struct block_taker *me = &t->taker[i];
    enum status st = ST_OK;

    pthread_mutex_lock(&t->lock);
    me->asked = true;
    for (bool taken = false; !taken && st == ST_OK;) {
        const struct block_taker *next = &t->taker[t->turn];

        if (me->first != NULL)
            taken = take_first(t, me, block, too_long);
        else if (t->ended != ST_OK)
            st = t->ended;
        else if (next->waiting < AHEAD || !next->asked)
            read_one(t);
        else
            pthread_cond_wait(&t->changed, &t->lock);
    }
    pthread_mutex_unlock(&t->lock);
    return st;
}

void
block_turns_leave(struct block_turns *t, size_t i)
{
    pthread_mutex_lock(&t->lock);
    t->taker[i].asked = t->taker[i].left = true;
    drop(&t->taker[i]);
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
}
