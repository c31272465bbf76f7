/* memory.c -- see base/memory.h.
 *
 * The one setjmp() and the one longjmp() of Winnow, and of all that is not
 * main() the one place that ends the program.  The alternative, a status from
 * every allocation of the cleaning chain, would be some hundred branches that
 * hardly ever run and so hardly ever are tested; an arena that stays failed and
 * gives out spare room cannot be, since callers write as much as they asked
 * for.  The price of a jump is the rule in memory.h, and it is kept cheap to
 * keep: a page's memory is in its arena, so there is nothing to give back.
 *
 * Loading models is different: many small owners, none of which anybody knows
 * yet.  So what is allocated by memory_try() and its like inside memory_owned()
 * is in a list of its guard, by a link before each block, until it is freed or
 * the guarded function returns.  Only a function that is ended gives it back.
 */
#include "base/memory.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

struct guard {
    struct guard *outer;
    volatile enum status why;
    jmp_buf at;
    bool owns;
    struct guard *owner; /* the innermost that owns, when this one began */
    void **block;        /* in no order */
    size_t blocks_n, room;
    struct memory_held *held; /* the latest first */
};

static _Thread_local struct guard *innermost, *owner;
static void (*on_failure)(size_t n);

void
memory_set_handler(void (*handler)(size_t n))
{
    on_failure = handler;
}

/* `p` is of the guard that owns; when that cannot be noted, it is not to be had
 * either. */
static void *
note(void *p)
{
    struct guard *g = owner;

    if (g == NULL || p == NULL)
        return p;
    if (g->blocks_n == g->room) {
        size_t room = g->room > 0 ? 2 * g->room : 64;
        void **block = realloc(g->block, room * sizeof *block);

        if (block == NULL) {
            free(p);
            return NULL;
        }
        g->block = block;
        g->room = room;
    }
    g->block[g->blocks_n++] = p;
    return p;
}

/* Where `p` is noted; NULL: it is not of the guard.  What is freed is mostly
 * what was allocated last. */
static void **
noted(const void *p)
{
    for (size_t i = owner != NULL ? owner->blocks_n : 0; i-- > 0;)
        if (owner->block[i] == p)
            return &owner->block[i];
    return NULL;
}

void *
memory_try(size_t n)
{
    return note(malloc(n));
}

void *
memory_zero(size_t n, size_t size)
{
    return note(calloc(n, size));
}

void *
memory_resize(void *p, size_t n)
{
    void **at = p != NULL ? noted(p) : NULL;
    void *new = realloc(p, n);

    if (new == NULL || (p != NULL && at == NULL))
        return new;
    if (at == NULL)
        return note(new);
    return *at = new;
}

void
memory_free(void *p)
{
    void **at = p != NULL ? noted(p) : NULL;

    if (at != NULL)
        *at = owner->block[--owner->blocks_n];
    free(p);
}

void
memory_hold(struct memory_held *h, void (*release)(void *), void *what)
{
    *h = (struct memory_held){.release = release, .what = what};
    if (innermost == NULL)
        return;
    h->next = innermost->held;
    h->at = &innermost->held;
    if (h->next != NULL)
        h->next->at = &h->next;
    innermost->held = h;
}

void
memory_let_go(struct memory_held *h)
{
    if (h->at == NULL)
        return;
    *h->at = h->next;
    if (h->next != NULL)
        h->next->at = h->at;
    h->at = NULL;
}

/* What a function that is ended has: first what knows more than its memory. */
static void
give_back(struct guard *g)
{
    while (g->held != NULL) {
        struct memory_held *h = g->held;

        memory_let_go(h);
        h->release(h->what);
    }
    while (g->blocks_n > 0)
        free(g->block[--g->blocks_n]);
}

static enum status
guarded(enum status (*run)(void *self), void *self, bool owns)
{
    struct guard g = {
        .outer = innermost, .why = ST_OK, .owns = owns, .owner = owner};

    if (setjmp(g.at) == 0) {
        innermost = &g;
        if (owns)
            owner = &g;
        g.why = run(self);
    }
    innermost = g.outer;
    owner = g.owner;
    while (g.held != NULL)
        memory_let_go(g.held);
    free(g.block); /* the blocks live on */
    return g.why;
}

enum status
memory_guarded(enum status (*run)(void *self), void *self)
{
    return guarded(run, self, false);
}

enum status
memory_owned(enum status (*run)(void *self), void *self)
{
    return guarded(run, self, true);
}

bool
memory_is_owned(void)
{
    return owner != NULL;
}

void
memory_fail(enum status why, size_t n)
{
    if (innermost != NULL) {
        innermost->why = why;
        give_back(innermost);
        longjmp(innermost->at, 1);
    }
    if (on_failure != NULL)
        on_failure(n);
    fprintf(stderr, "winnow: out of memory (%zu bytes)\n", n);
    abort(); /* a program without a handler: a test, a measurement */
}

void *
memory_need(void *p)
{
    if (p == NULL)
        memory_fail(ST_NOMEM, 0);
    return p;
}
