/* rank.c -- which of two documents is the better one, as a number.
 *
 * Larger first; of equal sizes the smaller id.  A document that is there twice
 * (the same id in several files) has one rank, as large as its largest.  Needs
 * some 40 bytes of memory a document, all of which are sorted at once. */
#include <stdlib.h>

#include "base/big_endian.h"
#include "base/hash.h"
#include "corpus/sort/large.h"
#include "corpus/sort/radix.h"
#include "tender_inside.h"

#define SAME_SIZE 12 /* be64 hash of the id | be32 number */
#define RANK_SIZE 20 /* be64 ~size | 8 bytes of the id | be32 number */

struct ranking {
    struct tender *t;
    const struct stored_document *document; /* mapped */
    size_t n;
    uint32_t *first; /* by number: the document it is the same as */
};

/* Of two that are called the same the larger one counts. */
static uint32_t
better_of(const struct ranking *r, uint32_t a, uint32_t b)
{
    const struct stored_document *x = &r->document[a], *y = &r->document[b];

    if (x->size != y->size)
        return x->size > y->size ? a : b;
    return a < b ? a : b;
}

/* Fill r->first; how many different ones there are. */
static size_t
unite(struct ranking *r)
{
    unsigned char *records = large_need(r->n * SAME_SIZE);
    unsigned char *room = large_need(r->n * SAME_SIZE), *p;
    size_t different = 0;

    for (size_t i = 0; i < r->n; i++) {
        be64_put(records + i * SAME_SIZE,
                 hash64_seed(str_n(r->document[i].id, ID_SIZE), 1));
        be32_put(records + i * SAME_SIZE + 8, (uint32_t)i);
    }
    p = radix_sort(records, room, r->n, SAME_SIZE, 8);
    for (size_t i = 0, end; i < r->n; i = end) {
        uint32_t best = be32_get(p + i * SAME_SIZE + 8);

        for (end = i + 1; end < r->n && memcmp(p + i * SAME_SIZE,
                                               p + end * SAME_SIZE, 8) == 0;
             end++)
            best = better_of(r, best, be32_get(p + end * SAME_SIZE + 8));
        for (size_t k = i; k < end; k++)
            r->first[be32_get(p + k * SAME_SIZE + 8)] = best;
        different++;
    }
    free(records);
    free(room);
    return different;
}

static int
by_id(const void *a, const void *b, void *of)
{
    const struct stored_document *document = of;
    const unsigned char *x = a, *y = b;

    return memcmp(document[be32_get(x + 16)].id, document[be32_get(y + 16)].id,
                  ID_SIZE);
}

/* Those of equal size and beginning of the id, by all of the id.  They may be
 * all there are: ids that are counted begin with zeros. */
static void
sort_equal(const struct ranking *r, unsigned char *p, size_t n)
{
    if (n > 1)
        qsort_r(p, n, RANK_SIZE, by_id, (void *)(uintptr_t)r->document);
}

/* The documents by rank, in memory of the caller's. */
static void
order(const struct ranking *r, uint32_t *out, size_t different)
{
    unsigned char *records = large_need(different * RANK_SIZE);
    unsigned char *room = large_need(different * RANK_SIZE), *p;
    size_t n = 0;

    for (size_t i = 0; i < r->n; i++) {
        if (r->first[i] != i)
            continue;
        be64_put(records + n * RANK_SIZE, ~r->document[i].size);
        memcpy(records + n * RANK_SIZE + 8, r->document[i].id, 8);
        be32_put(records + n * RANK_SIZE + 16, (uint32_t)i);
        n++;
    }
    p = radix_sort(records, room, n, RANK_SIZE, 16);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && memcmp(p + i * RANK_SIZE,
                                            p + end * RANK_SIZE, 16) == 0;)
            end++;
        sort_equal(r, p + i * RANK_SIZE, end - i);
    }
    for (size_t i = 0; i < n; i++)
        out[i] = be32_get(p + i * RANK_SIZE + 16);
    free(records);
    free(room);
}

static enum status
rank_all(struct ranking *r)
{
    uint32_t *ranked = large_need(r->n * sizeof *ranked);
    uint32_t *rank = large_need(r->n * sizeof *rank);
    size_t different;
    enum status st;

    r->first = large_need(r->n * sizeof *r->first);
    different = unite(r);
    order(r, ranked, different);
    for (size_t i = 0; i < different; i++)
        rank[ranked[i]] = (uint32_t)i;
    for (size_t i = 0; i < r->n; i++)
        rank[i] = rank[r->first[i]];
    r->t->facts.ranks_n = (uint32_t)different;
    st = tender_numbers_write(r->t, "order", ranked, different);
    if (st == ST_OK)
        st = tender_numbers_write(r->t, "ranks", rank, r->n);
    free(ranked);
    free(rank);
    free(r->first);
    return st;
}

enum status
tender_rank(struct tender *t)
{
    struct stored_documents documents;
    struct ranking r = {.t = t, .n = t->facts.documents_n};
    enum status st = stored_documents_open(&documents, t, STORED_IN_ORDER);

    if (st != ST_OK)
        return st;
    r.document = documents.at;
    st = rank_all(&r);
    stored_documents_close(&documents);
    return st;
}
