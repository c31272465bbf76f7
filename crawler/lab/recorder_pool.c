/* recorder_pool.c -- see recorder_pool.h. */
#include "recorder_pool.h"

#include "base/memory.h"
#include "base/pool.h"
#include "crawler/admit/robots.h"

#include <stdlib.h>

struct recorder_worker {                /* memory of a thread */
    struct arena *answer, *page, *keep; /* keep: until the next batch */
};

struct recorder_pool {
    struct recorder recorder;
    struct opts open; /* no scope: whoever asks decides what is linked to */
    struct scope *scope;
    struct recorder_worker worker[POOL_THREADS_MAX];
    size_t workers_n;
    struct recorded result[RECORDER_POOL_BATCH_MAX];

    recorder_pool_ask *ask; /* of this batch */
    void *self;
};

static enum status
work(void *self, size_t i, size_t thread)
{
    struct recorder_pool *p = self;
    struct recorder_worker *w = &p->worker[thread];
    struct answer a;
    enum status st;

    arena_reset(w->answer);
    if ((st = p->ask(p->self, (uint32_t)i, w->answer, &a)) == ST_OK)
        record_answer(&p->recorder, &a, w->page, w->keep, &p->result[i]);
    return st;
}

enum status
recorder_pool_run(struct recorder_pool *p, uint32_t n, recorder_pool_ask *ask,
                  void *self, struct recorded **out)
{
    p->ask = ask;
    p->self = self;
    for (size_t i = 0; i < p->workers_n; i++)
        arena_reset(p->worker[i].keep);
    *out = p->result;
    return pool_each(p->workers_n, n, work, p);
}

struct recorder_pool *
recorder_pool_open(const struct opts *o, const struct cleaner *cleaner,
                   const struct link_words_model *words, size_t threads_n)
{
    struct recorder_pool *p = memory_need(calloc(1, sizeof *p));

    opts_init(&p->open);
    if (scope_open(&p->scope, &p->open) != ST_OK) /* of the presets */
        memory_fail(ST_NOMEM, 0);
    p->recorder = (struct recorder){.opts = o,
                                    .cleaner = cleaner,
                                    .scope = p->scope,
                                    .link_words = words,
                                    .agent = robots_agent(o)};
    p->workers_n = threads_n < 1                  ? 1
                   : threads_n > POOL_THREADS_MAX ? POOL_THREADS_MAX
                                                  : threads_n;
    for (size_t i = 0; i < p->workers_n; i++)
        p->worker[i] =
            (struct recorder_worker){arena_new(), arena_new(), arena_new()};
    return p;
}

void
recorder_pool_close(struct recorder_pool *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; i < p->workers_n; i++) {
        arena_free(p->worker[i].answer);
        arena_free(p->worker[i].page);
        arena_free(p->worker[i].keep);
    }
    scope_close(p->scope);
    opts_free(&p->open);
    free(p);
}
