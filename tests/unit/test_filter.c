/* The filter of seen URLs: never a wrong no, few wrong yeses, while it grows.
 */
#include "frontier/discover/filter.h"
#include "test.h"
#include "winnow/hash.h"

static struct row_seen_key
key(uint64_t i)
{
    struct row_seen_key k;
    uint64_t host = hash_mix(i / 10), url = hash_mix(~i);

    memcpy(k.bytes, &host, 8);
    memcpy(k.bytes + 8, &url, 8);
    return k;
}

static void
add(struct filter *f, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++) {
        struct row_seen_key k = key(i);

        filter_add(f, &k);
    }
}

static uint64_t
yeses(const struct filter *f, uint64_t from, uint64_t to)
{
    uint64_t n = 0;

    for (uint64_t i = from; i < to; i++) {
        struct row_seen_key k = key(i);

        n += filter_has(f, &k);
    }
    return n;
}

static void
no_is_certain_and_yes_is_mostly_right(void)
{
    enum { N = 6000000 }; /* more than one layer holds */
    struct filter *f = filter_new();

    CHECK(yeses(f, 0, 1000) == 0);
    add(f, 0, N / 10); /* as it is while it fills */
    CHECK(yeses(f, 0, N / 10) == N / 10);
    CHECK(yeses(f, N, N + 100000) < 300);
    add(f, N / 10, N);
    CHECK(yeses(f, 0, N) == N);
    CHECK(yeses(f, N, N + 100000) < 1200);
    CHECK(filter_keys(f) == N);
    CHECK(filter_bytes(f) < 4 * N); /* just grown: at its worst */
    filter_free(f);
}

static const struct test tests[] = {
    TEST(no_is_certain_and_yes_is_mostly_right),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
