/* url_store.c -- opening, what is read at the start, counters. */
#include "url_store.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/log.h"
#include "row_keys.h"

enum status
url_store_corrupt(const char *table)
{
    log_error("frontier", "table=%s error=a row is missing or garbled", table);
    return ST_STORE;
}

enum status
url_store_open(struct url_store **out, const char *dir,
               const struct tables_config *config, bool loading)
{
    struct url_store *db = calloc(1, sizeof *db);
    enum status st;

    *out = NULL;
    if (db == NULL || (db->dir = strdup(dir)) == NULL) {
        free(db);
        return ST_NOMEM;
    }
    db->reader = config->read_only;
    db->loading = loading;
    db->arena = arena_new();
    db->scratch = arena_new();
    if ((st = tables_open(&db->tables, dir, config)) != ST_OK) {
        url_store_close(db);
        return st;
    }
    *out = db;
    return ST_OK;
}

void
url_store_close(struct url_store *db)
{
    if (db == NULL)
        return;
    prefetch_pool_free(db->prefetch_pool);
    tables_close(db->tables);
    arena_free(db->arena);
    arena_free(db->scratch);
    hashmap_free(&db->hosts);
    hashmap_free(&db->lowered);
    buf_free(&db->row);
    free(db->dir);
    free(db);
}

static enum status
read_counters(struct url_store *db)
{
    struct str value;
    enum status st = tables_get(db->tables, TABLE_META, S("counters"), &value);

    if (st == ST_OK && !row_counters_read(&db->counters, value))
        return url_store_corrupt("meta");
    db->committed = db->stored = db->counters;
    return st == ST_NONE ? ST_OK : st;
}

enum status
url_store_write_counters(struct url_store *db)
{
    uint64_t stored;

    row_counters_write(&db->row, &db->stored);
    stored = hash64(buf_view(&db->row));
    row_counters_write(&db->row, &db->counters);
    if (hash64(buf_view(&db->row)) == stored)
        return ST_OK;
    return tables_put(db->tables, TABLE_META, S("counters"),
                      buf_view(&db->row));
}

enum status
url_store_read(struct url_store *db)
{
    enum status st = read_counters(db);

    if (st == ST_OK)
        st = row_keys_read(&db->keys, db->tables);

    /* A file that the snapshot names may be gone. */
    if (st == ST_OK && db->reader &&
        tables_version(db->tables) != tables_snapshot(db->tables))
        st = ST_BUSY;
    return st;
}

enum status
url_store_begin(struct url_store *db)
{
    enum status st = tables_begin(db->tables);

    db->faults = prefetch_pool_faults();
    return st;
}

enum status
url_store_commit(struct url_store *db)
{
    enum status st = tables_commit(db->tables);

    if (st != ST_OK)
        return st;
    db->stored = db->counters;
    return ST_OK;
}

bool
url_store_has_room(const struct url_store *db)
{
    return db->loading || tables_room(db->tables);
}
