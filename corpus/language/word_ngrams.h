/* word_ngrams.h -- the n-grams of a word, gathered letter by letter.
 *
 * An n-gram's number is its four letters (16 bits of each), the last one in the
 * high bits; one of three, at either end of a word, has 0 there.  Blanks around
 * the word count as letters.  The number of the word itself has the high bit.
 *
 * The letter k of a word (from 0) writes the four that end with it to place k;
 * what places 0 and 1 hold of that is no n-gram, and word_end() puts those of
 * the ends there. */
#ifndef CORPUS_WORD_NGRAMS_H
#define CORPUS_WORD_NGRAMS_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

enum {
    WORD_MAX = 40,                 /* letters of a word that are looked at */
    WORD_NGRAMS_MAX = WORD_MAX + 2 /* its n-grams and itself */
};

enum {
    HASHED = 24, /* letters that the word's number is made of */
    RUN_MAX = 8  /* ASCII letters that are taken at once */
};

/* A word so far.  Where its n-grams go there is room for WORD_MAX + RUN_MAX. */
struct open_word {
    uint64_t window; /* its last four letters */
    uint64_t hash;   /* of all of them */
    unsigned n;      /* letters */
};

static inline struct open_word
word_begin(void)
{
    return (struct open_word){.window = (uint64_t)' ' << 48,
                              .hash = 0xcbf29ce484222325u};
}

#define WORD_HASH(hash, c) (((hash) ^ (c)) * 0x100000001b3u)

/* A letter, by its capital. */
static inline void
word_letter(struct open_word *w, uint64_t *ngrams, uint16_t c)
{
    if (w->n == WORD_MAX)
        return;
    w->window = w->window >> 16 | (uint64_t)c << 48;
    ngrams[w->n++] = w->window;
    if (w->n <= HASHED)
        w->hash = WORD_HASH(w->hash, c);
}

/* How many of eight bytes, as they stand in memory, are ASCII letters before
 * the first that is none. */
static inline unsigned
word_run(uint64_t bytes)
{
    const uint64_t ones = 0x0101010101010101u, high = 0x80 * ones;
    uint64_t low = (bytes | 0x20 * ones) & ~high;
    uint64_t from_a = low + (0x80 - 'a') * ones;
    uint64_t behind_z = low + (0x80 - 'z' - 1) * ones;
    uint64_t none = ~(from_a & ~behind_z & ~bytes) & high;

    return none == 0 ? RUN_MAX : (unsigned)__builtin_ctzll(none) / 8;
}

/* `run` ASCII letters (1 to RUN_MAX) of the bytes.  All eight are gone through
 * and the state behind the last letter is taken: where a word ends cannot be
 * foretold. */
static inline void
word_letters(struct open_word *w, uint64_t *ngrams, uint64_t bytes,
             unsigned run)
{
    unsigned most = WORD_MAX - w->n, hashed = w->n < HASHED ? HASHED - w->n : 0;
    uint64_t *to = ngrams + w->n, window = w->window, hash[RUN_MAX + 1];

    hash[0] = w->hash;
    for (unsigned i = 0; i < RUN_MAX; i++) {
        uint64_t c = bytes >> 8 * i & 0xdf;

        window = window >> 16 | c << 48;
        to[i] = window;
        hash[i + 1] = WORD_HASH(hash[i], c);
    }
    run = run < most ? run : most;
    w->hash = hash[run < hashed ? run : hashed];
    w->n += run;
    if (run > 0)
        w->window = to[run - 1];
}

/* The end of a word with letters, whose blank is its last: how many numbers
 * stand at `ngrams` now. */
static inline unsigned
word_end(const struct open_word *w, uint64_t *ngrams)
{
    uint64_t four = w->window >> 16 | (uint64_t)' ' << 48;
    uint64_t whole = w->hash | (uint64_t)1 << 63;
    unsigned one = w->n == 1; /* it has none of four */

    ngrams[1] >>= 16; /* the first three */
    ngrams[0] = one ? whole : four;
    ngrams[w->n] = four >> 16;
    ngrams[w->n + 1] = whole;
    return w->n + 2 - one;
}

#endif
