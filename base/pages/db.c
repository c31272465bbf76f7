/* db.c -- see db.h: transactions and rows.
 *
 * LMDB because one file, one writer and readers that never block it are what
 * both stores need: a commit is a page write, there is no log to replay and no
 * background thread, and a killed process leaves the last committed state to
 * the next one.
 *
 * What `sync` gives.  kill -9 of the process at any moment loses nothing that
 * was committed, with each of them: pages are written (not mapped) before a
 * commit returns, and the kernel keeps them.  Power loss:
 *   full   a commit is on the disk when it returns;
 *   meta   (MDB_NOMETASYNC) the last commit may be undone, earlier ones are on
 *          the disk, nothing is corrupt;
 *   none   (MDB_NOSYNC) the store may be corrupt.
 * A full disk is an error code of the commit, since LMDB writes with pwrite();
 * only its small lock file is written through a map.  Where it is the first
 * page that has no room the program ends (end_of_store()).
 *
 * The 0.9.24 of Debian has faults with deletions in MDB_DUPSORT (ITS#9376,
 * 9461), so that is not used, and leaks a little memory in transactions of over
 * 131,071 dirty pages (ITS#9155), so batches stay below.  Never after fork. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/disk_full.h"
#include "base/log.h"
#include "db_impl.h"

#define WRITE_MAX ((size_t)1 << 20) /* LMDB writes 64 pages at once */

enum status
db_full(struct db *d, const char *what)
{
    if (!d->opened) /* nothing waits for it yet */
        log_error(d->owner, "dir=%s %s", d->dir, what);
    else if (reminder_due(&d->full, "space"))
        log_warn(d->owner, "dir=%s %s", d->dir, what);
    return ST_FULL;
}

/* The page that says where everything stands could not be written (which a full
 * disk may do where files are never written in place), and LMDB takes nothing
 * more until the store is opened anew.  Others hold on to it, so that is the
 * next process's: what was committed is there, as after kill -9. */
static _Noreturn void
end_of_store(const struct db *d)
{
    log_error(
        d->owner,
        "dir=%s its first page could not be written, and it takes nothing "
        "more: look at the disk and start again; what was committed is "
        "there",
        d->dir);
    _exit(1);
}

enum status
db_status(struct db *d, int rc, const char *doing)
{
    char what[160];

    if (disk_full(rc)) {
        snprintf(what, sizeof what, "%s%s", disk_full_remedy(rc),
                 d->opened ? "" : " and start again");
        return db_full(d, what);
    }
    switch (rc) {
    case MDB_SUCCESS: return ST_OK;
    case MDB_NOTFOUND: return ST_NONE;
    case MDB_MAP_FULL:
        snprintf(what, sizeof what, "store full: raise %s and start again",
                 d->map_option);
        return db_full(d, what);
    case ENOMEM:
        log_error(d->owner, "%s: out of memory", doing);
        return ST_NOMEM;
    case MDB_PANIC: end_of_store(d);
    default:
        log_error(d->owner, "dir=%s doing=%s error=%s", d->dir, doing,
                  mdb_strerror(rc));
        return ST_STORE;
    }
}

/* ---- transactions ---- */

static void
close_cursors(struct db *d, size_t table)
{
    if (d->cursor[table] != NULL)
        mdb_cursor_close(d->cursor[table]);
    if (d->writer[table].cursor != NULL)
        mdb_cursor_close(d->writer[table].cursor);
    d->cursor[table] = d->writer[table].cursor = NULL;
}

static void
close_all_cursors(struct db *d)
{
    for (size_t i = 0; i < d->tables_n; i++)
        close_cursors(d, i);
}

static enum status
begin(struct db *d, unsigned flags, const char *doing)
{
    enum status st;

    assert(d->txn == NULL);
    d->changes = 0;
    st = db_status(d, mdb_txn_begin(d->env, NULL, flags, &d->txn), doing);
    if (st != ST_OK)
        d->txn = NULL;
    return st;
}

/* Pages that a killed process was looking at would never be used again, and
 * the store grow by all that is written. */
enum status
db_begin(struct db *d)
{
    int dead;

    if (!d->read_only)
        mdb_reader_check(d->env, &dead);
    return begin(d, d->read_only ? MDB_RDONLY : 0, "begin");
}

enum status
db_peek(struct db *d)
{
    return begin(d, MDB_RDONLY, "peek");
}

/* LMDB says EIO of a write that was cut short, which is what becomes of a long
 * one where the room ends within it.  What that was. */
static int
cut_short(const struct db *d)
{
    struct statvfs disk;
    struct stat file;
    int fd = db_fd(d), rc = EIO;

    if (fstatvfs(fd, &disk) == 0 && disk.f_bavail < WRITE_MAX / disk.f_frsize)
        rc = ENOSPC;
    return fstat(fd, &file) == 0
               ? disk_full_of((uint64_t)file.st_size + WRITE_MAX, rc)
               : rc;
}

enum status
db_commit(struct db *d)
{
    MDB_txn *txn = d->txn;
    int rc;

    close_all_cursors(d);
    d->txn = NULL;
    rc = mdb_txn_commit(txn);
    return db_status(d, rc == EIO ? cut_short(d) : rc, "commit");
}

void
db_abort(struct db *d)
{
    if (d->txn == NULL)
        return;
    close_all_cursors(d);
    mdb_txn_abort(d->txn);
    d->txn = NULL;
}

enum status
db_sync(struct db *d)
{
    return db_status(d, mdb_env_sync(d->env, 1), "sync");
}

/* ---- rows ---- */

enum status
db_get(struct db *d, unsigned table, struct str key, struct str *value)
{
    MDB_val k = db_val(key), v = {0, NULL};
    enum status st = ST_NONE;

    if (d->dbi[table] != NO_TABLE)
        st = db_status(d, mdb_get(d->txn, d->dbi[table], &k, &v), "get");
    if (st == ST_OK)
        *value = db_str(v);
    return st;
}

/* No row is behind it.  A longer key is not kept, and what comes after it is
 * not known to be behind all others. */
static void
note_last(struct table_writer *w, struct str key)
{
    w->last_n = key.n <= KEY_MAX ? key.n : 0;
    memcpy(w->last, key.p, w->last_n);
}

static enum status
open_writer(struct db *d, unsigned table)
{
    struct table_writer *w = &d->writer[table];
    MDB_val k = {0, NULL}, v = {0, NULL};
    int rc = mdb_cursor_open(d->txn, d->dbi[table], &w->cursor);

    w->last_n = 0;
    if (rc == 0)
        rc = mdb_cursor_get(w->cursor, &k, &v, MDB_LAST);
    if (rc == 0)
        note_last(w, db_str(k));
    return rc == MDB_NOTFOUND ? ST_OK : db_status(d, rc, "cursor");
}

static bool
is_behind(const struct table_writer *w, struct str key)
{
    size_t n = key.n < w->last_n ? key.n : w->last_n;
    int c = memcmp(key.p, w->last, n);

    return w->last_n > 0 && (c > 0 || (c == 0 && key.n > w->last_n));
}

static enum status
put(struct db *d, unsigned table, struct str key, struct str value,
    unsigned flags)
{
    struct table_writer *w = &d->writer[table];
    MDB_val k = db_val(key), v = db_val(value);
    enum status st = w->cursor == NULL ? open_writer(d, table) : ST_OK;
    int rc;

    if (st != ST_OK)
        return st;
    d->changes++;
    if (is_behind(w, key)) {
        flags = MDB_APPEND;
        note_last(w, key);
    }
    rc = mdb_cursor_put(w->cursor, &k, &v, flags);
    return rc == MDB_KEYEXIST ? ST_INVALID : db_status(d, rc, "put");
}

enum status
db_put(struct db *d, unsigned table, struct str key, struct str value)
{
    return put(d, table, key, value, 0);
}

enum status
db_add(struct db *d, unsigned table, struct str key, struct str value)
{
    return put(d, table, key, value, MDB_NOOVERWRITE);
}

enum status
db_delete(struct db *d, unsigned table, struct str key)
{
    MDB_val k = db_val(key);

    d->changes++;
    return db_status(d, mdb_del(d->txn, d->dbi[table], &k, NULL), "delete");
}

enum status
db_empty(struct db *d, unsigned table)
{
    close_cursors(d, table);
    return db_status(d, mdb_drop(d->txn, d->dbi[table], 0), "empty");
}

static enum status
move(struct db *d, unsigned table, MDB_cursor_op op, MDB_val k, struct str *key,
     struct str *value)
{
    MDB_val v = {0, NULL};
    enum status st = d->dbi[table] == NO_TABLE ? ST_NONE : ST_OK;

    if (st == ST_OK && d->cursor[table] == NULL)
        st = db_status(
            d, mdb_cursor_open(d->txn, d->dbi[table], &d->cursor[table]),
            "cursor");
    if (st == ST_OK)
        st = db_status(d, mdb_cursor_get(d->cursor[table], &k, &v, op), "seek");
    if (st == ST_OK) {
        *key = db_str(k);
        *value = db_str(v);
    }
    return st;
}

enum status
db_seek(struct db *d, unsigned table, struct str from, struct str *key,
        struct str *value)
{
    return from.n == 0
               ? move(d, table, MDB_FIRST, (MDB_val){0, NULL}, key, value)
               : move(d, table, MDB_SET_RANGE, db_val(from), key, value);
}

enum status
db_next(struct db *d, unsigned table, struct str *key, struct str *value)
{
    return move(d, table, MDB_NEXT, (MDB_val){0, NULL}, key, value);
}

enum status
db_before(struct db *d, unsigned table, struct str end, struct str *key,
          struct str *value)
{
    enum status st = db_seek(d, table, end, key, value);

    if (st != ST_OK && st != ST_NONE)
        return st;
    return move(d, table, st == ST_OK ? MDB_PREV : MDB_LAST, (MDB_val){0, NULL},
                key, value);
}

/* ---- from other threads ---- */

bool
db_view_begin(struct db_view *v, struct db *d)
{
    v->db = d;
    return mdb_txn_begin(d->env, NULL, MDB_RDONLY, &v->txn) == 0;
}

bool
db_view_get(const struct db_view *v, unsigned table, struct str key,
            struct str *value)
{
    MDB_val k = db_val(key), found = {0, NULL};

    if (mdb_get(v->txn, v->db->dbi[table], &k, &found) != 0)
        return false;
    *value = db_str(found);
    return true;
}

void
db_view_end(struct db_view *v)
{
    mdb_txn_abort(v->txn);
}

/* ---- how it stands ---- */

uint64_t
db_version(const struct db *d)
{
    MDB_envinfo info = {0};

    return mdb_env_info(d->env, &info) == 0 ? info.me_last_txnid : 0;
}

size_t
db_changes(const struct db *d)
{
    return d->changes;
}

uint64_t
db_snapshot(const struct db *d)
{
    return mdb_txn_id(d->txn);
}

struct db_size
db_size(struct db *d, unsigned table)
{
    MDB_stat st;

    if (mdb_stat(d->txn, d->dbi[table], &st) != 0)
        return (struct db_size){0};
    return (struct db_size){st.ms_entries,
                            st.ms_psize * (uint64_t)(st.ms_branch_pages +
                                                     st.ms_leaf_pages +
                                                     st.ms_overflow_pages)};
}

uint64_t
db_map_left(const struct db *d)
{
    MDB_envinfo info;
    MDB_stat st;
    uint64_t used;

    if (mdb_env_info(d->env, &info) != 0 || mdb_env_stat(d->env, &st) != 0)
        return UINT64_MAX; /* the next commit will say what is wrong */
    used = ((uint64_t)info.me_last_pgno + 1) * st.ms_psize;
    return used < info.me_mapsize ? info.me_mapsize - used : 0;
}

uint64_t
db_pages_free(struct db *d)
{
    MDB_cursor *c;
    MDB_val k, v;
    MDB_stat st;
    uint64_t n = 0;

    if (mdb_env_stat(d->env, &st) != 0 || mdb_cursor_open(d->txn, 0, &c) != 0)
        return 0;
    while (mdb_cursor_get(c, &k, &v, MDB_NEXT) == 0) {
        size_t some = 0; /* a list of pages: how many, then their numbers */

        if (v.mv_size >= sizeof some)
            memcpy(&some, v.mv_data, sizeof some);
        n += some;
    }
    mdb_cursor_close(c);
    return n * st.ms_psize;
}

int
db_fd(const struct db *d)
{
    mdb_filehandle_t fd;

    return mdb_env_get_fd(d->env, &fd) == 0 ? fd : -1;
}
