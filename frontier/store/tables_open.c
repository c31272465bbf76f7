/* tables_open.c -- a folder as a frontier's store: whose it is, of which
 * version, who may write (see tables.c). */
#include "tables_impl.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/pages/hold.h"
#include "base/pages/make.h"
#include "base/pages/verify.h"
#include "winnow/file.h"
#include "winnow/log.h"

#define MAGIC "winnow frontier"
/* Raised when rows change their form.  Stores of before the first release are
 * refused; from version 0.2.0 on, raising it takes a way to bring the store of
 * the last release along: rewrite_store() writes one beside it. */
#define SCHEMA 11u
#define OPEN_FREE_MIN ((uint64_t)1 << 20) /* for LMDB's lock file */

unsigned
tables_schema(void)
{
    return SCHEMA;
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
        if (mkdir(path, 0777) == 0 ? file_sync_name(path) != ST_OK
                                   : errno != EEXIST) {
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
                 strcmp(entry->d_name, "data.mdb.part") != 0 &&
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
    char path[4200];
    enum status st;

    snprintf(path, sizeof path, "%s/frontier.lock", t->dir);
    st = hold_take(&t->lock, path, t->dir, "frontier");
    return st == ST_IO ? ST_USAGE : st;
}

/* Its maker was killed before the first commit. */
static enum status
say_empty(const char *dir)
{
    log_error("frontier",
              "the frontier in %s is empty: nothing was accepted yet; a crawl "
              "or a frontier service fills it",
              dir);
    return ST_USAGE;
}

static bool
no_bytes(const char *dir)
{
    char path[4200];
    struct stat st;

    snprintf(path, sizeof path, "%s/data.mdb", dir);
    return stat(path, &st) == 0 && st.st_size == 0;
}

static enum status
make_file(struct tables *t)
{
    int rc;
    enum status st = pages_make(t->dir, &rc);

    if (st == ST_OK)
        return ST_OK;
    if (st == ST_FULL)
        return tables_full(t, "disk full");
    log_error("frontier", "cannot make a store in %s: %s", t->dir,
              mdb_strerror(rc));
    return ST_USAGE;
}

/* A reader beside the process that writes: that one has looked. */
static bool
is_open_elsewhere(const struct tables *t)
{
    char path[4200];

    snprintf(path, sizeof path, "%s/frontier.lock", t->dir);
    return t->read_only && hold_taken(path);
}

static enum status
verify(const struct tables *t)
{
    char command[4300];

    snprintf(command, sizeof command,
             "winnow frontier --dir %s --check "
             "--repair",
             t->dir);
    return pages_verify(t->dir, "frontier", command);
}

static enum status
open_env(struct tables *t, const struct tables_config *c)
{
    /* The pages of a table that grew by random inserts lie anywhere: reading
     * ahead of them fills a small memory with what nobody asked for. */
    unsigned flags = MDB_NORDAHEAD;
    enum status st;
    int rc;

    if (c->read_only && no_bytes(t->dir))
        return say_empty(t->dir);
    if (!c->read_only && (st = make_file(t)) != ST_OK)
        return st;
    if (!is_open_elsewhere(t) && (st = verify(t)) != ST_OK)
        return st;
    if (c->read_only)
        flags |= MDB_RDONLY | MDB_NOTLS;
    else if (str_eq(c->sync, S("none")))
        flags |= MDB_NOSYNC;
    else if (!str_eq(c->sync, S("full")))
        flags |= MDB_NOMETASYNC;
    if ((rc = mdb_env_create(&t->env)) == 0 &&
        (rc = mdb_env_set_assert(t->env, pages_on_assert)) == 0)
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
        return tables_full(t, "disk full");
    else
        log_error("frontier", "cannot open the store in %s: %s", t->dir,
                  mdb_strerror(rc));
    return ST_USAGE;
}

static void
say_other_version(const struct tables *t, unsigned version)
{
    if (version > 0 && version < SCHEMA)
        log_error("frontier",
                  "%s was written by an older version of winnow, from before "
                  "its first release (schema %u, this is %u): go on with that "
                  "version, or move the folder away and begin anew; what is in "
                  "the corpus stays",
                  t->dir, version, SCHEMA);
    else
        log_error("frontier",
                  "%s was written by %s version of winnow (schema %u, this is "
                  "%u); use that one",
                  t->dir, version > SCHEMA ? "a newer" : "another", version,
                  SCHEMA);
}

/* Whose folder is this?  ST_OK ours, ST_NONE empty, ST_USAGE refused. */
static enum status
recognise(struct tables *t)
{
    MDB_txn *txn = NULL;
    MDB_val key = tables_val(S("magic")), magic = {0, NULL}, schema = {0, NULL};
    MDB_stat st;
    MDB_dbi main_dbi, meta;
    unsigned version = 0;
    enum status result = ST_USAGE;
    int rc;

    if ((rc = mdb_txn_begin(t->env, NULL, MDB_RDONLY, &txn)) != 0)
        return tables_status(t, rc, "begin");
    if ((rc = mdb_dbi_open(txn, NULL, 0, &main_dbi)) != 0 ||
        (rc = mdb_stat(txn, main_dbi, &st)) != 0) {
        result = tables_status(t, rc, "open");
        goto out;
    }
    if (st.ms_entries == 0) {
        result = ST_NONE;
        goto out;
    }
    if (mdb_dbi_open(txn, "meta", 0, &meta) != 0 ||
        mdb_get(txn, meta, &key, &magic) != 0 ||
        !str_eq(tables_view(magic), S(MAGIC))) {
        log_error("frontier",
                  "%s holds an LMDB store of another program; give an empty "
                  "or a new folder",
                  t->dir);
        goto out;
    }
    key = tables_val(S("schema"));
    if (mdb_get(txn, meta, &key, &schema) == 0 &&
        schema.mv_size == sizeof version)
        memcpy(&version, schema.mv_data, sizeof version);
    if (version == SCHEMA)
        result = ST_OK;
    else
        say_other_version(t, version);
out:
    mdb_txn_abort(txn);
    return result;
}

static enum status
open_tables(struct tables *t, bool create)
{
    static const unsigned schema = SCHEMA;
    MDB_txn *txn;
    int rc = mdb_txn_begin(t->env, NULL, t->read_only ? MDB_RDONLY : 0, &txn);

    if (rc != 0)
        return tables_status(t, rc, "begin");
    for (int i = 0; i < TABLE_N && rc == 0; i++)
        rc = mdb_dbi_open(txn, tables_name((enum table)i),
                          create ? MDB_CREATE : 0, &t->dbi[i]);
    if (rc == 0 && create) {
        MDB_val key = tables_val(S("magic")), value = tables_val(S(MAGIC));

        rc = mdb_put(txn, t->dbi[TABLE_META], &key, &value, 0);
        key = tables_val(S("schema"));
        value = tables_val(str_n((const char *)&schema, sizeof schema));
        if (rc == 0)
            rc = mdb_put(txn, t->dbi[TABLE_META], &key, &value, 0);
    }
    if (rc != 0) {
        mdb_txn_abort(txn);
        return tables_status(t, rc, "open tables");
    }
    return tables_status(t, mdb_txn_commit(txn), "open tables");
}

enum status
tables_open(struct tables **out, const char *dir, const struct tables_config *c)
{
    struct tables *t = calloc(1, sizeof *t);
    enum status st = ST_NOMEM;
    mdb_filehandle_t fd;
    int dead = 0;

    *out = NULL;
    if (t == NULL || (t->dir = strdup(dir)) == NULL)
        goto fail;
    t->lock = -1;
    t->read_only = c->read_only;
    t->disk_free = c->disk_free;
    t->map_size = c->map_size;
    if (!c->read_only) {
        if ((st = make_dirs(dir)) != ST_OK ||
            (st = refuse_foreign_folder(dir)) != ST_OK)
            goto fail;
        if (tables_disk_free(dir) < OPEN_FREE_MIN) {
            st = tables_full(t, "disk full");
            goto fail;
        }
        if ((st = take_lock(t)) != ST_OK)
            goto fail;
    }
    if ((st = open_env(t, c)) != ST_OK)
        goto fail;
    mdb_reader_check(t->env, &dead); /* slots of killed readers */
    if ((st = recognise(t)) == ST_NONE && c->read_only) {
        st = say_empty(dir);
    }
    if (st == ST_OK || st == ST_NONE)
        st = open_tables(t, st != ST_OK);
    if (st != ST_OK)
        goto fail;
    if (!c->read_only && !str_eq(c->sync, S("none")) &&
        mdb_env_get_fd(t->env, &fd) == 0)
        t->writeback = writeback_new(fd);
    t->opened = true;
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
    writeback_free(t->writeback);
    t->writeback = NULL;
    if (t->env == NULL)
        return;
    if (!t->read_only && mdb_env_sync(t->env, 1) != 0)
        t->opened = false;
    mdb_env_close(t->env);
    t->env = NULL;
    if (!t->read_only && t->opened)
        pages_closed(t->dir);
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

    close_env(t);
    snprintf(data, sizeof data, "%s/data.mdb", t->dir);
    if (rename(path, data) != 0) {
        log_error("frontier", "cannot put %s in the place of %s: %s", path,
                  data, strerror(errno));
        st = ST_IO;
    } else if (file_sync_name(data) != ST_OK) {
        log_error("frontier", "cannot sync %s: %s", t->dir, strerror(errno));
        st = ST_IO;
    }
    tables_close(t);
    return st;
}

enum status
tables_check(struct tables *t, struct buf *out, uint64_t *faults)
{
    return pages_check(t->dir, mdb_txn_id(t->txn), out, faults);
}
