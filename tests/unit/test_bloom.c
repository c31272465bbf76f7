/* The scaling Bloom filter: its error rate is measured, not believed. */
#include "base/bloom.h"
#include "base/buf.h"
#include "clean/cleaner/stages.h"
#include "test.h"

static struct hash128
key_of(uint64_t i)
{
    char text[16];

    memcpy(text, &i, sizeof i);
    memcpy(text + sizeof i, "12345678", 8);
    return hash128(str_n(text, sizeof text));
}

static enum status
spread(struct bloom **b, double error, uint64_t first_n, uint64_t bytes_max)
{
    const struct bloom_options o = {BLOOM_SPREAD, error, first_n, bytes_max};

    return bloom_open(b, &o);
}

/* The share of keys never added that are taken for seen, after n additions of
 * different keys to a filter that began small. */
static double
measured(double error, uint64_t n, uint64_t *taken)
{
    const uint64_t probes = 1000000, others = (uint64_t)1 << 40;
    struct bloom *b;
    uint64_t wrong = 0, lost = 0;

    CHECK(spread(&b, error, 1000, UINT64_MAX) == ST_OK);
    *taken = 0;
    for (uint64_t i = 0; i < n; i++)
        *taken += bloom_add(b, key_of(i));
    for (uint64_t i = 0; i < n; i++)
        lost += !bloom_has(b, key_of(i));
    for (uint64_t i = 0; i < probes; i++)
        wrong += bloom_has(b, key_of(others + i));
    CHECK(lost == 0);
    CHECK(bloom_stat(b).keys_n == n - *taken);
    CHECK(bloom_stat(b).filters_n >= 7);
    printf("     error %g, %llu keys: %g measured, %u filters, %.1f bits a "
           "key\n",
           error, (unsigned long long)n, (double)wrong / (double)probes,
           bloom_stat(b).filters_n,
           8.0 * (double)bloom_stat(b).bytes / (double)n);
    bloom_close(b);
    return (double)wrong / (double)probes;
}

static void
the_error_rate_holds_while_it_grows(void)
{
    static const double error[] = {0.05, 0.01, 0.001};
    uint64_t taken;

    for (size_t i = 0; i < sizeof error / sizeof *error; i++) {
        CHECK(measured(error[i], 100000, &taken) <= error[i]);
        CHECK((double)taken <= error[i] * 100000);
        CHECK(measured(error[i], 1000000, &taken) <= error[i]);
        CHECK((double)taken <= error[i] * 1000000);
    }
}

/* Ten times the bound would still be no wrong answer in a million at 1e-8. */
static void
a_small_error_rate_gives_no_wrong_answer_in_a_million(void)
{
    uint64_t taken;

    CHECK(measured(1e-8, 300000, &taken) <= 1e-6);
    CHECK(taken == 0);
}

static void
a_key_that_was_added_is_seen(void)
{
    struct bloom *b;

    CHECK(spread(&b, 1e-6, 100, 1 << 20) == ST_OK);
    CHECK(!bloom_has(b, key_of(1)));
    CHECK(!bloom_add(b, key_of(1)));
    CHECK(bloom_has(b, key_of(1)));
    CHECK(bloom_add(b, key_of(1)));
    CHECK(bloom_stat(b).keys_n == 1);
    bloom_close(b);
}

static void
memory_is_bounded_and_new_keys_are_then_forgotten(void)
{
    const uint64_t limit = 64 << 10;
    struct bloom *b;
    uint64_t wrong = 0;

    CHECK(spread(&b, 1e-3, 1000000, limit) == ST_LIMIT);
    CHECK(b == NULL);
    CHECK(spread(&b, 1e-3, 1000, limit) == ST_OK);
    for (uint64_t i = 0; i < 200000; i++)
        bloom_add(b, key_of(i));
    CHECK(bloom_stat(b).bytes <= limit);
    CHECK(bloom_stat(b).excess_n > 100000);
    CHECK(bloom_has(b, key_of(0)));
    for (uint64_t i = 0; i < 100000; i++)
        wrong += bloom_has(b, key_of(((uint64_t)1 << 40) + i));
    CHECK(wrong <= 100); /* the rate still holds */
    bloom_close(b);
}

static uint64_t
yeses(const struct bloom *b, uint64_t from, uint64_t to)
{
    uint64_t n = 0;

    for (uint64_t i = from; i < to; i++)
        n += bloom_has(b, key_of(i));
    return n;
}

static void
put(struct bloom *b, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++)
        bloom_put(b, key_of(i));
}

static void
in_blocks_no_is_certain_and_yes_is_mostly_right(void)
{
    enum { N = 6000000 }; /* more than one filter holds */
    const struct bloom_options o = {
        .layout = BLOOM_BLOCKED, .first_n = 4000000, .bytes_max = UINT64_MAX};
    struct bloom *b;

    CHECK(bloom_open(&b, &o) == ST_OK);
    CHECK(yeses(b, 0, 1000) == 0);
    put(b, 0, N / 10); /* as it is while it fills */
    CHECK(yeses(b, 0, N / 10) == N / 10);
    CHECK(yeses(b, N, N + 100000) < 300);
    put(b, N / 10, N);
    CHECK(yeses(b, 0, N) == N);
    CHECK(yeses(b, N, N + 100000) < 1200);
    CHECK(bloom_stat(b).keys_n == N && bloom_stat(b).filters_n == 2);
    CHECK(bloom_stat(b).bytes < 4 * N); /* just grown: at its worst */
    bloom_close(b);
}

static void
in_blocks_without_memory_no_is_certain_still(void)
{
    enum { N = 20000 };
    const struct bloom_options o = {
        .layout = BLOOM_BLOCKED, .first_n = 4000, .bytes_max = 20000};
    struct bloom *b;

    CHECK(bloom_open(&b, &o) == ST_OK);
    put(b, 0, N);
    CHECK(yeses(b, 0, N) == N);
    CHECK(bloom_stat(b).bytes <= 20000 && bloom_stat(b).excess_n > 0);
    CHECK(yeses(b, N, 2 * N) > 0); /* it errs more often */
    bloom_close(b);
}

/* What becomes of a document with this digest and these bytes. */
static enum verdict
verdict(void *self, uint64_t digest, struct str bytes, enum verdict before)
{
    struct arena *a = arena_new();
    struct document d = {.arena = a,
                         .bytes = bytes,
                         .digest = {digest, digest},
                         .reject = before};

    CHECK(stage_seen.run(self, &d) == ST_OK);
    arena_free(a);
    return d.reject;
}

static void *
opened(const char *what)
{
    struct opts o;
    struct buf text = {0};
    void *self = NULL;

    opts_init(&o);
    buf_printf(&text, "clean.duplicates=%s", what);
    CHECK(opts_set(&o, "test", buf_view(&text)) == ST_OK);
    CHECK(stage_seen.open(&self, &o) == ST_OK);
    opts_free(&o);
    buf_free(&text);
    return self;
}

static void *
opened_with(const char *set)
{
    struct opts o;
    void *self = NULL;

    opts_init(&o);
    CHECK(opts_set(&o, "test", S("clean.duplicates=bytes")) == ST_OK);
    CHECK(opts_set(&o, "test", str_c(set)) == ST_OK);
    CHECK(stage_seen.open(&self, &o) == ST_OK);
    opts_free(&o);
    return self;
}

static void
equal_documents_are_rejected_only_when_asked_for(void)
{
    void *off = opened("off"), *text = opened("text"), *bytes = opened("bytes");

    CHECK(off == NULL);
    CHECK(verdict(off, 1, S("a"), VERDICT_NONE) == VERDICT_NONE);
    CHECK(verdict(off, 1, S("a"), VERDICT_NONE) == VERDICT_NONE);
    CHECK(verdict(text, 1, S("a"), VERDICT_NONE) == VERDICT_NONE);
    CHECK(verdict(text, 2, S("a"), VERDICT_NONE) == VERDICT_NONE);
    CHECK(verdict(text, 1, S("b"), VERDICT_NONE) == VERDICT_EXACT_DUPLICATE);
    CHECK(verdict(bytes, 1, S("a"), VERDICT_NONE) == VERDICT_NONE);
    CHECK(verdict(bytes, 1, S("b"), VERDICT_NONE) == VERDICT_NONE);
    CHECK(verdict(bytes, 2, S("a"), VERDICT_NONE) == VERDICT_EXACT_DUPLICATE);
    stage_seen.close(off);
    stage_seen.close(text);
    stage_seen.close(bytes);
}

/* As many bytes as are asked for, at even distances: the last of each piece. */
static void
a_part_of_the_bytes_may_be_enough(void)
{
    void *some = opened_with("clean.duplicates_bytes=3");

    CHECK(verdict(some, 1, S("..a..b..c"), VERDICT_NONE) == VERDICT_NONE);
    CHECK(verdict(some, 2, S("xxaxxbxxc"), VERDICT_NONE) ==
          VERDICT_EXACT_DUPLICATE);
    CHECK(verdict(some, 3, S("xxaxxbxxd"), VERDICT_NONE) == VERDICT_NONE);
    CHECK(verdict(some, 4, S("ab"), VERDICT_NONE) == VERDICT_NONE);
    CHECK(verdict(some, 5, S("ac"), VERDICT_NONE) == VERDICT_NONE);
    CHECK(verdict(some, 6, S(""), VERDICT_NONE) == VERDICT_NONE);
    stage_seen.close(some);
}

static struct hash128
digest_of(const char *text)
{
    struct arena *a = arena_new();
    struct block block = {.text = str_c(text), .kept = true};
    struct document d = {.arena = a, .blocks = &block, .blocks_n = 1};
    struct opts o;
    void *self = NULL;

    opts_init(&o);
    CHECK(stage_shingles.open(&self, &o) == ST_OK);
    CHECK(stage_shingles.run(self, &d) == ST_OK);
    stage_shingles.close(self);
    opts_free(&o);
    arena_free(a);
    return d.digest;
}

/* A digest is of the whole text. */
static void
texts_that_differ_in_the_last_word_are_not_equal(void)
{
    void *text = opened("text");
    char one[20000], other[20000];

    memset(one, 'x', sizeof one);
    for (size_t i = 5; i < sizeof one; i += 6)
        one[i] = ' ';
    memcpy(other, one, sizeof one);
    memcpy(one + sizeof one - 6, "first", 6);
    memcpy(other + sizeof other - 6, "other", 6);
    CHECK(verdict(text, digest_of(one).low, S(""), VERDICT_NONE) ==
          VERDICT_NONE);
    CHECK(verdict(text, digest_of(other).low, S(""), VERDICT_NONE) ==
          VERDICT_NONE);
    CHECK(verdict(text, digest_of(one).low, S(""), VERDICT_NONE) ==
          VERDICT_EXACT_DUPLICATE);
    stage_seen.close(text);
}

static void
rejected_documents_are_not_remembered(void)
{
    void *text = opened("text");

    CHECK(verdict(text, 1, S("a"), VERDICT_SHORT) == VERDICT_SHORT);
    CHECK(verdict(text, 1, S("a"), VERDICT_NONE) == VERDICT_NONE);
    stage_seen.close(text);
}

static void
the_least_memory_is_enough_for_the_least_error(void)
{
    struct opts o;
    void *self = NULL;

    opts_init(&o);
    CHECK(opts_set(&o, "test", S("clean.duplicates=text")) == ST_OK);
    CHECK(opts_set(&o, "test", S("clean.duplicates_mib=1")) == ST_OK);
    CHECK(opts_set(&o, "test", S("clean.duplicates_error=1e-12")) == ST_OK);
    CHECK(stage_seen.open(&self, &o) == ST_OK);
    stage_seen.close(self);
    opts_free(&o);
}

static const struct test tests[] = {
    TEST(the_error_rate_holds_while_it_grows),
    TEST(a_small_error_rate_gives_no_wrong_answer_in_a_million),
    TEST(a_key_that_was_added_is_seen),
    TEST(memory_is_bounded_and_new_keys_are_then_forgotten),
    TEST(in_blocks_no_is_certain_and_yes_is_mostly_right),
    TEST(in_blocks_without_memory_no_is_certain_still),
    TEST(equal_documents_are_rejected_only_when_asked_for),
    TEST(a_part_of_the_bytes_may_be_enough),
    TEST(texts_that_differ_in_the_last_word_are_not_equal),
    TEST(rejected_documents_are_not_remembered),
    TEST(the_least_memory_is_enough_for_the_least_error),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
