/* tags.c -- see tags.h.
 *
 * Open addressing with linear probing, in PARTS tables chosen by the upper bits
 * of the key.  An entry is the 32 bits behind those, the tag, and a place; 0 is
 * free.  Entries of a table stand in the order of their tags, each at or behind
 * its home (tag * size / 2^32), so a look-up ends at the first larger tag, also
 * in a table that is FULL_PER_MILLE full, and a larger table is made of one in
 * a single pass over both.  A few places behind the last home (`spill`) take
 * what would run over the end.
 *
 * Tables grow by a sixth, in turn, as entries come: the first sizes of two that
 * stand beside each other differ by a thousandth of that.  So what an addition
 * costs at most is one pass over one table, no two are due together, and each
 * has room where those before it have been.  One that fills up before its turn
 * grows at once. */
#include "tags.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tags_memory.h"

enum {
    PARTS_BITS = 10,
    PARTS = TAGS_PARTS,
    SIZE_MIN = 32,
    TURN_PER_MILLE = 900,
    FULL_PER_MILLE = 940
};

static const double growth = 1.16; /* from a size to the next */

_Static_assert(PARTS == 1 << PARTS_BITS, "the upper bits of a key tell");

struct part {
    uint64_t *entry;
    uint32_t size, room, n; /* homes; with the spill; used */
};

struct tags {
    struct part part[PARTS];
    uint64_t entries;
    size_t turn;      /* the table that grows next ... */
    uint64_t due;     /* ... when there are so many entries */
    double turn_size; /* the size after which the first table grows */
    struct tags_memory memory;
};

static size_t
part_of(uint64_t key)
{
    return (size_t)(key >> (64 - PARTS_BITS));
}

static uint32_t
tag_of(uint64_t key)
{
    return (uint32_t)(key >> (32 - PARTS_BITS));
}

static uint32_t
home(const struct part *p, uint32_t tag)
{
    return (uint32_t)((uint64_t)tag * p->size >> 32);
}

static uint32_t
entry_tag(uint64_t entry)
{
    return (uint32_t)(entry >> 32);
}

/* ---- memory ---- */

static void
give_back(struct tags *t, const struct part *p)
{
    tags_memory_give(&t->memory, p->entry, p->room * sizeof *p->entry);
}

/* An empty table for `size` homes. */
static enum status
make_part(struct tags *t, struct part *p, uint32_t size)
{
    *p = (struct part){.size = size, .room = size + 16 + size / 128};
    p->entry = tags_memory_take(&t->memory, p->room * sizeof *p->entry);
    return p->entry != NULL ? ST_OK : ST_NOMEM;
}

/* Behind all entries that are not larger.  False: it would run over the end. */
static bool
append(struct part *p, uint32_t *at, uint64_t entry)
{
    uint32_t from = home(p, entry_tag(entry));

    if (from > *at)
        *at = from;
    if (*at + 1 >= p->room)
        return false;
    p->entry[(*at)++] = entry;
    return true;
}

/* What all sizes of part i are of those of the first. */
static double
share_of(size_t i)
{
    return 1 + (growth - 1) * (double)i / (double)PARTS;
}

/* The smallest of part i's sizes that n entries fill by `per_mille` or less. */
static uint64_t
size_for(size_t i, uint64_t n, unsigned per_mille)
{
    double size = (double)SIZE_MIN * share_of(i);

    while (floor(size) * per_mille < (double)n * 1000)
        size *= growth;
    return (uint64_t)size;
}

static enum status
grow(struct tags *t, struct part *p)
{
    size_t i = (size_t)(p - t->part);
    uint64_t size = p->size;

    for (;;) {
        struct part larger;
        uint32_t at = 0;
        bool fits = true;

        size = size_for(i, size + 1, 1000);
        if (size > UINT32_MAX / 2 ||
            make_part(t, &larger, (uint32_t)size) != ST_OK)
            return ST_NOMEM;
        for (uint32_t k = 0; k < p->room && fits; k++)
            fits = p->entry[k] == 0 || append(&larger, &at, p->entry[k]);
        larger.n = p->n;
        if (fits) {
            give_back(t, p);
            *p = larger;
            return ST_OK;
        }
        give_back(t, &larger);
    }
}

/* The next turn, or the first one. */
static void
set_turn(struct tags *t, size_t turn)
{
    t->turn = turn % PARTS;
    if (turn == PARTS)
        t->turn_size *= growth;
    t->due = (uint64_t)(t->turn_size * share_of(t->turn)) * PARTS *
             TURN_PER_MILLE / 1000;
}

/* The table whose turn it is; those that have grown before are passed over. */
static enum status
grow_in_turn(struct tags *t)
{
    while (t->entries >= t->due) {
        struct part *p = &t->part[t->turn];
        bool grows = p->size <= (uint64_t)(t->turn_size * share_of(t->turn));

        if (grows && grow(t, p) != ST_OK)
            return ST_NOMEM;
        set_turn(t, t->turn + 1);
        if (grows)
            break;
    }
    return ST_OK;
}

enum status
tags_open(struct tags **out, uint64_t entries)
{
    struct tags *t = calloc(1, sizeof *t);

    *out = t;
    if (t == NULL)
        return ST_NOMEM;
    t->turn_size = SIZE_MIN;
    set_turn(t, 0);
    for (size_t i = 0; i < PARTS; i++) {
        uint64_t size = size_for(i, entries / PARTS, TURN_PER_MILLE);

        if (size > UINT32_MAX / 2 ||
            make_part(t, &t->part[i], (uint32_t)size) != ST_OK) {
            tags_close(t);
            *out = NULL;
            return ST_NOMEM;
        }
    }
    return ST_OK;
}

void
tags_close(struct tags *t)
{
    if (t == NULL)
        return;
    tags_memory_close(&t->memory);
    free(t);
}

/* ---- entries ---- */

void
tags_prefetch(const struct tags *t, uint64_t key)
{
    const struct part *p = &t->part[part_of(key)];

    __builtin_prefetch(&p->entry[home(p, tag_of(key))]);
}

/* The first entry whose tag is not smaller, or a free one before that. */
static uint32_t
seek(const struct part *p, uint32_t tag)
{
    uint32_t i = home(p, tag);

    while (p->entry[i] != 0 && entry_tag(p->entry[i]) < tag)
        i++;
    return i;
}

size_t
tags_find(const struct tags *t, uint64_t key, uint32_t *out, size_t max)
{
    const struct part *p = &t->part[part_of(key)];
    uint32_t tag = tag_of(key);
    size_t n = 0;

    for (uint32_t i = seek(p, tag);
         p->entry[i] != 0 && entry_tag(p->entry[i]) == tag && n < max; i++)
        out[n++] = (uint32_t)p->entry[i];
    return n;
}

enum status
tags_add(struct tags *t, uint64_t key, uint32_t place)
{
    struct part *p = &t->part[part_of(key)];
    uint32_t tag = tag_of(key), i, end;

    if (grow_in_turn(t) != ST_OK ||
        ((uint64_t)(p->n + 1) * 1000 > (uint64_t)p->size * FULL_PER_MILLE &&
         grow(t, p) != ST_OK))
        return ST_NOMEM;
    for (;;) {
        for (i = seek(p, tag);
             p->entry[i] != 0 && entry_tag(p->entry[i]) == tag;)
            i++;
        for (end = i; p->entry[end] != 0;)
            end++;
        if (end + 1 < p->room) /* the last one stays free, as an end */
            break;
        if (grow(t, p) != ST_OK)
            return ST_NOMEM;
    }
    memmove(&p->entry[i + 1], &p->entry[i], (end - i) * sizeof *p->entry);
    p->entry[i] = (uint64_t)tag << 32 | place;
    p->n++;
    t->entries++;
    return ST_OK;
}

void
tags_remove(struct tags *t, uint64_t key, uint32_t place)
{
    struct part *p = &t->part[part_of(key)];
    uint64_t entry = (uint64_t)tag_of(key) << 32 | place;
    uint32_t i = seek(p, tag_of(key)), next;

    while (p->entry[i] != entry) {
        if (p->entry[i] == 0 || entry_tag(p->entry[i]) != tag_of(key))
            return;
        i++;
    }
    for (next = i + 1;
         p->entry[next] != 0 && home(p, entry_tag(p->entry[next])) < next;
         next++)
        p->entry[next - 1] = p->entry[next];
    p->entry[next - 1] = 0;
    p->n--;
    t->entries--;
}

/* ---- parts ---- */

size_t
tags_part_of(uint64_t key)
{
    return part_of(key);
}

size_t
tags_part_n(const struct tags *t, size_t part)
{
    return t->part[part].n;
}

void
tags_part_copy(const struct tags *t, size_t part, uint64_t *entry)
{
    const struct part *p = &t->part[part];
    size_t n = 0;

    for (uint32_t i = 0; n < p->n; i++)
        if (p->entry[i] != 0)
            entry[n++] = p->entry[i];
}

/* False: they do not fit. */
static bool
append_all(struct part *p, const uint64_t *entry, size_t n)
{
    uint32_t at = 0;

    for (size_t i = 0; i < n; i++)
        if (!append(p, &at, entry[i]))
            return false;
    p->n = (uint32_t)n;
    return true;
}

enum status
tags_part_fill(struct tags *t, size_t part, const uint64_t *entry, size_t n)
{
    uint64_t size = size_for(part, n, TURN_PER_MILLE);
    struct part p;

    for (size_t i = 0; i < n; i++)
        if ((uint32_t)entry[i] == 0 ||
            (i > 0 && entry_tag(entry[i]) < entry_tag(entry[i - 1])))
            return ST_STORE;
    for (;; size = size_for(part, size + 1, 1000)) {
        if (size > UINT32_MAX / 2 || make_part(t, &p, (uint32_t)size) != ST_OK)
            return ST_NOMEM;
        if (append_all(&p, entry, n))
            break;
        give_back(t, &p);
    }
    t->entries += p.n - t->part[part].n;
    give_back(t, &t->part[part]);
    t->part[part] = p;
    return ST_OK;
}

uint64_t
tags_entries(const struct tags *t)
{
    return t->entries;
}

uint64_t
tags_bytes(const struct tags *t)
{
    return t->memory.top + sizeof *t;
}
