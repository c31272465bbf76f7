/* known.c -- see known.h: lines of eight entries (one line of the processor's
 * cache), an entry being 48 bits of fingerprint above 16 bits of priority.
 *
 * The line comes from the URL's hash, the fingerprint from both hashes of the
 * key.  A hit moves one place to the front, what is new comes in at the end and
 * pushes the last one out: what is asked for often stays.  When half of the
 * entries are used the memory doubles, as long as it may; the entries are then
 * forgotten, which costs a look into the store for each that is asked again.
 * Out of memory ends the program. */
#include "known.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "winnow/hash.h"

#define LINE 8u                /* entries */
#define FIRST_LINES 1024u      /* 64 KiB */
#define HUGE ((size_t)2 << 20) /* a large page of the processor */
#define PRIORITY_BITS 0xffffu  /* of an entry; the rest is fingerprint */

struct line {
    _Alignas(64) uint64_t entry[LINE];
};

struct known {
    struct line *lines;
    size_t lines_n, lines_max, used; /* powers of two; entries */
    uint64_t asked, found;
};

static struct line *
lines_new(size_t n)
{
    size_t size = n * sizeof(struct line);
    struct line *l =
        aligned_alloc(size < HUGE ? sizeof *l : HUGE, size); /* powers of 2 */

    if (l == NULL) {
        fprintf(stderr, "winnow: out of memory\n");
        abort();
    }
    if (size >= HUGE)
        (void)madvise(l, size, MADV_HUGEPAGE);
    memset(l, 0, n * sizeof *l);
    return l;
}

struct known *
known_new(size_t bytes)
{
    struct known *k = calloc(1, sizeof *k);

    if (k == NULL)
        abort();
    k->lines_max = 1;
    while (2 * k->lines_max * sizeof(struct line) <= bytes)
        k->lines_max *= 2;
    k->lines_n = k->lines_max < FIRST_LINES ? k->lines_max : FIRST_LINES;
    k->lines = lines_new(k->lines_n);
    return k;
}

void
known_free(struct known *k)
{
    if (k == NULL)
        return;
    free(k->lines);
    free(k);
}

void
known_clear(struct known *k)
{
    memset(k->lines, 0, k->lines_n * sizeof *k->lines);
    k->used = 0;
}

static void
grow(struct known *k)
{
    free(k->lines);
    k->lines_n *= 2;
    k->used = 0;
    k->lines = lines_new(k->lines_n);
}

static uint64_t
half(const unsigned char *p)
{
    uint64_t v;

    memcpy(&v, p, sizeof v);
    return v;
}

/* The key's line and its fingerprint, which is never 0. */
static struct line *
line_of(const struct known *k, const struct row_seen_key *key, uint64_t *print)
{
    uint64_t url = half(key->bytes + 8);

    *print = hash_mix(half(key->bytes) ^ (url << 7 | url >> 57)) &
             ~(uint64_t)PRIORITY_BITS;
    *print |= *print == 0 ? PRIORITY_BITS + 1u : 0;
    return &k->lines[url & (k->lines_n - 1)];
}

void
known_prefetch(const struct known *k, const struct row_seen_key *key)
{
    uint64_t print;

    __builtin_prefetch(line_of(k, key, &print));
}

static unsigned
find(const struct line *l, uint64_t print)
{
    unsigned i = 0;

    while (i < LINE && (l->entry[i] & ~(uint64_t)PRIORITY_BITS) != print)
        i++;
    return i;
}

uint16_t
known_get(struct known *k, const struct row_seen_key *key)
{
    uint64_t print, entry;
    struct line *l = line_of(k, key, &print);
    unsigned i = find(l, print);

    k->asked++;
    if (i == LINE)
        return KNOWN_NOT;
    k->found++;
    entry = l->entry[i];
    if (i > 0) {
        l->entry[i] = l->entry[i - 1];
        l->entry[i - 1] = entry;
    }
    return (uint16_t)(entry & PRIORITY_BITS);
}

void
known_set(struct known *k, const struct row_seen_key *key, uint16_t priority)
{
    uint64_t print;
    struct line *l = line_of(k, key, &print);
    unsigned i = find(l, print);

    if (i == LINE && (i = find(l, 0)) < LINE &&
        ++k->used > k->lines_n * LINE / 2 && k->lines_n < k->lines_max) {
        grow(k);
        k->used = 1;
        l = line_of(k, key, &print);
        i = 0;
    }
    l->entry[i < LINE ? i : LINE - 1] = print | priority;
}

struct known_stat
known_stat(const struct known *k)
{
    return (struct known_stat){k->lines_n * sizeof *k->lines, k->asked,
                               k->found};
}
