/* test_hashmap.c -- the hash table against an array that is searched. */
#include "base/hashmap.h"
#include "base/tag_table.h"

#include "base/hash.h"
#include "base/random.h"
#include "test.h"

#define KEYS 600u

struct entry {
    uint64_t key; /* 0: free */
    uint32_t value;
};

/* What the callbacks are given as `of`. */
struct owner {
    uint64_t places;    /* few of them: long runs, also over the end */
    uint32_t keep_from; /* smaller values may go */
    bool alike;         /* their hashes begin alike */
};

static uint64_t
spread(const struct owner *o, uint64_t key)
{
    if (o->alike)
        return hash_mix(key) >> 20;
    return o->places == 0 ? hash_mix(key)
                          : UINT64_MAX - (key % o->places << 56);
}

static bool
used(const void *slot)
{
    return ((const struct entry *)slot)->key != 0;
}

static bool
equal(const void *of, const void *slot, const void *key)
{
    (void)of;
    return ((const struct entry *)slot)->key == *(const uint64_t *)key;
}

static uint64_t
hash(const void *of, const void *slot)
{
    return spread(of, ((const struct entry *)slot)->key);
}

static bool
keep(const void *of, const void *slot)
{
    return ((const struct entry *)slot)->value >=
           ((const struct owner *)of)->keep_from;
}

static const struct hashmap_kind plain = {sizeof(struct entry), used, equal,
                                          hash, NULL};
static const struct hashmap_kind pruned = {sizeof(struct entry), used, equal,
                                           hash, keep};

static struct entry *
find(const struct hashmap *m, const struct owner *o, uint64_t key)
{
    return hashmap_find(m, &plain, o, spread(o, key), &key);
}

static void
put(struct hashmap *m, const struct hashmap_kind *k, const struct owner *o,
    uint64_t key, uint32_t value)
{
    struct entry *e = hashmap_put(m, k, o, spread(o, key), &key);

    *e = (struct entry){key, value};
}

/* Every key is found with its value, no other one is, and a walk meets each
 * once. */
static void
check_all(const struct hashmap *m, const struct owner *o,
          const uint32_t value[KEYS + 1])
{
    size_t n = 0, met = 0;

    for (uint64_t key = 1; key <= KEYS; key++) {
        const struct entry *e = find(m, o, key);

        n += value[key] != 0;
        CHECK(value[key] == 0 ? e->key == 0
                              : e->key == key && e->value == value[key]);
    }
    for (const struct entry *e = NULL;
         (e = hashmap_next(m, &plain, e)) != NULL;) {
        met++;
        CHECK(e->key >= 1 && e->key <= KEYS && value[e->key] == e->value);
    }
    CHECK(m->n == n && met == n);
    CHECK(2 * n <= hashmap_places(m));
}

static void
check_random(uint64_t places, struct arena *a)
{
    struct owner o = {.places = places};
    uint32_t value[KEYS + 1] = {0};
    struct random r = random_seed(places + 1);
    struct hashmap m;

    hashmap_init(&m, &plain, a, 3);
    if (places > 0)
        m.secret = 1; /* hashes near UINT64_MAX have the last places */
    for (uint32_t step = 1; step <= 6000; step++) {
        uint64_t key = 1 + random_below(&r, KEYS);

        if (random_below(&r, 3) > 0) {
            put(&m, &plain, &o, key, step);
            value[key] = step;
        } else if (value[key] != 0) {
            hashmap_remove(&m, &plain, &o, find(&m, &o, key));
            value[key] = 0;
        }
        if (step % 500 == 0)
            check_all(&m, &o, value);
    }
    hashmap_clear(&m, &plain);
    memset(value, 0, sizeof value);
    check_all(&m, &o, value);
    hashmap_free(&m);
}

static void
what_was_put_is_found_and_what_was_removed_is_not(void)
{
    struct arena *a = arena_new();

    check_random(0, NULL);
    check_random(0, a);
    arena_free(a);
}

static void
keys_of_one_place_stand_in_a_row_over_the_end(void)
{
    check_random(1, NULL);
    check_random(2, NULL);
    check_random(7, NULL);
}

static void
a_table_with_room_does_not_move(void)
{
    struct owner o = {0};
    struct hashmap m;
    const void *slots;

    hashmap_init(&m, &plain, NULL, 1000);
    slots = m.slots;
    for (uint32_t key = 1; key <= 1000; key++)
        put(&m, &plain, &o, key, key);
    CHECK(m.slots == slots);
    hashmap_free(&m);
    CHECK(m.slots == NULL);
    hashmap_free(&m);
}

static void
a_table_may_lie_in_memory_of_the_caller(void)
{
    static const struct hashmap_kind fixed = {sizeof(struct entry), used, equal,
                                              NULL, NULL};
    struct entry slots[32] = {{0}};
    struct owner o = {0};
    uint32_t value[KEYS + 1] = {0};
    struct hashmap m;

    hashmap_use(&m, &fixed, slots, 32);
    for (uint32_t key = 1; key <= 16; key++)
        put(&m, &fixed, &o, key, value[key] = key);
    CHECK(m.slots == slots);
    check_all(&m, &o, value);
}

/* Of steps from the places of all keys to where they are, a few each. */
static void
hashes_that_begin_alike_have_places_of_their_own(void)
{
    const struct owner o = {.alike = true};
    struct hashmap m;
    size_t steps = 0;

    hashmap_init(&m, &plain, NULL, KEYS);
    for (uint32_t key = 1; key <= KEYS; key++)
        put(&m, &plain, &o, key, key);
    for (const struct entry *e = NULL;
         (e = hashmap_next(&m, &plain, e)) != NULL;)
        steps += ((size_t)(e - (struct entry *)m.slots) -
                  hashmap_place(&m, hash(&o, e))) &
                 m.mask;
    CHECK(steps < (size_t)KEYS * 8);
    hashmap_free(&m);
}

/* Keys that differ in bits 20 to 24 only share place and tag. */
static void
a_table_of_tags_finds_the_first_of_its_tag(void)
{
    struct arena *a = arena_new();
    struct tag_table made, read;
    size_t at[12];
    bool found;

    tag_table_make(&made, a, 4);
    for (uint64_t i = 0; i < 12; i++)
        at[i] = tag_table_add(&made, UINT64_C(15) << 60 | i / 2 << 20 | i % 2);
    CHECK(at[0] == 15 && at[1] == 0 && at[11] == 10); /* round its end */
    CHECK(tag_table_read(&read, a, made.slots.slots, 4));
    CHECK(tag_table_find(&read, UINT64_C(15) << 60, &found) == at[0] && found);
    CHECK(tag_table_find(&read, UINT64_C(15) << 60 | 1, &found) == at[0] &&
          found); /* 1 for 0 */
    CHECK(tag_table_find(&read, UINT64_C(3) << 60 | 1, &found) == at[4] &&
          found);
    tag_table_find(&read, UINT64_C(12) << 60 | 7, &found);
    CHECK(!found);
    while (made.slots.n < 16)
        tag_table_add(&made, 7);
    CHECK(!tag_table_read(&read, a, made.slots.slots, 4)); /* none is free */
    arena_free(a);
}

static void
a_table_made_anew_is_without_what_may_go(void)
{
    struct owner o = {0};
    struct hashmap m;
    uint32_t value[KEYS + 1] = {0};
    size_t places;

    hashmap_init(&m, &pruned, NULL, 8);
    for (uint32_t key = 1; key <= KEYS; key++)
        put(&m, &pruned, &o, key, value[key] = key);
    check_all(&m, &o, value);
    places = hashmap_places(&m);
    o.keep_from = KEYS - 9;
    hashmap_rebuild(&m, &pruned, &o);
    memset(value, 0, (KEYS - 9) * sizeof *value);
    check_all(&m, &o, value);
    CHECK(m.n == 10 && hashmap_places(&m) < places / 8);
    o.keep_from = UINT32_MAX;
    hashmap_rebuild(&m, &pruned, &o);
    CHECK(m.n == 0 && hashmap_next(&m, &pruned, NULL) == NULL);
    hashmap_free(&m);
}

/* The old ones go as the table would grow, so it does not. */
static void
a_table_that_forgets_stays_as_large_as_what_it_keeps(void)
{
    struct owner o = {0};
    struct hashmap m;

    hashmap_init(&m, &pruned, NULL, 32);
    for (uint32_t key = 1; key <= 100000; key++) {
        o.keep_from = key < 20 ? 0 : key - 20;
        put(&m, &pruned, &o, key, key);
    }
    CHECK(hashmap_places(&m) <= 128);
    for (uint32_t key = 100000 - 19; key <= 100000; key++)
        CHECK(find(&m, &o, key)->value == key);
    hashmap_free(&m);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(what_was_put_is_found_and_what_was_removed_is_not),
        TEST(keys_of_one_place_stand_in_a_row_over_the_end),
        TEST(a_table_with_room_does_not_move),
        TEST(a_table_may_lie_in_memory_of_the_caller),
        TEST(hashes_that_begin_alike_have_places_of_their_own),
        TEST(a_table_of_tags_finds_the_first_of_its_tag),
        TEST(a_table_made_anew_is_without_what_may_go),
        TEST(a_table_that_forgets_stays_as_large_as_what_it_keeps),
        {0},
    };

    return test_main(table, argc, argv);
}
