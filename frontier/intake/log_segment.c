/* log_segment.c -- see log_segment.h. */
#include "log_segment.h"

#include <stdlib.h>

#include "base/memory.h"

enum status
log_segment_new(struct log_segment **out, const char *path, uint64_t number,
                uint64_t end, bool read_only)
{
    struct log_segment *g = calloc(1, sizeof *g);
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
log_segment_free(struct log_segment *g)
{
    if (g == NULL)
        return;
    for (size_t i = 0; i < LOG_SEGMENT_BUCKETS; i++)
        free(g->bucket[i].entry);
    journal_close(g->journal);
    free(g);
}

size_t
log_segment_bucket(const struct row_seen_key *key)
{
    return ((size_t)key->bytes[0] << 8 | key->bytes[1]) * LOG_SEGMENT_BUCKETS >>
           16;
}

void
log_segment_push(struct log_segment *g, const struct row_seen_key *key,
                 uint64_t at)
{
    struct log_segment_bucket *b = &g->bucket[log_segment_bucket(key)];

    if (b->n == b->cap) {
        b->cap = b->cap ? 2 * b->cap : 16;
        b->entry = memory_need(realloc(b->entry, b->cap * sizeof *b->entry));
    }
    b->entry[b->n++] = (struct log_segment_entry){*key, at};
    g->left++;
}

static int
by_key(const void *x, const void *y)
{
    const struct log_segment_entry *a = x, *b = y;
    int c = memcmp(a->key.bytes, b->key.bytes, sizeof a->key.bytes);

    return c != 0 ? c : (a->at > b->at) - (a->at < b->at);
}

void
log_segment_sort(struct log_segment_bucket *b)
{
    if (b->n > 1)
        qsort(b->entry, b->n, sizeof *b->entry, by_key);
}

void
log_segment_cut(struct log_segment *g)
{
    for (size_t i = 0; i < LOG_SEGMENT_BUCKETS; i++) {
        struct log_segment_bucket *b = &g->bucket[i];

        while (b->n > 0 && b->entry[b->n - 1].at >= g->end) {
            b->n--;
            g->left--;
        }
    }
    journal_cut(g->journal, g->end);
}
