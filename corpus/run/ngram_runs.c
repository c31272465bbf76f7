/* ngram_runs.c -- see ngram_runs.h.
 *
 * A run is a head (NGRAM_RUN_HEAD: its number of bytes, 32 bits, and their
 * hash, 64) and its n-grams in order, none twice.  An n-gram is one byte, of
 * which the lower three bits say how many numbers are those of the one before
 * and the upper five how often it stands there (COUNT_LONG: that many and what
 * follows); then the first number that differs, as the difference, and the
 * numbers behind it, up to the first zero.  Numbers have seven bits a byte, low
 * ones first. */
#include "ngram_runs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/big_endian.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "corpus/sort/radix.h"

enum {
    GRAM = 16,
    SHARED_BITS = 3,
    COUNT_LONG = 31,
    NUMBER_MAX = 10, /* bytes of one */
    CODED_MAX = 1 + NUMBER_MAX * (1 + NGRAM_WORDS_MAX)
};

#define CODE_MASK ((UINT32_C(1) << NGRAM_CODE_BITS) - 1)

struct ngram_writer {
    struct spill *to;
    size_t run_grams;
    uint32_t *n;          /* of each bucket */
    unsigned char **gram; /* the same, made when it is needed */
    unsigned char *room, *coded;
};

/* ---- five numbers in 16 bytes that sort as they do ---- */

static void
pack(const uint32_t *code, unsigned n, unsigned char *gram)
{
    uint64_t high = 0, low = 0;

    for (unsigned i = 0; i < NGRAM_WORDS_MAX; i++) {
        uint64_t c = i < n ? code[i] : 0;

        high = high << NGRAM_CODE_BITS | low >> (64 - NGRAM_CODE_BITS);
        low = low << NGRAM_CODE_BITS | c;
    }
    be64_put(gram, high << 3 | low >> 61); /* 125 bits, at the high end */
    be64_put(gram + 8, low << 3);
}

static void
unpack(const unsigned char *gram, uint32_t code[NGRAM_WORDS_MAX])
{
    uint64_t high = be64_get(gram), low = be64_get(gram + 8);

    code[0] = (uint32_t)(high >> 39) & CODE_MASK;
    code[1] = (uint32_t)(high >> 14) & CODE_MASK;
    code[2] = (uint32_t)(high << 11 | low >> 53) & CODE_MASK;
    code[3] = (uint32_t)(low >> 28) & CODE_MASK;
    code[4] = (uint32_t)(low >> 3) & CODE_MASK;
}

/* ---- writing ---- */

struct ngram_writer *
ngram_writer_new(struct spill *to, size_t run_grams)
{
    struct ngram_writer *w = memory_need(calloc(1, sizeof *w));

    w->to = to;
    w->run_grams = run_grams;
    w->n = memory_need(calloc(spill_buckets(to), sizeof *w->n));
    w->gram = memory_need(calloc(spill_buckets(to), sizeof *w->gram));
    w->room = memory_need(malloc(run_grams * GRAM));
    w->coded = memory_need(malloc(NGRAM_RUN_HEAD + run_grams * CODED_MAX));
    return w;
}

static unsigned char *
put_number(unsigned char *to, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        *to++ = (unsigned char)(v | 0x80);
    *to++ = (unsigned char)v;
    return to;
}

static unsigned char *
put_gram(unsigned char *to, const uint32_t *code, const uint32_t *before,
         uint64_t count)
{
    unsigned shared = 0;

    while (code[shared] == before[shared])
        shared++; /* they differ */
    *to++ = (unsigned char)(shared | (count < COUNT_LONG ? count : COUNT_LONG)
                                         << SHARED_BITS);
    if (count >= COUNT_LONG)
        to = put_number(to, count - COUNT_LONG);
    to = put_number(to, code[shared] - before[shared]);
    for (unsigned i = shared + 1; i < NGRAM_WORDS_MAX; i++) {
        to = put_number(to, code[i]);
        if (code[i] == 0)
            break;
    }
    return to;
}

static uint64_t
hash_of(const unsigned char *coded, size_t n)
{
    return hash64(str_n((const char *)coded, n));
}

void
ngram_run_seal(unsigned char *run, size_t n)
{
    be32_put(run, (uint32_t)n);
    be64_put(run + 4, hash_of(run + NGRAM_RUN_HEAD, n));
}

static void
put_run(struct ngram_writer *w, unsigned bucket)
{
    size_t n = w->n[bucket];
    const unsigned char *gram;
    unsigned char *to = w->coded + NGRAM_RUN_HEAD;
    uint32_t codes[2][NGRAM_WORDS_MAX] = {{0}};

    if (n == 0)
        return;
    gram = radix_sort(w->gram[bucket], w->room, n, GRAM, GRAM);
    for (size_t i = 0, next, turn = 1; i < n; i = next, turn = !turn) {
        for (next = i + 1;
             next < n && memcmp(gram + i * GRAM, gram + next * GRAM, GRAM) == 0;
             next++)
            ;
        unpack(gram + i * GRAM, codes[turn]);
        to = put_gram(to, codes[turn], codes[!turn], next - i);
    }
    ngram_run_seal(w->coded, (size_t)(to - w->coded) - NGRAM_RUN_HEAD);
    spill_append(w->to, bucket, w->coded, (size_t)(to - w->coded));
    w->n[bucket] = 0;
}

void
ngram_put(struct ngram_writer *w, unsigned bucket, const uint32_t *code,
          unsigned n)
{
    if (w->gram[bucket] == NULL)
        w->gram[bucket] = memory_need(malloc(w->run_grams * GRAM));
    pack(code, n, w->gram[bucket] + w->n[bucket]++ * GRAM);
    if (w->n[bucket] == w->run_grams)
        put_run(w, bucket);
}

void
ngram_writer_end(struct ngram_writer *w)
{
    for (unsigned b = 0; b < spill_buckets(w->to); b++) {
        put_run(w, b);
        free(w->gram[b]);
    }
    free(w->gram);
    free(w->n);
    free(w->room);
    free(w->coded);
    free(w);
}

/* ---- reading ---- */

struct run {
    const unsigned char *at, *end;
    unsigned char gram[GRAM]; /* the next one */
    uint32_t code[NGRAM_WORDS_MAX];
    uint64_t count;
};

struct merge {
    struct run *run; /* a heap, the first n-gram on top */
    size_t n, room;
    bool good;
};

static uint64_t
number(struct run *r, bool *good)
{
    uint64_t v = 0;

    for (unsigned shift = 0; r->at < r->end && shift < 64; shift += 7) {
        unsigned char c = *r->at++;

        v |= (uint64_t)(c & 0x7f) << shift;
        if (c < 0x80)
            return v;
    }
    *good = false;
    return 0;
}

/* The number of a word, `before` and what stands there; whether that may be
 * nothing. */
static uint32_t
word_number(struct run *r, uint32_t before, bool zero, bool *good)
{
    uint64_t v = number(r, good);

    if ((v == 0 && !zero) || v > CODE_MASK - before)
        *good = false;
    return before + (uint32_t)v;
}

/* False: the run is over, or damaged, which *good says. */
static bool
next_gram(struct run *r, bool *good)
{
    unsigned shared;

    if (r->at == r->end)
        return false;
    shared = *r->at & ((1u << SHARED_BITS) - 1);
    r->count = *r->at++ >> SHARED_BITS;
    if (r->count == COUNT_LONG)
        r->count += number(r, good);
    if (shared >= NGRAM_WORDS_MAX || r->count == 0 || r->count > UINT32_MAX ||
        (shared > 0 && r->code[shared - 1] == 0))
        return *good = false;
    r->code[shared] = word_number(r, r->code[shared], false, good);
    for (unsigned i = shared + 1; i < NGRAM_WORDS_MAX; i++)
        r->code[i] = r->code[i - 1] == 0 ? 0 : word_number(r, 0, true, good);
    pack(r->code, NGRAM_WORDS_MAX, r->gram);
    return *good;
}

static void
sift_down(struct merge *m, size_t at)
{
    struct run moved = m->run[at];

    for (size_t child; (child = 2 * at + 1) < m->n; at = child) {
        if (child + 1 < m->n &&
            memcmp(m->run[child + 1].gram, m->run[child].gram, GRAM) < 0)
            child++;
        if (memcmp(moved.gram, m->run[child].gram, GRAM) <= 0)
            break;
        m->run[at] = m->run[child];
    }
    m->run[at] = moved;
}

/* The run on top goes on, or is taken out. */
static void
advance(struct merge *m)
{
    if (!next_gram(&m->run[0], &m->good))
        m->run[0] = m->run[--m->n];
    if (m->n > 1)
        sift_down(m, 0);
}

static void
merge_all(struct merge *m, ngram_take *take, void *self)
{
    while (m->n > 0 && m->good) {
        uint32_t code[NGRAM_WORDS_MAX];
        unsigned char gram[GRAM];
        uint64_t count = 0;

        memcpy(gram, m->run[0].gram, GRAM);
        memcpy(code, m->run[0].code, sizeof code);
        do {
            count += m->run[0].count;
            advance(m);
        } while (m->n > 0 && memcmp(m->run[0].gram, gram, GRAM) == 0);
        take(self, code, count);
    }
}

/* The run at `at`, which ends before `end`, joins the others; where the next
 * one begins, NULL: it is damaged. */
static const unsigned char *
open_run(struct merge *m, const unsigned char *at, const unsigned char *end)
{
    size_t left = (size_t)(end - at), n;
    struct run *r;

    if (left < NGRAM_RUN_HEAD || (n = be32_get(at)) > left - NGRAM_RUN_HEAD ||
        be64_get(at + 4) != hash_of(at + NGRAM_RUN_HEAD, n))
        return NULL;
    if (m->n == m->room) {
        m->room = m->room ? 2 * m->room : 16;
        m->run = memory_need(realloc(m->run, m->room * sizeof *m->run));
    }
    at += NGRAM_RUN_HEAD;
    r = &m->run[m->n++];
    *r = (struct run){.at = at, .end = at + n};
    return next_gram(r, &m->good) ? r->end : NULL;
}

enum status
ngram_runs_merge(const unsigned char *runs, size_t n, ngram_take *take,
                 void *self)
{
    struct merge m = {.good = true};

    for (const unsigned char *at = runs; m.good && at < runs + n;) {
        at = open_run(&m, at, runs + n);
        m.good = at != NULL;
    }
    for (size_t i = m.n / 2; i-- > 0 && m.good;)
        sift_down(&m, i);
    merge_all(&m, take, self);
    free(m.run);
    return m.good ? ST_OK : ST_IO;
}

enum status
ngram_merge(const struct spill *from, unsigned bucket, ngram_take *take,
            void *self)
{
    size_t bytes = (size_t)spill_n(from, bucket);
    unsigned char *all = memory_need(malloc(bytes + 1));
    enum status st = spill_load(from, bucket, all);

    if (st == ST_OK) {
        st = ngram_runs_merge(all, bytes, take, self);
        if (st != ST_OK)
            log_error("sort", "what=\"n-grams on the disk\" fault=damaged");
    }
    free(all);
    return st;
}
