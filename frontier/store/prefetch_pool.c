/* prefetch_pool.c -- see prefetch_pool.h.
 *
 * A ring of jobs under one mutex.  A job wakes one thread; a thread that had to
 * read from the disk wakes another one, if more is waiting.  So a store in
 * memory is looked at by one thread, and a slow disk is asked for THREADS pages
 * at once.
 *
 * A look is a view of the store (db.h) that lasts for one job: one that stays
 * open would keep the writer from using pages again. */
#include "prefetch_pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/memory.h"
#include "base/pool.h"
#include "base/thread.h"
#include "tables_impl.h"

#define THREADS 8u
#define SOON_MAX 128u  /* jobs of prefetch_pool_soon() that wait */
#define ALL_MAX 128u   /* ... of a prefetch_pool_all() */
#define VAIN_MAX 2000u /* jobs */
#define WAITED_MANY 8  /* pages from the disk, in one transaction */
#define JOBS_MAX (SOON_MAX + ALL_MAX)

struct prefetch_job {
    prefetch_work *work;
    const void *items; /* NULL: the copy */
    size_t n;
    size_t *left; /* jobs of a prefetch_pool_all() that are not done; NULL: of
                     none */
    char copy[PREFETCH_BYTES_MAX];
};

struct prefetch_view {
    struct db_view at;
};

struct prefetch_pool {
    struct tables *tables;
    pthread_mutex_t lock;
    pthread_cond_t filled, done;
    struct pool threads; /* made one by one, as they are needed */
    size_t idle, head, n, soon_n;
    size_t vain; /* jobs in a row that found all in memory */
    bool slow, ended, wanted;
    struct prefetch_job job[JOBS_MAX];
};

/* ---- a look ---- */

bool
prefetch_get(struct prefetch_view *l, enum table table, struct str key,
             struct str *value)
{
    return db_view_get(&l->at, table, key, value);
}

void
prefetch_page(struct prefetch_view *l, enum table table, struct str key)
{
    struct str value;

    (void)db_view_get(&l->at, table, key, &value);
}

long
prefetch_pool_faults(void)
{
    struct rusage u;

    return getrusage(RUSAGE_THREAD, &u) == 0 ? u.ru_majflt : 0;
}

static bool
look(struct tables *t, const struct prefetch_job *j)
{
    struct prefetch_view l;
    long before = prefetch_pool_faults();

    if (!db_view_begin(&l.at, t->db))
        return false;
    j->work(&l, j->items != NULL ? j->items : j->copy, j->n);
    db_view_end(&l.at);
    return prefetch_pool_faults() != before;
}

/* ---- the threads ---- */

/* The next job; waits for it.  False: the end. */
static bool
next_job(struct prefetch_pool *w, struct prefetch_job *j)
{
    w->idle++;
    while (w->n == 0 && !w->ended)
        pthread_cond_wait(&w->filled, &w->lock);
    w->idle--;
    if (w->ended)
        return false;
    *j = w->job[w->head];
    w->head = (w->head + 1) % JOBS_MAX;
    w->n--;
    w->soon_n -= j->left == NULL;
    return true;
}

static void *run(void *self);

/* Somebody for what waits: when nobody is awake, or those who are have to wait
 * for the disk. */
static void
wake(struct prefetch_pool *w)
{
    if (w->n == 0 || (w->idle < w->threads.n && !w->slow))
        return;
    if (w->idle > 0)
        pthread_cond_signal(&w->filled);
    else if (w->threads.n < THREADS)
        (void)pool_add(&w->threads, run, w);
}

static void *
run(void *self)
{
    struct prefetch_pool *w = self;
    struct prefetch_job j;
    bool slow;

    thread_name("prefetch");
    pthread_mutex_lock(&w->lock);
    while (next_job(w, &j)) {
        wake(w);
        pthread_mutex_unlock(&w->lock);
        slow = look(w->tables, &j);
        pthread_mutex_lock(&w->lock);
        w->slow = slow;
        w->vain = slow ? 0 : w->vain + 1;
        if (w->vain >= VAIN_MAX)
            w->wanted = false;
        if (j.left != NULL && --*j.left == 0)
            pthread_cond_broadcast(&w->done);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static struct prefetch_job *
push(struct prefetch_pool *w, bool first)
{
    size_t at = first ? (w->head + JOBS_MAX - 1) % JOBS_MAX
                      : (w->head + w->n) % JOBS_MAX;

    if (first)
        w->head = at;
    w->n++;
    return &w->job[at];
}

void
prefetch_pool_soon(struct prefetch_pool *w, prefetch_work *work,
                   const void *items, size_t n, size_t size)
{
    struct prefetch_job *j;

    if (n == 0 || n * size > PREFETCH_BYTES_MAX)
        return;
    pthread_mutex_lock(&w->lock);
    if (w->soon_n < SOON_MAX) {
        j = push(w, true);
        w->soon_n++;
        *j = (struct prefetch_job){.work = work, .n = n};
        memcpy(j->copy, items, n * size);
        wake(w);
    }
    pthread_mutex_unlock(&w->lock);
}

void
prefetch_pool_all(struct prefetch_pool *w, prefetch_work *work,
                  const void *items, size_t n, size_t size, size_t part)
{
    size_t left = 0;

    if (part < n / ALL_MAX + 1)
        part = n / ALL_MAX + 1;
    pthread_mutex_lock(&w->lock);
    for (size_t i = 0; i < n; i += part, left++)
        *push(w, false) =
            (struct prefetch_job){.work = work,
                                  .items = (const char *)items + i * size,
                                  .n = n - i < part ? n - i : part,
                                  .left = &left};
    wake(w);
    if (w->threads.n == 0) { /* there are none to be had */
        w->n -= left;
        left = 0;
    }
    while (left > 0)
        pthread_cond_wait(&w->done, &w->lock);
    pthread_mutex_unlock(&w->lock);
}

bool
prefetch_pool_wanted(struct prefetch_pool *w)
{
    bool wanted;

    if (w == NULL)
        return false;
    pthread_mutex_lock(&w->lock);
    wanted = w->wanted;
    pthread_mutex_unlock(&w->lock);
    return wanted;
}

void
prefetch_pool_waited(struct prefetch_pool *w, long faults_before)
{
    if (w == NULL || prefetch_pool_faults() - faults_before < WAITED_MANY)
        return;
    pthread_mutex_lock(&w->lock);
    w->wanted = true;
    w->vain = 0;
    pthread_mutex_unlock(&w->lock);
}

struct prefetch_pool *
prefetch_pool_new(struct tables *t)
{
    struct prefetch_pool *w = memory_need(calloc(1, sizeof *w));

    w->tables = t;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->filled, NULL);
    pthread_cond_init(&w->done, NULL);
    return w;
}

void
prefetch_pool_free(struct prefetch_pool *w)
{
    if (w == NULL)
        return;
    pthread_mutex_lock(&w->lock);
    w->ended = true;
    pthread_cond_broadcast(&w->filled);
    pthread_mutex_unlock(&w->lock);
    pool_join(&w->threads);
    pthread_cond_destroy(&w->filled);
    pthread_cond_destroy(&w->done);
    pthread_mutex_destroy(&w->lock);
    free(w);
}
