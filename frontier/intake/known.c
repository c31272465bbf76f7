/* known.c -- see known.h: lines of eight entries (one line of the processor's
 * cache), an entry being 48 bits of fingerprint above 16 bits of priority.
 *
 * A hit moves one place to the front, what is new comes in at the end and
 * pushes the last one out: what is asked for often stays.
 *
 * The first bits of a line's number come from the URL's hash, further ones from
 * the fingerprint, so an entry says by itself where it goes when there are more
 * lines: line i of n is parted into i and i + n by one more bit.  Growth is
 * that, PART lines with each new entry, in address space that is reserved for
 * the most there may be; nothing is forgotten for it and nobody waits.  It
 * starts when lines are so full (GROW_AT entries on the average) that one in
 * 500 entries would have been pushed out.
 *
 * What a transaction has told is remembered until it ends, since an abort has
 * to take it back.  Out of memory ends the program. */
#include "known.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "base/memory.h"

#define LINE 8u                /* entries */
#define FIRST_LINES 4096u      /* 256 KiB */
#define GROW_AT 3u             /* of the entries of a line */
#define PART 16u               /* lines, with each new entry */
#define HUGE ((size_t)2 << 20) /* a large page of the processor */
#define PRIORITY_BITS 16u      /* of an entry; the rest is fingerprint */
#define PRIORITY_MASK ((uint64_t)0xffff)
#define TOLD_MAX 65536u /* more: an abort forgets all */

struct cache_line {
    _Alignas(64) uint64_t entry[LINE];
};

struct known {
    struct cache_line *lines;
    size_t lines_max, first_n, lines_n; /* powers of two */
    unsigned bit;  /* of a fingerprint: the next one that parts lines */
    bool growing;  /* lines_n lines become twice as many: */
    size_t parted; /* ... so many are */
    size_t used;   /* entries */
    uint64_t asked, found;
    /* By this transaction: fingerprints above 16 bits of the URL's hash. */
    uint64_t *told;
    size_t told_n;
    bool told_all; /* more than there is room for */
};

static struct cache_line *
reserve(size_t n)
{
    size_t size = n * sizeof(struct cache_line);
    char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (p == MAP_FAILED)
        memory_fail(ST_NOMEM, size);
    if (size > HUGE) /* a small one stays small */
        (void)madvise(p + HUGE, size - HUGE, MADV_HUGEPAGE);
    return (struct cache_line *)(void *)p;
}

struct known *
known_new(size_t bytes)
{
    struct known *k = memory_need(calloc(1, sizeof *k));

    k->lines_max = 1;
    while (2 * k->lines_max * sizeof(struct cache_line) <= bytes)
        k->lines_max *= 2;
    k->first_n = k->lines_max < FIRST_LINES ? k->lines_max : FIRST_LINES;
    k->lines_n = k->first_n;
    k->lines = reserve(k->lines_max);
    k->told = memory_need(calloc(TOLD_MAX, sizeof *k->told));
    return k;
}

void
known_free(struct known *k)
{
    if (k == NULL)
        return;
    munmap(k->lines, k->lines_max * sizeof *k->lines);
    free(k->told);
    free(k);
}

/* ---- lines ---- */

static uint64_t
half(const unsigned char *p)
{
    uint64_t v;

    memcpy(&v, p, sizeof v);
    return v;
}

static uint64_t
print_of(uint64_t entry)
{
    return entry & ~PRIORITY_MASK;
}

/* `url`: the 16 last bits of its hash at least. */
static struct cache_line *
line_at(const struct known *k, uint64_t print, uint64_t url)
{
    uint64_t number =
        (url & (k->first_n - 1)) | (print >> PRIORITY_BITS) * k->first_n;
    size_t i = number & (k->lines_n - 1);

    if (i < k->parted)
        i = number & (2 * k->lines_n - 1);
    return &k->lines[i];
}

/* A key's fingerprint, which is never 0, above 16 bits of its URL's hash. */
static uint64_t
tag_of(const struct row_seen_key *key)
{
    uint64_t url = half(key->bytes + 8), print;

    print = print_of(hash_mix(half(key->bytes) ^ (url << 7 | url >> 57)));
    print |= print == 0 ? PRIORITY_MASK + 1u : 0;
    return print | (url & PRIORITY_MASK);
}

static struct cache_line *
line_of(const struct known *k, uint64_t tag)
{
    return line_at(k, print_of(tag), tag & PRIORITY_MASK);
}

static unsigned
find(const struct cache_line *l, uint64_t print)
{
    unsigned i = 0;

    while (i < LINE && print_of(l->entry[i]) != print)
        i++;
    return i;
}

/* ---- growth ---- */

/* Line i keeps the entries that have a 0 there, the others go to the new line,
 * in the same order. */
static void
part(struct cache_line *from, struct cache_line *to, unsigned bit)
{
    unsigned stay = 0, go = 0;

    for (unsigned i = 0; i < LINE; i++) {
        uint64_t entry = from->entry[i];

        from->entry[i] = 0;
        if (entry >> bit & 1)
            to->entry[go++] = entry;
        else
            from->entry[stay++] = entry;
    }
}

static void
grow(struct known *k)
{
    for (unsigned i = 0; i < PART && k->parted < k->lines_n; i++, k->parted++)
        part(&k->lines[k->parted], &k->lines[k->parted + k->lines_n],
             PRIORITY_BITS + k->bit);
    if (k->parted < k->lines_n)
        return;
    k->lines_n *= 2;
    k->parted = 0;
    k->bit++;
    k->growing = false;
}

static void
count_one(struct known *k)
{
    k->used++;
    if (k->used > k->lines_n * GROW_AT && k->lines_n < k->lines_max)
        k->growing = true;
    if (k->growing)
        grow(k);
}

/* ---- asking and telling ---- */

void
known_prefetch(const struct known *k, const struct row_seen_key *key)
{
    __builtin_prefetch(line_of(k, tag_of(key)));
}

uint16_t
known_get(struct known *k, const struct row_seen_key *key)
{
    uint64_t tag = tag_of(key), entry;
    struct cache_line *l = line_of(k, tag);
    unsigned i = find(l, print_of(tag));

    k->asked++;
    if (i == LINE)
        return KNOWN_NOT;
    k->found++;
    entry = l->entry[i];
    if (i > 0) {
        l->entry[i] = l->entry[i - 1];
        l->entry[i - 1] = entry;
    }
    return (uint16_t)(entry & PRIORITY_MASK);
}

void
known_set(struct known *k, const struct row_seen_key *key, uint16_t priority)
{
    uint64_t tag = tag_of(key), entry = print_of(tag) | priority;
    struct cache_line *l = line_of(k, tag);
    unsigned i = find(l, print_of(tag));

    if (i < LINE && l->entry[i] == entry)
        return;
    if (k->told_n < TOLD_MAX)
        k->told[k->told_n++] = tag;
    else
        k->told_all = true;
    if (i == LINE && (i = find(l, 0)) == LINE) {
        l->entry[LINE - 1] = entry;
        return;
    }
    if (l->entry[i] != 0) {
        l->entry[i] = entry;
        return;
    }
    l->entry[i] = entry;
    count_one(k);
}

/* ---- transactions ---- */

static void
forget(struct known *k, uint64_t tag)
{
    struct cache_line *l = line_of(k, tag);
    unsigned i = find(l, print_of(tag));

    if (i == LINE)
        return;
    for (; i + 1 < LINE; i++)
        l->entry[i] = l->entry[i + 1];
    l->entry[LINE - 1] = 0;
    k->used--;
}

void
known_forget(struct known *k, const struct row_seen_key *key)
{
    forget(k, tag_of(key));
}

static void
forget_all(struct known *k)
{
    memset(k->lines, 0, (k->lines_n + k->parted) * sizeof *k->lines);
    k->used = 0;
}

void
known_commit(struct known *k)
{
    k->told_n = 0;
    k->told_all = false;
}

void
known_abort(struct known *k)
{
    if (k->told_all)
        forget_all(k);
    for (size_t i = 0; i < k->told_n && !k->told_all; i++)
        forget(k, k->told[i]);
    known_commit(k);
}

struct known_stat
known_stat(const struct known *k)
{
    return (struct known_stat){(k->lines_n + k->parted) * sizeof *k->lines,
                               k->asked, k->found};
}
