/* prefetch_links.c -- see prefetch_links.h.
 *
 * A merge has three parts: read and sort (pure, from the log and its keys),
 * look up and write (the store's one transaction), commit (waiting for the
 * disk).  The first is done here, on another core, while the frontier's thread
 * does the others.
 *
 * When the store is larger than memory the second part waits for the disk, page
 * by page, and everybody waits for it: then the pages are looked at here before
 * a slice is handed over, many at once (prefetch_pool.h).
 *
 * A ring of SLICES slices goes round between two queues: empty ones to the
 * thread, full ones back.  Only the queues and their locks are shared; a slice
 * belongs to who has popped it.  A slice ends between two URLs; an empty one
 * is the end. */
#include "prefetch_links.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/thread.h"
#include "base/workq.h"

#define SLICES 8u
#define SLICE_LINKS 4096u  /* but all links of the last URL */
#define PREFETCH_LINKS 64u /* of a slice, looked at by one thread */

struct slice {
    struct candidate **c;
    size_t n;
    enum status st;
    struct arena *arena;
};

struct prefetch_links {
    struct slice slice[SLICES];
    struct workq *full, *empty;
    pthread_t thread;
    bool threaded;
    /* Of the thread: where it is. */
    struct log_segment *g;
    enum row_keys keys;
    struct row_seen_key after;
    uint32_t bucket, i;
    bool skip, sorted; /* links up to `after`; the bucket */
    struct buf room;
    struct prefetch_pool *prefetch_pool; /* NULL: the store is not looked at */
    /* Of the frontier's thread: what it is taking from. */
    struct slice *now;
    size_t taken;
};

/* ---- the thread ---- */

static enum status
read_link(const struct prefetch_links *a, uint64_t at, struct candidate *c)
{
    struct str record;
    enum status st = journal_next(a->g->journal, &at, &record);

    if (st == ST_STORE)
        return st; /* reported */
    return st == ST_OK && candidate_read(c, record)
               ? ST_OK
               : url_store_corrupt("links");
}

static bool
is_behind(const struct row_seen_key *key, const struct row_seen_key *after)
{
    return memcmp(key->bytes, after->bytes, sizeof key->bytes) > 0;
}

/* The next link's entry; NULL: that was all. */
static const struct log_segment_entry *
next_entry(struct prefetch_links *a)
{
    for (; a->bucket < LOG_SEGMENT_BUCKETS;
         a->bucket++, a->i = 0, a->sorted = false) {
        struct log_segment_bucket *b = &a->g->bucket[a->bucket];

        if (!a->sorted)
            log_segment_sort(b);
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
fill(struct prefetch_links *a, struct slice *s)
{
    const struct log_segment_entry *e;
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
        candidate_prepare(s->c[i], a->keys, &a->room);
    return ST_OK;
}

/* The pages on which the candidate is, or will be. */
static void
look_at_link(struct prefetch_view *l, const struct candidate *c,
             const struct row_host *host, uint32_t id)
{
    prefetch_page(l, TABLE_SEEN, row_seen_bytes(&c->key));
    for (size_t i = 0; i < host->url_classes.n; i++) {
        const uint32_t kind = host->url_classes.item[i].kind;
        struct row_key key = row_queue_key(
            (struct row_position){id, (uint8_t)i, c->priority, c->sequence});

        for (size_t level = 0; level < URL_CLASS_LEVELS; level++)
            if (c->kinds.level[level] == kind) {
                prefetch_page(l, TABLE_QUEUE, row_bytes(&key));
                return;
            }
    }
}

static void
look_at_links(struct prefetch_view *l, const void *items, size_t n)
{
    struct candidate *const *c = items;
    struct url_class room[URL_CLASSES_MAX];
    struct row_host host = {0};
    struct row_key key;
    struct str value;
    uint32_t id = 0;

    for (size_t i = 0; i < n; i++) {
        if (i == 0 || !candidate_same_host(c[i - 1], c[i])) {
            host = (struct row_host){0};
            key = row_name_key(c[i]->authority);
            id = prefetch_get(l, TABLE_NAMES, row_bytes(&key), &value)
                     ? row_be32(value)
                     : 0;
            key = row_host_key(id);
            if (id != 0 &&
                prefetch_get(l, TABLE_HOSTS, row_bytes(&key), &value) &&
                !row_host_read(&host, value, room))
                host = (struct row_host){0};
        }
        look_at_link(l, c[i], &host, id);
    }
}

static void
look_at_store(struct prefetch_links *a, const struct slice *s)
{
    if (s->st == ST_OK && prefetch_pool_wanted(a->prefetch_pool))
        prefetch_pool_all(a->prefetch_pool, look_at_links, s->c, s->n,
                          sizeof *s->c, PREFETCH_LINKS);
}

static void *
work(void *self)
{
    struct prefetch_links *a = self;
    struct slice *s;
    void *item;
    bool more = true;

    thread_name("prefetch-links");
    while (more && workq_pop(a->empty, &item, UINT64_MAX) == ST_OK) {
        s = item;
        s->st = fill(a, s);
        look_at_store(a, s);
        more = s->st == ST_OK && s->n > 0;
        if (workq_push(a->full, s) != ST_OK)
            break;
    }
    return NULL;
}

/* ---- the frontier's thread ---- */

struct prefetch_links *
prefetch_links_start(struct log_segment *g, const struct row_seen_key *after,
                     enum row_keys keys, struct prefetch_pool *prefetch_pool)
{
    struct prefetch_links *a = memory_need(calloc(1, sizeof *a));

    a->g = g;
    a->keys = keys;
    a->prefetch_pool = prefetch_pool;
    if (after != NULL) {
        a->after = *after;
        a->skip = true;
        a->bucket = (uint32_t)log_segment_bucket(after);
    }
    a->full = workq_new(SLICES);
    a->empty = workq_new(SLICES);
    for (size_t i = 0; i < SLICES; i++) {
        a->slice[i].arena = arena_new();
        (void)workq_push(a->empty, &a->slice[i]);
    }
    a->threaded = thread_start(&a->thread, work, a);
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
prefetch_links_stop(struct prefetch_links *a)
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

static enum status
next_slice(struct prefetch_links *a, bool wait)
{
    void *item;

    if (!a->threaded) {
        a->now = &a->slice[0];
        a->now->st = fill(a, a->now);
    } else {
        if (workq_pop(a->full, &item, wait ? UINT64_MAX : 0) != ST_OK)
            return ST_BUSY; /* it is never closed here */
        if (a->now != NULL)
            (void)workq_push(a->empty, a->now);
        a->now = item;
    }
    a->taken = 0;
    return ST_OK;
}

enum status
prefetch_links_take(struct prefetch_links *a, size_t want, bool wait,
                    struct candidate ***out, size_t *n)
{
    const struct slice *s;
    size_t from, links = 0;

    if (a->now == NULL ||
        (a->taken == a->now->n && a->now->n > 0 && a->now->st == ST_OK))
        if (next_slice(a, wait) != ST_OK)
            return ST_BUSY;
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
