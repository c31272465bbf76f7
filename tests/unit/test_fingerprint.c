/* Fingerprints and signatures estimate the resemblance of two sets of shingles.
 *
 * Random documents share a known part of their shingles; the estimate of each
 * family has to lie within the standard error sqrt(J(1-J)/values) on average
 * and without bias, also for short documents; that of signatures within a fifth
 * of it.  Loops for newer processors give the values of the plain ones. */
#include <math.h>

#include "../../shingle/fingerprint/families.h"
#include "base/hash.h"
#include "base/random.h"
#include "shingle/fingerprint/fingerprint.h"
#include "test.h"

enum { SHINGLES_MAX = 20000 };

static const struct fingerprint_scheme schemes[] = {
    {FINGERPRINT_ONEPERMUTATION, 100, 1, 0},
    {FINGERPRINT_MINIMA, 100, 1, 1},
    {FINGERPRINT_RABIN, 100, 1, 1},
    {FINGERPRINT_MINIMA, 128, 1, 2},
};

static struct fingerprinter *fingerprinter;

/* `n` single-token shingles, `common` of them the same for all `salt`s of one
 * `trial`. */
static size_t
make_shingles(uint64_t trial, uint64_t salt, uint32_t n, uint32_t common,
              uint64_t *out)
{
    static uint64_t token[SHINGLES_MAX];

    for (uint32_t i = 0; i < n; i++)
        token[i] =
            hash_mix(trial << 40 | (i < common ? 0 : salt) << 32 | (i + 1));
    return shingles_make(token, n, 1, out);
}

static struct fingerprint
sketch(uint64_t trial, uint64_t salt, uint32_t n, uint32_t common)
{
    static uint64_t shingle[SHINGLES_MAX];
    size_t made = make_shingles(trial, salt, n, common, shingle);
    struct fingerprint f;

    CHECK(made == n);
    fingerprinter_make(fingerprinter, shingle, n, &f);
    return f;
}

static void
with_scheme(size_t i)
{
    fingerprinter_close(fingerprinter);
    CHECK(fingerprinter_open(&fingerprinter, &schemes[i]) == ST_OK);
}

static void
check_estimates(uint32_t values, uint32_t n, uint32_t common,
                double error_factor)
{
    const uint64_t trials = 1000;
    double truth = (double)common / (2.0 * n - common), sum = 0, squares = 0;
    double theory = sqrt(truth * (1 - truth) / values), rms;

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
every_family_estimates_within_the_standard_error(void)
{
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        bool exact = schemes[i].family != FINGERPRINT_ONEPERMUTATION;

        with_scheme(i);
        check_estimates(schemes[i].values_n, 800, 80, 1.1);
        check_estimates(schemes[i].values_n, 800, 400, 1.1);
        check_estimates(schemes[i].values_n, 800, 720, 1.1);
        check_estimates(schemes[i].values_n, 60, 40, exact ? 1.1 : 2.0);
        check_estimates(schemes[i].values_n, 10, 8, exact ? 1.1 : 4.5);
    }
}

static void
equal_documents_resemble_fully_and_unrelated_ones_not(void)
{
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        struct fingerprint a, b, c, d;

        with_scheme(i);
        a = sketch(7, 1, 500, 0);
        b = sketch(7, 1, 500, 0);
        c = sketch(8, 1, 500, 0);
        d = sketch(9, 1, 1, 0);
        CHECK(fingerprint_resemblance(&a, &b) == 1);
        CHECK(fingerprint_resemblance(&a, &c) < 0.05);
        CHECK(fingerprint_resemblance(&d, &d) == 1);
    }
}

static void
fewer_tokens_than_a_shingle_are_never_alike(void)
{
    const uint64_t token[] = {1, 2, 3, 4, 5};
    uint64_t shingle[5];
    struct fingerprint a, b;
    struct signature none;
    struct arena *arena = arena_new();

    with_scheme(0);
    CHECK(shingles_make(token, 4, 5, shingle) == 0);
    fingerprinter_make(fingerprinter, shingle, 0, &a);
    CHECK(a.shingles_n == 0);
    CHECK(fingerprint_resemblance(&a, &a) == 0);
    signature_make(shingle, 0, arena, &none);
    CHECK(none.bits_n == 0 && signature_resemblance(&none, &none) == 0);
    CHECK(shingles_make(token, 5, 5, shingle) == 1);
    fingerprinter_make(fingerprinter, shingle, 1, &b);
    CHECK(b.shingles_n == 1);
    CHECK(fingerprint_resemblance(&b, &b) == 1);
    CHECK(fingerprint_resemblance(&a, &b) == 0);
    arena_free(arena);
}

static void
the_order_of_tokens_matters_and_their_place_does_not(void)
{
    const uint64_t forth[] = {11, 22, 33, 44, 55, 66, 77};
    const uint64_t back[] = {77, 66, 55, 44, 33, 22, 11};
    const uint64_t later[] = {99, 98, 11, 22, 33, 44, 55, 66, 77};
    uint64_t a[9], b[9], c[9];

    CHECK(shingles_make(forth, 7, 7, a) == 1);
    CHECK(shingles_make(back, 7, 7, b) == 1);
    CHECK(shingles_make(later, 9, 7, c) == 3);
    CHECK(a[0] != b[0] && a[0] == c[2]);
    for (uint32_t size = 1; size <= 9; size++) /* 5 has a loop of its own */
        CHECK(shingles_make(later, 9, size, c) == 10 - size);
}

/* Stored indexes and files of other runs depend on them: computed once by other
 * means (polynomials and remainders by Python's integers). */
static void
values_stay_what_they_are(void)
{
    const uint64_t token[] = {11, 22, 33, 44, 55, 66, 77};
    uint64_t shingle[7];
    struct fingerprint f;
    struct rabin r;

    CHECK(shingles_make(token, 7, 5, shingle) == 3);
    CHECK(shingle[0] == 0xb6303453ac42c877u);
    with_scheme(0);
    fingerprinter_make(fingerprinter, shingle, 3, &f);
    CHECK(f.value[0] == 0xc08d8490u && f.value[99] == 0xaa02e66cu);
    with_scheme(1);
    fingerprinter_make(fingerprinter, shingle, 3, &f);
    CHECK(f.value[0] == 0x4c50485u && f.value[99] == 0x615ff0fu);
    rabin_init(&r, 2, 1);
    CHECK(r.polynomial[0] == 0x5c6d7e7aaf2bdd03u &&
          r.polynomial[1] == 0x9f81df271ed0ac9u);
    CHECK(rabin_value(0x5c6d7e7aaf2bdd03u, 0x0123456789abcdef) ==
          0xdca98326ec892099u);
}

static void
polynomials_are_irreducible(void)
{
    struct rabin r;

    CHECK(rabin_irreducible(0x1b));               /* texrex's first */
    CHECK(rabin_irreducible(0x008040402020041b)); /* and some of its others */
    CHECK(rabin_irreducible(0x00222a2c9b3a555b));
    CHECK(rabin_irreducible(0x0b21d3ce118235f7));
    CHECK(!rabin_irreducible(0x1a)); /* t divides it */
    CHECK(!rabin_irreducible(1));    /* (t + 1)^64 */
    CHECK(!rabin_irreducible(0x1f)); /* an even number of terms: t + 1 does */
    CHECK(!rabin_irreducible(0x90fda8c52a0cf645u));
    CHECK(!rabin_irreducible(0xbe510f12e2d22e5du));
    rabin_init(&r, FINGERPRINT_MAX, 7);
    for (size_t i = 0; i < FINGERPRINT_MAX; i++)
        for (size_t k = 0; k < i; k++)
            CHECK(r.polynomial[i] != r.polynomial[k]);
}

static void
every_processor_gives_the_same_values(void)
{
#ifdef __x86_64__
    static uint64_t shingle[777];
    uint32_t plain[FINGERPRINT_MAX], wide[FINGERPRINT_MAX];
    struct minima m;
    struct rabin r;

    make_shingles(3, 1, 777, 0, shingle);
    minima_init(&m, 5);
    memset(plain, 0xff, sizeof plain);
    memset(wide, 0xff, sizeof wide);
    if (__builtin_cpu_supports("avx2")) {
        minima_plain(plain, 100, &m, shingle, 777);
        minima_wide(wide, 100, &m, shingle, 777);
        CHECK(memcmp(plain, wide, 100 * sizeof *plain) == 0);
    }
    rabin_init(&r, 20, 5);
    for (size_t i = 0; i < 20; i++) {
        uint64_t least = UINT64_MAX;

        for (size_t k = 0; k < 777; k++) {
            uint64_t h = rabin_value(r.polynomial[i], shingle[k]);

            least = h < least ? h : least;
        }
        if (__builtin_cpu_supports("pclmul"))
            CHECK(rabin_least_wide(r.polynomial[i], r.quotient[i], shingle,
                                   777) == least);
        rabin_make(&r, shingle, 777, 20, plain);
        CHECK(plain[i] == (uint32_t)hash_mix(least));
    }
#endif
}

static void
a_scheme_is_told_by_its_text(void)
{
    static const char *const bad[] = {"",
                                      "minima",
                                      "minima/100/5",
                                      "minima/100/5/",
                                      "minima//5/1",
                                      "minima/100/0/1",
                                      "minima/100/33/1",
                                      "minima/15/5/1",
                                      "minima/129/5/1",
                                      "other/100/5/1",
                                      "minima/100/5/1/",
                                      "minima/1e2/5/1",
                                      "minima/100/5/99999999999999999999"};
    struct fingerprint_scheme back;
    char text[FINGERPRINT_SCHEME_BYTES];

    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        fingerprint_scheme_text(&schemes[i], text);
        CHECK(fingerprint_scheme_read(&back, str_c(text)));
        CHECK(fingerprint_scheme_equal(&schemes[i], &back));
    }
    CHECK(strcmp(text, "minima/128/1/2") == 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(!fingerprint_scheme_read(&back, str_c(bad[i])));
}

/* ---- signatures ---- */

enum { GAPS_WORDS = (1 << 14) / 64 };

/* The root mean square error of `trials` estimates. */
static double
signature_error(uint32_t n_a, uint32_t n_b, uint32_t common, uint64_t trials)
{
    static uint64_t shingle[SHINGLES_MAX];
    double truth = (double)common / ((double)n_a + n_b - common), squares = 0;
    struct arena *arena = arena_new();

    for (uint64_t t = 1; t <= trials; t++) {
        struct signature a, b;
        double e;

        arena_reset(arena);
        signature_make(shingle, make_shingles(t, 1, n_a, common, shingle),
                       arena, &a);
        signature_make(shingle, make_shingles(t, 2, n_b, common, shingle),
                       arena, &b);
        CHECK(a.shingles_n == n_a && b.shingles_n == n_b);
        e = signature_resemblance(&a, &b) - truth;
        squares += e * e;
    }
    arena_free(arena);
    return sqrt(squares / (double)trials);
}

/* Estimates that are the truth. */
static uint64_t
signature_exact(uint32_t n_a, uint32_t n_b, uint32_t common, uint64_t trials)
{
    static uint64_t shingle[SHINGLES_MAX];
    double truth = (double)common / ((double)n_a + n_b - common);
    struct arena *arena = arena_new();
    uint64_t equal = 0;

    for (uint64_t t = 1; t <= trials; t++) {
        struct signature a, b;

        arena_reset(arena);
        signature_make(shingle, make_shingles(t, 1, n_a, common, shingle),
                       arena, &a);
        signature_make(shingle, make_shingles(t, 2, n_b, common, shingle),
                       arena, &b);
        equal += fabs(signature_resemblance(&a, &b) - truth) < 1e-9;
    }
    arena_free(arena);
    return equal;
}

static void
signatures_estimate_documents_of_any_length(void)
{
    CHECK(signature_error(60, 60, 53, 1000) < 0.003);
    CHECK(signature_exact(60, 60, 53, 500) > 490);
    CHECK(signature_exact(200, 200, 177, 500) > 450);
    CHECK(signature_exact(270, 270, 240, 500) > 400);
    CHECK(signature_error(340, 340, 302, 1000) < 0.004);
    CHECK(signature_error(480, 480, 427, 1000) < 0.005);
    CHECK(signature_error(60, 75, 60, 500) < 0.003);
    CHECK(signature_error(200, 330, 180, 500) < 0.012); /* gaps, folded */
    CHECK(signature_error(260, 300, 250, 500) < 0.005);
    CHECK(signature_error(470, 500, 430, 500) < 0.009); /* gaps and bits */
    CHECK(signature_error(500, 500, 444, 1000) < 0.007);
    CHECK(signature_error(2000, 2000, 1778, 300) < 0.0075);
    CHECK(signature_error(10000, 10000, 8889, 50) < 0.006);
    CHECK(signature_error(2000, 2200, 1867, 300) < 0.0085); /* folded */
    CHECK(signature_error(9000, 7000, 6000, 100) < 0.012);
    CHECK(signature_error(500, 500, 333, 1000) < 0.016); /* .5 */
    CHECK(signature_error(500, 500, 0, 100) < 0.06);
}

static void
what_comes_twice_in_a_document_counts_once(void)
{
    uint64_t once[200], twice[400];
    struct signature a, b;
    struct arena *arena = arena_new();

    make_shingles(1, 1, 200, 0, once);
    memcpy(twice, once, sizeof once);
    memcpy(twice + 200, once, sizeof once);
    signature_make(once, 200, arena, &a);
    signature_make(twice, 400, arena, &b);
    CHECK(a.shingles_n == 200 && b.shingles_n == 200);
    CHECK(signature_resemblance(&a, &b) == 1);
    arena_free(arena);
}

static void
a_signature_goes_through_bytes(void)
{
    static uint64_t shingle[5000];
    struct arena *arena = arena_new();
    struct signature a, b;
    struct buf bytes = {0};

    make_shingles(1, 1, 5000, 0, shingle);
    signature_make(shingle, 5000, arena, &a);
    CHECK(a.bits_n == 16384);
    signature_pack(&a, &bytes);
    CHECK(bytes.n == 2048);
    CHECK(signature_unpack(buf_view(&bytes), 5000, arena, &b));
    CHECK(signature_resemblance(&a, &b) == 1);
    CHECK(!signature_unpack(str_n(bytes.p, 2047), 5000, arena, &b));
    CHECK(!signature_unpack(str_n(bytes.p, 128), 5000, arena, &b));
    CHECK(!signature_unpack(S(""), 5000, arena, &b));
    CHECK(!signature_unpack(buf_view(&bytes), 0, arena, &b));
    buf_free(&bytes);
    arena_free(arena);
}

/* However many shingles: the bytes are those of the least sketch at most, and
 * come back as what they were. */
static void
short_documents_are_kept_as_gaps(void)
{
    static uint64_t shingle[481];
    struct arena *arena = arena_new();
    struct buf bytes = {0};

    for (uint32_t n = 1; n <= 481; n++) {
        struct signature a, b;
        uint64_t x[GAPS_WORDS], y[GAPS_WORDS];

        arena_reset(arena);
        buf_clear(&bytes);
        make_shingles(n, 1, n, 0, shingle);
        signature_make(shingle, n, arena, &a);
        signature_pack(&a, &bytes);
        CHECK(bytes.n == signature_bytes(&a) && bytes.n <= 268);
        CHECK((a.word == NULL) == (n <= 480) && signature_is_size(bytes.n));
        CHECK(signature_unpack(buf_view(&bytes), n, arena, &b));
        CHECK(a.bits_n == b.bits_n && b.shingles_n == n);
        CHECK(signature_resemblance(&a, &b) == 1);
        signature_fold(&a, a.bits_n, x);
        signature_fold(&b, a.bits_n, y);
        CHECK(memcmp(x, y, a.bits_n / 8) == 0);
        if (a.word == NULL) { /* cut, or with more behind it; not 256 */
            CHECK(!signature_is(str_n(bytes.p, bytes.n / 8 * 4)));
            buf_c(&bytes, bytes.n == 252 ? "12345678" : "1234");
            CHECK(!signature_is(buf_view(&bytes)));
        }
    }
    buf_free(&bytes);
    arena_free(arena);
}

static void
values_alone_make_a_signature_too(void)
{
    uint64_t word_a[SIGNATURE_BITS_MIN / 64], word_b[SIGNATURE_BITS_MIN / 64];
    struct signature a, b;

    with_scheme(0);
    for (uint64_t t = 1; t < 100; t++) {
        struct fingerprint f = sketch(t, 1, 500, 450);
        struct fingerprint g = sketch(t, 2, 500, 450);
        double e;

        signature_of_values(&f, word_a, &a);
        signature_of_values(&g, word_b, &b);
        e = signature_values_resemblance(&a, &b) -
            fingerprint_resemblance(&f, &g);
        CHECK(fabs(e) < 0.05);
        CHECK(signature_values_resemblance(&a, &a) == 1);
    }
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(every_family_estimates_within_the_standard_error),
        TEST(equal_documents_resemble_fully_and_unrelated_ones_not),
        TEST(fewer_tokens_than_a_shingle_are_never_alike),
        TEST(the_order_of_tokens_matters_and_their_place_does_not),
        TEST(values_stay_what_they_are),
        TEST(polynomials_are_irreducible),
        TEST(every_processor_gives_the_same_values),
        TEST(a_scheme_is_told_by_its_text),
        TEST(signatures_estimate_documents_of_any_length),
        TEST(what_comes_twice_in_a_document_counts_once),
        TEST(a_signature_goes_through_bytes),
        TEST(short_documents_are_kept_as_gaps),
        TEST(values_alone_make_a_signature_too),
        {0},
    };
    int failed = test_main(table, argc, argv);

    fingerprinter_close(fingerprinter);
    return failed;
}
