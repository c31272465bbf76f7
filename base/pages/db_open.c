/* db_open.c -- see db.h: a folder as a store of ours; whose it is shows before
 * anything is written to it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/big_endian.h"
#include "base/disk_full.h"
#include "base/log.h"
#include "base/path.h"
#include "db_impl.h"
#include "hold.h"
#include "make.h"
#include "verify.h"

/* Not made by this version, which names no store before its first commit. */
static enum status
say_empty(const struct db_config *c, const char *dir)
{
    log_error(c->owner, "%s in %s is empty: nothing was accepted yet", c->what,
              dir);
    return ST_USAGE;
}

static enum status
say_foreign(const struct db_config *c, const char *dir, const char *why)
{
    log_error(c->owner,
              "%s is not %s: it holds %s; give an empty or a new folder", dir,
              c->what, why);
    return ST_USAGE;
}

void
db_say_schema(const struct db_config *c, const char *dir, uint64_t schema)
{
    if (schema > 0 && schema < c->schema)
        log_error(c->owner,
                  "%s was written by an older version of winnow, from before "
                  "its first release (schema %llu, this is %llu): go on with "
                  "that version, or move the folder away and begin anew; what "
                  "is in the corpus stays",
                  dir, (unsigned long long)schema,
                  (unsigned long long)c->schema);
    else
        log_error(c->owner,
                  "%s was written by %s version of winnow (schema %llu, this "
                  "is %llu); use that one",
                  dir, schema > c->schema ? "a newer" : "another",
                  (unsigned long long)schema, (unsigned long long)c->schema);
}

/* ---- the environment ---- */

static bool
has_no_bytes(const char *dir)
{
    struct stat st;

    return stat(path_printf("%s/data.mdb", dir).z, &st) == 0 && st.st_size == 0;
}

static unsigned
flags_of(const struct db_config *c)
{
    unsigned flags = c->scattered ? MDB_NORDAHEAD : 0;

    if (c->read_only)
        return flags | MDB_RDONLY | MDB_NOTLS;
    if (str_eq(c->sync, S("none")))
        return flags | MDB_NOSYNC;
    return str_eq(c->sync, S("full")) ? flags : flags | MDB_NOMETASYNC;
}

/* Nothing waits for it yet. */
static enum status
say_full(const struct db *d, int rc)
{
    log_error(d->owner, "dir=%s %s and start again", d->dir,
              disk_full_remedy(rc));
    return ST_FULL;
}

/* A store takes as much address space as it may grow to. */
static enum status
say_fault(const struct db *d, const char *doing, int rc)
{
    if (rc == ENOMEM)
        log_error(d->owner,
                  "cannot %s the store in %s: there is no address space for "
                  "%s (ulimit -v): lower it",
                  doing, d->dir, d->map_option);
    else
        log_error(d->owner, "cannot %s the store in %s: %s", doing, d->dir,
                  mdb_strerror(rc));
    return ST_USAGE;
}

static enum status
open_failed(struct db *d, const struct db_config *c, int rc)
{
    if (rc == MDB_INVALID || rc == MDB_VERSION_MISMATCH)
        return say_foreign(c, d->dir, "a data.mdb that is not LMDB's");
    if (disk_full(rc))
        return say_full(d, rc);
    if (rc == EACCES && c->read_only) {
        log_error(d->owner,
                  "cannot open the store in %s: %s: who looks at it, too, "
                  "needs to write to its lock.mdb; do it as the user whose "
                  "folder it is",
                  d->dir, strerror(rc));
        return ST_USAGE;
    }
    if (rc != ENOENT)
        return say_fault(d, "open", rc);
    log_error(c->owner, "cannot find %s in %s", c->what, d->dir);
    return ST_USAGE;
}

static enum status
open_env(struct db *d, const struct db_config *c)
{
    enum status st;
    int rc, dead;

    if (c->read_only && has_no_bytes(d->dir))
        return say_empty(c, d->dir);
    /* Beside a process that writes there is nothing to look at: that one has.
     */
    if (!(c->read_only && hold_taken(c->lock)) &&
        (st = pages_verify(d->dir, c->owner, c->repair)) != ST_OK)
        return st;
    if ((rc = mdb_env_create(&d->env)) == 0 &&
        (rc = mdb_env_set_assert(d->env, pages_on_assert)) == 0)
        rc = mdb_env_set_maxdbs(d->env, (MDB_dbi)c->tables_n);
    if (rc == 0 && c->map_size > 0)
        rc = mdb_env_set_mapsize(d->env, c->map_size);
    if (rc == 0)
        rc = mdb_env_open(d->env, d->dir, flags_of(c), 0666);
    if (rc != 0)
        return open_failed(d, c, rc);
    mdb_reader_check(d->env, &dead); /* slots of killed processes */
    return ST_OK;
}

/* ---- whose it is, and its tables ---- */

static void
pack_schema(const struct db_config *c, unsigned char to[8])
{
    uint32_t native = (uint32_t)c->schema;

    if (c->schema_size == sizeof native)
        memcpy(to, &native, sizeof native);
    else
        be64_put(to, c->schema);
}

static uint64_t
unpack_schema(const struct db_config *c, struct str value)
{
    uint32_t native;

    if (value.n != c->schema_size)
        return 0;
    if (value.n == sizeof native) {
        memcpy(&native, value.p, sizeof native);
        return native;
    }
    return be_get(value.p, value.n);
}

/* *earlier: its form, without some of the tables; else it stays 0. */
static enum status
recognise(struct db *d, const struct db_config *c, uint64_t *earlier)
{
    struct str magic, value;
    uint64_t schema = 0;
    int rc = mdb_dbi_open(d->txn, c->table[0], 0, &d->dbi[0]);
    enum status st;

    if (rc != 0 && rc != MDB_NOTFOUND && rc != MDB_INCOMPATIBLE)
        return db_status(d, rc, "open");
    st = rc != 0 ? ST_NONE : db_get(d, 0, S("magic"), &magic);
    if (st == ST_NONE || (st == ST_OK && !str_eq(magic, str_c(c->magic))))
        return say_foreign(c, d->dir, "an LMDB store of another program");
    if (st == ST_OK && (st = db_get(d, 0, S("schema"), &value)) == ST_OK)
        schema = unpack_schema(c, value);
    if (st != ST_OK && st != ST_NONE)
        return st;
    if (schema == c->schema)
        return ST_OK;
    if (c->schema_least > 0 && schema >= c->schema_least &&
        schema < c->schema) {
        *earlier = schema;
        return ST_OK;
    }
    db_say_schema(c, d->dir, schema);
    return ST_USAGE;
}

/* ... and one that it lacks is made, or is none. */
static int
open_table(struct db *d, const struct db_config *c, size_t i, bool make)
{
    int rc =
        mdb_dbi_open(d->txn, c->table[i], make ? MDB_CREATE : 0, &d->dbi[i]);

    if (rc == MDB_NOTFOUND)
        d->dbi[i] = NO_TABLE;
    return rc;
}

static enum status
name_it(struct db *d, const struct db_config *c)
{
    unsigned char schema[8];
    enum status st;

    pack_schema(c, schema);
    st = db_put(d, 0, S("magic"), str_c(c->magic));
    return st == ST_OK ? db_put(d, 0, S("schema"),
                                str_n((const char *)schema, c->schema_size))
                       : st;
}

static enum status
open_tables(struct db *d, const struct db_config *c)
{
    MDB_dbi root;
    MDB_stat stat;
    enum status st;
    uint64_t earlier = 0;
    bool fresh, make;
    int rc;

    if ((rc = mdb_dbi_open(d->txn, NULL, 0, &root)) != 0 ||
        (rc = mdb_stat(d->txn, root, &stat)) != 0)
        return db_status(d, rc, "open");
    fresh = stat.ms_entries == 0;
    if (fresh && c->read_only)
        return say_empty(c, d->dir);
    if (!fresh && (st = recognise(d, c, &earlier)) != ST_OK)
        return st;
    make = fresh || (earlier > 0 && !c->read_only && !c->as_it_is);
    for (size_t i = 0; i < c->tables_n && rc == 0; i++)
        if ((rc = open_table(d, c, i, make)) == MDB_NOTFOUND && earlier > 0)
            rc = 0;
    if (rc != 0)
        return db_status(d, rc == MDB_NOTFOUND ? MDB_CORRUPTED : rc,
                         "open tables");
    d->tables_n = c->tables_n;
    if (make && earlier > 0)
        log_info(c->owner,
                 "%s is brought from schema %llu to %llu: the version of "
                 "winnow that wrote it does not read it any more",
                 d->dir, (unsigned long long)earlier,
                 (unsigned long long)c->schema);
    return make ? name_it(d, c) : ST_OK;
}

/* ---- a new store ---- */

struct new_store {
    struct db *db;
    const struct db_config *config;
};

static enum status
fill(void *self, MDB_env *env)
{
    const struct new_store *n = self;
    enum status st;

    n->db->env = env;
    if ((st = db_begin(n->db)) == ST_OK &&
        (st = open_tables(n->db, n->config)) == ST_OK)
        st = db_commit(n->db);
    db_abort(n->db);
    n->db->env = NULL;
    return st;
}

static enum status
make_file(struct db *d, const struct db_config *c)
{
    struct new_store n = {d, c};
    const struct pages_content content = {c->tables_n, fill, &n};
    int rc;
    enum status st = pages_make(d->dir, &content, &rc);

    if (st == ST_OK || rc == 0)
        return st;
    return st == ST_FULL ? say_full(d, rc) : say_fault(d, "make", rc);
}

enum status
db_open(struct db **out, const char *dir, const struct db_config *c)
{
    struct db *d = calloc(1, sizeof *d);
    enum status st = ST_NOMEM;

    *out = NULL;
    if (d == NULL || (d->dir = strdup(dir)) == NULL)
        goto fail;
    d->full = (struct reminder)REMINDER_INITIALIZER;
    d->owner = c->owner;
    d->map_option = c->map_option;
    d->read_only = c->read_only;
    if (!c->read_only && (st = make_file(d, c)) != ST_OK)
        goto fail;
    if ((st = open_env(d, c)) != ST_OK)
        goto fail;
    /* To look first: a store that is refused stays as it is. */
    if ((st = db_begin(d)) != ST_OK || (st = open_tables(d, c)) != ST_OK ||
        (st = db_commit(d)) != ST_OK)
        goto fail;
    d->opened = true;
    *out = d;
    return ST_OK;

fail:
    db_close(d);
    return st;
}

void
db_close(struct db *d)
{
    if (d == NULL)
        return;
    if (d->env != NULL) {
        db_abort(d);
        if (!d->read_only && mdb_env_sync(d->env, 1) != 0)
            d->opened = false;
        mdb_env_close(d->env);
        if (!d->read_only && d->opened)
            pages_closed(d->dir);
    }
    free(d->dir);
    free(d);
}
