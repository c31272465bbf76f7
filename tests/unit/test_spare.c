/* What large messages leave is used again; how much is kept is bounded. */
#include "../../proto/spare.h"

#include "test.h"

enum { LARGE = 1 << 20 };

static struct buf
taken(size_t n)
{
    struct buf b = {0};

    spare_take(&b, n);
    CHECK(b.n == 0 && b.cap >= n);
    return b;
}

static void
what_a_large_message_leaves_is_the_next_ones(void)
{
    struct buf b = taken(LARGE);
    const char *where = b.p;
    size_t before = spare_bytes();

    b.n = LARGE;
    spare_leave(&b);
    CHECK(b.p == NULL && b.n == 0 && b.cap == 0);
    CHECK(spare_bytes() >= before + LARGE);
    b = taken(LARGE / 2);
    CHECK(b.p == where && spare_bytes() == before);
    buf_free(&b);
}

static void
the_smallest_that_is_large_enough_is_taken(void)
{
    struct buf large = taken(4 * LARGE), small = taken(LARGE), b;
    const char *where = small.p;

    spare_leave(&large);
    spare_leave(&small);
    b = taken(LARGE);
    CHECK(b.p == where);
    buf_free(&b);
    b = taken(LARGE);
    CHECK(b.cap >= 4 * LARGE);
    buf_free(&b);
}

static void
small_messages_leave_nothing(void)
{
    struct buf b = taken(1000);

    spare_leave(&b);
    CHECK(spare_bytes() == 0 && b.cap == 0);
}

static void
what_is_in_an_arena_stays_there(void)
{
    struct arena *a = arena_new();
    struct buf b = {.arena = a};

    spare_take(&b, LARGE);
    spare_leave(&b);
    CHECK(spare_bytes() == 0 && b.arena == a);
    arena_free(a);
}

/* Small ones make room for a large one, and one that is over the bound alone is
 * not kept. */
static void
no_more_than_the_bound_is_kept(void)
{
    struct buf b[40];
    size_t n = sizeof b / sizeof *b;

    for (size_t i = 0; i < n; i++)
        b[i] = taken(LARGE);
    for (size_t i = 0; i < n; i++)
        spare_leave(&b[i]);
    CHECK(spare_bytes() > SPARE_BYTES / 2 && spare_bytes() <= SPARE_BYTES);
    b[0] = taken(SPARE_BYTES - LARGE);
    spare_leave(&b[0]);
    CHECK(spare_bytes() >= SPARE_BYTES - LARGE && spare_bytes() <= SPARE_BYTES);
    b[0] = taken(SPARE_BYTES + 1);
    spare_leave(&b[0]);
    CHECK(spare_bytes() <= SPARE_BYTES);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(what_a_large_message_leaves_is_the_next_ones),
        TEST(the_smallest_that_is_large_enough_is_taken),
        TEST(small_messages_leave_nothing),
        TEST(what_is_in_an_arena_stays_there),
        TEST(no_more_than_the_bound_is_kept),
        {0},
    };

    return test_main(table, argc, argv);
}
