/* dns_names.c -- see dns_names.h.  Chains in a table that doubles and never
 * shrinks: its size follows the bounds on waiting lookups and on the cache. */
#include "dns_names.h"

#include <assert.h>
#include <stdlib.h>

#define BUCKETS_FIRST 1024

enum status
names_init(struct names *t)
{
    t->n = 0;
    t->buckets_n = BUCKETS_FIRST;
    t->bucket = calloc(t->buckets_n, sizeof *t->bucket);
    return t->bucket == NULL ? ST_NOMEM : ST_OK;
}

void
names_fini(struct names *t)
{
    assert(t->n == 0);
    free(t->bucket);
}

void
name_list_add(struct name_list *l, struct name *e)
{
    e->prev = l->last;
    e->next = NULL;
    if (l->last != NULL)
        l->last->next = e;
    else
        l->first = e;
    l->last = e;
    l->n++;
}

void
name_list_remove(struct name_list *l, struct name *e)
{
    if (e->prev != NULL)
        e->prev->next = e->next;
    else
        l->first = e->next;
    if (e->next != NULL)
        e->next->prev = e->prev;
    else
        l->last = e->prev;
    l->n--;
}

static struct name **
bucket_of(const struct names *t, uint64_t hash)
{
    return &t->bucket[hash & (t->buckets_n - 1)];
}

struct name *
name_find(const struct names *t, struct str text, uint64_t hash)
{
    struct name *e = *bucket_of(t, hash);

    while (e != NULL &&
           !(e->hash == hash && str_eq(str_n(e->text, e->text_n), text)))
        e = e->bucket_next;
    return e;
}

/* Twice as many buckets; staying small is slow but no fault. */
static void
table_grow(struct names *t)
{
    size_t old_n = t->buckets_n;
    struct name **old = t->bucket, **larger;

    larger = calloc(old_n * 2, sizeof *larger);
    if (larger == NULL)
        return;
    t->bucket = larger;
    t->buckets_n = old_n * 2;
    for (size_t i = 0; i < old_n; i++) {
        while (old[i] != NULL) {
            struct name *e = old[i], **to = bucket_of(t, e->hash);

            old[i] = e->bucket_next;
            e->bucket_next = *to;
            *to = e;
        }
    }
    free(old);
}

struct name *
name_new(struct names *t, struct str text, uint64_t hash)
{
    struct name *e = calloc(1, sizeof *e + text.n + 1), **to;

    if (e == NULL)
        return NULL;
    if (t->n >= t->buckets_n)
        table_grow(t);
    e->hash = hash;
    e->waiters_end = &e->waiters;
    memcpy(e->text, text.p, text.n);
    e->text_n = text.n;
    to = bucket_of(t, hash);
    e->bucket_next = *to;
    *to = e;
    t->n++;
    return e;
}

void
name_free(struct names *t, struct name *e)
{
    struct name **at = bucket_of(t, e->hash);

    assert(e->waiters == NULL);
    while (*at != e)
        at = &(*at)->bucket_next;
    *at = e->bucket_next;
    t->n--;
    free(e->address);
    free(e);
}
