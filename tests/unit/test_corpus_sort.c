/* Sorting and spilling against qsort(), in memory of any size. */
#include "base/hash.h"
#include "base/big_endian.h"
#include "corpus/sort/radix.h"
#include "corpus/sort/sorted.h"
#include "folder.h"

#define N 30000 /* more than are sorted at once in the cache */
#define SPILLED 8000
#define SIZE 12

static unsigned char record[N][SIZE], room[N][SIZE], model[N][SIZE];

static int
by_key(const void *a, const void *b)
{
    return memcmp(a, b, SIZE);
}

static int
by_wide_key(const void *a, const void *b)
{
    return memcmp(a, b, 64);
}

/* Keys of which many are equal; behind them the number of the record. */
static void
fill(unsigned seed, unsigned keys_bits, size_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t key = hash_mix((uint64_t)seed << 32 | i) >> (64 - keys_bits);

        be64_put(record[i], hash_mix(key));
        be32_put(record[i] + 8, i);
    }
    memcpy(model, record, sizeof model);
    qsort(model, n, SIZE, by_key);
}

static void
records_are_sorted_by_their_first_bytes_and_stay_in_order(void)
{
    for (unsigned bits = 1; bits <= 31; bits += 6) {
        void *sorted;

        fill(bits, bits, N);
        sorted = radix_sort(record, room, N, SIZE, 8);
        CHECK(memcmp(sorted, model, sizeof model) == 0);
    }
    CHECK(radix_sort(record, room, 0, SIZE, 8) == (void *)record);
}

/* Keys as long as they are allowed to be, most of which begin the same. */
static void
long_keys_are_sorted_too(void)
{
    static unsigned char wide[3000][64], wide_room[3000][64], sorted[3000][64];

    for (uint32_t i = 0; i < 3000; i++) {
        memset(wide[i], 'a', 64);
        wide[i][i % 7] = (unsigned char)(hash_mix(i) >> 62);
        be32_put(wide[i] + 56, (uint32_t)hash_mix(i / 2) % 50);
        be32_put(wide[i] + 60, i);
    }
    memcpy(sorted, wide, sizeof sorted);
    qsort(sorted, 3000, 64, by_wide_key);
    CHECK(memcmp(radix_sort(wide, wide_room, 3000, 64, 60), sorted,
                 sizeof sorted) == 0);
}

struct gathered {
    size_t n, calls;
};

/* Runs arrive in the order of the keys. */
static enum status
gather(void *self, const void *records, size_t n)
{
    struct gathered *g = self;

    if (g->n + n > SPILLED)
        return ST_LIMIT;
    memcpy(room[g->n], records, n * SIZE);
    g->n += n;
    g->calls++;
    return ST_OK;
}

static struct spill *
spilled(unsigned bits, bool drop_behind)
{
    struct spill *s;
    struct spill_writer *a, *b;

    CHECK(spill_make(&s, in_folder("spill"), 1u << bits, SIZE, 512) == ST_OK);
    if (drop_behind)
        spill_drop_behind(s);
    a = spill_writer_new(s);
    b = spill_writer_new(s);
    for (size_t i = 0; i < SPILLED; i++)
        spill_put(i % 3 ? a : b, (unsigned)(be64_get(record[i]) >> (64 - bits)),
                  record[i]);
    spill_writer_end(b);
    spill_writer_end(a);
    CHECK(spill_finish(s) == ST_OK);
    spill_close(s);
    CHECK(spill_open(&s, in_folder("spill")) == ST_OK);
    if (drop_behind)
        spill_drop_behind(s);
    CHECK(spill_all_n(s) == SPILLED);
    return s;
}

static void
buckets_come_sorted_whatever_memory_there_is(void)
{
    static const size_t rooms[] = {SIZE * SPILLED, 5000, 100};

    for (unsigned keys = 1; keys <= 31; keys += 10)
        for (size_t r = 0; r < 3; r++) {
            struct sorted_room memory = {.bytes_max = rooms[r]};
            struct gathered g = {0};
            struct spill *s;

            fill(keys, keys, SPILLED);
            s = spilled(4, keys % 20 == 1);
            for (unsigned b = 0; b < 16; b++)
                CHECK(sorted_each(s, b, (uint64_t)b << 60, 60, &memory,
                                  in_folder("part"), gather, &g) == ST_OK);
            CHECK(g.n == SPILLED);
            for (size_t i = 0; i < SPILLED; i++) /* equal keys in any order */
                CHECK(memcmp(room[i], model[i], 8) == 0);
            qsort(room, SPILLED, SIZE, by_key);
            CHECK(memcmp(room, model, SPILLED * SIZE) == 0);
            sorted_room_free(&memory);
            spill_close(s);
        }
}

static void
what_was_not_finished_cannot_be_opened(void)
{
    struct spill *s;

    fill(1, 20, SPILLED);
    spill_close(spilled(2, false));
    CHECK(truncate(in_folder("spill"), 1000) == 0);
    CHECK(spill_open(&s, in_folder("spill")) == ST_NONE && s == NULL);
    CHECK(spill_make(&s, in_folder("half"), 4, SIZE, 512) == ST_OK);
    spill_close(s);
    CHECK(spill_open(&s, in_folder("half")) == ST_NONE);
    spill_remove(in_folder("spill"));
    CHECK(!folder_has("spill") && !folder_has("spill.index"));
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(records_are_sorted_by_their_first_bytes_and_stay_in_order),
        TEST(long_keys_are_sorted_too),
        TEST(buckets_come_sorted_whatever_memory_there_is),
        TEST(what_was_not_finished_cannot_be_opened),
        {0}};

    return folder_main(table, argc, argv);
}
