/* filter.c -- see filter.h: layers of blocks of 512 bits (Putze, Sanders &
 * Singler 2007), each layer for twice as many keys as the one before.
 *
 * A key sets BITS bits in one block of the latest layer and is looked for in
 * one block of each: one miss of the processor's cache a layer, five layers at
 * 10^8 keys.
 *
 * It lives in memory and not in a mapped file: every key changes a page of its
 * own, and the kernel wrote such a file back so often that a new URL cost 4 kB
 * of writing instead of 0.5.  After a start it is filled again, in slices
 * (seen.c). */
#include "filter.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "winnow/hash.h"
#include "winnow/log.h"

#define BLOCK_SIZE 64u
#define BITS 7u             /* of a key: 9 bits of a hash each tell one */
#define KEYS_BLOCK 42u      /* 512 / 12 */
#define FIRST_BLOCKS 98304u /* 6 MiB, 4.1 million keys */
#define LAYERS_MAX 20u      /* 4e12 keys */

struct layer {
    unsigned char *bytes;
    uint64_t blocks;
};

struct filter {
    struct layer layer[LAYERS_MAX];
    uint32_t n;
    uint64_t keys, latest; /* latest: keys of the latest layer */
    bool overfull;
};

static bool
add_layer(struct filter *f)
{
    uint64_t blocks = (uint64_t)FIRST_BLOCKS << f->n;
    size_t size = blocks * BLOCK_SIZE;
    void *p = MAP_FAILED;

    if (f->n < LAYERS_MAX) /* zero, and not touched before it is used */
        p = mmap(NULL, size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return false;
    (void)madvise(p, size, MADV_HUGEPAGE);
    f->layer[f->n++] = (struct layer){p, blocks};
    f->latest = 0;
    return true;
}

struct filter *
filter_new(void)
{
    struct filter *f = calloc(1, sizeof *f);

    if (f != NULL && !add_layer(f)) {
        free(f);
        return NULL;
    }
    return f;
}

void
filter_free(struct filter *f)
{
    if (f == NULL)
        return;
    for (uint32_t i = 0; i < f->n; i++)
        munmap(f->layer[i].bytes, f->layer[i].blocks * BLOCK_SIZE);
    free(f);
}

__extension__ typedef unsigned __int128 product; /* of two 64-bit numbers */

struct probe {
    uint64_t where, bits;
};

static struct probe
probe(const struct row_seen_key *key)
{
    uint64_t host, url;

    memcpy(&host, key->bytes, sizeof host);
    memcpy(&url, key->bytes + 8, sizeof url);
    host = hash_mix(host ^ url);
    return (struct probe){host, hash_mix(host + url)};
}

static unsigned char *
block(const struct layer *l, struct probe p)
{
    uint64_t i = (uint64_t)(((product)p.where * l->blocks) >> 64);

    return l->bytes + i * BLOCK_SIZE;
}

static bool
has(const unsigned char *b, uint64_t bits)
{
    for (unsigned i = 0; i < BITS; i++, bits >>= 9)
        if (!(b[(bits & 511) / 8] >> (bits & 7) & 1))
            return false;
    return true;
}

static void
prefetch(const struct filter *f, struct probe p)
{
    for (uint32_t i = 0; i < f->n; i++)
        __builtin_prefetch(block(&f->layer[i], p));
}

void
filter_prefetch(const struct filter *f, const struct row_seen_key *key)
{
    prefetch(f, probe(key));
}

bool
filter_has(const struct filter *f, const struct row_seen_key *key)
{
    struct probe p = probe(key);

    prefetch(f, p);
    for (uint32_t i = f->n; i-- > 0;)
        if (has(block(&f->layer[i], p), p.bits))
            return true;
    return false;
}

void
filter_add(struct filter *f, const struct row_seen_key *key)
{
    struct probe p = probe(key);
    unsigned char *b;

    if (f->latest >= f->layer[f->n - 1].blocks * KEYS_BLOCK && !f->overfull) {
        f->overfull = !add_layer(f);
        if (f->overfull)
            log_warn("frontier", "no memory to enlarge the filter of seen "
                                 "URLs: it will err more often");
    }
    f->keys++;
    f->latest++;
    b = block(&f->layer[f->n - 1], p);
    for (unsigned i = 0; i < BITS; i++, p.bits >>= 9)
        b[(p.bits & 511) / 8] |= (unsigned char)(1u << (p.bits & 7));
}

uint64_t
filter_keys(const struct filter *f)
{
    return f->keys;
}

uint64_t
filter_bytes(const struct filter *f)
{
    return (((uint64_t)FIRST_BLOCKS << f->n) - FIRST_BLOCKS) * BLOCK_SIZE;
}
