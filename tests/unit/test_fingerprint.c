/* The sketch estimates the resemblance of two sets of shingles.
 *
 * Random documents share a known part of their shingles; the estimate has to
 * lie within the standard error sqrt(J(1-J)/100) on average and without bias,
 * also for short documents, whose sketch is mostly borrowed values. */
#include <math.h>

#include "test.h"
#include "winnow/fingerprint.h"
#include "winnow/hash.h"
#include "winnow/random.h"

/* The sketch of `n` single-token shingles, `common` of them the same for all
 * `salt`s of one `trial`. */
static struct fingerprint
sketch(uint64_t trial, uint64_t salt, uint32_t n, uint32_t common)
{
    struct shingler s;
    struct fingerprint f;

    shingler_init(&s, 1);
    for (uint32_t i = 0; i < n; i++)
        shingler_add(&s, hash_mix(trial << 40 | (i < common ? 0 : salt) << 32 |
                                  (i + 1)));
    shingler_finish(&s, &f);
    return f;
}

static void
check_estimates(uint32_t n, uint32_t common, double error_factor)
{
    const uint64_t trials = 2000;
    double truth = (double)common / (2.0 * n - common), sum = 0, squares = 0;
    double theory = sqrt(truth * (1 - truth) / FINGERPRINT_SIZE), rms;

    for (uint64_t t = 1; t <= trials; t++) {
        struct fingerprint a = sketch(t, 1, n, common);
        struct fingerprint b = sketch(t, 2, n, common);
        double e = fingerprint_resemblance(&a, &b) - truth;

        sum += e;
        squares += e * e;
    }
    rms = sqrt(squares / (double)trials);
    CHECK(fabs(sum / (double)trials) < 4 * rms / sqrt((double)trials) + 1e-3);
    CHECK(rms < theory * error_factor);
}

static void
long_documents_are_estimated_within_the_standard_error(void)
{
    check_estimates(2000, 200, 1.1);
    check_estimates(2000, 1000, 1.1);
    check_estimates(2000, 1800, 1.1);
}

static void
short_documents_are_estimated_without_bias(void)
{
    check_estimates(60, 40, 2.0);
    check_estimates(10, 8, 4.5);
}

static void
equal_documents_resemble_fully_and_unrelated_ones_not(void)
{
    struct fingerprint a = sketch(7, 1, 500, 0), b = sketch(7, 1, 500, 0);
    struct fingerprint c = sketch(8, 1, 500, 0), d = sketch(9, 1, 1, 0);

    CHECK(fingerprint_resemblance(&a, &b) == 1);
    CHECK(fingerprint_resemblance(&a, &c) < 0.05);
    CHECK(fingerprint_resemblance(&d, &d) == 1);
}

static void
fewer_tokens_than_a_shingle_are_never_alike(void)
{
    struct shingler s;
    struct fingerprint a, b;

    shingler_init(&s, 5);
    for (uint64_t i = 1; i < 5; i++)
        shingler_add(&s, i);
    shingler_finish(&s, &a);
    CHECK(a.shingles_n == 0);
    CHECK(fingerprint_resemblance(&a, &a) == 0);
    shingler_add(&s, 5);
    shingler_finish(&s, &b);
    CHECK(b.shingles_n == 1);
    CHECK(fingerprint_resemblance(&b, &b) == 1);
    CHECK(fingerprint_resemblance(&a, &b) == 0);
}

static void
the_order_of_tokens_matters_and_their_place_does_not(void)
{
    const uint64_t words[] = {11, 22, 33, 44, 55, 66, 77};
    struct shingler forth, back, later;
    struct fingerprint a, b, c;

    shingler_init(&forth, 7);
    shingler_init(&back, 7);
    shingler_init(&later, 7);
    shingler_add(&later, 99); /* the window has turned when these come */
    shingler_add(&later, 98);
    for (size_t i = 0; i < 7; i++) {
        shingler_add(&forth, words[i]);
        shingler_add(&back, words[6 - i]);
        shingler_add(&later, words[i]);
    }
    shingler_finish(&forth, &a);
    shingler_finish(&back, &b);
    CHECK(a.shingles_n == 1 && b.shingles_n == 1);
    CHECK(fingerprint_resemblance(&a, &b) == 0);
    CHECK(later.shingles_n == 3);
    shingler_finish(&later, &c);
    CHECK(fingerprint_resemblance(&a, &c) > 0); /* one of three is shared */
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(long_documents_are_estimated_within_the_standard_error),
        TEST(short_documents_are_estimated_without_bias),
        TEST(equal_documents_resemble_fully_and_unrelated_ones_not),
        TEST(fewer_tokens_than_a_shingle_are_never_alike),
        TEST(the_order_of_tokens_matters_and_their_place_does_not),
        {0},
    };

    return test_main(table, argc, argv);
}
