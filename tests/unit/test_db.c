/* The tables that both stores are made of: rows against a sorted list, and
 * whose folder it is. */
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/log.h"
#include "base/pages/db.h"
#include "base/random.h"
#include "folder.h"
#include "test.h"

enum { TABLE_META, TABLE_ROWS, TABLES_N, KEYS = 400 };

static const char *const names[] = {"meta", "rows"};

static struct db_config
config(void)
{
    return (struct db_config){.owner = "test",
                              .what = "a test",
                              .magic = "test",
                              .schema = 7,
                              .schema_size = 8,
                              .table = names,
                              .tables_n = TABLES_N,
                              .map_option = "test.map_gib",
                              .lock = "/nowhere",
                              .repair = "test --repair",
                              .map_size = (size_t)1 << 26,
                              .sync = S("none")};
}

static struct db *
opened(bool read_only)
{
    struct db_config c = config();
    struct db *d;

    c.read_only = read_only;
    CHECK(db_open(&d, folder, &c) == ST_OK);
    return d;
}

/* ---- rows ---- */

static unsigned value_of[KEYS], before[KEYS]; /* 0: no row */

static struct str
key_of(unsigned k)
{
    static char text[8];

    snprintf(text, sizeof text, "%05u", k);
    return str_n(text, 5);
}

static void
check_row(struct str key, struct str value, unsigned k)
{
    CHECK(str_eq(key, key_of(k)));
    CHECK(value.n == sizeof value_of[k] &&
          memcmp(value.p, &value_of[k], value.n) == 0);
}

static void
check_rows(struct db *d)
{
    struct str key, value;
    enum status st = db_seek(d, TABLE_ROWS, S(""), &key, &value);
    unsigned n = 0, last = KEYS;

    for (unsigned k = 0; k < KEYS; k++) {
        CHECK((db_get(d, TABLE_ROWS, key_of(k), &value) == ST_OK) ==
              (value_of[k] != 0));
        if (value_of[k] == 0)
            continue;
        n++;
        CHECK(db_before(d, TABLE_ROWS, key_of(k), &key, &value) ==
              (last == KEYS ? ST_NONE : ST_OK));
        if (last != KEYS)
            check_row(key, value, last);
        last = k;
    }
    CHECK(db_size(d, TABLE_ROWS).rows == n);
    st = db_seek(d, TABLE_ROWS, S(""), &key, &value);
    for (unsigned k = 0; k < KEYS; k++) {
        if (value_of[k] == 0)
            continue;
        CHECK(st == ST_OK);
        check_row(key, value, k);
        st = db_next(d, TABLE_ROWS, &key, &value);
    }
    CHECK(st == ST_NONE);
}

/* Some changes; those behind all others are appended unasked. */
static void
change(struct db *d, struct random *r)
{
    unsigned k = (unsigned)random_below(r, KEYS),
             v = 1 + (unsigned)random_below(r, 1000);
    struct str value = str_n((const char *)&v, sizeof v);

    switch (random_below(r, 40)) {
    case 0:
        CHECK(db_empty(d, TABLE_ROWS) == ST_OK);
        memset(value_of, 0, sizeof value_of);
        break;
    case 1:
    case 2:
    case 3:
        CHECK(db_delete(d, TABLE_ROWS, key_of(k)) ==
              (value_of[k] != 0 ? ST_OK : ST_NONE));
        value_of[k] = 0;
        break;
    case 4:
    case 5:
        CHECK(db_add(d, TABLE_ROWS, key_of(k), value) ==
              (value_of[k] == 0 ? ST_OK : ST_INVALID));
        value_of[k] = value_of[k] == 0 ? v : value_of[k];
        break;
    default:
        CHECK(db_put(d, TABLE_ROWS, key_of(k), value) == ST_OK);
        value_of[k] = v;
    }
}

static void
rows_are_those_of_a_sorted_list(void)
{
    struct random r = random_seed(11);
    struct db *d;

    folder_open();
    d = opened(false);
    for (int i = 0; i < 300; i++) {
        memcpy(before, value_of, sizeof before);
        CHECK(db_begin(d) == ST_OK);
        for (uint64_t n = random_below(&r, 40); n > 0; n--)
            change(d, &r);
        check_rows(d);
        if (random_below(&r, 4) == 0) {
            db_abort(d);
            memcpy(value_of, before, sizeof before);
        } else {
            CHECK(db_commit(d) == ST_OK);
        }
        if (random_below(&r, 30) == 0) {
            db_close(d);
            d = opened(false);
        }
    }
    db_close(d);
    d = opened(true);
    CHECK(db_begin(d) == ST_OK);
    check_rows(d);
    db_close(d);
    folder_close();
}

/* A long key behind all others, then a short one between it and what was last
 * before: it is not the last, and is put all the same. */
static void
rows_before_a_long_last_key_are_put(void)
{
    char text[300];
    struct str longest = str_n(text, sizeof text), key, value;
    struct db *d;

    memset(text, 'm', sizeof text);
    folder_open();
    d = opened(false);
    CHECK(db_begin(d) == ST_OK);
    CHECK(db_put(d, TABLE_ROWS, S("a"), S("1")) == ST_OK);
    CHECK(db_commit(d) == ST_OK);
    CHECK(db_begin(d) == ST_OK);
    CHECK(db_put(d, TABLE_ROWS, S("b"), S("2")) == ST_OK); /* appended */
    CHECK(db_put(d, TABLE_ROWS, longest, S("3")) == ST_OK);
    CHECK(db_put(d, TABLE_ROWS, S("c"), S("4")) == ST_OK);
    CHECK(db_add(d, TABLE_ROWS, S("d"), S("5")) == ST_OK);
    CHECK(db_put(d, TABLE_ROWS, S("z"), S("6")) == ST_OK);
    CHECK(db_size(d, TABLE_ROWS).rows == 6);
    CHECK(db_seek(d, TABLE_ROWS, S("d"), &key, &value) == ST_OK &&
          str_eq(value, S("5")));
    CHECK(db_next(d, TABLE_ROWS, &key, &value) == ST_OK &&
          str_eq(key, longest));
    CHECK(db_next(d, TABLE_ROWS, &key, &value) == ST_OK &&
          str_eq(value, S("6")));
    CHECK(db_commit(d) == ST_OK);
    db_close(d);
    folder_close();
}

static void
another_thread_sees_what_is_committed(void)
{
    struct db_view v;
    struct str value;
    struct db *d;

    folder_open();
    d = opened(false);
    CHECK(db_begin(d) == ST_OK);
    CHECK(db_put(d, TABLE_ROWS, S("a"), S("1")) == ST_OK);
    CHECK(db_commit(d) == ST_OK);
    CHECK(db_view_begin(&v, d));
    CHECK(db_view_get(&v, TABLE_ROWS, S("a"), &value));
    CHECK(str_eq(value, S("1")));
    CHECK(!db_view_get(&v, TABLE_ROWS, S("b"), &value));
    db_view_end(&v);
    db_close(d);
    folder_close();
}

/* ---- whose it is ---- */

static void
refused(struct db_config c, const char *why)
{
    struct buf said = {0};
    struct db *d;

    log_capture(&said);
    CHECK(db_open(&d, folder, &c) == ST_USAGE && d == NULL);
    log_capture(NULL);
    buf_char(&said, '\0');
    CHECK(strstr(said.p, why) != NULL);
    buf_free(&said);
}

static void
a_store_of_others_is_refused_with_what_to_do(void)
{
    struct db_config c = config();

    folder_open();
    c.read_only = true;
    refused(c, "cannot find a test in");
    folder_put("data.mdb", S(""));
    refused(c, "is empty");
    db_close(opened(false));
    c = config();
    c.magic = "other";
    refused(c, "another program");
    c = config();
    c.schema = 6;
    refused(c, "newer version");
    c.schema = 8;
    refused(c, "older version");
    c.schema_size = 4;
    refused(c, "another version");
    db_close(opened(true)); /* it is as it was */
    folder_close();
}

static enum status
look_for(const struct db_config *c, unsigned table)
{
    struct str key, value;
    struct db *d;
    enum status st;

    CHECK(db_open(&d, folder, c) == ST_OK);
    CHECK(db_begin(d) == ST_OK);
    st = db_get(d, table, S("a"), &value);
    CHECK(db_seek(d, table, S(""), &key, &value) == st);
    CHECK(db_before(d, table, S("z"), &key, &value) == st);
    CHECK(db_size(d, table).rows == (st == ST_OK));
    db_close(d);
    return st;
}

/* Whoever looks, or brings in what a killed process left, does not keep the
 * version that wrote it from going on. */
static void
an_earlier_form_stays_until_somebody_writes(void)
{
    static const char *const all[] = {"meta", "rows", "later"};
    struct db_config c = config(), earlier = c;
    struct db *d;

    folder_open();
    d = opened(false);
    CHECK(db_begin(d) == ST_OK);
    CHECK(db_put(d, TABLE_ROWS, S("a"), S("1")) == ST_OK);
    CHECK(db_commit(d) == ST_OK);
    db_close(d);
    c.table = all;
    c.tables_n = 3;
    c.schema_least = c.schema++;
    c.read_only = true;
    CHECK(look_for(&c, TABLE_ROWS) == ST_OK);
    CHECK(look_for(&c, 2) == ST_NONE);
    c.read_only = false;
    c.as_it_is = true;
    CHECK(look_for(&c, 2) == ST_NONE);
    CHECK(look_for(&earlier, TABLE_ROWS) == ST_OK);
    c.as_it_is = false;
    CHECK(look_for(&c, TABLE_ROWS) == ST_OK);
    refused(earlier, "newer version");
    folder_close();
}

static void
a_full_map_is_told_with_the_option_to_raise(void)
{
    static const char large[2000];
    struct db_config c = config();
    struct buf said = {0};
    enum status st = ST_OK;
    struct db *d;

    c.map_size = (size_t)1 << 20;
    folder_open();
    CHECK(db_open(&d, folder, &c) == ST_OK);
    CHECK(db_begin(d) == ST_OK);
    log_capture(&said);
    for (unsigned k = 0; k < 1000 && st == ST_OK; k++)
        st = db_put(d, TABLE_ROWS, key_of(k), str_n(large, sizeof large));
    log_capture(NULL);
    CHECK(st == ST_FULL);
    db_abort(d);
    buf_char(&said, '\0');
    CHECK(strstr(said.p, "raise test.map_gib") != NULL);
    CHECK(db_map_left(d) > (uint64_t)1 << 19);
    buf_free(&said);
    db_close(d);
    folder_close();
}

/* Who comes while a store is made finds none, or one that it can read. */
static void
a_reader_meets_no_store_without_tables(void)
{
    for (int i = 0; i < 40; i++) {
        pid_t reader;
        int status;

        folder_open();
        if ((reader = fork()) == 0) {
            struct db_config c = config();
            struct db *d;

            c.read_only = true;
            while (access(in_folder("data.mdb"), F_OK) != 0)
                ;
            _exit(db_open(&d, folder, &c) == ST_OK ? 0 : 1);
        }
        db_close(opened(false));
        CHECK(waitpid(reader, &status, 0) == reader && status == 0);
        folder_close();
    }
}

/* A process that looks at the store until it is killed. */
static pid_t
looking(void)
{
    pid_t reader;
    int looks[2];
    char one = 0;

    CHECK(pipe(looks) == 0);
    if ((reader = fork()) == 0) {
        struct db *d = opened(true);

        if (db_peek(d) != ST_OK || write(looks[1], &one, 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    close(looks[1]);
    CHECK(read(looks[0], &one, 1) == 1);
    close(looks[0]);
    return reader;
}

static void
a_killed_reader_keeps_no_pages(void)
{
    static const char large[100000];
    enum { WRITES = 100 };
    struct stat sb;
    struct db *d;
    pid_t reader;

    folder_open();
    d = opened(false);
    reader = looking();
    CHECK(kill(reader, SIGKILL) == 0 && waitpid(reader, NULL, 0) == reader);
    for (int i = 0; i < WRITES; i++) {
        CHECK(db_begin(d) == ST_OK);
        CHECK(db_put(d, TABLE_ROWS, S("large"), str_n(large, sizeof large)) ==
              ST_OK);
        CHECK(db_commit(d) == ST_OK);
    }
    CHECK(fstat(db_fd(d), &sb) == 0 &&
          sb.st_size < WRITES / 4 * (off_t)sizeof large);
    db_close(d);
    folder_close();
}

static const struct test tests[] = {
    TEST(rows_are_those_of_a_sorted_list),
    TEST(rows_before_a_long_last_key_are_put),
    TEST(another_thread_sees_what_is_committed),
    TEST(a_store_of_others_is_refused_with_what_to_do),
    TEST(an_earlier_form_stays_until_somebody_writes),
    TEST(a_full_map_is_told_with_the_option_to_raise),
    TEST(a_reader_meets_no_store_without_tables),
    TEST(a_killed_reader_keeps_no_pages),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
