/* arena.c -- chunks in a list, bump allocation, kept over a reset.
 *
 * Of arenas that are freed the ordinary chunks may be kept for new ones
 * (arena_keep()): the latest first, since it is in the caches.  A chunk goes to
 * the system otherwise, where its pages are given back and asked for again.
 *
 * A request larger than a chunk gets a chunk of its own.  After a reset the
 * ordinary chunks are used again in order, and of all chunks no more than
 * KEPT_BYTES are kept, or half as much again as was used lately: with each
 * reset that bound comes down by a KEPT_FADES-th of what it is above.  So one
 * huge page does not pin its memory for ever, while pages of the usual sizes,
 * and huge ones of one host, ask the system for nothing.
 *
 * The limit counts what was asked for, not chunks, so that the same page fails
 * at the same place whatever was in the arena before; a request over it fails
 * before the system is asked. */
#include "base/arena.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, n) ((void)(at), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(at, n) ((void)(at), (void)(n))
#endif

#define CHUNK_SIZE ((size_t)256 * 1024)
#define KEPT_BYTES ((size_t)8 << 20) /* over a reset, each kind of chunk */
#define KEPT_FADES 64u
#define ALIGN 16u

struct chunk {
    struct chunk *next;
    size_t size;
    _Alignas(16) char bytes[];
};

struct arena {
    struct chunk *first; /* ordinary chunks, in order of use */
    struct chunk *now;   /* the one being filled */
    struct chunk *huge;  /* outsized chunks in use */
    struct chunk *spare; /* outsized chunks kept from before */
    size_t at;           /* bytes used of `now` */
    size_t used, limit;
    size_t kept; /* bytes of each kind of chunk that a reset leaves */
    size_t high; /* as of the last time `used` went down */
};

/* Chunks of freed arenas, for all threads. */
static struct {
    pthread_mutex_t lock;
    _Atomic size_t most;
    struct chunk *first;
    size_t n;
} spare = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* What a guard owns (base/memory.h) has to be noted there. */
static bool
may_be_kept(size_t size)
{
    return size == CHUNK_SIZE && spare.most > 0 && !memory_is_owned();
}

static struct chunk *
take_kept(size_t size)
{
    struct chunk *c;

    if (!may_be_kept(size))
        return NULL;
    pthread_mutex_lock(&spare.lock);
    if ((c = spare.first) != NULL) {
        spare.first = c->next;
        spare.n--;
    }
    pthread_mutex_unlock(&spare.lock);
    if (c != NULL)
        ASAN_UNPOISON_MEMORY_REGION(c->bytes, c->size);
    return c;
}

static void
chunk_free(struct chunk *c)
{
    bool keeps = may_be_kept(c->size);

    if (keeps) {
        pthread_mutex_lock(&spare.lock);
        if ((keeps = spare.n < spare.most)) {
            ASAN_POISON_MEMORY_REGION(c->bytes, c->size);
            c->next = spare.first;
            spare.first = c;
            spare.n++;
        }
        pthread_mutex_unlock(&spare.lock);
    }
    if (!keeps)
        memory_free(c);
}

void
arena_keep(size_t chunks)
{
    struct chunk *c;

    pthread_mutex_lock(&spare.lock);
    spare.most = chunks;
    while (spare.n > chunks) {
        c = spare.first;
        spare.first = c->next;
        spare.n--;
        ASAN_UNPOISON_MEMORY_REGION(c->bytes, c->size);
        free(c);
    }
    pthread_mutex_unlock(&spare.lock);
}

static struct chunk *
chunk_new(size_t size) /* or NULL */
{
    struct chunk *c = take_kept(size);

    if (c == NULL)
        c = memory_try(sizeof *c + size);
    if (c == NULL)
        return NULL;
    c->next = NULL;
    c->size = size;
    return c;
}

static void
chunks_free(struct chunk *c)
{
    while (c != NULL) {
        struct chunk *next = c->next;

        chunk_free(c);
        c = next;
    }
}

struct arena *
arena_new(void)
{
    struct arena *a = memory_need(memory_zero(1, sizeof *a));

    if ((a->first = a->now = chunk_new(CHUNK_SIZE)) == NULL) {
        memory_free(a);
        memory_fail(ST_NOMEM, CHUNK_SIZE);
    }
    a->limit = SIZE_MAX;
    a->kept = KEPT_BYTES;
    return a;
}

void
arena_free(struct arena *a)
{
    if (a == NULL)
        return;
    chunks_free(a->first);
    chunks_free(a->huge);
    chunks_free(a->spare);
    memory_free(a);
}

/* Free what would make the list longer than `most` bytes. */
static struct chunk *
chunks_trim(struct chunk *first, size_t most)
{
    struct chunk **at = &first;
    size_t kept = 0;

    while (*at != NULL) {
        struct chunk *c = *at;

        if (kept + c->size <= most) {
            kept += c->size;
            at = &c->next;
        } else {
            *at = c->next;
            chunk_free(c);
        }
    }
    return first;
}

void
arena_reset(struct arena *a)
{
    struct chunk **at = &a->huge;

    a->high = arena_high(a);
    while (*at != NULL) /* those just used come first */
        at = &(*at)->next;
    *at = a->spare;
    a->kept -= (a->kept - KEPT_BYTES + KEPT_FADES - 1) / KEPT_FADES;
    if (a->kept < a->used + a->used / 2)
        a->kept = a->used + a->used / 2;
    a->spare = chunks_trim(a->huge, a->kept);
    a->huge = NULL;
    a->first = chunks_trim(a->first, a->kept);
    a->now = a->first;
    a->at = 0;
    a->used = 0;
}

size_t
arena_used(const struct arena *a)
{
    return a->used;
}

size_t
arena_high(const struct arena *a)
{
    return a->used > a->high ? a->used : a->high;
}

void
arena_limit(struct arena *a, size_t more)
{
    a->limit = more < SIZE_MAX - a->used ? a->used + more : SIZE_MAX;
}

/* An outsized chunk for n bytes: a spare one if it is not far too large. */
static struct chunk *
huge_chunk(struct arena *a, size_t n)
{
    struct chunk **at = &a->spare, *c;

    while (*at != NULL && ((*at)->size < n || (*at)->size / 4 > n))
        at = &(*at)->next;
    if (*at == NULL)
        return chunk_new(n);
    c = *at;
    *at = c->next;
    return c;
}

/* `size` bytes that are not in the chunk being filled; NULL: not to be had. */
static void *
other_chunk(struct arena *a, size_t size)
{
    struct chunk *c;

    if (size > CHUNK_SIZE) {
        if ((c = huge_chunk(a, size)) == NULL)
            return NULL;
        c->next = a->huge;
        a->huge = c;
        return c->bytes;
    }
    if (a->now->next == NULL && (a->now->next = chunk_new(CHUNK_SIZE)) == NULL)
        return NULL;
    a->now = a->now->next;
    a->at = size;
    return a->now->bytes;
}

/* The same or NULL, and then why. */
static inline void *
try_raw(struct arena *a, size_t n, enum status *why)
{
    size_t size = (n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    void *p;

    if (size < n || size > a->limit || a->used > a->limit - size) {
        *why = ST_LIMIT;
        return NULL;
    }
    if (size <= a->now->size - a->at) {
        p = a->now->bytes + a->at;
        a->at += size;
    } else if ((p = other_chunk(a, size)) == NULL) {
        *why = ST_NOMEM;
        return NULL;
    }
    a->used += size;
    return p;
}

void *
arena_try(struct arena *a, size_t n)
{
    enum status why;

    return try_raw(a, n, &why);
}

void *
arena_raw(struct arena *a, size_t n)
{
    enum status why = ST_OK;
    void *p = try_raw(a, n, &why);

    if (p == NULL)
        memory_fail(why, n);
    return p;
}

void *
arena_alloc(struct arena *a, size_t n)
{
    return memset(arena_raw(a, n), 0, n);
}

void *
arena_array(struct arena *a, size_t size, size_t n)
{
    size_t bytes;

    if (__builtin_mul_overflow(size, n, &bytes))
        memory_fail(ST_NOMEM, SIZE_MAX);
    return arena_alloc(a, bytes);
}

/* Whether `p` of old_size bytes, the latest allocation, can be made new_size
 * where it is; done then. */
static bool
resized(struct arena *a, const void *p, size_t old_size, size_t new_size)
{
    const char *end = a->now->bytes + a->at;

    if (p == NULL || (const char *)p + old_size != end)
        return false;
    if (new_size > old_size &&
        (new_size - old_size > a->now->size - a->at || a->used > a->limit ||
         new_size - old_size > a->limit - a->used))
        return false;
    if (new_size < old_size)
        a->high = arena_high(a);
    a->at = a->at - old_size + new_size;
    a->used = a->used - old_size + new_size;
    return true;
}

static void *
try_grow(struct arena *a, void *p, size_t old_n, size_t new_n, enum status *why)
{
    size_t old_size = (old_n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    size_t new_size = (new_n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    void *q;

    if (new_size >= new_n && resized(a, p, old_size, new_size))
        return p;
    q = try_raw(a, new_n, why);
    if (p != NULL && q != NULL)
        memcpy(q, p, old_n < new_n ? old_n : new_n);
    return q;
}

void *
arena_try_grow(struct arena *a, void *p, size_t old_n, size_t new_n)
{
    enum status why;

    return try_grow(a, p, old_n, new_n, &why);
}

void *
arena_grow(struct arena *a, void *p, size_t old_n, size_t new_n)
{
    enum status why = ST_OK;

    if ((p = try_grow(a, p, old_n, new_n, &why)) == NULL)
        memory_fail(why, new_n);
    return p;
}

char *
arena_cstr(struct arena *a, struct str s)
{
    char *p = arena_raw(a, s.n + 1);

    if (s.n > 0)
        memcpy(p, s.p, s.n);
    p[s.n] = '\0';
    return p;
}

struct str
arena_str(struct arena *a, struct str s)
{
    return str_n(arena_cstr(a, s), s.n);
}

struct str
arena_printf(struct arena *a, const char *format, ...)
{
    va_list args, again;
    int n;
    char *p;

    va_start(args, format);
    va_copy(again, args);
    n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    p = arena_raw(a, (size_t)n + 1);
    vsnprintf(p, (size_t)n + 1, format, again);
    va_end(again);
    return str_n(p, (size_t)n);
}
