/* The store: folders that are not its own, versions, full disks, kill -9. */
#include <lmdb.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/log.h"
#include "base/random.h"
#include "frontier_case.h"

/* ---- folders ---- */

static bool
refused(enum status want)
{
    struct frontier *other = (struct frontier *)&o;
    enum status st = frontier_open(&other, dir, &o, T0);

    if (st != want)
        fprintf(stderr, "got %s\n", status_name(st));
    return st == want && other == NULL;
}

static void
a_folder_in_use_is_refused(void)
{
    set_up();
    open_it(T0);
    CHECK(refused(ST_USAGE));
    frontier_close(f);
    open_it(T0);
    tear_down();
}

static void
write_file(const char *name, const char *bytes)
{
    char path[128];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    if ((file = fopen(path, "wb")) == NULL)
        abort();
    fputs(bytes, file);
    fclose(file);
}

static void
foreign_folders_are_refused(void)
{
    set_up();
    write_file("thesis.txt", "please keep\n");
    CHECK(refused(ST_USAGE));
    folder_remove(dir);
    CHECK(mkdir(dir, 0777) == 0);
    write_file("data.mdb", "not a store, but long enough to be looked at ...");
    CHECK(refused(ST_USAGE));
    tear_down();
}

/* Put one row with raw LMDB. */
static void
raw_put(const char *table, const char *key, const void *value, size_t n)
{
    MDB_env *env;
    MDB_txn *txn;
    MDB_dbi dbi;
    MDB_val k = {strlen(key), (void *)(uintptr_t)key},
            v = {n, (void *)(uintptr_t)value};

    CHECK(mdb_env_create(&env) == 0 && mdb_env_set_maxdbs(env, 16) == 0);
    CHECK(mdb_env_open(env, dir, 0, 0666) == 0);
    CHECK(mdb_txn_begin(env, NULL, 0, &txn) == 0);
    CHECK(mdb_dbi_open(txn, table, MDB_CREATE, &dbi) == 0);
    CHECK(mdb_put(txn, dbi, &k, &v, 0) == 0);
    CHECK(mdb_txn_commit(txn) == 0);
    mdb_env_close(env);
}

static void
a_store_of_another_program_is_refused(void)
{
    set_up();
    raw_put("somebody", "key", "value", 5);
    CHECK(refused(ST_USAGE));
    tear_down();
}

static void
a_store_of_a_newer_version_is_refused(void)
{
    const unsigned newer = 1000;

    set_up();
    open_it(T0);
    frontier_close(f);
    f = NULL;
    raw_put("meta", "schema", &newer, sizeof newer);
    CHECK(refused(ST_USAGE));
    tear_down();
}

/* And left as it is, so that the version that wrote it can go on. */
static void
a_store_of_before_the_first_release_is_refused(void)
{
    static const unsigned older[] = {1, 3, 4, 10};
    const unsigned now = tables_schema();
    uint64_t before, after;
    struct frontier *r;

    set_up();
    open_it(T0);
    help_seed(f, "http://a.nl/1", T0);
    frontier_close(f);
    f = NULL;
    for (size_t i = 0; i < sizeof older / sizeof *older; i++) {
        raw_put("meta", "schema", &older[i], sizeof *older);
        CHECK(refused(ST_USAGE));
        CHECK(frontier_open_reader(&r, dir, &o) == ST_USAGE);
        CHECK(frontier_compact(dir, &o, &before, &after) == ST_USAGE);
    }
    raw_put("meta", "schema", &now, sizeof now);
    open_it(T0);
    CHECK(leased(T0, "http://a.nl/1"));
    help_check(f);
    tear_down();
}

static void
raw_drop(const char *table)
{
    MDB_env *env;
    MDB_txn *txn;
    MDB_dbi dbi;

    CHECK(mdb_env_create(&env) == 0 && mdb_env_set_maxdbs(env, 16) == 0);
    CHECK(mdb_env_open(env, dir, 0, 0666) == 0);
    CHECK(mdb_txn_begin(env, NULL, 0, &txn) == 0);
    CHECK(mdb_dbi_open(txn, table, 0, &dbi) == 0);
    CHECK(mdb_drop(txn, dbi, 1) == 0);
    CHECK(mdb_txn_commit(txn) == 0);
    mdb_env_close(env);
}

/* Of version 0.2.0, which had no unreported pages. */
static void
a_store_of_the_last_release_goes_on(void)
{
    const unsigned older = 13;
    struct frontier *r;

    for (int reader_first = 0; reader_first < 2; reader_first++) {
        set_up();
        open_it(T0);
        help_seed(f, "http://a.nl/1", T0);
        help_seed(f, "http://b.nl/1", T0);
        CHECK(leased(T0, "http://a.nl/1"));
        frontier_close(f);
        raw_drop("unreported");
        raw_put("meta", "schema", &older, sizeof older);
        if (reader_first) {
            CHECK(frontier_open_reader(&r, dir, &o) == ST_OK);
            CHECK(frontier_begin(r) == ST_OK);
            frontier_totals(r, &(struct frontier_totals){0}, T0);
            frontier_close(r);
        }
        open_it(T0);
        CHECK(totals(T0).queued == 1 && totals(T0).leased == 1);
        CHECK(leased(T0, "http://b.nl/1"));
        tear_down();
    }
}

static void
a_folder_that_cannot_be_made_is_refused(void)
{
    set_up();
    write_file("file", "");
    dir = str_c(arena_printf(a, "%s/file/frontier", dir).p).p;
    CHECK(refused(ST_USAGE));
    dir = arena_cstr(a, str_n(dir, strlen(dir) - strlen("/file/frontier")));
    tear_down();
}

/* ---- no space ---- */

static void
a_full_map_changes_nothing(void)
{
    struct frontier_link *links;
    struct frontier_totals before, after;
    size_t n = 20000, fresh;
    enum status st = ST_OK;

    set_up();
    CHECK(frontier_open_sized(&f, dir, &o, 1 << 20) == ST_OK);
    help_seed(f, "http://a.nl/1", T0);
    before = totals(T0);
    links = ARENA_ARRAY(a, struct frontier_link, n);
    for (size_t i = 0; i < n; i++)
        links[i].url = arena_printf(a, "http://h%zu.nl/%zu", i % 100, i);
    CHECK(frontier_begin(f) == ST_OK);
    st = frontier_seed(f, links, n, T0, &fresh);
    if (st == ST_OK)
        st = frontier_commit(f);
    else
        frontier_abort(f);
    CHECK(st == ST_FULL);
    after = totals(T0);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    help_check(f);
    CHECK(leased(T0, "http://a.nl/1")); /* it still works */
    tear_down();
}

static void
too_little_free_space_stops_before_the_transaction(void)
{
    set_up();
    open_it(T0);
    help_seed(f, "http://a.nl/1", T0);
    frontier_close(f);
    o.output_disk_free_mib = (uint64_t)1 << 43; /* more than any disk has */
    open_it(T0);
    CHECK(frontier_begin(f) == ST_FULL);
    frontier_abort(f); /* allowed */
    CHECK(frontier_begin(f) == ST_FULL);
    CHECK(totals(T0).queued == 1);
    frontier_close(f);
    o.output_disk_free_mib = 0;
    open_it(T0); /* to be checked */
    tear_down();
}

/* ---- kill -9 ---- */

/* Batch number k, the same in any process. */
static void
batch(struct frontier *to, uint64_t k)
{
    struct random r = random_seed(k);
    struct arena *own = arena_new();
    struct frontier_link links[20];
    struct frontier_lease *leases;
    uint64_t now = T0 + k * 400, wake;
    size_t n, fresh, known, bad;

    for (int i = 0; i < 20; i++)
        links[i] = (struct frontier_link){
            .url =
                arena_printf(own, "http://h%d.nl/%d", (int)random_below(&r, 30),
                             (int)random_below(&r, 4000))};
    CHECK(frontier_begin(to) == ST_OK);
    CHECK(frontier_seed(to, links, 5, now, &fresh) == ST_OK);
    CHECK(frontier_lease(to, 1, 0, 4, now, own, &leases, &n, &wake) == ST_OK);
    for (size_t i = 0; i < n; i++) {
        struct frontier_done d = help_done(
            leases[i].url,
            (enum frontier_outcome[]){OUTCOME_FETCHED, OUTCOME_FAILED,
                                      OUTCOME_RETURNED, OUTCOME_FETCHED}[i],
            now);

        d.links = links + 5 + 3 * i;
        d.links_n = 3;
        CHECK(frontier_done(to, &d, now, &fresh, &known, &bad) == ST_OK);
    }
    CHECK(frontier_commit(to) == ST_OK);
    arena_free(own);
}

static char *
dump_of(struct frontier *from)
{
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);

    HELP_OK(from, frontier_dump(from, to));
    fclose(to);
    return text;
}

static void
crash_once(uint64_t after)
{
    const char *twin_dir = help_folder();
    struct frontier *twin;
    uint64_t k = 0, got;
    char *left, *right;
    int fds[2];
    pid_t pid;

    set_up();
    CHECK(pipe(fds) == 0);
    fflush(stdout);
    if ((pid = fork()) == 0) {
        open_it(T0);
        for (uint64_t i = 0;; i++) {
            batch(f, i);
            if (write(fds[1], &i, sizeof i) != sizeof i)
                _exit(1);
        }
    }
    close(fds[1]);
    while (k < after && read(fds[0], &got, sizeof got) == sizeof got)
        k++;
    kill(pid, SIGKILL);
    while (read(fds[0], &got, sizeof got) == sizeof got)
        k++;
    close(fds[0]);
    waitpid(pid, NULL, 0);
    open_it(T0 + 3600000); /* behind all batches */
    help_check(f);
    CHECK(frontier_open(&twin, twin_dir, &o, T0) == ST_OK);
    for (uint64_t i = 0; i < k; i++)
        batch(twin, i);
    left = dump_of(f);
    right = dump_of(twin);
    if (strcmp(left, right) != 0) { /* committed, killed before it said so */
        free(right);
        batch(twin, k);
        right = dump_of(twin);
    }
    CHECK(strcmp(left, right) == 0 && left[0] != '\0');
    free(left);
    free(right);
    frontier_close(twin);
    folder_remove(twin_dir);
    tear_down();
}

static void
kill_9_loses_no_committed_batch(void)
{
    struct random r = random_seed(11);

    for (int i = 0; i < 12; i++)
        crash_once(1 + random_below(&r, 60));
}

static const struct test tests[] = {
    TEST(a_folder_in_use_is_refused),
    TEST(foreign_folders_are_refused),
    TEST(a_store_of_another_program_is_refused),
    TEST(a_store_of_a_newer_version_is_refused),
    TEST(a_store_of_before_the_first_release_is_refused),
    TEST(a_store_of_the_last_release_goes_on),
    TEST(a_folder_that_cannot_be_made_is_refused),
    TEST(a_full_map_changes_nothing),
    TEST(too_little_free_space_stops_before_the_transaction),
    TEST(kill_9_loses_no_committed_batch),
    {0},
};

int
main(int argc, char **argv)
{
    log_threshold = LOG_ERROR;
    return test_main(tests, argc, argv);
}
