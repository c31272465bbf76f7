/* tables.c -- all of LMDB that the frontier uses; its error codes end here.
 *
 * LMDB because one file, one writer and readers that never block it are just
 * what a frontier needs: a commit is a page write, there is no log to replay
 * and no background thread, and a killed process leaves the last committed
 * state to the next one.
 *
 * What frontier.sync gives.  kill -9 of the process at any moment loses nothing
 * that was committed, with each of them: pages are written (not mapped) before
 * a commit returns, and the kernel keeps them.  Power loss:
 *   full   a commit is on the disk when it returns;
 *   meta   (MDB_NOMETASYNC) the last commit may be undone, earlier ones are on
 *          the disk, nothing is corrupt; the work of one commit is done again;
 *   none   (MDB_NOSYNC) the store may be corrupt: for throw-away crawls only.
 *
 * The discovery log of a large store (pending.c) is written, and with full and
 * meta synced, before the commit that says how long it is, so what is true of a
 * commit is true of the links in it.
 *
 * What is leased between commits (leaselog.c) is written and not synced, so
 * after power loss those leases may be forgotten; with full there are none.
 *
 * Full disks.  LMDB writes with pwrite, so a full disk is an error code of the
 * commit; only its small lock file is written through a map.  The free space is
 * still looked at before each transaction, so that the frontier stops while the
 * log and the corpus on the same disk have some room left.
 *
 * Only one process writes: the flock on frontier.lock says who (LMDB itself
 * would let several in, each with clocks of its own in memory).  Readers leave
 * that lock alone; they must be short, since the file grows while they look.
 *
 * The 0.9.24 of Debian leaks a little memory in transactions of over 131,071
 * dirty pages (ITS#9155) and has faults in MDB_DUPSORT: batches stay below the
 * one, and the other is not used. */
#include "tables_impl.h"

#include <errno.h>
#include <sys/statvfs.h>

#include "winnow/clock.h"
#include "winnow/log.h"

#define FULL_SAID_EVERY_MS 60000u
#define RESERVE_SHARE 16u                  /* of the map is kept, ... */
#define RESERVE_MOST ((uint64_t)256 << 20) /* ... but no more than this */
#define LOOK_EVERY_MS 1000u
#define LARGE_CHANGES 2000u /* rows: a commit of some milliseconds */

static const char *const table_names[TABLE_N] = {
    [TABLE_META] = "meta",           [TABLE_SEEN] = "seen",
    [TABLE_QUEUE] = "queue",         [TABLE_LATER] = "later",
    [TABLE_HOSTS] = "hosts",         [TABLE_NAMES] = "names",
    [TABLE_LEASES] = "leases",       [TABLE_ROBOTS] = "robots",
    [TABLE_ADDRESSES] = "addresses", [TABLE_CONTROL] = "control",
    [TABLE_REVISIT] = "revisit",     [TABLE_DUE] = "due",
    [TABLE_MODEL] = "model",         [TABLE_HELD] = "held",
};

const char *
tables_name(enum table table)
{
    return table_names[table];
}

bool
tables_named(enum table *out, struct str name)
{
    for (int i = 0; i < TABLE_N; i++)
        if (str_eq(name, str_c(table_names[i]))) {
            *out = (enum table)i;
            return true;
        }
    return false;
}

enum status
tables_full(struct tables *t, const char *what)
{
    uint64_t now = clock_steady_ms();

    if (t->full_said_ms == 0 || now - t->full_said_ms >= FULL_SAID_EVERY_MS) {
        t->full_said_ms = now;
        log_warn("frontier", "dir=%s %s; waiting for space", t->dir, what);
    }
    return ST_FULL;
}

enum status
tables_status(struct tables *t, int rc, const char *doing)
{
    switch (rc) {
    case MDB_SUCCESS: return ST_OK;
    case MDB_NOTFOUND: return ST_NONE;
    case MDB_MAP_FULL:
        return tables_full(
            t, "store full: raise frontier.map_gib and start again");
    case ENOSPC:
    case EDQUOT: return tables_full(t, "disk full");
    case ENOMEM:
        log_error("frontier", "%s: out of memory", doing);
        return ST_NOMEM;
    default:
        log_error("frontier", "dir=%s doing=%s error=%s", t->dir, doing,
                  mdb_strerror(rc));
        return ST_STORE;
    }
}

uint64_t
tables_disk_free(const char *dir)
{
    struct statvfs sv;

    if (statvfs(dir, &sv) != 0)
        return UINT64_MAX; /* the next write will say what is wrong */
    return (uint64_t)sv.f_bavail * sv.f_frsize;
}

/* ---- transactions ---- */

static void
close_cursors(struct tables *t)
{
    for (int i = 0; i < TABLE_N; i++) {
        if (t->cursor[i] != NULL)
            mdb_cursor_close(t->cursor[i]);
        if (t->writer[i].cursor != NULL)
            mdb_cursor_close(t->writer[i].cursor);
        t->cursor[i] = t->writer[i].cursor = NULL;
    }
}

/* Pages inside the file that are free again. */
static uint64_t
free_pages(struct tables *t)
{
    MDB_cursor *c;
    MDB_val k, v;
    uint64_t n = 0;

    if (mdb_cursor_open(t->txn, 0, &c) != 0)
        return 0;
    while (mdb_cursor_get(c, &k, &v, MDB_NEXT) == 0) {
        size_t some = 0; /* a list of pages: how many, then their numbers */

        if (v.mv_size >= sizeof some)
            memcpy(&some, v.mv_data, sizeof some);
        n += some;
    }
    mdb_cursor_close(c);
    return n;
}

/* Is more than the reserve left of the map? */
static bool
map_room(struct tables *t)
{
    uint64_t now = clock_steady_ms(), used;
    uint64_t reserve = t->map_size / RESERVE_SHARE;
    MDB_envinfo info;
    MDB_stat st;

    reserve = reserve < RESERVE_MOST ? reserve : RESERVE_MOST;
    if (mdb_env_info(t->env, &info) != 0 || mdb_env_stat(t->env, &st) != 0)
        return true;
    used = ((uint64_t)info.me_last_pgno + 1) * st.ms_psize;
    if (used + reserve <= t->map_size) {
        t->pages_looked_ms = 0;
        return true;
    }
    if (t->pages_looked_ms == 0 || now - t->pages_looked_ms >= LOOK_EVERY_MS) {
        t->pages_looked_ms = now | 1;
        t->pages_room =
            t->map_size - used + free_pages(t) * st.ms_psize > 2 * reserve;
    }
    return t->pages_room;
}

bool
tables_room(const struct tables *t)
{
    return t->room;
}

enum status
tables_begin(struct tables *t)
{
    uint64_t disk = t->read_only || t->disk_free == 0
                        ? UINT64_MAX
                        : tables_disk_free(t->dir);
    enum status st;

    if (disk < t->disk_free / 2)
        return tables_full(
            t, "not even half of output.disk_free_mib is free on the disk");
    t->changes = 0;
    st = tables_status(
        t, mdb_txn_begin(t->env, NULL, t->read_only ? MDB_RDONLY : 0, &t->txn),
        "begin");
    t->room = true;
    if (st != ST_OK || t->read_only)
        return st;
    if (disk < t->disk_free)
        t->room =
            tables_full(t, "less disk space free than "
                           "output.disk_free_mib: new links wait") == ST_OK;
    else if (!map_room(t))
        t->room = tables_full(t, "store full: new links wait, the rest goes "
                                 "on; raise frontier.map_gib and start "
                                 "again") == ST_OK;
    return ST_OK;
}

enum status
tables_peek(struct tables *t)
{
    return tables_status(t, mdb_txn_begin(t->env, NULL, MDB_RDONLY, &t->txn),
                         "peek");
}

enum status
tables_commit(struct tables *t)
{
    MDB_txn *txn = t->txn;
    bool large = t->changes >= LARGE_CHANGES;
    int rc;

    close_cursors(t);
    t->txn = NULL;
    if (large)
        writeback_begin(t->writeback);
    rc = mdb_txn_commit(txn);
    if (large)
        writeback_end(t->writeback);
    return tables_status(t, rc, "commit");
}

enum status
tables_sync(struct tables *t)
{
    return tables_status(t, mdb_env_sync(t->env, 1), "sync");
}

void
tables_abort(struct tables *t)
{
    if (t->txn == NULL)
        return;
    close_cursors(t);
    mdb_txn_abort(t->txn);
    t->txn = NULL;
}

/* ---- rows ---- */

enum status
tables_get(struct tables *t, enum table table, struct str key,
           struct str *value)
{
    MDB_val k = tables_val(key), v = {0, NULL};
    enum status st =
        tables_status(t, mdb_get(t->txn, t->dbi[table], &k, &v), "get");

    if (st == ST_OK)
        *value = tables_view(v);
    return st;
}

static enum status
open_writer(struct tables *t, enum table table)
{
    struct writer *w = &t->writer[table];
    MDB_val k = {0, NULL}, v = {0, NULL};
    int rc = mdb_cursor_open(t->txn, t->dbi[table], &w->cursor);

    w->last_n = 0;
    if (rc == 0)
        rc = mdb_cursor_get(w->cursor, &k, &v, MDB_LAST);
    if (rc == 0 && k.mv_size <= KEY_MAX) {
        w->last_n = k.mv_size;
        memcpy(w->last, k.mv_data, k.mv_size);
    }
    return rc == MDB_NOTFOUND ? ST_OK : tables_status(t, rc, "cursor");
}

static bool
is_behind(const struct writer *w, struct str key)
{
    size_t n = key.n < w->last_n ? key.n : w->last_n;
    int c = memcmp(key.p, w->last, n);

    return w->last_n > 0 && (c > 0 || (c == 0 && key.n > w->last_n));
}

static enum status
put(struct tables *t, enum table table, struct str key, struct str value,
    unsigned flags)
{
    struct writer *w = &t->writer[table];
    MDB_val k = tables_val(key), v = tables_val(value);
    enum status st = w->cursor == NULL ? open_writer(t, table) : ST_OK;
    int rc;

    if (st != ST_OK)
        return st;
    t->changes++;
    if (is_behind(w, key) && key.n <= KEY_MAX) {
        flags = MDB_APPEND;
        memcpy(w->last, key.p, key.n);
        w->last_n = key.n;
    }
    rc = mdb_cursor_put(w->cursor, &k, &v, flags);
    return rc == MDB_KEYEXIST ? ST_INVALID : tables_status(t, rc, "put");
}

enum status
tables_put(struct tables *t, enum table table, struct str key, struct str value)
{
    return put(t, table, key, value, 0);
}

enum status
tables_add(struct tables *t, enum table table, struct str key, struct str value)
{
    return put(t, table, key, value, MDB_NOOVERWRITE);
}

enum status
tables_delete(struct tables *t, enum table table, struct str key)
{
    MDB_val k = tables_val(key);

    t->changes++;
    return tables_status(t, mdb_del(t->txn, t->dbi[table], &k, NULL), "delete");
}

static enum status
move(struct tables *t, enum table table, MDB_cursor_op op, MDB_val k,
     struct str *key, struct str *value)
{
    MDB_val v = {0, NULL};
    enum status st = ST_OK;

    if (t->cursor[table] == NULL)
        st = tables_status(
            t, mdb_cursor_open(t->txn, t->dbi[table], &t->cursor[table]),
            "cursor");
    if (st == ST_OK)
        st = tables_status(t, mdb_cursor_get(t->cursor[table], &k, &v, op),
                           "seek");
    if (st == ST_OK) {
        *key = tables_view(k);
        *value = tables_view(v);
    }
    return st;
}

enum status
tables_seek(struct tables *t, enum table table, struct str from,
            struct str *key, struct str *value)
{
    return from.n == 0
               ? move(t, table, MDB_FIRST, (MDB_val){0, NULL}, key, value)
               : move(t, table, MDB_SET_RANGE, tables_val(from), key, value);
}

enum status
tables_next(struct tables *t, enum table table, struct str *key,
            struct str *value)
{
    return move(t, table, MDB_NEXT, (MDB_val){0, NULL}, key, value);
}

enum status
tables_before(struct tables *t, enum table table, struct str end,
              struct str *key, struct str *value)
{
    enum status st = tables_seek(t, table, end, key, value);

    if (st != ST_OK && st != ST_NONE)
        return st;
    return move(t, table, st == ST_OK ? MDB_PREV : MDB_LAST, (MDB_val){0, NULL},
                key, value);
}

uint64_t
tables_version(const struct tables *t)
{
    MDB_envinfo info = {0};

    return mdb_env_info(t->env, &info) == 0 ? info.me_last_txnid : 0;
}

size_t
tables_changes(const struct tables *t)
{
    return t->changes;
}

void
tables_size(struct tables *t, enum table table, struct tables_size *out)
{
    MDB_stat st;

    *out = (struct tables_size){0};
    if (mdb_stat(t->txn, t->dbi[table], &st) != 0)
        return;
    out->rows = st.ms_entries;
    out->bytes =
        st.ms_psize * (uint64_t)(st.ms_branch_pages + st.ms_leaf_pages +
                                 st.ms_overflow_pages);
}
