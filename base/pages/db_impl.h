/* db_impl.h -- what db.c and db_open.c share of LMDB. */
#ifndef PAGES_DB_IMPL_H
#define PAGES_DB_IMPL_H

#include <limits.h>
#include <lmdb.h>

#include "base/reminder.h"
#include "db.h"

#define KEY_MAX 32u       /* of keys that are appended */
#define NO_TABLE UINT_MAX /* a dbi: db_config.schema_least */

/* Rows that come in order are written fast: a cursor stands where the last one
 * was, and what lies behind the last row of a table fills its pages. */
struct table_writer {
    MDB_cursor *cursor;
    unsigned char last[KEY_MAX]; /* no key of the table is behind this one */
    size_t last_n;
};

struct db {
    char *dir;
    const char *owner, *map_option;
    MDB_env *env;
    MDB_dbi dbi[DB_TABLES_MAX];
    MDB_txn *txn;
    MDB_cursor *cursor[DB_TABLES_MAX]; /* of the present transaction */
    struct table_writer writer[DB_TABLES_MAX];
    size_t tables_n, changes; /* changes: of the present transaction, rows */
    struct reminder full;
    bool read_only, opened;
};

/* LMDB's codes end here: reported unless the row is not there. */
enum status db_status(struct db *d, int rc, const char *doing);

static inline MDB_val
db_val(struct str s)
{
    return (MDB_val){s.n, (void *)(uintptr_t)s.p};
}

static inline struct str
db_str(MDB_val v)
{
    return str_n(v.mv_data, v.mv_size);
}

#endif
