/* payloads.c -- see payloads.h: a ring, and two tables of numbers in it.
 *
 * Bounds: PAYLOADS_MAX captures, some 300 bytes each with their URLs. */
#include "payloads.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/hashmap.h"
#include "base/memory.h"

struct page_payload {
    struct payload has;
    char *page; /* its URL; that of `has` is another's where that has it */
};

struct payloads {
    struct page_payload *ring;
    size_t n; /* that were ever added */
    struct hashmap by_digest, by_url;
};

struct payload_key {
    const char *digest;
    uint64_t type;
};

static const struct page_payload *
at(const void *of, const void *slot)
{
    const struct payloads *p = of;

    return &p->ring[*(const uint32_t *)slot - 1];
}

static uint64_t
digest_hash(const char *digest, uint64_t type)
{
    return hash_mix(hash64(str_c(digest)) ^ type);
}

static uint64_t
hash_of_digest(const void *of, const void *slot)
{
    return digest_hash(at(of, slot)->has.digest, at(of, slot)->has.type);
}

static uint64_t
hash_of_url(const void *of, const void *slot)
{
    return hash_mix(hash64(str_c(at(of, slot)->page)));
}

static bool
equal_digest(const void *of, const void *slot, const void *key)
{
    const struct payload_key *k = key;

    return at(of, slot)->has.type == k->type &&
           strcmp(at(of, slot)->has.digest, k->digest) == 0;
}

static bool
equal_url(const void *of, const void *slot, const void *key)
{
    return str_eq(str_c(at(of, slot)->page), *(const struct str *)key);
}

static const struct hashmap_kind digests = {sizeof(uint32_t), hashmap_numbered,
                                            equal_digest, hash_of_digest, NULL};
static const struct hashmap_kind urls = {sizeof(uint32_t), hashmap_numbered,
                                         equal_url, hash_of_url, NULL};

struct payloads *
payloads_new(void)
{
    struct payloads *p = calloc(1, sizeof *p);

    if (p == NULL ||
        (p->ring = calloc(PAYLOADS_MAX, sizeof *p->ring)) == NULL) {
        free(p);
        return NULL;
    }
    hashmap_init(&p->by_digest, &digests, NULL, 1024);
    hashmap_init(&p->by_url, &urls, NULL, 1024);
    return p;
}

static void
drop(struct page_payload *c)
{
    free(c->page);
    free(c->has.url);
}

void
payloads_free(struct payloads *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; i < PAYLOADS_MAX; i++)
        drop(&p->ring[i]);
    free(p->ring);
    hashmap_free(&p->by_digest);
    hashmap_free(&p->by_url);
    free(p);
}

static uint32_t *
slot_of_digest(const struct payloads *p, const char *digest, uint64_t type)
{
    const struct payload_key key = {digest, type};

    return hashmap_find(&p->by_digest, &digests, p, digest_hash(digest, type),
                        &key);
}

static uint32_t *
slot_of_url(const struct payloads *p, struct str url)
{
    return hashmap_find(&p->by_url, &urls, p, hash_mix(hash64(url)), &url);
}

/* The oldest goes, where a table still names it. */
static void
forget(struct payloads *p, uint32_t number)
{
    struct page_payload *old = &p->ring[number - 1];
    uint32_t *slot;

    slot = slot_of_digest(p, old->has.digest, old->has.type);
    if (*slot == number)
        hashmap_remove(&p->by_digest, &digests, p, slot);
    slot = slot_of_url(p, str_c(old->page));
    if (*slot == number)
        hashmap_remove(&p->by_url, &urls, p, slot);
    drop(old);
}

void
payloads_add(struct payloads *p, struct str page, const struct payload *capture)
{
    uint32_t number = (uint32_t)(p->n % PAYLOADS_MAX) + 1, *slot;
    struct payload_key key = {capture->digest, capture->type};
    struct page_payload c = {.has = *capture};

    c.has.url = memory_need(strdup(capture->url)); /* the oldest's, maybe */
    c.page = memory_need(strndup(page.p, page.n));
    if (p->n++ >= PAYLOADS_MAX)
        forget(p, number);
    p->ring[number - 1] = c;
    slot = hashmap_put(&p->by_digest, &digests, p,
                       digest_hash(key.digest, key.type), &key);
    if (*slot == 0)
        *slot = number;
    *(uint32_t *)hashmap_put(&p->by_url, &urls, p, hash_mix(hash64(page)),
                             &page) = number;
}

const struct payload *
payloads_same(const struct payloads *p, const char *digest, uint64_t type)
{
    const uint32_t *slot = slot_of_digest(p, digest, type);

    return *slot == 0 ? NULL : &p->ring[*slot - 1].has;
}

const struct payload *
payloads_of(const struct payloads *p, struct str url)
{
    const uint32_t *slot = slot_of_url(p, url);

    return *slot == 0 ? NULL : &p->ring[*slot - 1].has;
}
