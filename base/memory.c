/* memory.c -- see winnow/memory.h.
 *
 * The one setjmp() and the one longjmp() of Winnow, and of all that is not
 * main() the one place that ends the program.  The alternative, a status from
 * every allocation of the cleaning chain, would be some hundred branches that
 * hardly ever run and so hardly ever are tested; an arena that stays failed and
 * gives out spare room cannot be, since callers write as much as they asked
 * for.  The price of a jump is the rule in memory.h, and it is kept cheap to
 * keep: a page's memory is in its arena, so there is nothing to give back. */
#include "winnow/memory.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

struct guard {
    struct guard *outer;
    volatile enum status why;
    jmp_buf at;
};

static _Thread_local struct guard *innermost;
static void (*on_failure)(size_t n);

void
memory_set_handler(void (*handler)(size_t n))
{
    on_failure = handler;
}

enum status
memory_guarded(enum status (*run)(void *self), void *self)
{
    struct guard g = {.outer = innermost, .why = ST_OK};

    if (setjmp(g.at) == 0) {
        innermost = &g;
        g.why = run(self);
    }
    innermost = g.outer;
    return g.why;
}

void
memory_fail(enum status why, size_t n)
{
    if (innermost != NULL) {
        innermost->why = why;
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
