/* crew.c -- see crew.h. */
#include "crew.h"

#include "crawler/admit/robots.h"
#include "winnow/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define THREADS_MAX 256

struct hand { /* a thread */
    struct crew *crew;
    struct arena *answer, *page, *keep; /* keep: until the next batch */
};

struct crew {
    struct judge judge;
    struct opts open; /* no scope: whoever asks decides what is linked to */
    struct scope *scope;
    struct hand hand[THREADS_MAX];
    size_t hands_n;
    struct judged result[CREW_BATCH_MAX];

    crew_ask *ask; /* of this batch */
    void *self;
    uint32_t n;
    atomic_uint next;
    _Atomic(enum status) status;
};

static void *
work(void *hand)
{
    struct hand *h = hand;
    struct crew *c = h->crew;
    struct answer a;
    unsigned i;
    enum status st;

    arena_reset(h->keep);
    while (c->status == ST_OK && (i = atomic_fetch_add(&c->next, 1)) < c->n) {
        arena_reset(h->answer);
        st = c->ask(c->self, i, h->answer, &a);
        if (st == ST_OK)
            judge_answer(&c->judge, &a, h->page, h->keep, &c->result[i]);
        else
            c->status = st;
    }
    return NULL;
}

enum status
crew_run(struct crew *c, uint32_t n, crew_ask *ask, void *self,
         struct judged **out)
{
    pthread_t thread[THREADS_MAX] = {0};
    size_t started = 1;

    c->ask = ask;
    c->self = self;
    c->n = n;
    c->next = 0;
    c->status = ST_OK;
    while (started < c->hands_n &&
           pthread_create(&thread[started], NULL, work, &c->hand[started]) == 0)
        started++;
    work(&c->hand[0]);
    for (size_t i = 1; i < started; i++)
        pthread_join(thread[i], NULL);
    *out = c->result;
    return c->status;
}

struct crew *
crew_open(const struct opts *o, const struct cleaner *cleaner, size_t threads_n)
{
    struct crew *c = memory_need(calloc(1, sizeof *c));

    opts_init(&c->open);
    if (scope_open(&c->scope, &c->open) != ST_OK) /* of the presets */
        memory_fail(ST_NOMEM, 0);
    c->judge = (struct judge){.opts = o,
                              .cleaner = cleaner,
                              .scope = c->scope,
                              .agent = robots_token(o->fetch_user_agent)};
    c->hands_n = threads_n < 1             ? 1
                 : threads_n > THREADS_MAX ? THREADS_MAX
                                           : threads_n;
    for (size_t i = 0; i < c->hands_n; i++)
        c->hand[i] = (struct hand){c, arena_new(), arena_new(), arena_new()};
    return c;
}

void
crew_close(struct crew *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; i < c->hands_n; i++) {
        arena_free(c->hand[i].answer);
        arena_free(c->hand[i].page);
        arena_free(c->hand[i].keep);
    }
    scope_close(c->scope);
    opts_free(&c->open);
    free(c);
}
