/* store.h -- the tables of the index, and transactions on them.
 *
 * One transaction at a time, of the one thread that owns the handle; what
 * happened between store_begin and store_commit is durable together, or nothing
 * changed.  Strings got from a store live until its transaction ends or the
 * table is written.
 * Errors: ST_STORE (reported) and ST_FULL (disk or map) from any call. */
#ifndef SHINGLE_STORE_H
#define SHINGLE_STORE_H

#include "base/status.h"
#include "base/str.h"

struct store; /* opaque */

enum store_table {
    STORE_META,  /* name -> magic, schema, counts, see index_rows.c */
    STORE_FILES, /* name -> see stream.h */
    STORE_TABLES_N
};

/* Raised when rows change their form. */
enum { STORE_SCHEMA = 3 };
/* Why the store in `dir`, of another schema, is refused. */
void store_say_schema(const char *dir, uint64_t schema);

/* The command that repairs the store in `dir`. */
void store_repair_command(const char *dir, char *out, size_t size);

const char *store_table_name(enum store_table t);

struct shards;

struct store_options {
    struct shards *shards; /* of the index: have its bands; NULL: it has them */
    uint64_t map_gib;
    struct str sync; /* "full", "meta", "none" */
    bool read_only;
    uint64_t
        checkpoint_bytes; /* of the index: see checkpoint_open(); 0: none */
};

/* Open or create the store in the folder `dir` (which exists).  ST_USAGE: not
 * one of ours, or of another version (reported).  Owned by the caller. */
enum status store_open(struct store **out, const char *dir,
                       const struct store_options *o);
void store_close(struct store *s); /* NULL is allowed; aborts */

enum status store_begin(struct store *s);
enum status store_commit(struct store *s); /* ended, whatever it returns */
void store_abort(struct store *s);         /* without one: nothing to do */
/* The last commit is on the disk, whatever `sync` is. */
enum status store_sync(struct store *s);

/* ST_NONE: no such key. */
enum status store_get(struct store *s, enum store_table t, struct str key,
                      struct str *value);
enum status store_put(struct store *s, enum store_table t, struct str key,
                      struct str value);
enum status store_empty(struct store *s, enum store_table t);

/* Numbers in STORE_META; absent is 0. */
enum status store_get_u64(struct store *s, const char *name, uint64_t *out);
enum status store_put_u64(struct store *s, const char *name, uint64_t value);

/* Every entry from key `from` on, in order, until `each` returns ST_NONE (then
 * ST_OK) or a fault (then that).  `each` writes nothing to this table. */
typedef enum status store_each(void *self, struct str key, struct str value);
enum status store_walk(struct store *s, enum store_table t, struct str from,
                       store_each *each, void *self);

#endif
