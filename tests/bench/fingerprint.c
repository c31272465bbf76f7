/* Fingerprints and signatures a second, by CPU time: bench_fingerprint
 * [documents] [tokens].  Families take turns in every round, so that a loaded
 * machine is the same for all; said is the best round of each.  Tokens are
 * hashed already; what that costs is a row of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/hash.h"
#include "base/random.h"
#include "seconds.h"
#include "shingle/fingerprint/fingerprint.h"

enum { ROUNDS = 9, ROWS_MAX = 8 };

struct bench {
    size_t documents, tokens;
    uint64_t *token, *shingle;
    char (*word)[16];
    struct arena *arena;
    uint64_t sink;
};

static void
run_family(struct bench *b, const struct fingerprinter *f)
{
    for (size_t i = 0; i < b->documents; i++) {
        struct fingerprint out;
        size_t n = shingles_make(b->token + i % 64, b->tokens, 5, b->shingle);

        fingerprinter_make(f, b->shingle, n, &out);
        b->sink += out.value[i % out.values_n];
    }
}

static void
run_signature(struct bench *b)
{
    for (size_t i = 0; i < b->documents; i++) {
        struct signature out;
        size_t n = shingles_make(b->token + i % 64, b->tokens, 5, b->shingle);

        arena_reset(b->arena);
        signature_make(b->shingle, n, b->arena, &out);
        b->sink += out.word[i % 32];
    }
}

static void
run_compare(struct bench *b)
{
    struct signature s[2];

    arena_reset(b->arena);
    for (size_t i = 0; i < 2; i++)
        signature_make(
            b->shingle,
            shingles_make(b->token + i * 9, b->tokens, 5, b->shingle), b->arena,
            &s[i]);
    for (size_t i = 0; i < b->documents; i++)
        b->sink += signature_resemblance(&s[0], &s[i & 1]) > 0.5;
}

static void
run_hashing(struct bench *b)
{
    for (size_t i = 0; i < b->documents; i++)
        for (size_t k = 0; k < b->tokens; k++)
            b->sink += hash64(str_n(b->word[k], 4 + (k + i) % 8));
}

int
main(int argc, char **argv)
{
    static const struct fingerprint_scheme scheme[] = {
        {FINGERPRINT_ONEPERMUTATION, 100, 5, 0},
        {FINGERPRINT_MINIMA, 100, 5, 1},
        {FINGERPRINT_RABIN, 100, 5, 1}};
    static const char *const name[] = {"onepermutation", "minima",
                                       "rabin",          "signature",
                                       "compare",        "token hashing"};
    struct bench b = {.documents =
                          argc > 1 ? strtoull(argv[1], NULL, 10) : 4000,
                      .tokens = argc > 2 ? strtoull(argv[2], NULL, 10) : 500,
                      .arena = arena_new()};
    struct fingerprinter *f[3];
    struct random r = random_seed(1);
    double best[6] = {0};

    b.token = malloc((b.tokens + 64) * sizeof *b.token);
    b.shingle = malloc(b.tokens * sizeof *b.shingle);
    b.word = malloc(b.tokens * sizeof *b.word);
    if (b.token == NULL || b.shingle == NULL || b.word == NULL)
        return 1;
    for (size_t i = 0; i < b.tokens + 64; i++)
        b.token[i] = random_u64(&r);
    memset(b.word, 'w', b.tokens * sizeof *b.word);
    for (size_t i = 0; i < 3; i++)
        if (fingerprinter_open(&f[i], &scheme[i]) != ST_OK)
            return 1;
    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < 6; i++) {
            double from = seconds(CLOCK_THREAD_CPUTIME_ID), rate;

            if (i < 3)
                run_family(&b, f[i]);
            else if (i == 3)
                run_signature(&b);
            else if (i == 4)
                run_compare(&b);
            else
                run_hashing(&b);
            rate =
                (double)b.documents / (seconds(CLOCK_THREAD_CPUTIME_ID) - from);
            best[i] = rate > best[i] ? rate : best[i];
        }
    for (size_t i = 0; i < 6; i++)
        printf("%-15s %10.0f per CPU second (%zu tokens)\n", name[i], best[i],
               b.tokens);
    for (size_t i = 0; i < 3; i++)
        fingerprinter_close(f[i]);
    arena_free(b.arena);
    free(b.token);
    free(b.shingle);
    free(b.word);
    return b.sink == 42;
}
