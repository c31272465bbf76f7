/* Aim: what comes in stays below fetch.bytes_per_second, and near it.  Method:
 * visits of made-up sizes in made-up time. */
#include "crawler/loop/bandwidth.h"

#include "test.h"

#define RUNNING_MAX 64

struct download { /* visits of `bytes` each that take `ms` */
    struct bandwidth b;
    uint64_t until_ms[RUNNING_MAX], bytes, ms, total;
    size_t running;
};

static void
end_some(struct download *w, uint64_t now_ms)
{
    for (size_t i = 0; i < w->running;)
        if (w->until_ms[i] <= now_ms) {
            bandwidth_spend(&w->b, w->bytes);
            w->total += w->bytes;
            w->until_ms[i] = w->until_ms[--w->running];
        } else {
            i++;
        }
}

/* Bytes that come in within so long. */
static uint64_t
come_in(struct download *w, uint64_t from_ms, uint64_t ms)
{
    uint64_t before = w->total;

    for (uint64_t now = from_ms; now < from_ms + ms; now += 10) {
        size_t n;

        end_some(w, now);
        n = bandwidth_slots(&w->b, w->running, RUNNING_MAX - w->running, now);
        while (n-- > 0)
            w->until_ms[w->running++] = now + w->ms;
    }
    return w->total - before;
}

static void
without_a_limit_all_may_begin(void)
{
    struct bandwidth b = {0};

    bandwidth_spend(&b, 1 << 30);
    CHECK(bandwidth_slots(&b, 60, 4, 1) == 4);
}

static void
the_mean_is_the_limit(void)
{
    const uint64_t sizes[] = {500, 20000, 400000, 9000000};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct download w = {
            .b = {.bytes_a_second = 1000000}, .bytes = sizes[i], .ms = 100};
        uint64_t most = RUNNING_MAX * 10 * sizes[i], got;

        most = most < 1000000 ? most : 1000000; /* what slots can bring */
        (void)come_in(&w, 1, 60000);
        got = come_in(&w, 60001, 100000);
        CHECK(got < 108 * most && got > 88 * most);
    }
}

static void
what_was_not_used_is_not_made_up_for(void)
{
    struct download w = {
        .b = {.bytes_a_second = 1000000}, .bytes = 20000, .ms = 100};

    (void)come_in(&w, 1, 20000);
    CHECK(come_in(&w, 3600000, 10000) <=
          10000000 + BANDWIDTH_SPAN_MS * 1000 + RUNNING_MAX * 20000);
}

static void
what_is_larger_than_a_span_goes_alone(void)
{
    struct bandwidth b = {.bytes_a_second = 1000};

    CHECK(bandwidth_slots(&b, 0, 64, 1) == 0);
    CHECK(bandwidth_slots(&b, 0, 64, 2) == 1);
    CHECK(bandwidth_slots(&b, 1, 64, 3) == 0);
    bandwidth_spend(&b, 100000);
    CHECK(bandwidth_slots(&b, 0, 64, 90000) == 0);
    CHECK(bandwidth_slots(&b, 0, 64, 101000) == 1);
}

int
main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(without_a_limit_all_may_begin),
        TEST(the_mean_is_the_limit),
        TEST(what_was_not_used_is_not_made_up_for),
        TEST(what_is_larger_than_a_span_goes_alone),
        {0},
    };

    return test_main(tests, argc, argv);
}
