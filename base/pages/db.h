/* db.h -- sorted rows of bytes in named tables: an LMDB folder of ours.
 *
 * What frontier and dedup index have in common: whose folder it is, its check
 * before it is mapped, transactions, rows, and what LMDB's codes mean.
 *
 * One transaction at a time, of the one thread that has it.  Keys sort like
 * memcmp.  Keys and values that are given out point into the store: they are
 * valid until the next change or the end of the transaction, whichever is
 * first.
 *
 * Errors: ST_NONE no such row; ST_FULL the disk or the map is full (said once a
 * minute, since the caller tries again); ST_NOMEM; ST_STORE anything else
 * (reported).  After those but ST_NONE only db_abort() is allowed; nothing has
 * changed then. */
#ifndef PAGES_DB_H
#define PAGES_DB_H

#include "base/buf.h"
#include "base/status.h"

struct db; /* opaque; see base/pages/db.c */

#define DB_KEY_MAX 511u /* bytes, of LMDB */
enum { DB_TABLES_MAX = 16 };

struct db_config {
    const char *owner;     /* who reports: the topic of messages */
    const char *what;      /* "a frontier": what the folder is, in messages */
    const char *magic;     /* known by this, in the first table */
    uint64_t schema;       /* form of the rows */
    uint64_t schema_least; /* those from this one on only lack tables, which
                              whoever opens them for writing gives them, unless
                              `as_it_is`: they read as empty; 0: none do */
    size_t schema_size;    /* bytes of that number: 4 (native) or 8 (big end) */
    const char *const *table; /* names, for good; the first holds the magic */
    size_t tables_n;
    const char *map_option; /* what to raise when the map is full */
    const char *lock;       /* file that the process that writes has locked */
    const char *repair;     /* command that repairs a damaged store */
    size_t map_size;        /* the most it may grow to; a reader's may be 0 */
    struct str sync;        /* full, meta or none: see db.c */
    bool scattered;         /* rows lie anywhere: nothing is read ahead */
    bool read_only;
    bool as_it_is; /* to write, but not so that an older version cannot read
                      it any more: nothing into tables that are not there */
};

/* Open the store in folder `dir`, or make one there.  ST_USAGE: it is foreign,
 * of another version, empty (for a reader) or cannot be written (reported, with
 * what to do).  The caller owns *out and ends it
 * with db_close(). */
enum status db_open(struct db **out, const char *dir,
                    const struct db_config *c);
/* NULL is allowed; a transaction is aborted.  It is synced, whatever db_config
 * .sync is. */
void db_close(struct db *d);

/* Why a store of another schema is refused. */
void db_say_schema(const struct db_config *c, const char *dir, uint64_t schema);

enum status db_begin(struct db *d);  /* of a reader: to read */
enum status db_peek(struct db *d);   /* to read; ended by an abort */
enum status db_commit(struct db *d); /* ended either way */
void db_abort(struct db *d);         /* allowed at any time */
/* The last commit is on the disk, whatever db_config.sync is. */
enum status db_sync(struct db *d);

enum status db_get(struct db *d, unsigned table, struct str key,
                   struct str *value);
/* A row whose key is behind all others fills its page: the tree stays dense. */
enum status db_put(struct db *d, unsigned table, struct str key,
                   struct str value);
/* A new row; ST_INVALID: there is one with this key. */
enum status db_add(struct db *d, unsigned table, struct str key,
                   struct str value);
enum status db_delete(struct db *d, unsigned table, struct str key);
enum status db_empty(struct db *d, unsigned table);

/* The first row at or after `from`; then the rows behind it, one by one. */
enum status db_seek(struct db *d, unsigned table, struct str from,
                    struct str *key, struct str *value);
enum status db_next(struct db *d, unsigned table, struct str *key,
                    struct str *value);
/* The last row before `end`. */
enum status db_before(struct db *d, unsigned table, struct str end,
                      struct str *key, struct str *value);

/* What is committed, for another thread to read; short, since pages that it
 * sees are not used again meanwhile.  False: there is none, or no such row.
 * Nothing is reported: the owner of the store will meet the fault as well. */
struct db_view {
    struct db *db;
    struct MDB_txn *txn;
};
bool db_view_begin(struct db_view *v, struct db *d);
bool db_view_get(const struct db_view *v, unsigned table, struct str key,
                 struct str *value);
void db_view_end(struct db_view *v);

/* Of the last commit; never the same for two of a store. */
uint64_t db_version(const struct db *d);
size_t db_changes(const struct db *d);    /* rows, by this transaction */
uint64_t db_snapshot(const struct db *d); /* that this transaction sees */

struct db_size {
    uint64_t rows, bytes; /* bytes: of the pages in use */
};
struct db_size db_size(struct db *d, unsigned table);
/* Bytes of the map that no page has used yet. */
uint64_t db_map_left(const struct db *d);
/* Bytes in pages that are free again; looks through a list of them. */
uint64_t db_pages_free(struct db *d);
int db_fd(const struct db *d); /* of its file; -1: none */

/* There is no space: ST_FULL.  Said once a minute. */
enum status db_full(struct db *d, const char *what);

#endif
