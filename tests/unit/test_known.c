/* The cache of known URLs: what it says is what was told last, or nothing. */
#include "base/random.h"
#include "frontier/intake/known.h"
#include "test.h"

enum { KEYS = 300000 };

static struct row_seen_key
key(uint64_t i)
{
    struct row_seen_key k;
    uint64_t host = hash_mix(i % 97), url = hash_mix(i);

    memcpy(k.bytes, &host, 8);
    memcpy(k.bytes + 8, &url, 8);
    return k;
}

static void
it_never_tells_what_it_was_not_told(void)
{
    static uint16_t told[KEYS];
    struct known *k = known_new(1 << 20);
    struct random r = random_seed(1);
    uint64_t remembered = 0;

    memset(told, 0, sizeof told);
    for (int i = 0; i < 1000000; i++) {
        uint64_t n = random_below(&r, KEYS);
        struct row_seen_key at = key(n);
        uint16_t said = known_get(k, &at);

        CHECK(said == KNOWN_NOT || said == told[n]);
        remembered += said != KNOWN_NOT;
        told[n] = (uint16_t)(1 + random_below(&r, KNOWN_ENDED));
        known_set(k, &at, told[n]);
    }
    CHECK(remembered > 300000); /* it has room for 44 % of them */
    CHECK(known_stat(k).bytes == 1 << 20);
    CHECK(known_stat(k).found == remembered);
    known_free(k);
}

static uint64_t
remembered_of(struct known *k, uint64_t n)
{
    uint64_t remembered = 0;

    for (uint64_t i = 0; i < n; i++) {
        struct row_seen_key at = key(i);
        uint16_t said = known_get(k, &at);

        CHECK(said == KNOWN_NOT || said == (i & 0xfff) + 1);
        remembered += said != KNOWN_NOT;
    }
    return remembered;
}

/* Looked at before, while and after it doubles, six times. */
static void
it_grows_without_forgetting(void)
{
    struct known *k = known_new(64 << 20);
    size_t bytes = known_stat(k).bytes, most = 0;

    for (uint64_t i = 0; i < KEYS; i++) {
        struct row_seen_key at = key(i);
        size_t now;

        known_set(k, &at, (uint16_t)((i & 0xfff) + 1));
        now = known_stat(k).bytes;
        most = now - bytes > most ? now - bytes : most;
        bytes = now;
        if (i % 9973 == 0 || i + 1 == KEYS)
            CHECK(remembered_of(k, i + 1) > i - i / 100);
    }
    CHECK(bytes > 4 << 20); /* it has grown ... */
    CHECK(most <= 1024);    /* ... and never more than a little at once */
    known_free(k);
}

static void
an_abort_takes_back_what_was_told_since_the_commit(void)
{
    enum { TOLD = 50000, MORE = 1000, MANY = 200000 };
    struct known *k = known_new(64 << 20);
    struct row_seen_key at;

    for (uint64_t i = 0; i < TOLD; i++) {
        at = key(i);
        known_set(k, &at, (uint16_t)((i & 0xfff) + 1));
    }
    known_commit(k);
    for (uint64_t i = TOLD - MORE; i < TOLD + MORE; i++) {
        at = key(i);
        known_set(k, &at, KNOWN_ENDED);
    }
    known_abort(k);
    for (uint64_t i = TOLD - MORE; i < TOLD + MORE; i++) {
        at = key(i);
        CHECK(known_get(k, &at) == KNOWN_NOT);
    }
    CHECK(remembered_of(k, TOLD - MORE) > TOLD - MORE - TOLD / 100);
    for (uint64_t i = 0; i < MANY; i++) { /* too many to be noted */
        at = key(i);
        known_set(k, &at, KNOWN_ENDED);
    }
    known_abort(k);
    CHECK(remembered_of(k, MANY) == 0);
    known_free(k);
}

static void
nearly_all_that_fits_is_remembered_once_it_has_grown(void)
{
    enum { FEW = 40000 }; /* of room for 131072 */
    struct known *k = known_new(1 << 20);
    uint64_t remembered = 0;

    for (uint64_t i = 0; i < 5 * FEW; i++) {
        struct row_seen_key at = key(i % FEW);
        uint16_t said = known_get(k, &at),
                 is = (uint16_t)((i % FEW & 0xfff) + 1);

        CHECK(said == KNOWN_NOT || said == is);
        remembered += i >= 4 * FEW && said == is;
        known_set(k, &at, is);
    }
    CHECK(remembered > FEW - FEW / 100 && remembered <= FEW);
    known_free(k);
}

static void
the_least_memory_works_too(void)
{
    struct known *k = known_new(0);

    for (uint64_t i = 0; i < 100; i++) {
        struct row_seen_key at = key(i);

        known_set(k, &at, 7);
        CHECK(known_get(k, &at) == 7);
    }
    CHECK(known_stat(k).bytes == 64);
    known_free(k);
}

static const struct test tests[] = {
    TEST(it_never_tells_what_it_was_not_told),
    TEST(it_grows_without_forgetting),
    TEST(an_abort_takes_back_what_was_told_since_the_commit),
    TEST(nearly_all_that_fits_is_remembered_once_it_has_grown),
    TEST(the_least_memory_works_too),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
