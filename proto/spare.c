/* spare.c -- see spare.h: a few buffers under a lock, of which small ones make
 * room for larger ones. */
#include "spare.h"

#include <pthread.h>

enum { KEPT_MAX = 16, LEAST = 64 << 10 };

static struct {
    pthread_mutex_t lock;
    struct buf kept[KEPT_MAX];
    size_t n, bytes;
} spare = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The smallest that is large enough; KEPT_MAX: none is. */
static size_t
fitting(size_t n)
{
    size_t best = KEPT_MAX;

    for (size_t i = 0; i < spare.n; i++)
        if (spare.kept[i].cap >= n &&
            (best == KEPT_MAX || spare.kept[i].cap < spare.kept[best].cap))
            best = i;
    return best;
}

static struct buf
take_out(size_t i)
{
    struct buf b = spare.kept[i];

    spare.bytes -= b.cap;
    spare.kept[i] = spare.kept[--spare.n];
    return b;
}

static bool
has_room(size_t cap)
{
    return spare.n < KEPT_MAX && spare.bytes + cap <= SPARE_BYTES;
}

/* Free smaller ones until there is room; false: there is none. */
static bool
make_room(size_t cap)
{
    while (!has_room(cap)) {
        size_t least = fitting(0);
        struct buf b;

        if (least == KEPT_MAX || spare.kept[least].cap >= cap)
            return false;
        b = take_out(least);
        buf_free(&b);
    }
    return true;
}

void
spare_take(struct buf *b, size_t n)
{
    size_t i;

    if (n >= LEAST && b->cap == 0 && b->arena == NULL) {
        pthread_mutex_lock(&spare.lock);
        if ((i = fitting(n)) < KEPT_MAX) {
            *b = take_out(i);
        }
        pthread_mutex_unlock(&spare.lock);
    }
    buf_reserve(b, n);
}

void
spare_leave(struct buf *b)
{
    bool keeps = false;

    if (b->cap >= LEAST && b->arena == NULL) {
        pthread_mutex_lock(&spare.lock);
        if ((keeps = make_room(b->cap))) {
            buf_clear(b);
            spare.kept[spare.n++] = *b;
            spare.bytes += b->cap;
        }
        pthread_mutex_unlock(&spare.lock);
    }
    if (keeps)
        *b = (struct buf){0};
    else
        buf_free(b);
}

size_t
spare_bytes(void)
{
    size_t n;

    pthread_mutex_lock(&spare.lock);
    n = spare.bytes;
    pthread_mutex_unlock(&spare.lock);
    return n;
}
