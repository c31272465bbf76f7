/* test_pool.c -- the worker pool: every item once, memory of its own for each
 * thread, the first failure by number. */
#include "base/pool.h"

#include <stdatomic.h>
#include <stdint.h>

#include "test.h"

#define ITEMS 5000u
#define THREADS 8u

struct all {
    atomic_uint begun[ITEMS];
    unsigned of_thread[THREADS]; /* plain: ThreadSanitizer watches it */
    size_t fails_from;
};

static enum status
work(void *self, size_t i, size_t thread)
{
    struct all *x = self;

    CHECK(i < ITEMS && thread < THREADS);
    atomic_fetch_add(&x->begun[i], 1);
    x->of_thread[thread]++;
    if (i < x->fails_from)
        return ST_OK;
    return i == x->fails_from ? ST_LIMIT : ST_IO;
}

static void
every_item_is_done_once(void)
{
    for (size_t threads = 0; threads <= THREADS; threads++) {
        struct all x = {.fails_from = SIZE_MAX};
        unsigned sum = 0;

        CHECK(pool_each(threads, ITEMS, work, &x) == ST_OK);
        for (size_t i = 0; i < ITEMS; i++)
            CHECK(x.begun[i] == 1);
        for (size_t i = 0; i < THREADS; i++)
            sum += x.of_thread[i];
        CHECK(sum == ITEMS);
    }
}

static void
nothing_is_nothing_to_do(void)
{
    struct all x = {.fails_from = 0};

    CHECK(pool_each(THREADS, 0, work, &x) == ST_OK);
    CHECK(x.begun[0] == 0);
}

/* All before it are done, and behind it none, if nobody has begun it yet. */
static void
the_first_failure_comes_back_and_ends_it(void)
{
    for (size_t at = 0; at < 1000; at += 111) {
        struct all x = {.fails_from = at}, alone = {.fails_from = at};

        CHECK(pool_each(THREADS, ITEMS, work, &x) == ST_LIMIT);
        CHECK(pool_each(1, ITEMS, work, &alone) == ST_LIMIT);
        for (size_t i = 0; i <= at; i++)
            CHECK(x.begun[i] == 1 && alone.begun[i] == 1);
        for (size_t i = at + 1; i < ITEMS; i++)
            CHECK(alone.begun[i] == 0);
    }
}

struct own {
    unsigned n;
};

static void *
count(void *self)
{
    struct own *o = self;

    o->n++;
    return NULL;
}

static void
threads_run_on_what_is_theirs(void)
{
    struct own own[5] = {0};
    atomic_uint none = 0;
    struct pool p;

    CHECK(pool_start(&p, 5, count, own, sizeof *own) == 5);
    pool_join(&p);
    for (size_t i = 0; i < 5; i++)
        CHECK(own[i].n == 1);
    CHECK(pool_start(&p, 0, count, &none, 0) == 0);
    pool_join(&p);
    CHECK(none == 0);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(every_item_is_done_once),
        TEST(nothing_is_nothing_to_do),
        TEST(the_first_failure_comes_back_and_ends_it),
        TEST(threads_run_on_what_is_theirs),
        {0},
    };

    return test_main(table, argc, argv);
}
