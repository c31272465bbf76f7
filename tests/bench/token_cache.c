/* What a cache of permuted frequent tokens does for the exact family of
 * fingerprints: bench_token_cache FILE, with a text a line (20,000 of them are
 * read).
 *
 * The cache has, for each of 2^BITS shingles, the values of all functions: of a
 * shingle that is in it they are loaded, of others computed and put there.  For
 * shingles of five words and of single words are printed fingerprints a CPU
 * second without it and with it (the best of ROUNDS, in turns), and how many
 * shingles were found in it.  Both ways give the same values, which is checked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../shingle/fingerprint/families.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "seconds.h"

enum { ROUNDS = 5, VALUES = 104, BITS = 12, TEXTS = 20000, TOKENS = 2000 };

typedef uint32_t words32
    __attribute__((vector_size(32), aligned(4), may_alias));

struct permuted {
    uint64_t shingle;
    uint32_t value[VALUES];
};

struct text {
    uint64_t *shingle;
    size_t n;
};

static struct permuted cache[1 << BITS];
static struct minima functions;
static size_t found, asked;

#ifdef __x86_64__
__attribute__((target("avx2")))
#endif
static void
take_least(uint32_t *least, const uint32_t *value)
{
    for (size_t i = 0; i < VALUES; i += 8) {
        words32 *l = (void *)(least + i), v = *(const words32 *)(value + i);

        *l = ((words32)(v < *l) & v) | (~(words32)(v < *l) & *l);
    }
}

#ifdef __x86_64__
__attribute__((target("avx2")))
#endif
static void
compute(uint32_t *value, uint32_t x)
{
    for (size_t i = 0; i < VALUES; i += 8) {
        words32 m = *(const words32 *)(functions.multiplier + i);

        *(words32 *)(value + i) =
            m * ((words32){0} + x) + *(const words32 *)(functions.addend + i);
    }
}

static void
with_cache(const struct text *t, uint32_t *least)
{
    memset(least, 0xff, VALUES * sizeof *least);
    asked += t->n;
    for (size_t i = 0; i < t->n; i++) {
        struct permuted *c = &cache[t->shingle[i] & ((1 << BITS) - 1)];

        if (c->shingle == t->shingle[i]) {
            found++;
        } else {
            c->shingle = t->shingle[i];
            compute(c->value, (uint32_t)(c->shingle >> 32));
        }
        take_least(least, c->value);
    }
}

static size_t
read_texts(struct text *text, struct str bytes, uint32_t size)
{
    uint64_t token[TOKENS];
    struct str line, word;
    size_t n = 0;

    while (n < TEXTS && str_cut(&bytes, '\n', &line)) {
        size_t tokens = 0;

        while (tokens < TOKENS && str_word(&line, &word))
            token[tokens++] = hash64(word);
        if (tokens < 50)
            continue;
        text[n].shingle = memory_need(malloc(tokens * sizeof(uint64_t)));
        text[n].n = shingles_make(token, tokens, size, text[n].shingle);
        n++;
    }
    return n;
}

static void
compare(const struct text *text, size_t n, uint32_t size)
{
    double best[2] = {0};
    uint64_t wrong = 0;

    found = asked = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (int cached = 0; cached < 2; cached++) {
            uint32_t least[FINGERPRINT_MAX];
            double from = seconds(CLOCK_THREAD_CPUTIME_ID), rate;

            for (size_t i = 0; i < n; i++)
                if (cached)
                    with_cache(&text[i], least);
                else
                    minima_make(&functions, text[i].shingle, text[i].n, 100,
                                least);
            rate = (double)n / (seconds(CLOCK_THREAD_CPUTIME_ID) - from);
            best[cached] = rate > best[cached] ? rate : best[cached];
        }
    for (size_t i = 0; i < n; i += 97) {
        uint32_t a[FINGERPRINT_MAX], b[FINGERPRINT_MAX];

        minima_make(&functions, text[i].shingle, text[i].n, 100, a);
        with_cache(&text[i], b);
        wrong += memcmp(a, b, 100 * sizeof *a) != 0;
    }
    printf("shingles of %u words: %.0f fingerprints a CPU second, with a cache "
           "%.0f (%.1f %% found in it)%s\n",
           size, best[0], best[1], 100 * (double)found / (double)asked,
           wrong > 0 ? "  WRONG" : "");
}

int
main(int argc, char **argv)
{
    struct text *text = memory_need(calloc(TEXTS, sizeof *text));
    struct buf bytes = {0};

    if (argc < 2 || file_read(&bytes, argv[1], (size_t)1 << 32) != ST_OK)
        return 1;
    minima_init(&functions, 1);
    for (uint32_t size = 1; size <= 5; size += 4) {
        size_t n = read_texts(text, buf_view(&bytes), size);

        memset(cache, 0, sizeof cache);
        compare(text, n, size);
        for (size_t i = 0; i < n; i++)
            free(text[i].shingle);
    }
    free(text);
    buf_free(&bytes);
    return 0;
}
