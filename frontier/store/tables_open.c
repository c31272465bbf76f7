/* tables_open.c -- a folder as a frontier's store: whose it is, of which
 * version, who may write (see tables.c). */
#include "tables_impl.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/disk_full.h"
#include "base/file.h"
#include "base/log.h"
#include "base/pages/hold.h"
#include "base/pages/verify.h"
#include "base/path.h"
#include "row_log.h"

/* Raised when rows change their form.  Stores of before the first release are
 * refused; from version 0.2.0 on, raising it takes a way to bring the store of
 * the last release along: rewrite_store() writes one beside it. */
#define SCHEMA 15u
#define SCHEMA_LEAST                                                           \
    13u /* lacks the table `unreported`; up to 14 the rule of                  \
            keys is another (row_keys.h) */
#define OPEN_FREE_MIN ((uint64_t)1 << 20) /* for LMDB's lock file */

unsigned
tables_schema(void)
{
    return SCHEMA;
}

bool
tables_schema_is_read(uint64_t schema)
{
    return schema >= SCHEMA_LEAST && schema <= SCHEMA;
}

/* ---- opening ---- */

static enum status
make_folders(const char *dir)
{
    enum status st = file_make_folders(dir);

    if (st == ST_OK)
        return ST_OK;
    log_error("frontier", "cannot make folder %s: %s", dir, strerror(errno));
    return st == ST_FULL ? ST_FULL : ST_USAGE;
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
    enum status st =
        hold_take(&t->lock, path_printf("%s/frontier.lock", t->dir).z, t->dir,
                  "frontier");
    return st == ST_IO ? ST_USAGE : st;
}

static enum status
open_db(struct tables *t, const struct tables_config *c)
{
    const struct path lock = path_printf("%s/frontier.lock", t->dir);
    char repair[4300];
    const struct db_config config = {
        .owner = "frontier",
        .what = "a frontier",
        .magic = "winnow frontier",
        .schema = SCHEMA,
        .schema_least = SCHEMA_LEAST,
        .schema_size = 4,
        .table = tables_names,
        .tables_n = TABLE_N,
        .map_option = "frontier.map_gib",
        .lock = lock.z,
        .repair = repair,
        .map_size = c->read_only ? 0 : c->map_size,
        .sync = c->sync,
        .scattered = true, /* tables grow by inserts anywhere: reading ahead
                              fills a small memory with what nobody asked for */
        .read_only = c->read_only,
        .as_it_is = c->as_it_is,
    };

    snprintf(repair, sizeof repair, "winnow frontier --dir %s --check --repair",
             t->dir);
    return db_open(&t->db, t->dir, &config);
}

/* Nobody else's, and nobody else writes to it. */
static enum status
take_folder(struct tables *t)
{
    enum status st;

    if ((st = make_folders(t->dir)) != ST_OK ||
        (st = refuse_foreign_folder(t->dir)) != ST_OK)
        return st;
    if (tables_disk_free(t->dir) < OPEN_FREE_MIN) {
        log_error("frontier", "dir=%s no space left: make room and start again",
                  t->dir);
        return ST_FULL;
    }
    return take_lock(t);
}

/* What a killed process has left in its log a reader would not see; and it goes
 * with the store as that process has left it, not with one that was brought to
 * this version's form. */
static enum status
recover_first(const char *dir, const struct tables_config *c)
{
    const struct tables_config config = {.map_size = c->map_size,
                                         .sync =
                                             c->read_only ? S("meta") : c->sync,
                                         .as_it_is = true};
    struct tables *t;
    enum status st;

    if (!redo_log_exists(&row_log, dir) ||
        hold_taken(path_printf("%s/frontier.lock", dir).z))
        return ST_OK; /* or it is being written, and brought in soon */
    st = tables_open(&t, dir, &config);
    tables_close(t);
    return st;
}

static enum tables_sync
sync_of(struct str name)
{
    return str_eq(name, S("none"))   ? TABLES_SYNC_NONE
           : str_eq(name, S("full")) ? TABLES_SYNC_FULL
                                     : TABLES_SYNC_META;
}

enum status
tables_open(struct tables **out, const char *dir, const struct tables_config *c)
{
    struct tables *t = calloc(1, sizeof *t);
    enum status st = ST_NOMEM;

    *out = NULL;
    if (t == NULL)
        return ST_NOMEM;
    t->lock = -1;
    t->read_only = c->read_only;
    t->disk_free = c->disk_free;
    t->map_size = c->map_size;
    t->sync = sync_of(c->sync);
    if ((t->dir = strdup(dir)) == NULL ||
        (!c->as_it_is && (st = recover_first(dir, c)) != ST_OK) ||
        (!c->read_only && (st = take_folder(t)) != ST_OK) ||
        (st = open_db(t, c)) != ST_OK ||
        (!c->read_only && (st = tables_recover(t)) != ST_OK)) {
        tables_close(t);
        return st;
    }
    if (!c->read_only && !str_eq(c->sync, S("none")))
        t->writeback = writeback_new(db_fd(t->db));
    *out = t;
    return ST_OK;
}

enum status
tables_save_later(struct tables *t, uint64_t lag_ms)
{
    return tables_later_new(&t->later, t, lag_ms);
}

void
tables_save_now(struct tables *t)
{
    if (t->later != NULL)
        tables_later_end(t->later);
}

void
tables_save_soon(struct tables *t)
{
    if (t->later != NULL)
        tables_later_save_soon(t->later);
}

uint64_t
tables_save_due(const struct tables *t)
{
    return t->later == NULL ? UINT64_MAX : tables_later_due(t->later);
}

static void
close_db(struct tables *t)
{
    tables_later_free(t->later);
    t->later = NULL;
    writeback_free(t->writeback);
    t->writeback = NULL;
    db_close(t->db);
    t->db = NULL;
}

void
tables_close(struct tables *t)
{
    if (t == NULL)
        return;
    close_db(t);
    if (t->lock >= 0)
        close(t->lock); /* gives the flock back */
    free(t->dir);
    free(t);
}

enum status
tables_replace(struct tables *t, const char *path)
{
    const struct path data = path_printf("%s/data.mdb", t->dir);
    enum status st = ST_OK;

    close_db(t);
    if (rename(path, data.z) != 0) {
        log_error("frontier", "cannot put %s in the place of %s: %s", path,
                  data.z, strerror(errno));
        st = ST_IO;
    } else if (file_sync_name(data.z) != ST_OK) {
        log_error("frontier", "cannot sync %s: %s", t->dir, strerror(errno));
        st = ST_IO;
    }
    tables_close(t);
    return st;
}

enum status
tables_check(struct tables *t, struct buf *out, uint64_t *faults)
{
    return pages_check(t->dir, db_snapshot(t->db), out, faults);
}
