/* The time of a conversion ends when it is over, and stands still while nobody
 * is there to look at it. */
#include "../../clean/convert/awake_deadline.h"
#include "test.h"

static void
it_ends_when_it_is_over(void)
{
    struct awake_deadline p = awake_deadline_of(1000, 5000);

    CHECK(awake_deadline_left(&p, 5000) == 1000);
    CHECK(awake_deadline_wait(&p, 5100) == AWAKE_LOOK_MS);
    for (uint64_t now = 5200; now < 6000; now += AWAKE_LOOK_MS)
        CHECK(awake_deadline_left(&p, now) == 6000 - now);
    CHECK(awake_deadline_wait(&p, 5995) == 5);
    CHECK(awake_deadline_left(&p, 6000) == 0);
    CHECK(awake_deadline_left(&p, 6100) == 0);
}

static void
it_stands_still_while_all_are_stopped(void)
{
    struct awake_deadline p = awake_deadline_of(1000, 5000);

    CHECK(awake_deadline_left(&p, 5400) == 600);
    CHECK(awake_deadline_left(&p, 3600000) == 600);
    CHECK(awake_deadline_left(&p, 3600500) == 100);
    CHECK(awake_deadline_left(&p, 3600600) == 0);
}

static void
a_busy_machine_is_not_stopped(void)
{
    struct awake_deadline p = awake_deadline_of(5000, 0);

    CHECK(awake_deadline_left(&p, AWAKE_ABSENT_MS) == 5000 - AWAKE_ABSENT_MS);
}

static const struct test tests[] = {TEST(it_ends_when_it_is_over),
                                    TEST(it_stands_still_while_all_are_stopped),
                                    TEST(a_busy_machine_is_not_stopped),
                                    {0}};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
