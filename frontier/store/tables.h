/* tables.h -- the frontier's tables: sorted rows of bytes in one LMDB folder.
 *
 * One transaction at a time.  Keys sort like memcmp.  Values and keys that are
 * given out point into the store: they are valid until the next change or the
 * end of the transaction, whichever is first.
 *
 * Errors: ST_NONE no such row; ST_FULL the disk or the map is full; ST_STORE
 * anything else, reported.  After ST_FULL or ST_STORE only tables_abort() is
 * allowed; nothing has changed then. */
#ifndef FRONTIER_TABLES_H
#define FRONTIER_TABLES_H

#include "base/buf.h"
#include "base/status.h"
#include "base/str.h"

enum table {
    TABLE_META,
    TABLE_SEEN,
    TABLE_QUEUE,
    TABLE_LATER,
    TABLE_HOSTS,
    TABLE_LEASES,
    TABLE_NAMES,
    TABLE_ROBOTS,
    TABLE_MODEL,
    TABLE_ADDRESSES,
    TABLE_CONTROL,
    TABLE_REVISIT,
    TABLE_DUE,
    TABLE_HELD,
    TABLE_UNREPORTED,
    TABLE_N
};

#define TABLES_KEY_MAX 511u /* bytes, of LMDB */

struct tables; /* opaque; see frontier/store/tables.c */

struct tables_config {
    size_t map_size;    /* bytes of address space, the most it may grow to */
    struct str sync;    /* full, meta or none */
    uint64_t disk_free; /* bytes that must be free before a transaction */
    bool read_only;     /* beside a writer in another process */
    bool as_it_is;      /* to write what an earlier version can read, too */
};

/* Open or create the folder.  ST_USAGE: it is locked, foreign, of a newer
 * version or of one before the first release, or cannot be written (reported,
 * with what to do).  The caller owns *out and ends it with tables_close(). */
enum status tables_open(struct tables **out, const char *dir,
                        const struct tables_config *config);
void tables_close(struct tables *t); /* NULL is allowed */

/* From now on a commit is in a log beside the store, and in LMDB some seconds
 * later: that writes less, and syncs less often.  kill -9 loses nothing of it;
 * with sync = meta a power loss may undo what was committed in the last
 * `lag_ms`.  A reader sees what LMDB has.  ST_FULL, ST_NOMEM. */
enum status tables_save_later(struct tables *t, uint64_t lag_ms);
/* Without a transaction: LMDB has all of it now, or the next opening sees to
 * that; and this thread has none of LMDB's transactions any more. */
void tables_save_now(struct tables *t);
/* After the next commit it is in LMDB: somebody is going to look. */
void tables_save_soon(struct tables *t);
/* In so many ms LMDB should commit: tables_begin() and a commit of nothing see
 * to that; UINT64_MAX: nothing waits. */
uint64_t tables_save_due(const struct tables *t);

/* Close the store and put another data file in the place of its own; nobody
 * gets in between.  ST_IO: it is as it was (reported). */
enum status tables_replace(struct tables *t, const char *path);

unsigned tables_schema(void); /* of the stores this program writes */
bool tables_schema_is_read(uint64_t schema); /* ... and reads */
const char *tables_name(enum table table);
bool tables_named(enum table *out, struct str name);

enum status tables_begin(struct tables *t);
/* Since the last tables_begin(): is there room for what can wait?  The last of
 * the space is kept for what cannot; then this is false and said so. */
bool tables_room(const struct tables *t);
enum status tables_peek(struct tables *t);   /* to read; ended by an abort */
enum status tables_commit(struct tables *t); /* ended either way */
void tables_abort(struct tables *t);         /* allowed at any time */
/* The last commit is in LMDB and on the disk, whatever tables_config.sync is.
 */
enum status tables_sync(struct tables *t);

enum status tables_get(struct tables *t, enum table table, struct str key,
                       struct str *value);
enum status tables_put(struct tables *t, enum table table, struct str key,
                       struct str value);
/* A new row; ST_INVALID: there is one with this key. */
enum status tables_add(struct tables *t, enum table table, struct str key,
                       struct str value);
enum status tables_delete(struct tables *t, enum table table, struct str key);

/* The first row at or after `from`; then the rows behind it, one by one. */
enum status tables_seek(struct tables *t, enum table table, struct str from,
                        struct str *key, struct str *value);
enum status tables_next(struct tables *t, enum table table, struct str *key,
                        struct str *value);

/* The last row before `end`. */
enum status tables_before(struct tables *t, enum table table, struct str end,
                          struct str *key, struct str *value);

/* Of LMDB's last commit; never the same for two of a store. */
uint64_t tables_version(const struct tables *t);
/* That the open transaction sees: an earlier one when a writer has gone on. */
uint64_t tables_snapshot(const struct tables *t);
size_t tables_changes(const struct tables *t); /* rows, by this transaction */

struct tables_size {
    uint64_t rows, bytes; /* bytes: of the pages in use */
};
/* Every page that the open transaction sees (base/pages/verify.h); not of one
 * that has changed something. */
enum status tables_check(struct tables *t, struct buf *out, uint64_t *faults);
void tables_size(struct tables *t, enum table table, struct tables_size *out);
/* Rows of the tables from `first` on, before `end`. */
uint64_t tables_rows(struct tables *t, int first, int end);

#endif
