/* generation.c -- see generation.h. */
#include "generation.h"

#include <stdlib.h>

#include "winnow/memory.h"

enum status
generation_new(struct generation **out, const char *path, uint64_t number,
               uint64_t end, bool read_only)
{
    struct generation *g = calloc(1, sizeof *g);
    enum status st;

    *out = NULL;
    if (g == NULL)
        return ST_NOMEM;
    st = journal_open(&g->journal, path, end, read_only);
    if (st != ST_OK) {
        free(g);
        return st;
    }
    g->number = number;
    g->end = journal_end(g->journal);
    *out = g;
    return ST_OK;
}

void
generation_free(struct generation *g)
{
    if (g == NULL)
        return;
    for (size_t i = 0; i < GENERATION_BUCKETS; i++)
        free(g->bucket[i].entry);
    journal_close(g->journal);
    free(g);
}

size_t
generation_bucket(const struct row_seen_key *key)
{
    return ((size_t)key->bytes[0] << 8 | key->bytes[1]) * GENERATION_BUCKETS >>
           16;
}

void
generation_push(struct generation *g, const struct row_seen_key *key,
                uint64_t at)
{
    struct generation_bucket *b = &g->bucket[generation_bucket(key)];

    if (b->n == b->cap) {
        b->cap = b->cap ? 2 * b->cap : 16;
        b->entry = memory_need(realloc(b->entry, b->cap * sizeof *b->entry));
    }
    b->entry[b->n++] = (struct generation_entry){*key, at};
    g->left++;
}

static int
by_key(const void *x, const void *y)
{
    const struct generation_entry *a = x, *b = y;
    int c = memcmp(a->key.bytes, b->key.bytes, sizeof a->key.bytes);

    return c != 0 ? c : (a->at > b->at) - (a->at < b->at);
}

void
generation_sort(struct generation_bucket *b)
{
    if (b->n > 1)
        qsort(b->entry, b->n, sizeof *b->entry, by_key);
}

void
generation_cut(struct generation *g)
{
    for (size_t i = 0; i < GENERATION_BUCKETS; i++) {
        struct generation_bucket *b = &g->bucket[i];

        while (b->n > 0 && b->entry[b->n - 1].at >= g->end) {
            b->n--;
            g->left--;
        }
    }
    journal_cut(g->journal, g->end);
}
