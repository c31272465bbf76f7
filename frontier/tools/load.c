/* load.c -- a frontier from the lines that frontier_dump() wrote.
 *
 * Lines become rows again (load_line.c), some thousand of them a transaction;
 * with them the store notes how far in the file it is, so a load that was
 * killed goes on from there when it is started again with the same file.  Until
 * the end is reached, nothing else opens the folder.  Links that waited in the
 * log of the old folder come last and into a log of the new one. */
#include "load_line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/options/opt.h"
#include "base/progress.h"
#include "frontier/parts.h"
#include "frontier/store/row_keys.h"
#include "frontier_tools.h"

#define LINES_COMMIT 5000u
#define META_ROW S("load")

struct load {
    struct tables *tables; /* while rows come */
    struct frontier *f;    /* then, while links come */
    const struct opts *opts;
    const char *dir;
    struct arena *arena;
    struct buf row;
    FILE *from;
    const char *name; /* of the file */
    char *line;
    size_t line_cap;
    uint64_t lines, first_hash;
    enum row_keys keys;
    bool ended;
    struct progress *progress; /* in bytes of the file */
};

struct load_progress { /* as it is stored */
    uint64_t offset, lines, first_hash;
};

static enum status
bad_line(const struct load *l, const char *what)
{
    log_error("frontier", "%s: line %llu of the dump: %s", l->name,
              (unsigned long long)l->lines, what);
    return ST_INVALID;
}

/* The row of `seen` that belongs to a row of a queue. */
static enum status
put_seen(struct load *l, const struct load_line *line)
{
    struct row_seen s = {.state = ROW_QUEUED};

    if (line->hash.n != sizeof(struct row_seen_key))
        return bad_line(l, "a queued URL without its hash");
    if (line->table != TABLE_QUEUE)
        s.state = line->table == TABLE_LATER  ? ROW_LATER
                  : line->table == TABLE_HELD ? ROW_HELD
                                              : ROW_UNREPORTED;
    if (!(line->table == TABLE_LATER
              ? row_later_position(&s.position, &s.due_ms, line->key)
              : row_queue_position(&s.position, line->key)))
        return bad_line(l, "not a key of a queue");
    row_seen_write(&l->row, &s);
    return tables_put(l->tables, TABLE_SEEN, line->hash, buf_view(&l->row));
}

static enum status
put_name(struct load *l, const struct load_line *line)
{
    struct url_class room[URL_CLASSES_MAX];
    struct row_host host;
    struct row_key name;

    if (!row_host_read(&host, line->row, room))
        return bad_line(l, "not the row of a host");
    name = row_name_key(host.name);
    return tables_put(l->tables, TABLE_NAMES, row_bytes(&name), line->key);
}

static enum status
put_row(struct load *l, const struct load_line *line)
{
    struct row_queued q;
    enum status st = ST_OK;

    if (l->tables == NULL)
        return bad_line(l, "a row behind the links that wait");
    if (line->table == TABLE_QUEUE || line->table == TABLE_LATER ||
        line->table == TABLE_HELD || line->table == TABLE_UNREPORTED) {
        if (!row_queued_read(&q, line->row))
            return bad_line(l, "not a row of a queue");
        if (!frontier_is_rules(q.kind))
            st = put_seen(l, line);
    } else if (line->table == TABLE_HOSTS) {
        st = put_name(l, line);
    }
    return st == ST_OK
               ? tables_put(l->tables, line->table, line->key, line->row)
               : st;
}

static enum status
write_place(struct load *l, struct tables *t)
{
    struct load_progress p = {.offset = (uint64_t)ftello(l->from),
                              .lines = l->lines,
                              .first_hash = l->first_hash};

    return tables_put(t, TABLE_META, META_ROW,
                      str_n((const char *)&p, sizeof p));
}

static enum status
commit(struct load *l)
{
    struct tables *t = l->tables ? l->tables : l->f->db->tables;
    enum status st = write_place(l, t);

    if (st != ST_OK)
        return st;
    if (l->f != NULL) {
        st = frontier_commit(l->f);
        return st == ST_OK ? frontier_begin(l->f) : st;
    }
    st = tables_commit(l->tables);
    return st == ST_OK ? tables_begin(l->tables) : st;
}

/* From rows to links: these need the frontier itself. */
static enum status
change_over(struct load *l)
{
    enum status st = commit(l);

    if (st != ST_OK)
        return st;
    tables_close(l->tables);
    l->tables = NULL;
    st = frontier_open_loading(&l->f, l->dir, l->opts);
    return st == ST_OK ? frontier_begin(l->f) : st;
}

static enum status
put_link(struct load *l, struct str record)
{
    struct candidate c;
    enum status st = l->tables != NULL ? change_over(l) : ST_OK;

    if (st != ST_OK)
        return st;
    if (!candidate_read(&c, record))
        return bad_line(l, "not a link");
    return intake_wait(l->f->in, &c);
}

static enum status
take_line(struct load *l, const struct load_line *line)
{
    switch (line->kind) {
    case LOAD_HEADER:
        l->keys = line->keys;
        if (tables_schema_is_read(line->number))
            return row_keys_write(l->tables, l->keys);
        return bad_line(l, line->number > tables_schema()
                               ? "written by a newer version of winnow"
                               : "written by an older version of winnow, from "
                                 "before its first release");
    case LOAD_END:
        if (line->number + 1 != l->lines)
            return bad_line(l, "lines are missing before this end");
        l->ended = true;
        return ST_OK;
    case LOAD_LINK: return put_link(l, line->row);
    case LOAD_ROW: break;
    }
    return put_row(l, line);
}

/* ST_NONE: the file has ended. */
static enum status
next_line(struct load *l)
{
    struct load_line line;
    struct str text;
    ssize_t n = getline(&l->line, &l->line_cap, l->from);
    enum status st;

    if (n <= 0)
        return ferror(l->from) ? ST_IO : ST_NONE;
    text = str_n(l->line, (size_t)n);
    if (l->lines++ == 0)
        text = str_unmarked(text);
    progress_add(l->progress, (uint64_t)n);
    arena_reset(l->arena);
    if (!load_line(&line, str_trim(text), l->keys, l->arena))
        return bad_line(l, "not a line of a dump");
    if ((l->lines == 1) != (line.kind == LOAD_HEADER))
        return bad_line(l, "a dump begins with its header");
    if (l->ended)
        return bad_line(l, "it stands behind the end");
    st = take_line(l, &line);
    return st == ST_OK && l->lines % LINES_COMMIT == 0 ? commit(l) : st;
}

/* ---- beginning and ending ---- */

/* By gzip or zstd. */
static bool
is_compressed(struct str line)
{
    return str_starts(line, S("\x1f\x8b")) ||
           str_starts(line, S("\x28\xb5\x2f\xfd"));
}

static enum status
first_line(struct load *l)
{
    ssize_t n = getline(&l->line, &l->line_cap, l->from);

    if (n <= 0) {
        log_error("frontier", "%s: %s", l->name,
                  ferror(l->from) ? strerror(errno) : "the file is empty");
        return ST_INVALID;
    }
    if (is_compressed(str_n(l->line, (size_t)n))) {
        log_error("frontier",
                  "%s: it is compressed; decompress it into a file first",
                  l->name);
        return ST_INVALID;
    }
    /* Two dumps are told apart by their beginnings. */
    l->first_hash = hash64(str_n(l->line, (size_t)n));
    for (int i = 0; i < 20 && n > 0; i++) {
        n = getline(&l->line, &l->line_cap, l->from);
        if (n > 0)
            l->first_hash =
                hash64_seed(str_n(l->line, (size_t)n), l->first_hash);
    }
    rewind(l->from);
    return ST_OK;
}

/* An empty folder, or one that was left in the middle of this file. */
static enum status
go_on(struct load *l)
{
    struct load_progress p;
    struct str value;
    enum status st = tables_get(l->tables, TABLE_META, META_ROW, &value);

    if (st == ST_NONE &&
        tables_get(l->tables, TABLE_META, S("scorer"), &value) == ST_NONE)
        return ST_OK;
    if (st == ST_NONE) {
        log_error("frontier",
                  "%s holds a frontier already; give an empty or a new folder",
                  l->dir);
        return ST_USAGE;
    }
    if (st != ST_OK)
        return st;
    if (value.n == sizeof p)
        memcpy(&p, value.p, sizeof p);
    if (value.n != sizeof p || p.first_hash != l->first_hash ||
        fseeko(l->from, (off_t)p.offset, SEEK_SET) != 0) {
        log_error("frontier",
                  "%s is half loaded from another file; go on with that one, "
                  "or give a new folder",
                  l->dir);
        return ST_USAGE;
    }
    l->lines = p.lines;
    if ((st = row_keys_read(&l->keys, l->tables)) != ST_OK)
        return st;
    log_info("frontier", "dir=%s goes on behind line %llu", l->dir,
             (unsigned long long)p.lines);
    return ST_OK;
}

static enum status
finish(struct load *l)
{
    struct tables *t = l->tables ? l->tables : l->f->db->tables;
    enum status st;

    if (!l->ended) {
        log_error("frontier",
                  "%s: the dump ends early, behind line %llu; load the whole "
                  "one into %s to go on",
                  l->name, (unsigned long long)l->lines, l->dir);
        (void)commit(l);
        return ST_INVALID;
    }
    st = tables_delete(t, TABLE_META, META_ROW);
    if (st != ST_OK && st != ST_NONE)
        return st;
    return l->f != NULL ? frontier_commit(l->f) : tables_commit(l->tables);
}

static uint64_t
file_bytes(FILE *f)
{
    struct stat sb;

    return fstat(fileno(f), &sb) == 0 ? (uint64_t)sb.st_size : 0;
}

enum status
frontier_load(const char *dir, const struct opts *o, FILE *from,
              const char *name, uint64_t *lines)
{
    struct load l = {.dir = dir, .opts = o, .from = from, .name = name};
    const struct tables_config config = {
        .map_size = (size_t)o->frontier_map_gib << 30,
        .sync = o->frontier_sync,
        .disk_free = o->output_disk_free_mib << 20,
    };
    enum status st;

    l.arena = arena_new();
    if ((st = first_line(&l)) == ST_OK &&
        (st = tables_open(&l.tables, dir, &config)) == ST_OK &&
        (st = tables_begin(l.tables)) == ST_OK)
        st = go_on(&l);
    l.progress = progress_begin("load", PROGRESS_BYTES, file_bytes(from));
    progress_to(l.progress, (uint64_t)ftello(from));
    while (st == ST_OK)
        st = next_line(&l);
    progress_end(l.progress);
    if (st == ST_NONE)
        st = finish(&l);
    *lines = l.lines;
    frontier_close(l.f);
    tables_close(l.tables);
    arena_free(l.arena);
    buf_free(&l.row);
    free(l.line);
    return st;
}
