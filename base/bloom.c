/* bloom.c -- see bloom.h; after Almeida, Baquero, Preguica and Hutchison 2007
 * (filters that follow each other) and Putze, Sanders and Singler 2007
 * (blocks).
 *
 * BLOOM_SPREAD.  Each filter has an error rate TIGHTENING times that of the one
 * before.  The first one's is (1 - TIGHTENING) * error, so that the sum of all,
 * which bounds the compound rate, is at most `error`.  (texrex added filters of
 * equal error: its rate grew with each.)  A filter for n keys at rate p asks
 * for k = ceil(log2(1/p)) bits, of which it has as many as make (1 -
 * exp(-kn/m))^k a little less than p.  (The usual n ln(1/p) / ln(2)^2 is too
 * few when k is rounded.)  The places come from two 64-bit halves of one hash
 * by enhanced double hashing (Dillinger & Manolios 2004).
 *
 * BLOOM_BLOCKED.  A key sets BLOCK_BITS bits in one block of the latest filter
 * and is looked for in one block of each: five filters at 10^8 keys.
 *
 * Either lives in memory and not in a mapped file: every key changes a page of
 * its own, and the kernel wrote such a file back so often that a new URL of the
 * frontier cost 4 kB of writing instead of 0.5. */
#include "bloom.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>

#define GROWTH 2u
#define TIGHTENING 0.5
#define MARGIN 0.95 /* double hashing is not quite k independent hashes */
#define FILTERS_MAX 40u

#define BLOCK_SIZE 64u
#define BLOCK_BITS 7u  /* of a key: 9 bits of a hash each tell one */
#define BLOCK_KEYS 42u /* 512 / 12 */

struct filter {
    unsigned char *byte;
    uint64_t size, room, keys_n; /* room: keys it is made for */
    unsigned places;             /* of BLOOM_SPREAD */
};

struct bloom {
    enum bloom_layout layout;
    double error; /* of the next filter */
    uint64_t next_room, bytes, bytes_max, keys_n, excess_n;
    struct filter filter[FILTERS_MAX];
    unsigned n;
};

/* The size of the next filter in bytes, too large when there can be none. */
static uint64_t
size_of(const struct bloom *b, unsigned *places)
{
    double k = ceil(-log2(b->error)), bits;

    if (b->layout == BLOOM_BLOCKED)
        return (b->next_room + BLOCK_KEYS - 1) / BLOCK_KEYS * BLOCK_SIZE;
    bits = ceil(-k * (double)b->next_room /
                log(1 - pow(b->error * MARGIN, 1 / k)));
    *places = (unsigned)k;
    return bits > 1e15 ? UINT64_MAX : ((uint64_t)(bits / 64) + 1) * 8;
}

static enum status
grow(struct bloom *b)
{
    struct filter *f = &b->filter[b->n];
    uint64_t size;
    void *p;

    if (b->n == FILTERS_MAX ||
        (size = size_of(b, &f->places)) > b->bytes_max - b->bytes)
        return ST_LIMIT;
    /* Zero, and not touched before it is used. */
    p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
             -1, 0);
    if (p == MAP_FAILED)
        return ST_NOMEM;
    (void)madvise(p, size, MADV_HUGEPAGE);
    f->byte = p;
    f->size = size;
    f->room = b->next_room;
    b->bytes += size;
    b->error *= TIGHTENING;
    b->next_room *= GROWTH;
    b->n++;
    return ST_OK;
}

enum status
bloom_open(struct bloom **out, const struct bloom_options *o)
{
    struct bloom *b = memory_zero(1, sizeof *b);
    enum status st;

    *out = NULL;
    if (b == NULL)
        return ST_NOMEM;
    b->layout = o->layout;
    b->error = o->error * (1 - TIGHTENING);
    b->next_room = o->first_n > 0 ? o->first_n : 1;
    b->bytes_max = o->bytes_max;
    if ((st = grow(b)) != ST_OK) {
        bloom_close(b);
        return st;
    }
    *out = b;
    return ST_OK;
}

void
bloom_close(struct bloom *b)
{
    if (b == NULL)
        return;
    for (unsigned i = 0; i < b->n; i++)
        munmap(b->filter[i].byte, b->filter[i].size);
    memory_free(b);
}

/* ---- a key's bits anywhere ---- */

/* Visit the key's places; `set` sets the bits.  Whether all were set. */
static bool
visit(const struct filter *f, struct hash128 key, bool set)
{
    uint64_t at = key.low, step = key.high | 1;
    bool all = true;

    for (unsigned i = 0; i < f->places; i++) {
        uint64_t bit = at % (f->size * 8);
        unsigned char mask = (unsigned char)(1u << bit % 8);

        if (!(f->byte[bit / 8] & mask)) {
            if (!set)
                return false;
            all = false;
            f->byte[bit / 8] |= mask;
        }
        at += step;
        step += i;
    }
    return all;
}

/* ---- a key's bits in one block ---- */

__extension__ typedef unsigned __int128 product; /* of two 64-bit numbers */

struct probe {
    uint64_t where, bits;
};

static struct probe
probe(struct hash128 key)
{
    uint64_t where = hash_mix(key.low ^ key.high);

    return (struct probe){where, hash_mix(where + key.high)};
}

static unsigned char *
block(const struct filter *f, struct probe p)
{
    uint64_t blocks = f->size / BLOCK_SIZE;

    return f->byte + (uint64_t)(((product)p.where * blocks) >> 64) * BLOCK_SIZE;
}

static bool
block_has(const unsigned char *b, uint64_t bits)
{
    for (unsigned i = 0; i < BLOCK_BITS; i++, bits >>= 9)
        if (!(b[(bits & 511) / 8] >> (bits & 7) & 1))
            return false;
    return true;
}

static void
block_set(unsigned char *b, uint64_t bits)
{
    for (unsigned i = 0; i < BLOCK_BITS; i++, bits >>= 9)
        b[(bits & 511) / 8] |= (unsigned char)(1u << (bits & 7));
}

/* (Inlined, since gcc 12 takes a function that does no more for one that does
 * nothing.) */
static inline __attribute__((always_inline)) void
prefetch(const struct bloom *b, struct probe p)
{
    for (unsigned i = 0; i < b->n; i++)
        __builtin_prefetch(block(&b->filter[i], p));
}

/* ---- either ---- */

void
bloom_prefetch(const struct bloom *b, struct hash128 key)
{
    if (b->layout == BLOOM_BLOCKED)
        prefetch(b, probe(key));
}

bool
bloom_has(const struct bloom *b, struct hash128 key)
{
    if (b->layout == BLOOM_BLOCKED) {
        struct probe p = probe(key);

        prefetch(b, p);
        for (unsigned i = b->n; i-- > 0;)
            if (block_has(block(&b->filter[i], p), p.bits))
                return true;
        return false;
    }
    for (unsigned i = b->n; i-- > 0;) /* the latest holds half of all */
        if (visit(&b->filter[i], key, false))
            return true;
    return false;
}

void
bloom_put(struct bloom *b, struct hash128 key)
{
    struct filter *f = &b->filter[b->n - 1];

    if (f->keys_n >= f->room && (b->excess_n > 0 || grow(b) != ST_OK)) {
        b->excess_n++;
        if (b->layout == BLOOM_SPREAD)
            return;
    }
    f = &b->filter[b->n - 1];
    if (b->layout == BLOOM_BLOCKED) {
        struct probe p = probe(key);

        block_set(block(f, p), p.bits);
    } else {
        visit(f, key, true);
    }
    f->keys_n++;
    b->keys_n++;
}

bool
bloom_add(struct bloom *b, struct hash128 key)
{
    bool before = bloom_has(b, key);

    if (!before)
        bloom_put(b, key);
    return before;
}

struct bloom_stat
bloom_stat(const struct bloom *b)
{
    return (struct bloom_stat){b->keys_n, b->bytes, b->excess_n, b->n};
}
