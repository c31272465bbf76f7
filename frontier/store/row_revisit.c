/* row_revisit.c -- a page that is fetched again: its row, as bytes. */
#include "pack.h"
#include "url_store.h"

struct str
url_store_revisit_bytes(struct url_store *db, const struct row_revisit *v)
{
    struct buf *b = &db->row;

    buf_clear(b);
    pack_number(b, v->times);
    pack_number(b, v->due_ms);
    pack_number(b, v->interval_ms);
    pack_fixed(b, v->digest, 8);
    pack_text(b, v->etag);
    pack_text(b, v->last_modified);
    pack_number(b, v->verdict);
    pack_text(b, v->url);
    if (v->owner != 0)
        pack_number(b, v->owner);
    return buf_view(b);
}

static bool
revisit_read(struct row_revisit *v, struct str bytes)
{
    struct unpack u = {bytes, false};

    v->times = unpack_u32(&u);
    v->due_ms = unpack_number(&u);
    v->interval_ms = unpack_number(&u);
    v->digest = unpack_fixed(&u, 8);
    v->etag = unpack_text(&u);
    v->last_modified = unpack_text(&u);
    u.bad |= !row_verdict_read(&u, &v->verdict);
    v->url = unpack_text(&u);
    v->owner = u.left.n > 0 ? unpack_u32(&u) : 0;
    return !u.bad;
}

/* ST_NONE: the page was never kept. */
enum status
url_store_revisit_get(struct url_store *db, struct row_seen_key key,
                      struct row_revisit *out)
{
    struct str value;
    enum status st =
        tables_get(db->tables, TABLE_REVISIT, row_seen_bytes(&key), &value);

    if (st == ST_OK && !revisit_read(out, value))
        st = url_store_corrupt("revisit");
    return st;
}
