/* walk_rows.c -- see walk_rows.h.  A page's first number says what it is: 1 a
 * redirect, 2 and on a document, by how many were fetched before it; 0 a
 * document of a walk that did not count them. */
#include "walk_rows.h"

#include "base/big_endian.h"
#include "base/hash.h"

#define REDIRECT 1u
#define DOCUMENT 2u

struct walk_key {
    char bytes[14];
};

static struct walk_key
key_of(char kind, uint64_t n)
{
    struct walk_key k = {"walk:"};

    k.bytes[5] = kind;
    be64_put(k.bytes + 6, n);
    return k;
}

enum status
walk_row_get(struct url_store *db, char kind, uint64_t n, struct str *out)
{
    struct walk_key k = key_of(kind, n);
    enum status st =
        tables_get(db->tables, TABLE_META, str_n(k.bytes, sizeof k.bytes), out);

    if (st == ST_OK)
        *out = arena_str(db->arena, *out);
    return st;
}

enum status
walk_row_put(struct url_store *db, char kind, uint64_t n, struct str value)
{
    struct walk_key k = key_of(kind, n);

    return tables_put(db->tables, TABLE_META, str_n(k.bytes, sizeof k.bytes),
                      value);
}

enum status
walk_row_drop(struct url_store *db, char kind, uint64_t n)
{
    struct walk_key k = key_of(kind, n);
    enum status st =
        tables_delete(db->tables, TABLE_META, str_n(k.bytes, sizeof k.bytes));

    return st == ST_NONE ? ST_OK : st;
}

/* ---- pages ---- */

enum status
walk_page_get(struct url_store *db, uint64_t hash, struct walk_page *p)
{
    struct str value;
    struct unpack u;
    uint64_t kind;
    enum status st = walk_row_get(db, 'p', hash, &value);

    if (st != ST_OK)
        return st;
    u = (struct unpack){.left = value};
    kind = unpack_number(&u);
    p->redirect = kind == REDIRECT;
    p->number = kind >= DOCUMENT ? kind - DOCUMENT : 0;
    p->url = unpack_text(&u);
    p->id = unpack_text(&u);
    p->links_n = unpack_number(&u);
    p->links = u;
    return u.bad ? url_store_corrupt("meta") : ST_OK;
}

enum status
walk_page_put(struct url_store *db, struct buf *row, bool redirect,
              uint64_t number, const struct frontier_done *d)
{
    uint64_t n = 0;

    for (size_t i = 0; i < d->links_n; i++)
        n += d->links[i].kind == FRONTIER_PAGE;
    buf_clear(row);
    pack_number(row, redirect ? REDIRECT : DOCUMENT + number);
    pack_text(row, d->url);
    pack_text(row, d->id);
    pack_number(row, n);
    for (size_t i = 0; i < d->links_n; i++)
        if (d->links[i].kind == FRONTIER_PAGE)
            pack_text(row, d->links[i].url);
    return walk_row_put(db, 'p', hash64(d->url), buf_view(row));
}

enum status
walk_page_touch(struct url_store *db, struct buf *row, uint64_t hash,
                uint64_t number)
{
    struct str value;
    struct unpack u;
    enum status st = walk_row_get(db, 'p', hash, &value);

    if (st != ST_OK)
        return st == ST_NONE ? ST_OK : st;
    u = (struct unpack){.left = value};
    if (unpack_number(&u) == REDIRECT)
        return ST_OK;
    buf_clear(row);
    pack_number(row, DOCUMENT + number);
    buf_str(row, u.left);
    return walk_row_put(db, 'p', hash, buf_view(row));
}

struct str
walk_page_link(const struct walk_page *p, uint64_t n)
{
    struct unpack u = p->links;
    struct str url = S("");

    for (uint64_t i = 0; i <= n && !u.bad; i++)
        url = unpack_text(&u);
    return u.bad ? S("") : url;
}

/* ---- steps ---- */

enum status
walk_step_get(struct url_store *db, uint64_t n, struct walk_step *s)
{
    struct str value;
    struct unpack u;
    enum status st = walk_row_get(db, 's', n, &value);

    if (st != ST_OK)
        return st == ST_NONE ? url_store_corrupt("meta") : st;
    u = (struct unpack){.left = value};
    s->page = unpack_fixed(&u, 8);
    s->epoch = unpack_number(&u);
    s->left_n = unpack_number(&u);
    if (s->left_n > u.left.n)
        return url_store_corrupt("meta");
    s->left = ARENA_ARRAY(db->arena, uint32_t, s->left_n);
    for (uint64_t i = 0; i < s->left_n; i++)
        s->left[i] = (uint32_t)unpack_number(&u);
    return u.bad ? url_store_corrupt("meta") : ST_OK;
}

enum status
walk_step_put(struct url_store *db, struct buf *row, uint64_t n,
              const struct walk_step *s)
{
    buf_clear(row);
    pack_fixed(row, s->page, 8);
    pack_number(row, s->epoch);
    pack_number(row, s->left_n);
    for (uint64_t i = 0; i < s->left_n; i++)
        pack_number(row, s->left[i]);
    return walk_row_put(db, 's', n, buf_view(row));
}
