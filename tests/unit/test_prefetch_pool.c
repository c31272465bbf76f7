/* The threads that look at rows before their reader does. */
#include <stdatomic.h>

#include "frontier_help.h"

enum { ROWS = 5000, ROUNDS = 40 };

static struct tables *t;
static const char *dir;
static atomic_ulong met, missing, wrong;

static struct row_key
key_of(uint32_t i)
{
    return row_host_key(i * 3);
}

static void
set_up(void)
{
    const struct tables_config config = {.map_size = 1u << 26,
                                         .sync = S("none")};

    dir = help_folder();
    CHECK(tables_open(&t, dir, &config) == ST_OK);
    CHECK(tables_begin(t) == ST_OK);
    for (uint32_t i = 0; i < ROWS; i++) {
        struct row_key key = key_of(i);

        CHECK(tables_put(t, TABLE_NAMES, row_bytes(&key), row_bytes(&key)) ==
              ST_OK);
    }
    CHECK(tables_commit(t) == ST_OK);
    met = missing = wrong = 0;
}

static void
tear_down(void)
{
    tables_close(t);
    folder_remove(dir);
}

static void
look(struct prefetch_view *l, const void *items, size_t n)
{
    const uint32_t *id = items;
    struct str value;

    for (size_t i = 0; i < n; i++) {
        struct row_key key = row_host_key(id[i]);

        prefetch_page(l, TABLE_NAMES, row_bytes(&key));
        if (!prefetch_get(l, TABLE_NAMES, row_bytes(&key), &value))
            atomic_fetch_add(&missing, 1);
        else if (!str_eq(value, row_bytes(&key)))
            atomic_fetch_add(&wrong, 1);
        else
            atomic_fetch_add(&met, 1);
    }
}

static void
each_item_is_looked_at_once_while_the_store_is_written(void)
{
    struct prefetch_pool *w;
    uint32_t ids[ROWS];

    set_up();
    w = prefetch_pool_new(t);
    for (uint32_t i = 0; i < ROWS; i++)
        ids[i] = i; /* every third one has a row */
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct row_key key = key_of(round * 97);

        CHECK(tables_begin(t) == ST_OK);
        CHECK(tables_delete(t, TABLE_NAMES, row_bytes(&key)) == ST_OK);
        prefetch_pool_all(w, look, ids, ROWS, sizeof *ids, 1 + round);
        CHECK(met + missing + wrong == ROWS * (round + 1));
        CHECK(tables_put(t, TABLE_NAMES, row_bytes(&key), row_bytes(&key)) ==
              ST_OK);
        CHECK(tables_commit(t) == ST_OK);
    }
    CHECK(wrong == 0 && met == (ROWS + 2) / 3 * ROUNDS);
    prefetch_pool_free(w);
    tear_down();
}

static void
what_is_wanted_soon_is_done_unless_there_is_too_much(void)
{
    struct prefetch_pool *w;
    uint32_t ids[PREFETCH_BYTES_MAX / sizeof(uint32_t)] = {0};
    const size_t n = sizeof ids / sizeof *ids;

    set_up();
    w = prefetch_pool_new(t);
    for (int i = 0; i < 2000; i++)
        prefetch_pool_soon(w, look, ids, n, sizeof *ids);
    prefetch_pool_soon(w, look, ids, n + 1,
                       sizeof *ids); /* too long: not taken */
    prefetch_pool_soon(w, look, ids, 0, sizeof *ids);
    prefetch_pool_all(w, look, ids, 1, sizeof *ids, 1); /* behind all of them */
    CHECK(met % n == 1 && met > n && met <= 2000 * n + 1);
    CHECK(missing == 0 && wrong == 0);
    prefetch_pool_free(w);
    tear_down();
}

static void
it_may_end_while_much_is_waiting(void)
{
    uint32_t ids[16] = {0};

    set_up();
    for (int i = 0; i < 50; i++) {
        struct prefetch_pool *w = prefetch_pool_new(t);

        for (int k = 0; k < i; k++)
            prefetch_pool_soon(w, look, ids, 16, sizeof *ids);
        prefetch_pool_free(w);
    }
    CHECK(wrong == 0);
    tear_down();
}

static const struct test tests[] = {
    TEST(each_item_is_looked_at_once_while_the_store_is_written),
    TEST(what_is_wanted_soon_is_done_unless_there_is_too_much),
    TEST(it_may_end_while_much_is_waiting),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
