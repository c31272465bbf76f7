/* repair.c -- a damaged store, as far as it can be read, becomes a new one.
 *
 * Its pages are read without LMDB (base/pages/walk.h), the rows go into a store
 * in DIR/repair, from there into one in which everything agrees (rebuild.h),
 * and that takes the old one's place by one rename.  The damaged file stays
 * beside it, as data.mdb.damaged.  A process that is killed before that leaves
 * the store as it was, and its log of rows; after it, the new one, which that
 * log does not follow. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/options/opt.h"
#include "base/pages/hold.h"
#include "base/pages/salvage.h"
#include "base/pages/verify.h"
#include "base/pages/walk.h"
#include "base/path.h"
#include "frontier/intake/journal.h"
#include "frontier/parts.h"
#include "frontier/schedule/timekeeper.h"
#include "frontier/store/pack.h"
#include "frontier/store/rewrite.h"
#include "frontier/store/row_log.h"
#include "frontier_tools.h"
#include "rebuild.h"

struct repair {
    const char *dir;
    struct path raw_dir;
    struct tables *raw;
    struct buf *out;
    uint64_t expected[TABLE_N]; /* rows, by the roots of the tables */
    uint64_t found[TABLE_N];
    bool rooted[TABLE_N];
    uint64_t faults, unknown, written;
    struct rebuild rebuild;
};

/* ---- rows out of the pages ---- */

static void
note_table(void *self, struct str table, uint64_t rows)
{
    struct repair *r = self;
    enum table t;

    if (tables_named(&t, table)) {
        r->expected[t] = rows;
        r->rooted[t] = true;
    }
}

static void
note_fault(void *self, const struct pages_fault *f)
{
    struct repair *r = self;

    pages_say_fault(r->out, &r->faults, f);
}

/* The table of a row that no tree leads to, by its looks. */
static bool
table_of(enum table *out, struct str key, struct str value)
{
    struct url_class room[URL_CLASSES_MAX];
    struct row_host host;
    struct row_queued q;
    struct row_position position;
    struct row_seen seen;
    uint64_t due_ms;

    if (key.n == 12 && row_queue_position(&position, key) &&
        row_queued_read(&q, value))
        *out = TABLE_QUEUE;
    else if (key.n == 20 && row_later_position(&position, &due_ms, key) &&
             row_queued_read(&q, value))
        *out = TABLE_LATER;
    else if (key.n == sizeof(struct row_seen_key))
        *out = row_seen_read(&seen, value) ? TABLE_SEEN : TABLE_REVISIT;
    else if (key.n == 4 && row_host_read(&host, value, room))
        *out = TABLE_HOSTS;
    else if (key.n == 4 && value.n > 0)
        *out = TABLE_ROBOTS;
    else if (key.n == 8 && value.n == 8)
        *out = TABLE_ADDRESSES;
    else if (key.n == 8 && value.n == 4)
        *out = TABLE_NAMES;
    else if (key.n == 24 && value.n == 0)
        *out = TABLE_DUE;
    else
        return false;
    return true;
}

static enum status
take_row(void *self, struct str table, struct str key, struct str value)
{
    struct repair *r = self;
    const bool stray = table.n == 0;
    enum table t;
    enum status st;

    if (stray ? !table_of(&t, key, value) : !tables_named(&t, table)) {
        r->unknown++;
        return ST_OK;
    }
    if (t == TABLE_META &&
        (str_eq(key, S("magic")) || str_eq(key, S("schema"))))
        return ST_OK;
    r->found[t]++;
    st = stray ? tables_add(r->raw, t, key, value)
               : tables_put(r->raw, t, key, value);
    if (st == ST_INVALID)
        return ST_OK; /* what a tree leads to counts */
    return st == ST_OK ? rewrite_step(r->raw, &r->written) : st;
}

/* As the log of rows has it. */
static enum status
take_change(void *self, const struct row_change *c)
{
    struct repair *r = self;
    enum status st;

    if (c->table >= TABLE_N || c->key.n == 0 || c->key.n > TABLES_KEY_MAX) {
        r->unknown++;
        return ST_OK;
    }
    st = c->gone ? tables_delete(r->raw, (enum table)c->table, c->key)
                 : tables_put(r->raw, (enum table)c->table, c->key, c->value);
    return st == ST_OK || st == ST_NONE ? rewrite_step(r->raw, &r->written)
                                        : st;
}

/* What was not in LMDB yet. */
static enum status
take_log(struct repair *r)
{
    struct redo_log *log;
    bool gap = false;
    enum status st = redo_log_open(&log, &row_log, r->dir);

    if (st != ST_OK)
        return st;
    st = row_log_replay(log, 0, take_change, r, &gap);
    r->unknown += gap;
    redo_log_close(log);
    return st == ST_INVALID ? ST_OK : st; /* to where it can be read */
}

static enum status
salvage(struct repair *r, const struct tables_config *config)
{
    const struct pages_visitor v = {r, take_row, note_fault, note_table};
    const struct path path = path_printf("%s/data.mdb", r->dir);
    struct pages *p;
    enum status st;

    if ((st = pages_open(&p, path.z)) != ST_OK) {
        log_error("frontier",
                  "%s: none of it can be read: %s; bring back a copy, or begin "
                  "in a new folder",
                  path.z,
                  st == ST_IO ? strerror(errno)
                              : "its first pages are "
                                "gone");
        return ST_STORE;
    }
    if ((st = tables_open(&r->raw, r->raw_dir.z, config)) == ST_OK &&
        (st = tables_begin(r->raw)) == ST_OK)
        st = pages_walk(p, (struct pages_walk){.leaves = true, .stray = true},
                        &v);
    if (st == ST_OK)
        st = take_log(r);
    if (st == ST_OK)
        st = tables_commit(r->raw);
    tables_close(r->raw);
    r->raw = NULL;
    pages_close(p);
    return st;
}

/* ---- a store of the rows ---- */

static void
remove_folder(const char *dir)
{
    static const char *const own[] = {"frontier.lock", NULL};

    journal_remove_others(dir, NULL, 0);
    pages_remove_store(dir, own);
}

/* Does the frontier open it?  Some small rows it understands only then. */
static bool
can_be_used(const char *dir, const struct opts *o)
{
    struct frontier *f;
    bool good;

    if (frontier_open_reader(&f, dir, o) != ST_OK)
        return false;
    good = frontier_begin(f) == ST_OK;
    frontier_abort(f);
    frontier_close(f);
    return good;
}

/* The log of the links that wait, under a number that the old store does not
 * know. */
static enum status
move_links(const struct repair *r)
{
    const uint64_t number = r->rebuild.log;
    const struct path from = journal_path(r->raw_dir.z, number),
                      to = journal_path(r->dir, number);

    if (number == 0 ||
        (rename(from.z, to.z) == 0 && file_sync_name(to.z) == ST_OK))
        return ST_OK;
    log_error("frontier", "cannot move %s to %s: %s", from.z, to.z,
              strerror(errno));
    return ST_IO;
}

/* One more commit, which changes nothing. */
static enum status
commit_again(struct tables *t)
{
    struct buf same = {0};
    struct str value;
    enum status st = tables_begin(t);

    if (st != ST_OK)
        return st;
    st = tables_get(t, TABLE_META, S("magic"), &value);
    if (st == ST_OK) {
        buf_str(&same, value);
        st = tables_put(t, TABLE_META, S("magic"), buf_view(&same));
    }
    st = st == ST_OK ? tables_commit(t) : st;
    buf_free(&same);
    return st;
}

/* A log follows a commit by its number: the last one of the mended store is to
 * be none that the old one's log follows, as that may stay beside it. */
static enum status
part_from_log(const struct repair *r, const struct tables_config *config)
{
    uint64_t oldest = 0, newest = 0;
    struct redo_log *log;
    struct tables *t = NULL;
    bool gap = false;
    enum status st = redo_log_open(&log, &row_log, r->dir);

    if (st != ST_OK)
        return st;
    if ((st = redo_log_oldest(log, &oldest, &gap)) == ST_OK)
        st = redo_log_newest(log, &newest);
    redo_log_close(log);
    if (st == ST_OK)
        st = tables_open(&t, r->raw_dir.z, config);
    while (st == ST_OK &&
           (tables_version(t) == oldest || tables_version(t) == newest))
        st = commit_again(t);
    tables_close(t);
    return st;
}

/* The mended store has what was in the logs of rows and of links. */
static enum status
take_place(struct repair *r, const struct tables_config *config)
{
    enum status st = part_from_log(r, config);

    if (st == ST_OK)
        st = move_links(r);
    if (st == ST_OK)
        st = pages_take_place(r->dir, r->raw_dir.z, "frontier", r->out);
    if (st == ST_OK)
        st = redo_log_remove(&row_log, r->dir, true);
    if (st == ST_OK)
        journal_remove_others(r->dir, &r->rebuild.log, 1);
    return st;
}

static void
say_rows(struct repair *r)
{
    uint64_t unused = r->rebuild.lost + r->unknown;

    for (int t = 0; t < TABLE_N; t++) {
        const char *name = tables_name((enum table)t);
        uint64_t n = r->rebuild.rows[t];

        if (t == TABLE_META || t == TABLE_LEASES || t == TABLE_DUE ||
            t == TABLE_NAMES)
            continue; /* made anew */
        if (!r->rooted[t])
            buf_printf(r->out, "%-10s %llu rows of an unknown number\n", name,
                       (unsigned long long)n);
        else if (r->expected[t] > n)
            buf_printf(r->out, "%-10s %llu of %llu rows, %llu lost\n", name,
                       (unsigned long long)n,
                       (unsigned long long)r->expected[t],
                       (unsigned long long)(r->expected[t] - n));
        else
            buf_printf(r->out, "%-10s %llu rows, all\n", name,
                       (unsigned long long)n);
    }
    buf_printf(r->out, "%-10s %llu that wait; %llu rows could not be used\n",
               "links", (unsigned long long)r->rebuild.links,
               (unsigned long long)unused);
}

static enum status
repair(struct repair *r, const struct opts *o)
{
    struct tables_config config = {.map_size = (size_t)o->frontier_map_gib
                                               << 30,
                                   .sync = S("none"),
                                   .disk_free = o->output_disk_free_mib << 20};
    enum status st;

    remove_folder(r->raw_dir.z); /* of a process that was killed */
    if ((st = salvage(r, &config)) != ST_OK)
        return st;
    st = rewrite_store(r->raw_dir.z, "mended", &config, rebuild, &r->rebuild);
    if (st == ST_OK && !can_be_used(r->raw_dir.z, o)) {
        remove_folder(r->raw_dir.z);
        r->rebuild.config.bare = true;
        if ((st = salvage(r, &config)) == ST_OK)
            st = rewrite_store(r->raw_dir.z, "mended", &config, rebuild,
                               &r->rebuild);
    }
    if (st == ST_OK)
        st = take_place(r, &config);
    if (st == ST_OK)
        say_rows(r);
    return st;
}

enum status
frontier_repair(const char *dir, const struct opts *o, struct buf *out)
{
    struct repair r = {
        .dir = dir, .out = out, .raw_dir = path_printf("%s/repair", dir)};
    int lock;
    enum status st;

    if (hold_take(&lock, path_printf("%s/frontier.lock", dir).z, dir,
                  "frontier") != ST_OK)
        return ST_USAGE;
    r.rebuild.config = (struct rebuild_config){
        .dir = dir,
        .to = r.raw_dir.z,
        .rest_ms = timekeeper_peek(dir) + o->politeness_delay_ms,
        .sync = true};
    st = repair(&r, o);
    remove_folder(r.raw_dir.z);
    close(lock);
    return st;
}

/* ---- looking at the file only ---- */

bool
frontier_in_use(const char *dir)
{
    return hold_taken(path_printf("%s/frontier.lock", dir).z);
}

enum status
frontier_check_file(const char *dir, struct buf *out, uint64_t *faults)
{
    struct buf said = {0};
    enum status st;

    *faults = 0;
    if (frontier_in_use(dir))
        return ST_OK;
    st = pages_check(dir, 0, &said, faults);
    if (*faults > 0 && frontier_in_use(dir))
        *faults = 0; /* somebody began to write meanwhile */
    if (*faults > 0)
        buf_str(out, buf_view(&said));
    buf_free(&said);
    return st;
}
