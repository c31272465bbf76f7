/* Tables of the laboratory: what readers and what programs get. */
#include "../../crawler/lab/table.h"

#include "base/json.h"
#include "test.h"

static struct lab_table *
made(struct arena *a)
{
    const struct spread wide = {0.5, 0.25, 0.75}, narrow = {2, 2, 2},
                        nothing = {(double)NAN, (double)NAN, (double)NAN};
    struct lab_table *t =
        table_new(a, "name", "Title", "", "scorer kept share late_yield");

    table_text(t, S("bfs"));
    table_spread(t, &narrow, 0);
    table_spread(t, &wide, 2);
    table_real(t, (double)NAN, 3);
    table_text(t, S("random"));
    table_spread(t, &nothing, 0);
    table_range(t, (double)NAN, 0.25, 0.75);
    table_real(t, 1.5, 3);
    return t;
}

static void
programs_find_a_number_in_each_cell(void)
{
    struct arena *a = arena_new();
    struct lab_table *t = made(a);
    struct buf out = {.arena = a}, object = {.arena = a};
    struct json j = {.out = &object};

    table_tsv(t, &out);
    CHECK(str_eq(buf_view(&out),
                 S("scorer\tkept\tkept_low\tkept_high\tshare\tshare_low\t"
                   "share_high\tlate_yield\n"
                   "bfs\t2\t2\t2\t0.50\t0.25\t0.75\tNA\n"
                   "random\tNA\tNA\tNA\tNA\tNA\tNA\t1.500\n")));
    table_json(t, &j);
    CHECK(str_starts(buf_view(&object),
                     S("[{\"scorer\":\"bfs\",\"kept\":2,\"kept_low\":2,"
                       "\"kept_high\":2,\"share\":0.5,\"share_low\":0.25,"
                       "\"share_high\":0.75,\"late_yield\":null}")));
    arena_free(a);
}

static void
readers_find_a_range_beside_its_mean(void)
{
    struct arena *a = arena_new();
    struct buf out = {.arena = a};

    table_markdown(made(a), &out);
    CHECK(str_ends(buf_view(&out), S("| bfs | 2 | 0.50 [0.25, 0.75] | - |\n"
                                     "| random | - | - | 1.500 |\n\n")));
    arena_free(a);
}

int
main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(programs_find_a_number_in_each_cell),
        TEST(readers_find_a_range_beside_its_mean),
        {0},
    };

    return test_main(tests, argc, argv);
}
