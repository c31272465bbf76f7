/* unreported.c -- rows of URLs that were fetched and whose outcome is not known
 * yet: out of the queue, with the lease under which they were fetched. */
#include "url_store.h"

enum status
url_store_unreported_add(struct url_store *db, struct host *h,
                         struct row_position position,
                         const struct row_queued *q, const struct row_lease *l)
{
    struct row_key key = row_queue_key(position),
                   lease = row_unreported_key(position);
    enum status st;

    row_queued_write(&db->row, q);
    if ((st = tables_put(db->tables, TABLE_UNREPORTED, row_bytes(&key),
                         buf_view(&db->row))) != ST_OK)
        return st;
    url_store_host_changed(db, h);
    row_lease_write(&db->row, l);
    return tables_put(db->tables, TABLE_LEASES, row_bytes(&lease),
                      buf_view(&db->row));
}

enum status
url_store_unreported_read(struct url_store *db, struct row_position position,
                          struct row_queued *q)
{
    struct row_key key = row_queue_key(position);

    return url_store_read_as_queued(db, TABLE_UNREPORTED, &key, q);
}

enum status
url_store_unreported_lease(struct url_store *db, struct row_position position,
                           struct row_lease *l)
{
    struct row_key key = row_unreported_key(position);
    struct str value;
    enum status st =
        tables_get(db->tables, TABLE_LEASES, row_bytes(&key), &value);

    *l = (struct row_lease){0};
    if (st == ST_OK && !row_lease_read(l, value))
        return url_store_corrupt("leases");
    return st == ST_NONE ? ST_OK : st;
}

enum status
url_store_unreported_remove(struct url_store *db, struct row_position position)
{
    struct row_key key = row_queue_key(position),
                   lease = row_unreported_key(position);
    enum status st =
        tables_delete(db->tables, TABLE_UNREPORTED, row_bytes(&key));

    if (st == ST_NONE)
        return url_store_corrupt("unreported");
    if (st == ST_OK)
        st = tables_delete(db->tables, TABLE_LEASES, row_bytes(&lease));
    return st == ST_NONE ? ST_OK : st;
}

enum status
url_store_unreported_next(struct url_store *db, struct row_key from,
                          struct row_position *position)
{
    struct str key, value;
    enum status st = tables_seek(db->tables, TABLE_UNREPORTED, row_bytes(&from),
                                 &key, &value);

    if (st == ST_OK && !row_queue_position(position, key))
        return url_store_corrupt("unreported");
    return st;
}
