/* The reader of LMDB's file: it finds nothing wrong with what LMDB writes and
 * gives out every row; whatever is damaged, it ends, and what it calls whole is
 * read by LMDB to the end.  Method: seeded random writes through LMDB, then
 * random damages of the file. */
#include <fcntl.h>
#include <lmdb.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/pages/layout.h"
#include "base/pages/make.h"
#include "base/pages/verify.h"
#include "base/random.h"
#include "frontier_help.h"

enum { TABLES_N = 4, KEYS = 900, VALUE_MAX = 12000, DAMAGES = 300 };

static const char *const names[TABLES_N] = {"a", "bee", "see", "d"};

struct world {
    const char *dir;
    MDB_env *env;
    MDB_dbi dbi[TABLES_N];
    struct random rng;
    char path[300];
};

static void
open_world(struct world *w, uint64_t seed)
{
    MDB_txn *txn;
    int rc;

    *w = (struct world){.dir = help_folder(), .rng = random_seed(seed)};
    snprintf(w->path, sizeof w->path, "%s/data.mdb", w->dir);
    CHECK(pages_make(w->dir, NULL, &rc) == ST_OK);
    CHECK(mdb_env_create(&w->env) == 0);
    CHECK(mdb_env_set_maxdbs(w->env, TABLES_N) == 0);
    CHECK(mdb_env_set_mapsize(w->env, 1 << 28) == 0);
    CHECK(mdb_env_open(w->env, w->dir, MDB_NOSYNC, 0644) == 0);
    CHECK(mdb_txn_begin(w->env, NULL, 0, &txn) == 0);
    for (int i = 0; i < TABLES_N; i++)
        CHECK(mdb_dbi_open(txn, names[i], MDB_CREATE, &w->dbi[i]) == 0);
    CHECK(mdb_txn_commit(txn) == 0);
}

static void
close_world(struct world *w)
{
    mdb_env_close(w->env);
    folder_remove(w->dir);
}

/* Some writes in one transaction; few values are large. */
static void
write_some(struct world *w, unsigned n)
{
    static char bytes[VALUE_MAX];
    MDB_txn *txn;

    CHECK(mdb_txn_begin(w->env, NULL, 0, &txn) == 0);
    for (unsigned i = 0; i < n; i++) {
        char key[64];
        uint64_t r = random_u64(&w->rng);
        size_t most = r % 50 == 0 ? VALUE_MAX : 120;
        MDB_val k = {0, key}, v = {random_below(&w->rng, most), bytes};
        MDB_dbi dbi = w->dbi[r >> 8 & 3];
        int rc;

        k.mv_size =
            (size_t)snprintf(key, sizeof key, "%0*llu", (int)(r >> 16 & 31) + 1,
                             (unsigned long long)random_below(&w->rng, KEYS));
        rc = r >> 32 & 1 ? mdb_put(txn, dbi, &k, &v, 0)
                         : mdb_del(txn, dbi, &k, NULL);
        CHECK(rc == 0 || rc == MDB_NOTFOUND);
    }
    CHECK(mdb_txn_commit(txn) == 0);
}

static uint64_t
rows_of_lmdb(struct world *w)
{
    uint64_t rows = 0;
    MDB_txn *txn;
    MDB_stat st;

    CHECK(mdb_txn_begin(w->env, NULL, MDB_RDONLY, &txn) == 0);
    for (int i = 0; i < TABLES_N; i++) {
        CHECK(mdb_stat(txn, w->dbi[i], &st) == 0);
        rows += st.ms_entries;
    }
    mdb_txn_abort(txn);
    return rows;
}

static enum status
count_row(void *self, struct str table, struct str key, struct str value)
{
    uint64_t *n = self;

    CHECK(table.n > 0 && key.n > 0 && value.n < VALUE_MAX);
    ++*n;
    return ST_OK;
}

static void
expect_whole(struct world *w)
{
    struct buf out = {0};
    uint64_t faults, rows = 0;
    const struct pages_visitor v = {.self = &rows, .row = count_row};
    struct pages *p;

    CHECK(pages_check(w->dir, 0, &out, &faults) == ST_OK);
    CHECK(faults == 0);
    if (faults > 0)
        fprintf(stderr, "%.*s", STRF(buf_view(&out)));
    CHECK(pages_open(&p, w->path) == ST_OK);
    CHECK(pages_walk(p, (struct pages_walk){.leaves = true, .stray = true},
                     &v) == ST_OK);
    CHECK(rows == rows_of_lmdb(w));
    pages_close(p);
    buf_free(&out);
}

static void
nothing_is_wrong_with_what_lmdb_writes(void)
{
    struct world w;

    open_world(&w, 1);
    for (int i = 0; i < 120; i++) {
        write_some(&w, 1 + (unsigned)random_below(&w.rng, i % 10 ? 60 : 900));
        expect_whole(&w);
    }
    close_world(&w);
}

/* LMDB leaves a value the pages that it has had in this transaction. */
static void
a_large_value_may_get_shorter_in_its_transaction(void)
{
    static const size_t sizes[] = {4080, 4081, 100, 0, 8176};
    static char bytes[VALUE_MAX];
    struct world w;
    MDB_txn *txn;

    open_world(&w, 4);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        MDB_val k = {1, (char[]){'k'}}, large = {VALUE_MAX - 1, bytes},
                shorter = {sizes[i], bytes};

        CHECK(mdb_txn_begin(w.env, NULL, 0, &txn) == 0);
        CHECK(mdb_put(txn, w.dbi[0], &k, &large, 0) == 0);
        CHECK(mdb_put(txn, w.dbi[0], &k, &shorter, 0) == 0);
        CHECK(mdb_txn_commit(txn) == 0);
        expect_whole(&w);
        write_some(&w, 60); /* which take what it leaves */
        expect_whole(&w);
    }
    close_world(&w);
}

/* All rows of all tables through LMDB, in a process of its own: ends with 0. */
static bool
lmdb_reads(const char *dir)
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        MDB_env *env;
        MDB_txn *txn;

        alarm(20);
        if (mdb_env_create(&env) || mdb_env_set_maxdbs(env, TABLES_N) ||
            mdb_env_open(env, dir, MDB_RDONLY | MDB_NOLOCK, 0) ||
            mdb_txn_begin(env, NULL, MDB_RDONLY, &txn))
            _exit(1);
        for (int i = 0; i < TABLES_N; i++) {
            MDB_cursor *c;
            MDB_dbi dbi;
            MDB_val k, v;

            if (mdb_dbi_open(txn, names[i], 0, &dbi) ||
                mdb_cursor_open(txn, dbi, &c))
                _exit(1);
            while (mdb_cursor_get(c, &k, &v, MDB_NEXT) == 0)
                for (size_t at = 0; at < v.mv_size; at++)
                    (void)*(volatile char *)((char *)v.mv_data + at);
        }
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void
damage(struct random *rng, int fd, uint64_t size)
{
    static unsigned char page[4096];
    uint64_t at = random_below(rng, size / 4096) * 4096;
    size_t n = sizeof page;

    switch (random_below(rng, 5)) {
    case 0: CHECK(ftruncate(fd, (off_t)random_below(rng, size)) == 0); return;
    case 1: memset(page, 0, sizeof page); break;
    case 2:
        for (size_t i = 0; i < sizeof page; i++)
            page[i] = (unsigned char)random_u64(rng);
        break;
    case 3: /* the page of another */
        CHECK(pread(fd, page, sizeof page,
                    (off_t)(random_below(rng, size / 4096) * 4096)) ==
              (ssize_t)sizeof page);
        break;
    default: /* some bytes; of the first ones, which say most */
        at += random_below(rng, random_below(rng, 2) ? 64 : 4096);
        n = 1 + random_below(rng, 8);
        for (size_t i = 0; i < n; i++)
            page[i] = (unsigned char)random_u64(rng);
    }
    CHECK(pwrite(fd, page, n, (off_t)at) == (ssize_t)n);
}

static enum status
take_row(void *self, struct str table, struct str key, struct str value)
{
    uint64_t *sum = self;

    (void)table;
    for (size_t i = 0; i < key.n; i++)
        *sum += (unsigned char)key.p[i];
    for (size_t i = 0; i < value.n; i++)
        *sum += (unsigned char)value.p[i];
    return ST_OK;
}

static void
damages_are_found_or_do_no_harm(void)
{
    struct world w;
    struct stat st;
    unsigned found = 0;
    char *whole;
    int fd;

    open_world(&w, 2);
    for (int i = 0; i < 40; i++)
        write_some(&w, 300);
    expect_whole(&w);
    mdb_env_close(w.env);
    CHECK(stat(w.path, &st) == 0);
    fd = open(w.path, O_RDWR);
    whole = malloc((size_t)st.st_size);
    CHECK(pread(fd, whole, (size_t)st.st_size, 0) == st.st_size);
    for (int i = 0; i < DAMAGES; i++) {
        uint64_t faults = 0, sum = 0;
        const struct pages_visitor v = {.self = &sum, .row = take_row};
        struct buf out = {0};
        struct pages *p;
        enum status opened;

        damage(&w.rng, fd, (uint64_t)st.st_size);
        opened = pages_check(w.dir, 0, &out, &faults);
        CHECK(opened == ST_OK || opened == ST_INVALID);
        found += faults > 0 || opened != ST_OK;
        if (faults == 0 && opened == ST_OK)
            CHECK(lmdb_reads(w.dir));
        if (opened == ST_OK && pages_open(&p, w.path) == ST_OK) {
            (void)pages_walk(
                p, (struct pages_walk){.leaves = true, .stray = true}, &v);
            pages_close(p);
        }
        buf_free(&out);
        CHECK(ftruncate(fd, 0) == 0);
        CHECK(pwrite(fd, whole, (size_t)st.st_size, 0) == st.st_size);
    }
    CHECK(found > DAMAGES / 3); /* others are in free pages, or in texts */
    free(whole);
    close(fd);
    folder_remove(w.dir);
}

/* A page in the middle of a tree is lost: what hangs below it is not. */
static void
stray_rows_are_given_out(void)
{
    static unsigned char zero[4096], page[4096];
    struct world w;
    struct stat st;
    uint64_t before, after = 0, sum = 0;
    const struct pages_visitor v = {.self = &sum, .row = take_row};
    struct pages *p;
    int fd;

    open_world(&w, 3);
    for (int i = 0; i < 40; i++)
        write_some(&w, 300);
    CHECK(pages_open(&p, w.path) == ST_OK);
    CHECK(pages_walk(p, (struct pages_walk){.leaves = true}, &v) == ST_OK);
    pages_close(p);
    before = sum;
    CHECK(stat(w.path, &st) == 0);
    fd = open(w.path, O_RDWR);
    for (off_t at = 8192; at < st.st_size; at += 4096)
        if (pread(fd, page, 4096, at) == 4096 &&
            layout_u16(page + 10) == PAGE_BRANCH)
            CHECK(pwrite(fd, zero, 4096, at) == 4096);
    sum = 0;
    CHECK(pages_open(&p, w.path) == ST_OK);
    CHECK(pages_walk(p, (struct pages_walk){.leaves = true}, &v) == ST_OK);
    after = sum;
    sum = 0;
    CHECK(pages_walk(p, (struct pages_walk){.leaves = true, .stray = true},
                     &v) == ST_OK);
    CHECK(after < before / 4);
    CHECK(sum == before);
    pages_close(p);
    close(fd);
    close_world(&w);
}

static void
a_file_is_there_whole_or_not_at_all(void)
{
    const char *dir = help_folder();
    char path[300];
    struct stat st;
    int rc, fd;

    snprintf(path, sizeof path, "%s/data.mdb", dir);
    fd = open(path, O_CREAT | O_WRONLY, 0644); /* by a killed maker of old */
    CHECK(fd >= 0);
    close(fd);
    CHECK(pages_make(dir, NULL, &rc) == ST_OK);
    CHECK(stat(path, &st) == 0 && st.st_size == 8192);
    CHECK(pages_make("/nowhere/at/all", NULL, &rc) == ST_IO && rc != 0);
    folder_remove(dir);
}

static enum status
refuse(void *path, MDB_env *env)
{
    CHECK(env != NULL && access(path, F_OK) != 0);
    return ST_NOMEM;
}

static void
a_store_that_cannot_be_filled_leaves_nothing(void)
{
    const char *dir = help_folder();
    char path[300];
    const struct pages_content c = {1, refuse, path};
    int rc;

    snprintf(path, sizeof path, "%s/data.mdb", dir);
    CHECK(pages_make(dir, &c, &rc) == ST_NOMEM && rc == 0);
    CHECK(access(path, F_OK) != 0);
    snprintf(path, sizeof path, "%s/data.mdb.part", dir);
    CHECK(access(path, F_OK) != 0);
    folder_remove(dir);
}

/* What was closed is read again only after it has changed. */
static void
a_closed_store_is_not_read_again(void)
{
    static const char garbage[64] = "garbage";
    struct world w;
    struct stat st;
    struct timespec times[2];
    int fd;

    open_world(&w, 4);
    write_some(&w, 500);
    mdb_env_close(w.env);
    CHECK(pages_verify(w.dir, "test", "repair") == ST_OK);
    pages_closed(w.dir);
    CHECK(stat(w.path, &st) == 0);
    fd = open(w.path, O_RDWR);
    for (off_t at = 8192; at < st.st_size; at += 4096)
        CHECK(pwrite(fd, garbage, sizeof garbage, at) == sizeof garbage);
    CHECK(pages_verify(w.dir, "test", "repair") == ST_STORE);
    times[0] = times[1] = st.st_mtim;
    CHECK(futimens(fd, times) == 0);
    CHECK(pages_verify(w.dir, "test", "repair") == ST_OK);
    close(fd);
    folder_remove(w.dir);
}

static const struct test tests[] = {
    TEST(nothing_is_wrong_with_what_lmdb_writes),
    TEST(a_large_value_may_get_shorter_in_its_transaction),
    TEST(damages_are_found_or_do_no_harm),
    TEST(stray_rows_are_given_out),
    TEST(a_file_is_there_whole_or_not_at_all),
    TEST(a_store_that_cannot_be_filled_leaves_nothing),
    TEST(a_closed_store_is_not_read_again),
    {0},
};

int
main(int argc, char **argv)
{
    log_threshold = LOG_ERROR;
    return test_main(tests, argc, argv);
}
