/* Aim: the table of tags gives back what was added and nothing that was
 * removed, in the memory that it promises.  Method: random additions and
 * removals beside plain arrays; pieces of memory that are filled, given back
 * and taken again. */
#include "../../shingle/store/tags.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../shingle/store/tags_ahead.h"
#include "../../shingle/store/tags_memory.h"
#include "base/hash.h"
#include "base/random.h"
#include "test.h"

/* Pieces are zeroed, do not overlap, and take up what others have left. */
static void
memory_of_tags_is_used_again(void)
{
    enum { PIECES = 64, STEPS_N = 4000, BYTES_MAX = 5000 };
    struct tags_memory m = {0};
    struct random r = random_seed(9);
    unsigned char *piece[PIECES] = {NULL};
    size_t bytes[PIECES];

    for (int step = 0; step < STEPS_N; step++) {
        size_t i = random_below(&r, PIECES), bad = 0;

        if (piece[i] == NULL) {
            bytes[i] = 1 + random_below(&r, BYTES_MAX);
            piece[i] = tags_memory_take(&m, bytes[i]);
            for (size_t k = 0; k < bytes[i]; k++)
                bad += piece[i][k] != 0;
            memset(piece[i], (int)i + 1, bytes[i]);
        } else {
            for (size_t k = 0; k < bytes[i]; k++)
                bad += piece[i][k] != i + 1;
            tags_memory_give(&m, piece[i], bytes[i]);
            piece[i] = NULL;
        }
        CHECK(bad == 0);
    }
    CHECK(m.usable == (size_t)2 << 20); /* a large page */
    for (size_t i = 0; i < PIECES; i++)
        if (piece[i] != NULL)
            tags_memory_give(&m, piece[i], bytes[i]);
    CHECK(m.free_n == 0);
    tags_memory_close(&m);
}

/* Pages behind those that are there are made by another thread, as far as there
 * are any. */
static void
pages_ahead_are_usable_zeroed_and_bounded(void)
{
    enum { PAGES = 5 };
    size_t size = PAGES * TAGS_AHEAD_PAGE, bad = 0;
    char *p = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct tags_ahead *a;
    int fd;

    CHECK(p != MAP_FAILED);
    a = tags_ahead_start(p, 0, size);
    CHECK(a != NULL);
    for (size_t end = TAGS_AHEAD_PAGE; end <= size; end += TAGS_AHEAD_PAGE) {
        CHECK(tags_ahead_need(a, end));
        for (size_t i = end - TAGS_AHEAD_PAGE; i < end; i++)
            bad += p[i] != 0;
        memset(p, 1, end);
    }
    CHECK(bad == 0);
    tags_ahead_stop(a);
    fd = open("/proc/self/exe", O_RDONLY); /* what cannot be made writable */
    CHECK(mmap(p + 3 * TAGS_AHEAD_PAGE, 2 * TAGS_AHEAD_PAGE, PROT_READ,
               MAP_SHARED | MAP_FIXED, fd, 0) != MAP_FAILED);
    close(fd);
    a = tags_ahead_start(p, TAGS_AHEAD_PAGE, size);
    CHECK(a != NULL);
    CHECK(tags_ahead_need(a, 3 * TAGS_AHEAD_PAGE));
    CHECK(!tags_ahead_need(a, 4 * TAGS_AHEAD_PAGE));
    CHECK(tags_ahead_need(a, 2 * TAGS_AHEAD_PAGE));
    tags_ahead_stop(a);
    munmap(p, size);
}

/* One table after another takes more than is given without a thread. */
static void
memory_of_a_large_table_is_zeroed(void)
{
    enum { PIECE = 3 << 20, PIECES = 20 };
    struct tags_memory m = {0};
    size_t bad = 0;

    for (int i = 0; i < PIECES; i++) {
        unsigned char *p = tags_memory_take(&m, PIECE);

        CHECK(p != NULL);
        for (size_t k = 0; k < PIECE; k++)
            bad += p[k] != 0;
        memset(p, 1, PIECE);
    }
    CHECK(bad == 0 && m.ahead != NULL);
    tags_memory_close(&m);
}

static void
a_table_of_tags_takes_12_bytes_an_entry(void)
{
    struct tags *t = NULL;
    uint64_t most = 0;

    CHECK(tags_open(&t, 0) == ST_OK);
    for (uint64_t i = 1; i <= 1000000; i++) {
        CHECK(tags_add(t, hash_mix(i), (uint32_t)i) == ST_OK);
        if (i > 300000 && tags_bytes(t) / i > most)
            most = tags_bytes(t) / i;
    }
    CHECK(most < 12);
    tags_close(t);
}

static void
a_table_of_tags_finds_what_was_added(void)
{
    enum { KEYS = 3000, STEPS_N = 60000 };
    static uint32_t held[KEYS][4];
    static size_t held_n[KEYS];
    struct random r = random_seed(4);
    struct tags *t = NULL;
    uint64_t entries = 0;

    memset(held_n, 0, sizeof held_n);
    CHECK(tags_open(&t, 0) == ST_OK);
    for (int step = 0; step < STEPS_N; step++) {
        size_t i = random_below(&r, KEYS), n = held_n[i];
        /* Few parts, so that tables are long, and with equal tags. */
        uint64_t key = hash_mix(i / 2) >> 9 | (uint64_t)(i % 2) << 20;
        uint32_t found[16];

        if (n < 4 && random_below(&r, 3) > 0) {
            held[i][held_n[i]++] = (uint32_t)(i * 10 + n + 1);
            CHECK(tags_add(t, key, (uint32_t)(i * 10 + n + 1)) == ST_OK);
            entries++;
        } else if (n > 0) {
            tags_remove(t, key, held[i][--held_n[i]]);
            entries--;
        }
        n = tags_find(t, key, found, 16);
        for (size_t k = 0; k < held_n[i]; k++) {
            bool is_there = false;

            for (size_t f = 0; f < n; f++)
                is_there |= found[f] == held[i][k];
            CHECK(is_there);
        }
        CHECK(tags_entries(t) == entries);
    }
    for (uint32_t k = 1; k < 100; k++) /* one key, many places, in order */
        CHECK(tags_add(t, UINT64_MAX, k) == ST_OK);
    {
        uint32_t found[200];

        CHECK(tags_find(t, UINT64_MAX, found, 200) == 99);
        for (uint32_t k = 0; k < 99; k++)
            CHECK(found[k] == k + 1);
    }
    tags_close(t);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(memory_of_tags_is_used_again),
        TEST(pages_ahead_are_usable_zeroed_and_bounded),
        TEST(memory_of_a_large_table_is_zeroed),
        TEST(a_table_of_tags_takes_12_bytes_an_entry),
        TEST(a_table_of_tags_finds_what_was_added),
        {0},
    };

    return test_main(table, argc, argv);
}
