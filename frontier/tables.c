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
#include "tables.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "winnow/clock.h"
#include "winnow/log.h"

#define MAGIC "winnow frontier"
/* 2: shelves in the keys of the queue
 * 3: the table model; anchor words in the rows of the queue
 * 4: sitemaps, addresses, control; more counters
 * 5: leases in a table of their own; rows of hosts that still hold one are
 *    read, and written anew when they change */
#define SCHEMA 5u
#define SCHEMA_READ 2u /* the oldest that can be read */
#define KEY_MAX 32u    /* of keys that are appended */
#define FULL_SAID_EVERY_MS 60000u
#define OPEN_FREE_MIN ((uint64_t)1 << 20) /* for LMDB's lock file */

/* Rows that come in order are written fast: a cursor stands where the last one
 * was, and what lies behind the last row of a table fills its pages. */
struct writer {
    MDB_cursor *cursor;
    unsigned char last[KEY_MAX]; /* no key of the table is behind this one */
    size_t last_n;
};

struct tables {
    char *dir;
    MDB_env *env;
    MDB_dbi dbi[TABLE_N];
    MDB_txn *txn;
    MDB_cursor *cursor[TABLE_N]; /* of the present transaction */
    struct writer writer[TABLE_N];
    uint64_t disk_free, full_said_ms;
    int lock;
    bool read_only;
};

static const char *const table_names[TABLE_N] = {
    [TABLE_META] = "meta",           [TABLE_SEEN] = "seen",
    [TABLE_QUEUE] = "queue",         [TABLE_LATER] = "later",
    [TABLE_HOSTS] = "hosts",         [TABLE_NAMES] = "names",
    [TABLE_LEASES] = "leases",       [TABLE_ROBOTS] = "robots",
    [TABLE_ADDRESSES] = "addresses", [TABLE_CONTROL] = "control",
    [TABLE_REVISIT] = "revisit",     [TABLE_DUE] = "due",
    [TABLE_MODEL] = "model",
};

unsigned
tables_schema(void)
{
    return SCHEMA;
}

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

/* Say it once a minute: the caller tries again and again. */
static enum status
full(struct tables *t, const char *what)
{
    uint64_t now = clock_steady_ms();

    if (t->full_said_ms == 0 || now - t->full_said_ms >= FULL_SAID_EVERY_MS) {
        t->full_said_ms = now;
        log_warn("frontier", "dir=%s %s; waiting for space", t->dir, what);
    }
    return ST_FULL;
}

/* LMDB's codes end here. */
static enum status
status(struct tables *t, int rc, const char *doing)
{
    switch (rc) {
    case MDB_SUCCESS: return ST_OK;
    case MDB_NOTFOUND: return ST_NONE;
    case MDB_MAP_FULL:
        return full(t, "store full: raise frontier.map_gib and start again");
    case ENOSPC:
    case EDQUOT: return full(t, "disk full");
    case ENOMEM:
        log_error("frontier", "%s: out of memory", doing);
        return ST_NOMEM;
    default:
        log_error("frontier", "dir=%s doing=%s error=%s", t->dir, doing,
                  mdb_strerror(rc));
        return ST_STORE;
    }
}

static MDB_val
val(struct str s)
{
    return (MDB_val){s.n, (void *)(uintptr_t)s.p};
}

static struct str
view(MDB_val v)
{
    return str_n(v.mv_data, v.mv_size);
}

/* ---- opening ---- */

static enum status
make_dirs(const char *dir)
{
    char path[4096];
    size_t n = strlen(dir);

    if (n == 0 || n >= sizeof path) {
        log_error("frontier", "dir=%s error=not a usable folder name", dir);
        return ST_USAGE;
    }
    memcpy(path, dir, n + 1);
    for (size_t i = 1; i <= n; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        path[i] = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST) {
            log_error("frontier", "cannot make folder %s: %s", path,
                      strerror(errno));
            return errno == ENOSPC ? ST_FULL : ST_USAGE;
        }
        path[i] = dir[i];
    }
    return ST_OK;
}

/* A folder with files but without a store is somebody else's. */
static enum status
refuse_foreign_folder(const char *dir)
{
    struct dirent *entry;
    bool store = false;
    char other[256] = "";
    DIR *d = opendir(dir);

    if (d == NULL) {
        log_error("frontier", "cannot read folder %s: %s", dir,
                  strerror(errno));
        return ST_USAGE;
    }
    while ((entry = readdir(d)) != NULL) {
        if (strcmp(entry->d_name, "data.mdb") == 0)
            store = true;
        else if (entry->d_name[0] != '.' &&
                 strcmp(entry->d_name, "lock.mdb") != 0 &&
                 strcmp(entry->d_name, "frontier.lock") != 0)
            snprintf(other, sizeof other, "%s", entry->d_name);
    }
    closedir(d);
    if (!store && other[0] != '\0') {
        log_error("frontier",
                  "%s is not a frontier: it holds %s; give an empty or a new "
                  "folder",
                  dir, other);
        return ST_USAGE;
    }
    return ST_OK;
}

static enum status
take_lock(struct tables *t)
{
    char path[4200], pid[32] = "";
    ssize_t n;

    snprintf(path, sizeof path, "%s/frontier.lock", t->dir);
    t->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (t->lock < 0) {
        log_error("frontier", "cannot write %s: %s", path, strerror(errno));
        return errno == ENOSPC ? ST_FULL : ST_USAGE;
    }
    if (flock(t->lock, LOCK_EX | LOCK_NB) != 0) {
        n = read(t->lock, pid, sizeof pid - 1);
        pid[n > 0 ? n : 0] = '\0';
        pid[strcspn(pid, "\n")] = '\0';
        log_error("frontier",
                  "%s is in use by process %s: stop that first, or work in "
                  "another folder (--dir)",
                  t->dir, pid[0] ? pid : "(unknown)");
        return ST_USAGE;
    }
    n = snprintf(pid, sizeof pid, "%ld\n", (long)getpid());
    if (ftruncate(t->lock, 0) != 0 || pwrite(t->lock, pid, (size_t)n, 0) != n)
        log_warn("frontier", "cannot note the process in %s: %s", path,
                 strerror(errno));
    return ST_OK;
}

static uint64_t
disk_free(const char *dir)
{
    struct statvfs sv;

    if (statvfs(dir, &sv) != 0)
        return UINT64_MAX; /* the next write will say what is wrong */
    return (uint64_t)sv.f_bavail * sv.f_frsize;
}

static enum status
open_env(struct tables *t, const struct tables_config *c)
{
    unsigned flags = 0;
    int rc;

    if (c->read_only)
        flags |= MDB_RDONLY | MDB_NOTLS;
    else if (str_eq(c->sync, S("none")))
        flags |= MDB_NOSYNC;
    else if (!str_eq(c->sync, S("full")))
        flags |= MDB_NOMETASYNC;
    if ((rc = mdb_env_create(&t->env)) == 0)
        rc = mdb_env_set_maxdbs(t->env, TABLE_N);
    if (rc == 0 && !c->read_only)
        rc = mdb_env_set_mapsize(t->env, c->map_size);
    if (rc == 0)
        rc = mdb_env_open(t->env, t->dir, flags, 0666);
    if (rc == 0)
        return ST_OK;
    if (rc == MDB_INVALID || rc == MDB_VERSION_MISMATCH)
        log_error("frontier",
                  "%s is not a frontier: its data.mdb is %s; give an empty or "
                  "a new folder",
                  t->dir, mdb_strerror(rc));
    else if (rc == ENOENT)
        log_error("frontier", "there is no frontier in %s", t->dir);
    else if (rc == ENOSPC)
        return full(t, "disk full");
    else
        log_error("frontier", "cannot open the store in %s: %s", t->dir,
                  mdb_strerror(rc));
    return ST_USAGE;
}

/* The process that writes brings an older store up to date. */
static enum status
migrate_later(const struct tables *t, unsigned version)
{
    if (t->read_only) {
        log_error("frontier",
                  "%s is of an older version (schema %u, this is %u): the next "
                  "crawl in it brings it up to date",
                  t->dir, version, SCHEMA);
        return ST_USAGE;
    }
    log_info("frontier", "dir=%s schema=%u brought to %u", t->dir, version,
             SCHEMA);
    return ST_BUSY;
}

/* Whose folder is this?  ST_OK ours, ST_BUSY ours of an older version, ST_NONE
 * empty, ST_USAGE refused. */
static enum status
recognise(struct tables *t)
{
    MDB_txn *txn = NULL;
    MDB_val key = val(S("magic")), magic = {0, NULL}, schema = {0, NULL};
    MDB_stat st;
    MDB_dbi main_dbi, meta;
    unsigned version = 0;
    enum status result = ST_USAGE;
    int rc;

    if ((rc = mdb_txn_begin(t->env, NULL, MDB_RDONLY, &txn)) != 0)
        return status(t, rc, "begin");
    if ((rc = mdb_dbi_open(txn, NULL, 0, &main_dbi)) != 0 ||
        (rc = mdb_stat(txn, main_dbi, &st)) != 0) {
        result = status(t, rc, "open");
        goto out;
    }
    if (st.ms_entries == 0) {
        result = ST_NONE;
        goto out;
    }
    if (mdb_dbi_open(txn, "meta", 0, &meta) != 0 ||
        mdb_get(txn, meta, &key, &magic) != 0 ||
        !str_eq(view(magic), S(MAGIC))) {
        log_error("frontier",
                  "%s holds an LMDB store of another program; give an empty "
                  "or a new folder",
                  t->dir);
        goto out;
    }
    key = val(S("schema"));
    if (mdb_get(txn, meta, &key, &schema) == 0 &&
        schema.mv_size == sizeof version)
        memcpy(&version, schema.mv_data, sizeof version);
    if (version == SCHEMA)
        result = ST_OK;
    else if (version >= SCHEMA_READ && version < SCHEMA)
        result = migrate_later(t, version);
    else
        log_error("frontier",
                  "%s was written by %s version of winnow (schema %u, this is "
                  "%u); use that one",
                  t->dir, version > SCHEMA ? "a newer" : "another", version,
                  SCHEMA);
out:
    mdb_txn_abort(txn);
    return result;
}

static enum status
open_tables(struct tables *t, bool create)
{
    const unsigned schema = SCHEMA;
    MDB_txn *txn;
    int rc = mdb_txn_begin(t->env, NULL, t->read_only ? MDB_RDONLY : 0, &txn);

    if (rc != 0)
        return status(t, rc, "begin");
    for (int i = 0; i < TABLE_N && rc == 0; i++)
        rc = mdb_dbi_open(txn, table_names[i], create ? MDB_CREATE : 0,
                          &t->dbi[i]);
    if (rc == 0 && create) {
        MDB_val key = val(S("magic")), value = val(S(MAGIC));

        rc = mdb_put(txn, t->dbi[TABLE_META], &key, &value, 0);
        key = val(S("schema"));
        value = val(str_n((const char *)&schema, sizeof schema));
        if (rc == 0)
            rc = mdb_put(txn, t->dbi[TABLE_META], &key, &value, 0);
    }
    if (rc != 0) {
        mdb_txn_abort(txn);
        return status(t, rc, "open tables");
    }
    return status(t, mdb_txn_commit(txn), "open tables");
}

enum status
tables_open(struct tables **out, const char *dir, const struct tables_config *c)
{
    struct tables *t = calloc(1, sizeof *t);
    enum status st = ST_NOMEM;
    int dead = 0;

    *out = NULL;
    if (t == NULL || (t->dir = strdup(dir)) == NULL)
        goto fail;
    t->lock = -1;
    t->read_only = c->read_only;
    t->disk_free = c->disk_free;
    if (!c->read_only) {
        if ((st = make_dirs(dir)) != ST_OK ||
            (st = refuse_foreign_folder(dir)) != ST_OK)
            goto fail;
        if (disk_free(dir) < OPEN_FREE_MIN) {
            st = full(t, "disk full");
            goto fail;
        }
        if ((st = take_lock(t)) != ST_OK)
            goto fail;
    }
    if ((st = open_env(t, c)) != ST_OK)
        goto fail;
    mdb_reader_check(t->env, &dead); /* slots of killed readers */
    if ((st = recognise(t)) == ST_NONE && c->read_only) {
        log_error("frontier", "the frontier in %s is empty", dir);
        st = ST_USAGE;
    }
    if (st == ST_OK || st == ST_NONE || st == ST_BUSY)
        st = open_tables(t, st != ST_OK);
    if (st != ST_OK)
        goto fail;
    *out = t;
    return ST_OK;

fail:
    tables_close(t);
    return st;
}

static void
close_env(struct tables *t)
{
    tables_abort(t);
    if (t->env == NULL)
        return;
    if (!t->read_only)
        mdb_env_sync(t->env, 1);
    mdb_env_close(t->env);
    t->env = NULL;
}

void
tables_close(struct tables *t)
{
    if (t == NULL)
        return;
    close_env(t);
    if (t->lock >= 0)
        close(t->lock); /* gives the flock back */
    free(t->dir);
    free(t);
}

enum status
tables_replace(struct tables *t, const char *path)
{
    char data[4200];
    enum status st = ST_OK;
    int dir;

    close_env(t);
    snprintf(data, sizeof data, "%s/data.mdb", t->dir);
    if (rename(path, data) != 0) {
        log_error("frontier", "cannot put %s in the place of %s: %s", path,
                  data, strerror(errno));
        st = ST_IO;
    }
    dir = open(t->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0 || fsync(dir) != 0)
        log_warn("frontier", "cannot sync %s: %s", t->dir, strerror(errno));
    if (dir >= 0)
        close(dir);
    tables_close(t);
    return st;
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

enum status
tables_begin(struct tables *t)
{
    if (!t->read_only && t->disk_free > 0 && disk_free(t->dir) < t->disk_free)
        return full(t, "less disk space free than output.disk_free_mib");
    return status(
        t, mdb_txn_begin(t->env, NULL, t->read_only ? MDB_RDONLY : 0, &t->txn),
        "begin");
}

enum status
tables_peek(struct tables *t)
{
    return status(t, mdb_txn_begin(t->env, NULL, MDB_RDONLY, &t->txn), "peek");
}

enum status
tables_commit(struct tables *t)
{
    MDB_txn *txn = t->txn;

    close_cursors(t);
    t->txn = NULL;
    return status(t, mdb_txn_commit(txn), "commit");
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
    MDB_val k = val(key), v = {0, NULL};
    enum status st = status(t, mdb_get(t->txn, t->dbi[table], &k, &v), "get");

    if (st == ST_OK)
        *value = view(v);
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
    return rc == MDB_NOTFOUND ? ST_OK : status(t, rc, "cursor");
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
    MDB_val k = val(key), v = val(value);
    enum status st = w->cursor == NULL ? open_writer(t, table) : ST_OK;
    int rc;

    if (st != ST_OK)
        return st;
    if (is_behind(w, key) && key.n <= KEY_MAX) {
        flags = MDB_APPEND;
        memcpy(w->last, key.p, key.n);
        w->last_n = key.n;
    }
    rc = mdb_cursor_put(w->cursor, &k, &v, flags);
    return rc == MDB_KEYEXIST ? ST_INVALID : status(t, rc, "put");
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
    MDB_val k = val(key);

    return status(t, mdb_del(t->txn, t->dbi[table], &k, NULL), "delete");
}

static enum status
move(struct tables *t, enum table table, MDB_cursor_op op, MDB_val k,
     struct str *key, struct str *value)
{
    MDB_val v = {0, NULL};
    enum status st = ST_OK;

    if (t->cursor[table] == NULL)
        st =
            status(t, mdb_cursor_open(t->txn, t->dbi[table], &t->cursor[table]),
                   "cursor");
    if (st == ST_OK)
        st = status(t, mdb_cursor_get(t->cursor[table], &k, &v, op), "seek");
    if (st == ST_OK) {
        *key = view(k);
        *value = view(v);
    }
    return st;
}

enum status
tables_seek(struct tables *t, enum table table, struct str from,
            struct str *key, struct str *value)
{
    return from.n == 0
               ? move(t, table, MDB_FIRST, (MDB_val){0, NULL}, key, value)
               : move(t, table, MDB_SET_RANGE, val(from), key, value);
}

enum status
tables_next(struct tables *t, enum table table, struct str *key,
            struct str *value)
{
    return move(t, table, MDB_NEXT, (MDB_val){0, NULL}, key, value);
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
