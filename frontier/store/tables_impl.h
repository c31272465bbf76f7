/* tables_impl.h -- what tables.c and tables_open.c share of LMDB. */
#ifndef FRONTIER_TABLES_IMPL_H
#define FRONTIER_TABLES_IMPL_H

#include <lmdb.h>

#include "tables.h"
#include "writeback.h"

#define KEY_MAX 32u /* of keys that are appended */

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
    struct writeback *writeback; /* NULL: nobody waits for the disk */
    size_t changes;              /* of the present transaction: rows */
    uint64_t disk_free, full_said_ms;
    uint64_t map_size, pages_looked_ms; /* when free pages were counted */
    bool pages_room;                    /* ... and whether there were some */
    bool room;                          /* for what can wait; tables_room() */
    int lock;
    bool read_only, opened;
};

/* LMDB's codes end here: reported unless the row is not there. */
enum status tables_status(struct tables *t, int rc, const char *doing);
/* Says so, once a minute since the caller tries again and again: ST_FULL. */
enum status tables_full(struct tables *t, const char *what);
uint64_t tables_disk_free(const char *dir);

static inline MDB_val
tables_val(struct str s)
{
    return (MDB_val){s.n, (void *)(uintptr_t)s.p};
}

static inline struct str
tables_view(MDB_val v)
{
    return str_n(v.mv_data, v.mv_size);
}

#endif
