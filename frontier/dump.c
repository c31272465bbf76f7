/* dump.c -- every URL as a line of JSON, queued ones with their URL, ended ones
 * by the hashes they are known by (a done row keeps no URL: half of its size).
 *
 * The host of an ended URL is found through the hash of its name. */
#include <stdio.h>

#include "inside.h"
#include "winnow/json.h"

static void
facts(struct json *j, const struct row_facts *p, uint16_t priority)
{
    json_kreal(j, "score", (double)priority / ROW_PRIORITY_MAX);
    json_ku64(j, "depth", p->depth);
    if (p->redirects > 0)
        json_ku64(j, "redirects", p->redirects);
    if (p->seed)
        json_kbool(j, "seed", true);
    if (p->explored)
        json_kbool(j, "explored", true);
    if (p->has_badness)
        json_kreal(j, "parent_badness", (double)p->badness);
    json_kreal(j, "boilerplate", (double)p->boilerplate);
    json_ku64(j, "relation", p->relation);
    json_ku64(j, "parent_kind", p->parent);
    if (p->parent_host != 0) {
        char hash[17];

        snprintf(hash, sizeof hash, "%016llx",
                 (unsigned long long)p->parent_hash);
        json_ku64(j, "parent_host", p->parent_host);
        json_kstr(j, "parent", str_c(hash));
    }
}

static enum status
line_end(struct json *j, FILE *to)
{
    json_object_end(j);
    buf_char(j->out, '\n');
    if (fwrite(j->out->p, 1, j->out->n, to) != j->out->n)
        return ST_IO;
    buf_clear(j->out);
    j->comma = false;
    return ST_OK;
}

static enum status
dump_row(struct frontier *f, struct json *j, struct row_place place,
         uint64_t due_ms, struct str value, FILE *to)
{
    struct row_queued q;
    struct host *h;
    const char *state = due_ms > 0 ? "waiting" : "queued";
    enum status st = frontier_host(f, place.host, &h);

    if (st != ST_OK)
        return st;
    if (!row_queued_read(&q, value))
        return frontier_corrupt("queue");
    if (h->row.lease.out && h->row.lease.place.sequence == place.sequence)
        state = "leased";
    arena_reset(f->scratch);
    json_object(j);
    json_kstr(j, "state", str_c(state));
    json_kstr(j, "url", frontier_queued_url(&q, h->row.name, f->scratch));
    if (q.kind == FRONTIER_ROBOTS)
        json_ku64(j, "robots_of", q.robots_of);
    if (due_ms > 0)
        json_ku64(j, "due_ms", due_ms);
    if (q.attempts > 0)
        json_ku64(j, "attempts", q.attempts);
    facts(j, &q.facts, place.priority);
    return line_end(j, to);
}

static enum status
dump_queue(struct frontier *f, struct json *j, enum table table, FILE *to)
{
    struct row_place place;
    struct str key, value;
    uint64_t due_ms = 0;
    enum status st = tables_seek(f->tables, table, S(""), &key, &value);

    while (st == ST_OK) {
        if (!(table == TABLE_LATER ? row_later_place(&place, &due_ms, key)
                                   : row_queue_place(&place, key)))
            return frontier_corrupt("queue");
        if ((st = dump_row(f, j, place, due_ms, value, to)) == ST_OK)
            st = tables_next(f->tables, table, &key, &value);
    }
    return st == ST_NONE ? ST_OK : st;
}

static void
hex(struct str bytes, char out[33])
{
    for (size_t i = 0; i < 16; i++)
        snprintf(out + 2 * i, 3, "%02x", (unsigned char)bytes.p[i]);
}

static enum status
dump_ended(struct frontier *f, struct json *j, struct str key,
           const struct row_seen *s, FILE *to)
{
    struct str id;
    struct host *h;
    char hash[33];

    hex(key, hash);
    json_object(j);
    json_kstr(j, "state", str_c(row_state_name(s->state)));
    json_kstr(j, "hash", str_c(hash));
    if (tables_get(f->tables, TABLE_NAMES, str_sub(key, 0, 8), &id) == ST_OK &&
        frontier_host(f, row_be32(id), &h) == ST_OK)
        json_kstr(j, "host", h->row.name);
    json_kstr(j, "reason", s->reason);
    json_ku64(j, "ended_ms", s->ended_ms);
    if (s->has_badness)
        json_kreal(j, "badness", (double)s->badness);
    facts(j, &s->facts, s->place.priority);
    return line_end(j, to);
}

enum status
frontier_dump(struct frontier *f, FILE *to)
{
    struct buf line = {0};
    struct json j = {.out = &line};
    struct row_seen s;
    struct str key, value;
    enum status st = dump_queue(f, &j, TABLE_QUEUE, to);

    if (st == ST_OK)
        st = dump_queue(f, &j, TABLE_LATER, to);
    if (st == ST_OK)
        st = tables_seek(f->tables, TABLE_SEEN, S(""), &key, &value);
    while (st == ST_OK) {
        if (key.n != 16 || !row_seen_read(&s, value))
            st = frontier_corrupt("seen");
        else if (s.state >= ROW_DONE)
            st = dump_ended(f, &j, key, &s, to);
        if (st == ST_OK)
            st = tables_next(f->tables, TABLE_SEEN, &key, &value);
    }
    buf_free(&line);
    return st == ST_NONE ? ST_OK : st;
}
