/* slots.c -- slow servers hold no slot, so they cannot stop the others.
 *
 * As long as slots are free nothing happens here.  When all are taken, visits
 * that bring little (SLOW_FACTOR times low_speed_bytes a second) give their
 * slot back and go on without one: those of hosts that have been fast before
 * after a while, those of hosts that are new or were slow soon.  Nothing is
 * lost by that.  When slow_max go on so, the oldest of them that is still slow
 * is ended (too_slow: the host is left alone for a while and tried again).
 *
 * So hosts get a slot for long only by what they have shown, and any number of
 * slow ones is sorted out at the pace of all these for each SOON_MS.
 *
 * Which hosts were fast is remembered as one bit of a hash of the name; a
 * collision only makes the crawl a little more patient. */
#include "slots.h"

#include <stdlib.h>

#include "base/hash.h"

#define LOOK_MS 50
#define SOON_MS 100  /* a host that has shown nothing yet */
#define LATE_MS 1000 /* a host that was fast; an end without a slot */
#define SLOW_FACTOR 16
#define FAST_BITS 20

struct slots {
    struct crawl *c;
    struct visit *first, **end; /* in the order in which they began */
    uint64_t look_ms;           /* the next time to look */
    unsigned char fast[(1u << FAST_BITS) / 8];
};

struct slots *
slots_new(struct crawl *c)
{
    struct slots *l = calloc(1, sizeof *l);

    if (l == NULL)
        return NULL;
    l->c = c;
    l->end = &l->first;
    return l;
}

void
slots_free(struct slots *l)
{
    free(l);
}

struct visit *
slots_first(const struct slots *l)
{
    return l->first;
}

void
slots_enter(struct slots *l, struct visit *v, uint64_t now_ms)
{
    v->started_ms = now_ms;
    v->later = NULL;
    v->back = l->end;
    *l->end = v;
    l->end = &v->later;
}

static uint32_t
host_bit(const struct visit *v)
{
    return (uint32_t)(hash64(v->lease.authority) >> (64 - FAST_BITS));
}

bool
slots_was_fast(const struct slots *l, const struct visit *v)
{
    uint32_t bit = host_bit(v);

    return (l->fast[bit / 8] & 1u << bit % 8) != 0;
}

void
slots_leave(struct slots *l, struct visit *v)
{
    uint32_t bit = host_bit(v);

    *v->back = v->later;
    if (v->later != NULL)
        v->later->back = v->back;
    else
        l->end = v->back;
    if (v->slow)
        l->fast[bit / 8] &= (unsigned char)~(1u << bit % 8);
    else if (v->fault == VERDICT_NONE)
        l->fast[bit / 8] |= (unsigned char)(1u << bit % 8);
}

static bool
is_slow(const struct slots *l, const struct visit *v, uint64_t now_ms)
{
    const struct transfer *t = visit_transfer(v);
    uint64_t bytes = t != NULL ? fetch_received(t) : 0;

    return bytes * 1000 < l->c->opts->fetch_low_speed_bytes * SLOW_FACTOR *
                              (now_ms - v->started_ms);
}

/* End one that goes on without a slot; *from: before it nobody is to be ended.
 */
static bool
make_room(const struct slots *l, struct visit **from, uint64_t now_ms)
{
    for (struct visit *v = *from, *next; v != NULL; v = next) {
        struct transfer *t = visit_transfer(v);

        next = v->later;
        if (now_ms < v->started_ms + LATE_MS)
            break; /* and so all that began later */
        if (v->slow && t != NULL && is_slow(l, v, now_ms)) {
            *from = next;
            fetch_end(t, VERDICT_TOO_SLOW);
            return true;
        }
    }
    *from = NULL;
    return false;
}

/* Is somebody waiting for a slot?  *room: how many more may go on without one.
 */
static bool
slots_are_taken(struct crawl *c, size_t *room)
{
    bool taken;

    pthread_mutex_lock(&c->lock);
    taken = c->fetching >= c->parallel;
    *room = c->slow < c->slow_max ? c->slow_max - c->slow : 0;
    pthread_mutex_unlock(&c->lock);
    return taken;
}

uint64_t
slots_reclaim(struct slots *l, uint64_t now_ms)
{
    struct visit *oldest = l->first;
    size_t room;

    if (l->c->slow_max == 0 || l->first == NULL)
        return UINT64_MAX;
    if (now_ms < l->look_ms)
        return l->look_ms - now_ms;
    l->look_ms = now_ms + LOOK_MS;
    if (!slots_are_taken(l->c, &room))
        return LOOK_MS;
    for (struct visit *v = l->first; v != NULL; v = v->later) {
        if (now_ms < v->started_ms + SOON_MS)
            break;
        if (v->slow || !is_slow(l, v, now_ms) ||
            (slots_was_fast(l, v) && now_ms < v->started_ms + LATE_MS))
            continue;
        if (room > 0)
            room--;
        else if (!make_room(l, &oldest, now_ms))
            break;
        crawl_gives_up_slot(l->c, v);
    }
    return LOOK_MS;
}
