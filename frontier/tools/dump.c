/* dump.c -- the whole frontier as lines of JSON, from which load.c makes it
 * again.
 *
 * A line is a row, written once, table by table.  URLs and hosts are told in
 * words (row_words.c: `state`, `url`, scores; an ended URL by the hashes it is
 * known by, since its row keeps no more), the rows of other tables in hex. What
 * follows from other rows is left out: names of hosts, and `seen` of what is
 * queued.  The first line is a header, the last one an end with the number of
 * lines. */
#include <stdio.h>

#include "base/progress.h"
#include "frontier/parts.h"
#include "frontier_tools.h"
#include "row_words.h"

#define HOSTS_HELD 50000u /* a reader forgets hosts beyond */

struct dump {
    struct frontier *f;
    struct json json;
    struct buf line;
    uint64_t lines;
    FILE *to;
    struct progress *progress;
};

static void
line_begin(struct dump *d, const char *state)
{
    json_object(&d->json);
    json_kstr(&d->json, "state", str_c(state));
}

static enum status
line_end(struct dump *d)
{
    json_object_end(&d->json);
    buf_char(&d->line, '\n');
    if (fwrite(d->line.p, 1, d->line.n, d->to) != d->line.n)
        return ST_IO;
    buf_clear(&d->line);
    d->json.comma = false;
    d->lines++;
    return ST_OK;
}

/* What a table without words has. */
static void
bytes(struct dump *d, enum table table, struct str key, struct str value)
{
    json_kstr(&d->json, "table", str_c(tables_name(table)));
    row_words_hex(&d->json, "key", key);
    row_words_hex(&d->json, "row", value);
}

/* ---- URLs ---- */

static void
url_begin(struct dump *d, const char *state, const struct row_queued *q,
          struct str authority)
{
    struct str url = row_queued_url(q, authority, d->f->db->scratch);
    struct row_seen_key key = row_seen_key(d->f->db->keys, authority, url);

    line_begin(d, state);
    json_kstr(&d->json, "url", url);
    if (!frontier_is_rules(q->kind))
        row_words_hex(&d->json, "hash", row_seen_bytes(&key));
}

static enum status
dump_queued(struct dump *d, enum table table, struct str key, struct str value)
{
    struct frontier *f = d->f;
    struct row_words w = {.to = &d->json};
    struct row_position position;
    struct row_queued q;
    struct host *h;
    uint64_t due_ms = 0;
    const char *state = table == TABLE_LATER        ? "waiting"
                        : table == TABLE_HELD       ? "held"
                        : table == TABLE_UNREPORTED ? "leased"
                                                    : "queued";
    enum status st;

    if (!(table == TABLE_LATER ? row_later_position(&position, &due_ms, key)
                               : row_queue_position(&position, key)) ||
        !row_queued_read(&q, value))
        return url_store_corrupt(tables_name(table));
    if (f->db->reader && f->db->hosts.n > HOSTS_HELD)
        url_store_hosts_forget(f->db);
    if ((st = url_store_host(f->db, position.host, &h)) != ST_OK)
        return st;
    if (row_is_out(&h->row, position))
        state = "leased";
    arena_reset(f->db->scratch);
    url_begin(d, state, &q, h->row.name);
    row_words_queued(&w, &q, &position);
    if (due_ms > 0)
        json_ku64(&d->json, "due_ms", due_ms);
    json_kstr(&d->json, "table", str_c(tables_name(table)));
    return line_end(d);
}

static enum status
dump_ended(struct dump *d, struct str key, struct str value)
{
    struct frontier *f = d->f;
    struct row_words w = {.to = &d->json};
    struct row_seen s;
    struct str id;
    struct host *h;

    if (key.n != sizeof(struct row_seen_key) || !row_seen_read(&s, value))
        return url_store_corrupt("seen");
    if (!row_has_ended(s.state))
        return ST_OK;
    if (f->db->reader && f->db->hosts.n > HOSTS_HELD)
        url_store_hosts_forget(f->db);
    line_begin(d, row_state_name(s.state));
    row_words_hex(&d->json, "hash", key);
    if (tables_get(f->db->tables, TABLE_NAMES, str_sub(key, 0, 8), &id) ==
            ST_OK &&
        url_store_host(f->db, row_be32(id), &h) == ST_OK)
        json_kstr(&d->json, "host", h->row.name);
    row_words_ended(&w, &s);
    json_kstr(&d->json, "table", str_c(tables_name(TABLE_SEEN)));
    return line_end(d);
}

static enum status
dump_link(void *self, const struct candidate *c)
{
    struct dump *d = self;
    struct row_words w = {.to = &d->json};
    struct candidate link = *c;

    arena_reset(d->f->db->scratch);
    url_begin(d, "pending", &c->q, c->authority);
    row_words_link(&w, &link);
    json_kstr(&d->json, "table", S("links"));
    return line_end(d);
}

/* ---- the other tables ---- */

/* Does the row belong to this folder, not to what is in it? */
static bool
is_local(enum table table, struct str key)
{
    static const char *const names[] = {"magic", "schema", "keys", "links",
                                        "load"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (table == TABLE_META && str_eq(key, str_c(names[i])))
            return true;
    return false;
}

static enum status
dump_host(struct dump *d, struct str key, struct str value)
{
    struct row_words w = {.to = &d->json};
    struct url_class room[URL_CLASSES_MAX];
    struct row_host row;

    if (!row_host_read(&row, value, room))
        return url_store_corrupt("hosts");
    line_begin(d, tables_name(TABLE_HOSTS));
    row_words_host(&w, &row);
    json_ku64(&d->json, "host_id", row_be32(key));
    json_kstr(&d->json, "table", str_c(tables_name(TABLE_HOSTS)));
    return line_end(d);
}

static enum status
dump_other(struct dump *d, enum table table, struct str key, struct str value)
{
    if (is_local(table, key))
        return ST_OK;
    if (table == TABLE_META && str_eq(key, S("counters"))) { /* of now */
        row_counters_write(&d->f->db->row, &d->f->db->counters);
        value = buf_view(&d->f->db->row);
    }
    line_begin(d, tables_name(table));
    if (table == TABLE_META)
        json_kstr(&d->json, "name", key);
    bytes(d, table, key, value);
    return line_end(d);
}

static enum status
dump_table(struct dump *d, enum table table)
{
    struct str key, value;
    enum status st = tables_seek(d->f->db->tables, table, S(""), &key, &value);

    while (st == ST_OK) {
        if (table == TABLE_QUEUE || table == TABLE_LATER ||
            table == TABLE_HELD || table == TABLE_UNREPORTED)
            st = dump_queued(d, table, key, value);
        else if (table == TABLE_SEEN)
            st = dump_ended(d, key, value);
        else if (table == TABLE_HOSTS)
            st = dump_host(d, key, value);
        else
            st = dump_other(d, table, key, value);
        progress_add(d->progress, 1);
        if (st == ST_OK)
            st = tables_next(d->f->db->tables, table, &key, &value);
    }
    return st == ST_NONE ? ST_OK : st;
}

enum status
frontier_dump(struct frontier *f, FILE *to)
{
    struct dump d = {.f = f, .to = to};
    enum status st;

    d.json.out = &d.line;
    d.progress = progress_begin(
        "dump", "rows",
        tables_rows(f->db->tables, 0, TABLE_N) -
            tables_rows(f->db->tables, TABLE_NAMES, TABLE_NAMES + 1));
    line_begin(&d, "header");
    json_ku64(&d.json, "schema", tables_schema());
    json_ku64(&d.json, "keys", f->db->keys);
    json_kstr(&d.json, "version", S(WINNOW_VERSION));
    st = line_end(&d);
    for (int i = 0; i < TABLE_N && st == ST_OK; i++)
        if (i != TABLE_NAMES)
            st = dump_table(&d, (enum table)i);
    if (st == ST_OK)
        st = intake_each(f->in, dump_link, &d);
    if (st == ST_OK) {
        line_begin(&d, "end");
        json_ku64(&d.json, "lines", d.lines);
        st = line_end(&d);
    }
    progress_end(d.progress);
    buf_free(&d.line);
    return st;
}
