/* store.c -- see store.h; all of LMDB that dedup uses ends in this file.
 *
 * The folder is known by `magic` and `schema` in the table meta, looked at
 * before anything is written to it.  No MDB_DUPSORT: LMDB 0.9.24 has faults
 * with deletions in it (ITS#9376, 9461); what would be a duplicate is in the
 * key. All values are under 500 bytes, so there are no overflow pages.
 *
 * Durability.  kill -9 at any moment: loses no commit, whatever `sync` is (the
 * page cache keeps it).  Power loss: "full" (LMDB's default) loses none; "meta"
 * (MDB_NOMETASYNC) may lose the last commit, nothing is corrupt; "none"
 * (MDB_NOSYNC) promises nothing: the store may be unusable.  Closing syncs.
 *
 * Other processes may have it open read-only.  Never after fork. */
#include "store.h"

#include <assert.h>
#include <errno.h>
#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/pages/hold.h"
#include "base/pages/make.h"
#include "base/pages/verify.h"
#include "winnow/log.h"
#include "winnow/memory.h"

#define MAGIC "winnow-dedup"

enum { READERS_MAX = 32 };

static const char *const table_names[STORE_TABLES_N] = {
    "meta", "ids", "digests", "prints", "bands", "files"};

struct store {
    MDB_env *env;
    MDB_txn *txn; /* NULL: none under way */
    MDB_dbi table[STORE_TABLES_N];
    char *dir;
    bool read_only, opened;
};

const char *
store_table_name(enum store_table t)
{
    return table_names[t];
}

/* LMDB's codes end here. */
static enum status
from_mdb(int rc, const char *doing)
{
    switch (rc) {
    case MDB_SUCCESS: return ST_OK;
    case MDB_NOTFOUND: return ST_NONE;
    case MDB_MAP_FULL:
        log_warn("dedup", "%s: index full, raise dedup.map_gib", doing);
        return ST_FULL;
    case ENOSPC:
    case EDQUOT: return ST_FULL;
    case ENOMEM: return ST_NOMEM;
    default:
        log_error("dedup", "index, %s: %s", doing, mdb_strerror(rc));
        return ST_STORE;
    }
}

static MDB_val
val(struct str s)
{
    return (MDB_val){s.n, (void *)(uintptr_t)s.p};
}

void
store_pack(unsigned char *to, uint64_t v, size_t size)
{
    for (size_t i = size; i-- > 0; v >>= 8)
        to[i] = (unsigned char)(v & 0xff);
}

uint64_t
store_unpack(const void *from, size_t size)
{
    const unsigned char *p = from;
    uint64_t v = 0;

    for (size_t i = 0; i < size; i++)
        v = v << 8 | p[i];
    return v;
}

/* ---- transactions ---- */

enum status
store_begin(struct store *s)
{
    unsigned flags = s->read_only ? MDB_RDONLY : 0;
    enum status st;

    assert(s->txn == NULL);
    st = from_mdb(mdb_txn_begin(s->env, NULL, flags, &s->txn), "begin");
    if (st != ST_OK)
        s->txn = NULL;
    return st;
}

enum status
store_commit(struct store *s)
{
    int rc = mdb_txn_commit(s->txn);

    s->txn = NULL;
    return from_mdb(rc, "commit");
}

void
store_abort(struct store *s)
{
    if (s->txn != NULL)
        mdb_txn_abort(s->txn);
    s->txn = NULL;
}

enum status
store_sync(struct store *s)
{
    return from_mdb(mdb_env_sync(s->env, 1), "sync");
}

/* ---- entries ---- */

enum status
store_get(struct store *s, enum store_table t, struct str key,
          struct str *value)
{
    MDB_val k = val(key), v = {0, NULL};
    int rc = mdb_get(s->txn, s->table[t], &k, &v);

    *value = str_n(v.mv_data, v.mv_size);
    return from_mdb(rc, table_names[t]);
}

static enum status
put(struct store *s, enum store_table t, struct str key, struct str value,
    unsigned flags)
{
    MDB_val k = val(key), v = val(value);

    return from_mdb(mdb_put(s->txn, s->table[t], &k, &v, flags),
                    table_names[t]);
}

enum status
store_put(struct store *s, enum store_table t, struct str key, struct str value)
{
    return put(s, t, key, value, 0);
}

enum status
store_append(struct store *s, enum store_table t, struct str key,
             struct str value)
{
    return put(s, t, key, value, MDB_APPEND);
}

enum status
store_empty(struct store *s, enum store_table t)
{
    return from_mdb(mdb_drop(s->txn, s->table[t], 0), table_names[t]);
}

enum status
store_get_u64(struct store *s, const char *name, uint64_t *out)
{
    struct str v;
    enum status st = store_get(s, STORE_META, str_c(name), &v);

    *out = st == ST_OK && v.n == 8 ? store_unpack(v.p, 8) : 0;
    return st == ST_NONE ? ST_OK : st;
}

enum status
store_put_u64(struct store *s, const char *name, uint64_t value)
{
    unsigned char bytes[8];

    store_pack(bytes, value, sizeof bytes);
    return store_put(s, STORE_META, str_c(name),
                     str_n((const char *)bytes, sizeof bytes));
}

enum status
store_walk(struct store *s, enum store_table t, struct str from,
           store_each *each, void *self)
{
    MDB_cursor *cursor;
    MDB_val k = val(from), v;
    enum status st;
    int rc;

    st =
        from_mdb(mdb_cursor_open(s->txn, s->table[t], &cursor), table_names[t]);
    if (st != ST_OK)
        return st;
    rc = mdb_cursor_get(cursor, &k, &v, from.n ? MDB_SET_RANGE : MDB_FIRST);
    while (rc == 0 && st == ST_OK) {
        st = each(self, str_n(k.mv_data, k.mv_size),
                  str_n(v.mv_data, v.mv_size));
        if (st == ST_OK)
            rc = mdb_cursor_get(cursor, &k, &v, MDB_NEXT);
    }
    mdb_cursor_close(cursor);
    if (st != ST_OK)
        return st == ST_NONE ? ST_OK : st;
    return rc == MDB_NOTFOUND ? ST_OK : from_mdb(rc, table_names[t]);
}

/* ---- opening ---- */

static enum status
foreign(const char *dir)
{
    log_error("dedup",
              "%s: not an index of winnow dedup: move it away or use "
              "another folder",
              dir);
    return ST_USAGE;
}

void
store_say_schema(const char *dir, uint64_t schema)
{
    if (schema < STORE_SCHEMA)
        log_error(
            "dedup",
            "%s was written by an older version of winnow, from before "
            "its first release (schema %llu, this is %d): go on with that "
            "version, or move the folder away and begin anew; what is in "
            "the corpus stays",
            dir, (unsigned long long)schema, STORE_SCHEMA);
    else
        log_error("dedup",
                  "%s was written by a newer version of winnow (schema %llu, "
                  "this is %d); use that one",
                  dir, (unsigned long long)schema, STORE_SCHEMA);
}

static enum status
check_schema(struct store *s, const char *dir, bool fresh)
{
    struct str magic;
    uint64_t schema;
    enum status st;

    if (fresh) {
        st = store_put(s, STORE_META, S("magic"), S(MAGIC));
        return st == ST_OK ? store_put_u64(s, "schema", STORE_SCHEMA) : st;
    }
    st = store_get(s, STORE_META, S("magic"), &magic);
    if (st == ST_NONE || (st == ST_OK && !str_eq(magic, S(MAGIC))))
        return foreign(dir);
    if (st != ST_OK || (st = store_get_u64(s, "schema", &schema)) != ST_OK)
        return st;
    if (schema == STORE_SCHEMA)
        return ST_OK;
    store_say_schema(dir, schema);
    return ST_USAGE;
}

/* Open every table.  Whose folder this is shows before anything is written. */
static enum status
open_tables(struct store *s, const char *dir)
{
    unsigned create = s->read_only ? 0 : MDB_CREATE;
    MDB_dbi root;
    MDB_stat stat;
    bool fresh;
    enum status st;
    int rc;

    if ((rc = mdb_dbi_open(s->txn, NULL, 0, &root)) != 0 ||
        (rc = mdb_stat(s->txn, root, &stat)) != 0)
        return from_mdb(rc, dir);
    fresh = stat.ms_entries == 0;
    rc = mdb_dbi_open(s->txn, table_names[STORE_META], fresh ? create : 0,
                      &s->table[STORE_META]);
    if (rc == MDB_NOTFOUND || rc == MDB_INCOMPATIBLE)
        return foreign(dir);
    if (rc != 0)
        return from_mdb(rc, dir);
    if ((st = check_schema(s, dir, fresh)) != ST_OK)
        return st;
    for (int t = STORE_META + 1; t < STORE_TABLES_N; t++) {
        if ((rc = mdb_dbi_open(s->txn, table_names[t], create, &s->table[t])) !=
            0)
            return from_mdb(rc, dir);
    }
    return ST_OK;
}

/* A reader beside the service, which has looked: DIR/dedup is locked by
 * DIR/dedup.lock. */
static bool
is_served(const char *dir)
{
    char path[4300];

    snprintf(path, sizeof path, "%s.lock", dir);
    return hold_taken(path);
}

static enum status
verify(const char *dir)
{
    char command[4400];
    const char *slash = strrchr(dir, '/');

    snprintf(command, sizeof command, "winnow dedup %.*s --check --repair",
             slash != NULL ? (int)(slash - dir) : 1, slash != NULL ? dir : ".");
    return pages_verify(dir, "dedup", command);
}

static enum status
open_env(struct store *s, const char *dir, const struct store_options *o)
{
    unsigned flags = o->read_only ? MDB_RDONLY : 0;
    enum status st;
    int rc, dead;

    if (!o->read_only && (st = pages_make(dir, &rc)) != ST_OK)
        return st == ST_FULL ? st : from_mdb(rc, dir);
    if (!(o->read_only && is_served(dir)) && (st = verify(dir)) != ST_OK)
        return st;
    if (str_eq(o->sync, S("none")))
        flags |= MDB_NOSYNC;
    else if (!str_eq(o->sync, S("full")))
        flags |= MDB_NOMETASYNC;
    if ((rc = mdb_env_create(&s->env)) != 0)
        return from_mdb(rc, dir);
    if ((rc = mdb_env_set_assert(s->env, pages_on_assert)) != 0 ||
        (rc = mdb_env_set_maxdbs(s->env, STORE_TABLES_N)) != 0 ||
        (rc = mdb_env_set_maxreaders(s->env, READERS_MAX)) != 0 ||
        (rc = mdb_env_set_mapsize(s->env, (size_t)o->map_gib << 30)) != 0)
        return from_mdb(rc, dir);
    rc = mdb_env_open(s->env, dir, flags, 0644);
    if (rc == MDB_INVALID || rc == MDB_VERSION_MISMATCH)
        return foreign(dir);
    if (rc == 0)
        mdb_reader_check(s->env, &dead); /* slots of killed processes */
    return from_mdb(rc, dir);
}

enum status
store_open(struct store **out, const char *dir, const struct store_options *o)
{
    struct store *s = calloc(1, sizeof *s);
    enum status st;

    *out = NULL;
    if (s == NULL)
        return ST_NOMEM;
    s->read_only = o->read_only;
    s->dir = memory_need(strdup(dir));
    if ((st = open_env(s, dir, o)) != ST_OK || (st = store_begin(s)) != ST_OK ||
        (st = open_tables(s, dir)) != ST_OK ||
        (st = store_commit(s)) != ST_OK) {
        store_close(s);
        return st;
    }
    s->opened = true;
    *out = s;
    return ST_OK;
}

void
store_close(struct store *s)
{
    if (s == NULL)
        return;
    store_abort(s);
    if (s->env != NULL && !s->read_only && mdb_env_sync(s->env, 1) != 0)
        s->opened = false;
    if (s->env != NULL)
        mdb_env_close(s->env);
    if (s->opened && !s->read_only)
        pages_closed(s->dir);
    free(s->dir);
    free(s);
}
