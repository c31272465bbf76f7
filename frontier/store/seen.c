/* seen.c -- what is known of each URL: the table `seen`.  Who keeps a cache or
 * a filter of it is told of every row that is read or written. */
#include "url_store.h"

static void
seen(struct url_store *db, const struct row_seen_key *key,
     const struct row_seen *row, bool fresh)
{
    db->hooks.seen(db->hooks.intake, key, row, fresh);
}

enum status
url_store_seen_get(struct url_store *db, struct row_seen_key key,
                   struct row_seen *out)
{
    struct str value;
    enum status st =
        tables_get(db->tables, TABLE_SEEN, row_seen_bytes(&key), &value);

    if (st == ST_OK && !row_seen_read(out, value))
        return url_store_corrupt("seen");
    if (st == ST_OK)
        seen(db, &key, out, false);
    return st;
}

enum status
url_store_seen_put(struct url_store *db, struct row_seen_key key,
                   const struct row_seen *row)
{
    row_seen_write(&db->row, row);
    seen(db, &key, row, false);
    return tables_put(db->tables, TABLE_SEEN, row_seen_bytes(&key),
                      buf_view(&db->row));
}

enum status
url_store_seen_add(struct url_store *db, struct row_seen_key key,
                   const struct row_seen *row)
{
    enum status st;

    row_seen_write(&db->row, row);
    seen(db, &key, row, true);
    st = tables_add(db->tables, TABLE_SEEN, row_seen_bytes(&key),
                    buf_view(&db->row));
    return st == ST_INVALID ? url_store_corrupt("seen") : st;
}
