/* Aim: how many URLs are leased at once, when the lease thread is woken, which
 * transfer says how fast a visit is, and how files are shared out. */
#include <sys/resource.h>

#include "base/options/opt.h"
#include "crawler/loop/crawl_state.h"
#include "crawler/loop/files.h"

#include "test.h"

/* 64 slots, two threads: a group is 8, and workers with 12 pages are busy. */
static struct crawl
crawl_of(size_t fetching, size_t to_read)
{
    return (struct crawl){.parallel = 64,
                          .visits_max = 80,
                          .unreported_max = 256,
                          .threads_n = 2,
                          .lease_group = 8,
                          .fetching = fetching,
                          .alive = fetching + to_read};
}

static void
all_slots_are_leased_while_workers_have_little_to_do(void)
{
    struct crawl c = crawl_of(0, 0);

    CHECK(crawl_room(&c) == 64);
    c = crawl_of(63, 11);
    CHECK(!crawl_workers_are_busy(&c) && crawl_room(&c) == 1);
    c.slow = 5; /* fetched without a slot */
    c.alive += 5;
    CHECK(crawl_room(&c) == 1);
    c.unreported = 200; /* read, so in nobody's way */
    c.alive += 200;
    CHECK(crawl_room(&c) == 1);
    c.unreported = 257;
    c.alive += 57;
    CHECK(crawl_room(&c) == 0);
}

static void
busy_workers_have_groups_leased(void)
{
    struct crawl c = crawl_of(57, 12);

    CHECK(crawl_workers_are_busy(&c) && crawl_room(&c) == 0);
    c = crawl_of(56, 12);
    CHECK(crawl_room(&c) == 8);
    c = crawl_of(20, 53); /* 80 that are not read are enough */
    CHECK(crawl_room(&c) == 0);
    c = crawl_of(20, 52);
    CHECK(crawl_room(&c) == 8);
    c = crawl_of(0, 80);
    CHECK(crawl_room(&c) == 0);
}

static void
with_few_slots_each_is_leased_alone(void)
{
    struct crawl c = crawl_of(1, 0);

    c.parallel = c.visits_max = 2;
    c.lease_group = 0;
    CHECK(crawl_room(&c) == 1);
    c.alive = 2;
    CHECK(crawl_room(&c) == 0); /* so many may be unread */
}

/* Connections that are kept when so many files may be open. */
static size_t
kept_of(rlim_t files)
{
    struct opts o;
    struct crawl c = {.opts = &o};
    struct rlimit was, r;

    opts_init(&o);
    CHECK(getrlimit(RLIMIT_NOFILE, &was) == 0);
    r = was;
    r.rlim_cur = files;
    CHECK(files <= was.rlim_max && setrlimit(RLIMIT_NOFILE, &r) == 0);
    CHECK(files_share(&c) == ST_OK && c.parallel == o.fetch_parallel);
    setrlimit(RLIMIT_NOFILE, &was);
    opts_free(&o);
    return c.connections_idle_max;
}

static void
a_sixteenth_of_all_files_is_left_alone_but_not_more_than_some_hundreds(void)
{
    size_t few = 1024 - kept_of(1024), many = 4096 - kept_of(4096),
           most = 10000 - kept_of(10000);

    CHECK(many - few > 160 && many - few <= (4096 - 1024) / 16);
    CHECK(most - many <= 16);
}

/* What the other one of the two brings says nothing of the host. */
static void
of_two_transfers_the_one_that_sends_counts(void)
{
    struct transfer *one = (struct transfer *)1, *two = (struct transfer *)2;
    struct visit v = {.transfer = one};

    CHECK(visit_transfer(&v) == one);
    v.race.transfer = two;
    CHECK(visit_transfer(&v) == one); /* open */
    v.sender = VISIT_SECOND;
    CHECK(visit_transfer(&v) == two);
    v.transfer = NULL; /* the first has ended */
    CHECK(visit_transfer(&v) == two);
    v.sender = 0;
    CHECK(visit_transfer(&v) == two);
    v = (struct visit){.transfer = one, .sender = VISIT_FIRST};
    v.race.transfer = two;
    CHECK(visit_transfer(&v) == one);
    v = (struct visit){.sender = VISIT_FIRST};
    CHECK(visit_transfer(&v) == NULL);
}

int
main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(all_slots_are_leased_while_workers_have_little_to_do),
        TEST(busy_workers_have_groups_leased),
        TEST(with_few_slots_each_is_leased_alone),
        TEST(of_two_transfers_the_one_that_sends_counts),
        TEST(
            a_sixteenth_of_all_files_is_left_alone_but_not_more_than_some_hundreds),
        {0},
    };

    return test_main(tests, argc, argv);
}
