/* store.c -- see store.h: the tables of the index in base/pages/db.h.
 *
 * What would be a duplicate is in the key.  All values are under 500 bytes, so
 * there are no overflow pages. */
#include "store.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/big_endian.h"
#include "base/pages/db.h"
#include "base/path.h"

static const char *const table_names[STORE_TABLES_N] = {"meta", "files"};

struct store {
    struct db *db;
};

const char *
store_table_name(enum store_table t)
{
    return table_names[t];
}

/* ---- transactions ---- */

enum status
store_begin(struct store *s)
{
    return db_begin(s->db);
}

enum status
store_commit(struct store *s)
{
    return db_commit(s->db);
}

void
store_abort(struct store *s)
{
    db_abort(s->db);
}

enum status
store_sync(struct store *s)
{
    return db_sync(s->db);
}

/* ---- entries ---- */

enum status
store_get(struct store *s, enum store_table t, struct str key,
          struct str *value)
{
    *value = S("");
    return db_get(s->db, t, key, value);
}

enum status
store_put(struct store *s, enum store_table t, struct str key, struct str value)
{
    return db_put(s->db, t, key, value);
}

enum status
store_empty(struct store *s, enum store_table t)
{
    return db_empty(s->db, t);
}

enum status
store_get_u64(struct store *s, const char *name, uint64_t *out)
{
    struct str v;
    enum status st = store_get(s, STORE_META, str_c(name), &v);

    *out = st == ST_OK && v.n == 8 ? be64_get(v.p) : 0;
    return st == ST_NONE ? ST_OK : st;
}

enum status
store_put_u64(struct store *s, const char *name, uint64_t value)
{
    unsigned char bytes[8];

    be64_put(bytes, value);
    return store_put(s, STORE_META, str_c(name),
                     str_n((const char *)bytes, sizeof bytes));
}

enum status
store_walk(struct store *s, enum store_table t, struct str from,
           store_each *each, void *self)
{
    struct str key, value;
    enum status given = ST_OK, st = db_seek(s->db, t, from, &key, &value);

    while (st == ST_OK && (given = each(self, key, value)) == ST_OK)
        st = db_next(s->db, t, &key, &value);
    if (given != ST_OK)
        st = given;
    return st == ST_NONE ? ST_OK : st;
}

/* ---- opening ---- */

static struct db_config
config_of(const struct store_options *o, const char *lock, const char *repair)
{
    return (struct db_config){.owner = "dedup",
                              .what = "an index of winnow dedup",
                              .magic = "winnow-dedup",
                              .schema = STORE_SCHEMA,
                              .schema_size = 8,
                              .table = table_names,
                              .tables_n = STORE_TABLES_N,
                              .map_option = "dedup.map_gib",
                              .lock = lock,
                              .repair = repair,
                              .map_size = (size_t)o->map_gib << 30,
                              .sync = o->sync,
                              .read_only = o->read_only};
}

void
store_say_schema(const char *dir, uint64_t schema)
{
    const struct db_config c = config_of(&(struct store_options){0}, "", "");

    db_say_schema(&c, dir, schema);
}

void
store_repair_command(const char *dir, char *out, size_t size)
{
    const char *slash = strrchr(dir, '/');

    snprintf(out, size, "winnow dedup %.*s --check --repair",
             slash != NULL ? (int)(slash - dir) : 1, slash != NULL ? dir : ".");
}

/* DIR/dedup is locked by DIR/dedup.lock. */
enum status
store_open(struct store **out, const char *dir, const struct store_options *o)
{
    struct store *s = calloc(1, sizeof *s);
    const struct path lock = path_printf("%s.lock", dir);
    char repair[4400];
    struct db_config c;
    enum status st;

    *out = NULL;
    if (s == NULL)
        return ST_NOMEM;
    store_repair_command(dir, repair, sizeof repair);
    c = config_of(o, lock.z, repair);
    if ((st = db_open(&s->db, dir, &c)) != ST_OK) {
        free(s);
        return st;
    }
    *out = s;
    return ST_OK;
}

void
store_close(struct store *s)
{
    if (s == NULL)
        return;
    db_close(s->db);
    free(s);
}
