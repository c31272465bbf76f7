/* load_line.c -- one line of a dump: the row that it tells in words, or in hex
 * where a table has no words, as bytes again. */
#include "load_line.h"

#include "base/url/url.h"
#include "row_words.h"

#define LINE_SIZE_MAX ((size_t)4 << 20)
#define DEPTH_MAX 5 /* of nested JSON: a host has an array of objects */

struct reading {
    struct load_line *out;
    struct row_words words;
    struct arena *arena;
    enum row_keys keys; /* rule of the store's */
    struct buf row;
};

static struct str
kept(struct reading *r, struct str bytes)
{
    return arena_str(r->arena, bytes);
}

/* Of a link: by its URL, which has to be spelled as the frontier spells. */
static bool
read_url(struct reading *r, struct row_queued *q, struct row_url *parts,
         struct row_seen_key *key)
{
    struct str url = json_reader_str(r->words.from, "url"), canonical;

    if (url_canonical(&canonical, r->arena, url) != ST_OK ||
        canonical.p != url.p || !row_url_split(parts, url))
        return false;
    q->https = parts->https;
    q->rest = parts->rest;
    *key = row_seen_key(r->keys, parts->authority, url);
    return true;
}

static bool
read_queued(struct reading *r)
{
    struct load_line *out = r->out;
    struct row_queued q = {0};
    struct row_position position = {0};
    struct row_seen_key seen;
    struct row_url parts;
    struct row_key key;
    uint64_t due_ms = 0;

    if (!read_url(r, &q, &parts, &seen))
        return false;
    row_words_queued(&r->words, &q, &position);
    (void)json_reader_u64(&due_ms, r->words.from, "due_ms");
    key = out->table == TABLE_LATER ? row_later_key(due_ms, position)
                                    : row_queue_key(position);
    row_queued_write(&r->row, &q);
    out->key = kept(r, row_bytes(&key));
    out->row = kept(r, buf_view(&r->row));
    out->hash = kept(r, row_seen_bytes(&seen));
    return !r->words.bad;
}

static bool
read_ended(struct reading *r)
{
    struct str name = json_reader_str(r->words.from, "state");
    struct row_seen s = {0};

    for (int i = ROW_DONE; i <= ROW_REFUSED; i++)
        if (str_eq(name, str_c(row_state_name((enum row_state)i))))
            s.state = (enum row_state)i;
    row_words_ended(&r->words, &s);
    row_seen_write(&r->row, &s);
    r->out->row = kept(r, buf_view(&r->row));
    return !r->words.bad && row_has_ended(s.state) &&
           row_words_bytes(r->words.from, "hash", r->arena, &r->out->key) &&
           r->out->key.n == sizeof(struct row_seen_key);
}

static bool
read_link(struct reading *r)
{
    struct candidate c = {.links = 1};
    struct buf queued = {0};
    struct row_url parts;

    r->out->kind = LOAD_LINK;
    if (!read_url(r, &c.q, &parts, &c.key))
        return false;
    c.authority = parts.authority;
    row_words_link(&r->words, &c);
    candidate_record(&r->row, &queued, &c);
    buf_free(&queued);
    r->out->row = kept(r, buf_view(&r->row));
    return !r->words.bad && c.priority > 0;
}

static bool
read_host(struct reading *r)
{
    struct url_class room[URL_CLASSES_MAX] = {{0}};
    struct row_host h = {.url_classes = {.item = room}};
    struct row_key key;
    uint64_t id;

    if (!json_reader_u64(&id, r->words.from, "host_id") || id > UINT32_MAX)
        return false;
    row_words_host(&r->words, &h);
    key = row_host_key((uint32_t)id);
    row_host_write(&r->row, &h);
    r->out->key = kept(r, row_bytes(&key));
    r->out->row = kept(r, buf_view(&r->row));
    return !r->words.bad && h.name.n > 0 && h.name.n <= ROW_AUTHORITY_MAX;
}

static bool
read_bytes(struct reading *r)
{
    struct load_line *out = r->out;

    return row_words_bytes(r->words.from, "key", r->arena, &out->key) &&
           row_words_bytes(r->words.from, "row", r->arena, &out->row) &&
           out->key.n > 0 && out->key.n <= TABLES_KEY_MAX;
}

static bool
read_row(struct reading *r)
{
    struct str table = json_reader_str(r->words.from, "table");

    if (str_eq(table, S("links")))
        return read_link(r);
    r->out->kind = LOAD_ROW;
    if (!tables_named(&r->out->table, table))
        return false;
    switch (r->out->table) {
    case TABLE_QUEUE:
    case TABLE_LATER:
    case TABLE_HELD:
    case TABLE_UNREPORTED: return read_queued(r);
    case TABLE_SEEN: return read_ended(r);
    case TABLE_HOSTS: return read_host(r);
    default: return read_bytes(r);
    }
}

/* A dump of before says none. */
static bool
read_keys(struct load_line *out, struct json_reader *from)
{
    uint64_t keys = ROW_KEYS_SESSIONS;

    (void)json_reader_u64(&keys, from, "keys");
    out->keys = keys < ROW_KEYS_N ? (enum row_keys)keys : ROW_KEYS_N;
    return out->keys < ROW_KEYS_N;
}

static bool
read_object(struct load_line *out, struct json_reader *from, enum row_keys keys,
            struct arena *a)
{
    struct reading r = {
        .out = out, .words = {.from = from}, .arena = a, .keys = keys};
    struct str state = json_reader_str(from, "state");
    bool good;

    if (str_eq(state, S("header"))) {
        out->kind = LOAD_HEADER;
        return json_reader_u64(&out->number, from, "schema") &&
               read_keys(out, from);
    }
    if (str_eq(state, S("end"))) {
        out->kind = LOAD_END;
        return json_reader_u64(&out->number, from, "lines");
    }
    good = read_row(&r);
    buf_free(&r.row);
    return good;
}

bool
load_line(struct load_line *out, struct str line, enum row_keys keys,
          struct arena *a)
{
    struct json_reader *from = json_reader_new(DEPTH_MAX);
    bool good;

    *out = (struct load_line){0};
    good = from != NULL && line.n <= LINE_SIZE_MAX &&
           json_reader_read(from, line) && read_object(out, from, keys, a);
    json_reader_free(from);
    return good;
}
