/* Which URLs are one page: a store of before goes on with the rule under which
 * it began, in every table and through every tool; a new one has the new rule.
 */
#include "frontier/store/row_keys.h"
#include "frontier_case.h"

static const char *const rated[] = {"http://a.nl/rate?t=1&my_post_key=b79",
                                    "http://a.nl/rate?t=1&my_post_key=c80"};

static void
set_keys(const char *of, enum row_keys keys)
{
    CHECK(frontier_open(&f, of, &o, T0) == ST_OK);
    HELP_OK(f, row_keys_write(f->db->tables, keys));
    frontier_close(f);
    f = NULL;
}

/* As who knew of no such row left it. */
static void
forget_keys(void)
{
    open_it(T0);
    HELP_OK(f, tables_delete(f->db->tables, TABLE_META, ROW_KEYS_META));
    frontier_close(f);
    f = NULL;
}

/* The page that leads to both, and what is then to be fetched. */
static uint64_t
queued_by_a_page(void)
{
    struct frontier_link links[] = {help_link(rated[0]), help_link(rated[1])};

    open_it(T0);
    help_seed(f, "http://a.nl/", T0);
    CHECK(leased(T0, "http://a.nl/"));
    fetch_with("http://a.nl/", T0, 1, links, 2);
    return totals(T0).queued;
}

/* -> how many */
static unsigned
fetch_all(uint64_t now)
{
    unsigned n = 0;

    for (struct frontier_lease l;
         n < 9 && (l = help_lease(f, now += 100000, a, NULL)).url.n > 0; n++) {
        struct frontier_done d = help_done(l.url, OUTCOME_FETCHED, now);

        help_report(f, &d, now);
    }
    return n;
}

static void
a_new_store_tells_no_tokens_apart(void)
{
    set_up();
    CHECK(queued_by_a_page() == 1);
    frontier_close(f);
    open_it(T0);
    CHECK(f->db->keys == ROW_KEYS_FORMS && fetch_all(T0) == 1);
    CHECK(totals(T0).queued == 0 && totals(T0).seen == 2);
    tear_down();
}

/* As `--check` does. */
static void
check_as_reader(void)
{
    struct buf faults = {0};
    uint64_t n = 1;

    CHECK(frontier_open_reader(&f, dir, &o) == ST_OK);
    CHECK(frontier_begin(f) == ST_OK);
    CHECK(frontier_check(f, &faults, &n) == ST_OK && n == 0);
    frontier_abort(f);
    frontier_close(f);
    f = NULL;
    buf_free(&faults);
}

static void
a_store_of_before_goes_on_as_it_began(void)
{
    set_up();
    open_it(T0); /* begun */
    frontier_close(f);
    forget_keys();
    CHECK(queued_by_a_page() == 2);
    frontier_close(f);
    check_as_reader();
    open_it(T0);
    CHECK(fetch_all(T0) == 2);
    CHECK(totals(T0).queued == 0 && totals(T0).seen == 3);
    tear_down();
}

static void
move(const char *to)
{
    FILE *file = tmpfile();
    uint64_t lines;

    CHECK(file != NULL);
    HELP_OK(f, frontier_dump(f, file));
    rewind(file);
    frontier_close(f);
    CHECK(frontier_load(to, &o, file, "a dump", &lines) == ST_OK);
    fclose(file);
    CHECK(frontier_open(&f, to, &o, T0) == ST_OK);
}

static void
its_rule_moves_with_it(void)
{
    const char *to;

    set_up();
    to = help_folder();
    set_keys(dir, ROW_KEYS_SESSIONS);
    CHECK(queued_by_a_page() == 2);
    move(to);
    CHECK(f->db->keys == ROW_KEYS_SESSIONS && totals(T0).queued == 2);
    help_check(f);
    CHECK(fetch_all(T0) == 2 && totals(T0).queued == 0);
    tear_down();
    folder_remove(to);
}

static void
repair_keeps_it(void)
{
    struct buf said = {0};

    set_up();
    set_keys(dir, ROW_KEYS_SESSIONS);
    CHECK(queued_by_a_page() == 2);
    frontier_close(f);
    f = NULL;
    CHECK(frontier_repair(dir, &o, &said) == ST_OK);
    open_it(T0);
    CHECK(f->db->keys == ROW_KEYS_SESSIONS && totals(T0).queued == 2);
    help_check(f);
    CHECK(fetch_all(T0 + o.politeness_delay_ms) == 2);
    buf_free(&said);
    tear_down();
}

static void
a_rule_to_come_is_refused(void)
{
    set_up();
    set_keys(dir, ROW_KEYS_N);
    CHECK(frontier_open(&f, dir, &o, T0) == ST_STORE);
    f = NULL;
    tear_down();
}

static const struct test tests[] = {
    TEST(a_new_store_tells_no_tokens_apart),
    TEST(a_store_of_before_goes_on_as_it_began),
    TEST(its_rule_moves_with_it),
    TEST(repair_keeps_it),
    TEST(a_rule_to_come_is_refused),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
