/* features_sum.c -- see features_sum.h.
 *
 * One pass over the blocks.  Sums per container are arrays indexed by its id;
 * those per hash (tag path, class words, text) use a small open hash table,
 * which also gives each value an id. */
#include "features_sum.h"

#include "base/hash.h"
#include "base/hashmap.h"

#define FEATURE_RECORDS 3u /* so many of a kind are records */

enum language
features_language(const struct document *d)
{
    uint64_t sum[LANGUAGE_N] = {0};
    unsigned best = 0;

    for (uint32_t i = 0; i < d->blocks_n; i++)
        for (unsigned l = 0; l < LANGUAGE_N; l++)
            sum[l] += d->blocks[i].counts->stop[l];
    for (unsigned l = 1; l < LANGUAGE_N; l++)
        if (sum[l] > sum[best])
            best = l;
    return (enum language)best;
}

struct group_table {
    struct hashmap index; /* of keys: numbers of groups, from 1 */
    uint64_t *key;        /* of each group */
    struct feature_group *group;
    uint32_t n;
};

static bool
is_key(const void *groups, const void *number, const void *key)
{
    const struct group_table *t = groups;

    return t->key[*(const uint32_t *)number] == *(const uint64_t *)key;
}

static const struct hashmap_kind index_kind = {
    sizeof(uint32_t), hashmap_numbered, is_key, NULL, NULL};

static struct group_table
group_table(struct arena *a, uint32_t blocks_n)
{
    struct group_table t = {.n = 0};

    hashmap_init(&t.index, &index_kind, a, blocks_n);
    t.key = arena_raw(a, (blocks_n + 1) * sizeof *t.key);
    t.group = arena_raw(a, (blocks_n + 1) * sizeof *t.group);
    t.group[0] = (struct feature_group){.blocks = 0};
    return t;
}

/* The id of a key, counted from 1. */
static inline uint32_t
group_of(struct group_table *t, uint64_t key)
{
    uint32_t *number = hashmap_put(&t->index, &index_kind, t, key, &key);

    if (*number == 0) {
        *number = ++t->n;
        t->key[t->n] = key;
        t->group[t->n] = (struct feature_group){.blocks = 0};
    }
    return *number;
}

static void
group_add(struct feature_group *g, const struct block_counts *c, float share)
{
    g->blocks++;
    g->words += c->words;
    g->link_words += share * (float)c->words;
    g->long_words += c->words >= FEATURE_LONG_WORDS ? c->words : 0;
}

/* Which containers are of a kind and side by side. */
static void
find_records(struct feature_sums *x)
{
    const struct page_counts *page = x->d->page_counts;
    struct arena *a = x->d->arena;
    struct group_table t = group_table(a, page->containers_n);

    x->records = ARENA_ARRAY(a, struct feature_records, page->containers_n + 1);
    x->records_of = ARENA_ARRAY(a, uint32_t, page->containers_n);
    x->rank = ARENA_ARRAY(a, uint32_t, page->containers_n);
    for (uint32_t i = 1; i < page->containers_n; i++) {
        const struct container *c = &page->containers[i];
        uint32_t id = group_of(&t, hash_mix(c->kind * 31 + c->parent));

        x->records_of[i] = id;
        x->rank[i] = ++x->records[id].members;
    }
    x->records_n = t.n + 1;
}

/* The records that block c is part of: of the outermost elements round it that
 * are three or more of a kind.  Of each level the sums are kept, too. */
static uint32_t
sum_records(struct feature_sums *x, const struct block_counts *c)
{
    uint32_t outer = 0;

    for (int k = 0; k < BLOCK_PARENTS; k++) {
        uint32_t id = x->records_of[c->parent[k]];

        if (id == 0)
            continue;
        x->records[id].words += c->words;
        x->records[id].dates += (c->flags & (BLOCK_DATE | BLOCK_TIME)) != 0;
        if (k > 0 && x->records[id].members >= FEATURE_RECORDS)
            outer = id;
    }
    return outer;
}

static void
sum_block(struct feature_sums *x, uint32_t i)
{
    const struct block_counts *c = x->d->blocks[i].counts;
    float share =
        c->link_bytes < c->bytes ? (float)c->link_bytes / (float)c->bytes : 1;

    x->link_share[i] = share;
    x->words += c->words;
    x->bytes += c->bytes;
    x->link_words += (double)share * c->words;
    if (c->words >= FEATURE_LONG_WORDS) {
        x->long_words += c->words;
        x->long_n++;
        x->long_plain_n += share < 0.3f;
    }
    if (c->words > x->longest)
        x->longest = c->words;
    if (c->article != 0) {
        uint32_t *words = &x->article_words[c->article];

        *words += c->words;
        if (*words > x->article_most)
            x->article_most = *words;
    }
    for (int k = 0; k < BLOCK_PARENTS; k++)
        if (c->parent[k] != 0)
            group_add(&x->container[c->parent[k]], c, share);
}

static void
sum_page(struct feature_sums *x)
{
    struct arena *a = x->d->arena;
    struct group_table path = group_table(a, x->n),
                       shape = group_table(a, x->n),
                       text = group_table(a, x->n);

    uint32_t heading = 0;

    find_records(x);
    x->place = arena_raw(a, x->n * sizeof *x->place);
    x->same_text = arena_raw(a, x->n * sizeof *x->same_text);
    for (uint32_t i = 0; i < x->n; i++) {
        const struct block_counts *c = x->d->blocks[i].counts;
        struct features_place *place = &x->place[i];

        sum_block(x, i);
        memcpy(place->group, c->parent, sizeof c->parent);
        place->group[FEATURES_PATH] = group_of(&path, c->path);
        place->group[FEATURES_SHAPE] = group_of(&shape, c->shape);
        place->group[FEATURES_RECORDS] = sum_records(x, c);
        place->group[FEATURES_SECTION] = x->sections_n;
        place->words = c->words;
        place->heading = heading;
        if (c->tag >= TAG_H1 && c->tag <= TAG_H6) {
            heading = i + 1;
            place->group[FEATURES_SECTION] = ++x->sections_n;
        }
        group_add(&path.group[place->group[FEATURES_PATH]], c,
                  x->link_share[i]);
        group_add(&shape.group[place->group[FEATURES_SHAPE]], c,
                  x->link_share[i]);
        x->same_text[i] = group_of(&text, c->text);
        text.group[x->same_text[i]].blocks++;
    }
    for (uint32_t i = 0; i < x->n; i++)
        x->same_text[i] = text.group[x->same_text[i]].blocks;
    x->path = path.group;
    x->shape = shape.group;
    x->paths_n = path.n + 1;
    x->shapes_n = shape.n + 1;
    x->sections_n++;
}

void
feature_sums(struct feature_sums *x, const struct document *d)
{
    struct arena *a = d->arena;
    uint32_t containers = d->page_counts->containers_n;

    *x = (struct feature_sums){.d = d, .n = d->blocks_n};
    x->language = features_language(d);
    x->single = x->language == LANGUAGE_ZH || x->language == LANGUAGE_JA;
    x->container = ARENA_ARRAY(a, struct feature_group, containers);
    x->article_words = ARENA_ARRAY(a, uint32_t, containers);
    x->link_share = arena_raw(a, x->n * sizeof *x->link_share);
    sum_page(x);
    feature_dom_paths(x);
}
