/* Aim: what an index finds when it is opened is made durable, mended or
 * refused: logs that were not synced, damage, other programs' folders, other
 * schemes and schemas.  What is refused is left as it is. */
#include <fcntl.h>
#include <lmdb.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "index_case.h"
#include "shingle/tools/repair.h"

static unsigned logs_synced;

/* In the place of the C library's. */
int
fdatasync(int fd)
{
    char link[64], path[512];
    ssize_t n;

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    n = readlink(link, path, sizeof path - 1);
    path[n < 0 ? 0 : n] = '\0';
    logs_synced += strstr(path, INDEX_LOG) != NULL;
    return (int)syscall(SYS_fdatasync, fd);
}

/* What a run without syncs has left is on the disk before answers that are to
 * be durable rely on it. */
static void
what_was_not_synced_is_so_when_an_index_is_opened(void)
{
    struct store_options durable = plain;
    struct util_doc d;
    struct index_verdict v;
    struct index *x = NULL;

    durable.sync = S("meta");
    folder_open();
    CHECK(index_open(&x, folder, 0.8, &plain) == ST_OK);
    CHECK(index_begin(x) == ST_OK);
    util_doc(&d, 1, 1, 1);
    CHECK(index_decide(x, &d.doc, &v) == ST_OK && index_commit(x) == ST_OK);
    index_close(x);
    logs_synced = 0;
    CHECK(index_open(&x, folder, 0.8, &plain) == ST_OK && logs_synced == 0);
    index_close(x);
    CHECK(index_open(&x, folder, 0.8, &durable) == ST_OK && logs_synced == 1);
    index_close(x);
    folder_close();
}

static void
fingerprints_of_another_scheme_are_refused(void)
{
    struct util_doc d;
    struct index_verdict v;
    struct index *x = NULL;

    folder_open();
    CHECK(index_open(&x, folder, 0.8, &plain) == ST_OK);
    CHECK(judge_mutant(x, 1, 0, 1) == VERDICT_KEPT);
    x = opened_again(x);
    CHECK(index_expect(x, S("")) == ST_OK);
    CHECK(index_expect(x, S("onepermutation/100/5/0")) == ST_OK);
    log_threshold = LOG_ERROR + 1;
    CHECK(index_expect(x, S("minima/100/5/1")) == ST_USAGE);
    util_doc(&d, 2, 2, 1);
    d.doc.scheme = S("minima/100/5/1");
    CHECK(index_begin(x) == ST_OK);
    CHECK(index_decide(x, &d.doc, &v) == ST_INVALID);
    log_threshold = LOG_ERROR;
    index_abort(x);
    index_close(x);
    folder_close();
}

/* They are not remembered, so there is nothing that they could not be compared
 * with. */
static void
without_near_duplicates_a_scheme_is_nobodys(void)
{
    struct util_doc d, e;
    struct index_verdict v;
    struct index *x = NULL;

    folder_open();
    CHECK(index_open(&x, folder, 0, &plain) == ST_OK);
    util_doc(&d, 1, 1, 1);
    util_doc(&e, 2, 2, 1);
    d.doc.scheme = S("onepermutation/100/5/0");
    e.doc.scheme = S("minima/100/5/1");
    CHECK(index_expect(x, d.doc.scheme) == ST_OK &&
          index_expect(x, e.doc.scheme) == ST_OK);
    CHECK(index_begin(x) == ST_OK);
    CHECK(index_decide(x, &d.doc, &v) == ST_OK);
    CHECK(index_decide(x, &e.doc, &v) == ST_OK && index_commit(x) == ST_OK);
    x = opened_again(x);
    CHECK(index_be_of(x, S("rabin/100/5/1")) == ST_OK);
    index_close(x);
    folder_close();
}

/* Of so many bands in a row are records of one threshold; short documents have
 * more of them. */
static void
another_threshold_too_many_is_refused(void)
{
    static const double near[] = {.5, .75, .8, .84, .86, .88, .9, .92, .97};
    enum { N = sizeof near / sizeof *near };
    struct util_doc d;
    struct index_verdict v;
    struct index *x = NULL;
    struct buf said = {0};
    enum status st;

    folder_open();
    for (uint64_t i = 0; i < N; i++) {
        CHECK(index_open(&x, folder, near[i], &plain) == ST_OK);
        log_capture(&said);
        st = index_be_of(x, S("onepermutation/100/5/0"));
        log_capture(NULL);
        CHECK(st == (i + 1 < N ? ST_OK : ST_USAGE));
        for (uint64_t k = 0; k < 2 && st == ST_OK; k++) {
            util_doc(&d, 10 * i + k, 10 * i + k, 1);
            d.print.shingles_n = k == 0 ? 300 : 90;
            CHECK(index_begin(x) == ST_OK);
            CHECK(index_decide(x, &d.doc, &v) == ST_OK);
            CHECK(index_commit(x) == ST_OK);
            CHECK(v.answer.verdict == VERDICT_KEPT);
        }
        index_close(x);
    }
    CHECK(memmem(said.p, said.n, "dedup.near = 0.97", 17) != NULL);
    CHECK(index_open(&x, folder, near[2], &plain) == ST_OK);
    CHECK(index_be_of(x, S("onepermutation/100/5/0")) == ST_OK);
    for (uint64_t i = 0; i + 1 < N; i++) /* each is found again */
        for (uint64_t k = 0; k < 2; k++) {
            util_doc(&d, 1000 + 10 * i + k, 1000 + 10 * i + k, 1);
            d.print = util_print(10 * i + k);
            d.print.shingles_n = k == 0 ? 300 : 90;
            CHECK(index_begin(x) == ST_OK);
            CHECK(index_decide(x, &d.doc, &v) == ST_OK);
            CHECK(index_commit(x) == ST_OK);
            CHECK(v.answer.verdict == VERDICT_NEAR_DUPLICATE);
        }
    index_close(x);
    buf_free(&said);
    folder_close();
}

static void
change_byte(const char *path, long at)
{
    FILE *f = fopen(path, "r+b");
    int c;

    CHECK(f != NULL && fseek(f, at, SEEK_SET) == 0 && (c = fgetc(f)) != EOF);
    CHECK(fseek(f, at, SEEK_SET) == 0 && fputc(c ^ 0x5a, f) != EOF);
    fclose(f);
}

static void
a_garbled_log_is_refused_and_mended(void)
{
    struct index *x = NULL;
    struct opts o;
    struct buf out = {0};
    uint64_t faults = 0;
    char path[512], log[600];

    folder_open();
    opts_init(&o);
    CHECK(opts_set(&o, "test", S("dedup.map_gib=1")) == ST_OK);
    snprintf(path, sizeof path, "%s/dedup", folder);
    snprintf(log, sizeof log, "%s/records.log", path);
    CHECK(mkdir(path, 0700) == 0);
    CHECK(index_open(&x, path, 0.8, &plain) == ST_OK);
    for (uint64_t i = 0; i < 100; i++)
        CHECK(judge_mutant(x, i, 0, i) == VERDICT_KEPT);
    index_close(x);
    CHECK(dedup_check(folder, &out, &faults) == ST_OK && faults == 0);
    change_byte(log, 32 + 40 * 384 + 2);  /* the length of one */
    change_byte(log, 32 + 70 * 384 + 99); /* the middle of another */
    log_threshold = LOG_ERROR + 1;
    CHECK(index_open(&x, path, 0.8, &plain) == ST_STORE && x == NULL);
    log_threshold = LOG_ERROR;
    CHECK(dedup_check(folder, &out, &faults) == ST_OK && faults == 1);
    CHECK(dedup_repair(folder, &o, &out) == ST_OK);
    buf_char(&out, '\0');
    CHECK(strstr(out.p, "records  98, 2 places of 768 bytes lost") != NULL);
    CHECK(dedup_check(folder, &out, &faults) == ST_OK && faults == 0);
    CHECK(index_open(&x, path, 0.8, &plain) == ST_OK);
    CHECK(judge_mutant(x, 1000, 0, 41) == VERDICT_NEAR_DUPLICATE);
    CHECK(judge_mutant(x, 1001, 0, 40) == VERDICT_KEPT); /* it was lost */
    index_close(x);
    CHECK(truncate(log, 5000) == 0);
    log_threshold = LOG_ERROR + 1;
    CHECK(index_open(&x, path, 0.8, &plain) == ST_USAGE && x == NULL);
    log_threshold = LOG_ERROR;
    CHECK(unlink(log) == 0);
    log_threshold = LOG_ERROR + 1;
    CHECK(index_open(&x, path, 0.8, &plain) == ST_USAGE && x == NULL);
    log_threshold = LOG_ERROR;
    buf_free(&out);
    opts_free(&o);
    folder_close();
}

static void
foreign_folders_are_refused_and_left_alone(void)
{
    struct index *x = NULL;
    MDB_env *env;
    MDB_txn *txn;
    MDB_dbi table;
    struct stat before, after;
    char path[512];
    int fd;

    folder_open(); /* another program's LMDB */
    CHECK(mdb_env_create(&env) == 0);
    CHECK(mdb_env_set_maxdbs(env, 8) == 0);
    CHECK(mdb_env_open(env, folder, 0, 0644) == 0);
    CHECK(mdb_txn_begin(env, NULL, 0, &txn) == 0);
    CHECK(mdb_dbi_open(txn, "queue", MDB_CREATE, &table) == 0);
    CHECK(mdb_txn_commit(txn) == 0);
    mdb_env_close(env);
    snprintf(path, sizeof path, "%s/data.mdb", folder);
    CHECK(stat(path, &before) == 0);
    CHECK(index_open(&x, folder, 0.8, &plain) == ST_USAGE && x == NULL);
    CHECK(stat(path, &after) == 0 && after.st_size == before.st_size);
    folder_close();

    folder_open(); /* no LMDB at all */
    snprintf(path, sizeof path, "%s/data.mdb", folder);
    fd = open(path, O_WRONLY | O_CREAT, 0644);
    for (int i = 0; i < 1000; i++)
        CHECK(write(fd, "no database here", 16) == 16);
    close(fd);
    CHECK(index_open(&x, folder, 0.8, &plain) == ST_USAGE && x == NULL);
    folder_close();
}

/* Ours, but of a version before or after. */
static void
an_index_of_another_schema_is_refused_and_left_alone(void)
{
    static const char others[] = {STORE_SCHEMA - 1, STORE_SCHEMA + 1};

    for (size_t i = 0; i < sizeof others; i++) {
        struct index *x = NULL;
        struct buf said = {0};
        uint64_t faults = 0;
        char path[512];
        struct store *s;

        folder_open();
        snprintf(path, sizeof path, "%s/dedup", folder);
        CHECK(mkdir(path, 0700) == 0);
        CHECK(store_open(&s, path, &plain) == ST_OK);
        CHECK(store_begin(s) == ST_OK);
        CHECK(store_put_u64(s, "schema", (uint64_t)others[i]) == ST_OK);
        CHECK(store_commit(s) == ST_OK);
        store_close(s);
        log_capture(&said);
        CHECK(index_open(&x, path, 0.8, &plain) == ST_USAGE && x == NULL);
        log_capture(NULL);
        buf_char(&said, '\0');
        CHECK(strstr(said.p, i == 0 ? "older version" : "newer version"));
        CHECK(dedup_check(folder, &said, &faults) == ST_USAGE);
        buf_free(&said);
        folder_close();
    }
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(what_was_not_synced_is_so_when_an_index_is_opened),
        TEST(fingerprints_of_another_scheme_are_refused),
        TEST(without_near_duplicates_a_scheme_is_nobodys),
        TEST(another_threshold_too_many_is_refused),
        TEST(a_garbled_log_is_refused_and_mended),
        TEST(foreign_folders_are_refused_and_left_alone),
        TEST(an_index_of_another_schema_is_refused_and_left_alone),
        {0}};

    log_threshold = LOG_ERROR;
    return test_main(table, argc, argv);
}
