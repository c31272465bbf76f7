/* tables.c -- the frontier's tables in base/pages/db.h, and room for what must
 * not wait.
 *
 * frontier.sync says what a power loss may undo (db.c); kill -9 undoes nothing
 * that was committed.
 *
 * The discovery log of a large store (pending.c) is written, and with full and
 * meta synced, before the commit that says how long it is, so what is true of a
 * commit is true of the links in it.
 *
 * While a crawl runs a commit is a record of a log, and LMDB's transaction goes
 * on (tables_later.c).
 *
 * The free space on the disk is looked at before transactions, once a second
 * and each time while there is too little, so that the frontier stops while the
 * log and the corpus on the same disk have some room left.
 *
 * Only one process writes: the flock on frontier.lock says who (LMDB itself
 * would let several in, each with clocks of its own in memory).  Readers leave
 * that lock alone; they must be short, since the file grows while they look. */
#include "tables_impl.h"

#include <sys/statvfs.h>

#include "base/clock.h"

#define RESERVE_SHARE 16u                  /* of the map is kept, ... */
#define RESERVE_MOST ((uint64_t)256 << 20) /* ... but no more than this */
#define LOOK_EVERY_MS 1000u
#define LARGE_CHANGES 2000u /* rows: a commit of some milliseconds */

const char *const tables_names[TABLE_N] = {
    [TABLE_META] = "meta",
    [TABLE_SEEN] = "seen",
    [TABLE_QUEUE] = "queue",
    [TABLE_LATER] = "later",
    [TABLE_HOSTS] = "hosts",
    [TABLE_NAMES] = "names",
    [TABLE_LEASES] = "leases",
    [TABLE_ROBOTS] = "robots",
    [TABLE_ADDRESSES] = "addresses",
    [TABLE_CONTROL] = "control",
    [TABLE_REVISIT] = "revisit",
    [TABLE_DUE] = "due",
    [TABLE_MODEL] = "model",
    [TABLE_HELD] = "held",
    [TABLE_UNREPORTED] = "unreported",
};

const char *
tables_name(enum table table)
{
    return tables_names[table];
}

bool
tables_named(enum table *out, struct str name)
{
    for (int i = 0; i < TABLE_N; i++)
        if (str_eq(name, str_c(tables_names[i]))) {
            *out = (enum table)i;
            return true;
        }
    return false;
}

uint64_t
tables_disk_free(const char *dir)
{
    struct statvfs sv;

    if (statvfs(dir, &sv) != 0)
        return UINT64_MAX; /* the next write will say what is wrong */
    return (uint64_t)sv.f_bavail * sv.f_frsize;
}

/* ---- transactions ---- */

/* Is more than the reserve left of the map? */
static bool
map_room(struct tables *t)
{
    uint64_t now = clock_steady_ms(), left = db_map_left(t->db);
    uint64_t reserve = t->map_size / RESERVE_SHARE;

    reserve = reserve < RESERVE_MOST ? reserve : RESERVE_MOST;
    if (left >= reserve) {
        t->pages_looked_ms = 0;
        return true;
    }
    if (t->pages_looked_ms == 0 || now - t->pages_looked_ms >= LOOK_EVERY_MS) {
        t->pages_looked_ms = now | 1;
        t->pages_room = left + db_pages_free(t->db) > 2 * reserve;
    }
    return t->pages_room;
}

bool
tables_room(const struct tables *t)
{
    return t->room;
}

/* Bytes on the disk, as of the last look. */
static uint64_t
disk_left(struct tables *t)
{
    uint64_t now;

    if (t->read_only || t->disk_free == 0)
        return UINT64_MAX;
    now = clock_steady_ms();
    if (t->disk_looked_ms == 0 || t->disk_left < t->disk_free ||
        now >= t->disk_looked_ms + LOOK_EVERY_MS) {
        t->disk_left = tables_disk_free(t->dir);
        t->disk_looked_ms = now | 1;
    }
    return t->disk_left;
}

enum status
tables_begin(struct tables *t)
{
    uint64_t disk = disk_left(t);
    enum status st;

    if (disk < t->disk_free / 2)
        return db_full(
            t->db,
            "less than half of output.disk_free_mib is free on the disk: make "
            "room, or set it lower");
    st = t->later != NULL ? tables_later_begin(t->later) : db_begin(t->db);
    t->room = true;
    if (st != ST_OK || t->read_only)
        return st;
    if (disk < t->disk_free)
        t->room =
            db_full(t->db, "less disk space free than "
                           "output.disk_free_mib: new links wait") == ST_OK;
    else if (!map_room(t))
        t->room = db_full(t->db,
                          "store full: new links wait, the rest goes on; raise "
                          "frontier.map_gib and start again") == ST_OK;
    return ST_OK;
}

enum status
tables_peek(struct tables *t)
{
    return t->later != NULL ? tables_later_peek(t->later) : db_peek(t->db);
}

enum status
tables_commit(struct tables *t)
{
    bool large = db_changes(t->db) >= LARGE_CHANGES;
    enum status st;

    if (t->later != NULL)
        return tables_later_commit(t->later);
    if (large)
        writeback_begin(t->writeback);
    st = db_commit(t->db);
    if (large)
        writeback_end(t->writeback);
    return st;
}

enum status
tables_sync(struct tables *t)
{
    enum status st = t->later != NULL ? tables_later_save(t->later) : ST_OK;

    return st == ST_OK ? db_sync(t->db) : st;
}

void
tables_abort(struct tables *t)
{
    if (t->later != NULL)
        tables_later_abort(t->later);
    else
        db_abort(t->db);
}

/* ---- rows ---- */

enum status
tables_get(struct tables *t, enum table table, struct str key,
           struct str *value)
{
    return db_get(t->db, table, key, value);
}

enum status
tables_put(struct tables *t, enum table table, struct str key, struct str value)
{
    if (t->later != NULL)
        tables_later_note(t->later, table, key, value, false);
    return db_put(t->db, table, key, value);
}

enum status
tables_add(struct tables *t, enum table table, struct str key, struct str value)
{
    enum status st;

    if (t->later == NULL)
        return db_add(t->db, table, key, value);
    tables_later_note(t->later, table, key, value, false);
    if ((st = db_add(t->db, table, key, value)) != ST_OK)
        tables_later_unnote(t->later);
    return st;
}

enum status
tables_delete(struct tables *t, enum table table, struct str key)
{
    if (t->later != NULL)
        tables_later_note(t->later, table, key, S(""), true);
    return db_delete(t->db, table, key);
}

enum status
tables_seek(struct tables *t, enum table table, struct str from,
            struct str *key, struct str *value)
{
    return db_seek(t->db, table, from, key, value);
}

enum status
tables_next(struct tables *t, enum table table, struct str *key,
            struct str *value)
{
    return db_next(t->db, table, key, value);
}

enum status
tables_before(struct tables *t, enum table table, struct str end,
              struct str *key, struct str *value)
{
    return db_before(t->db, table, end, key, value);
}

uint64_t
tables_version(const struct tables *t)
{
    return db_version(t->db);
}

uint64_t
tables_snapshot(const struct tables *t)
{
    return db_snapshot(t->db);
}

size_t
tables_changes(const struct tables *t)
{
    return t->later != NULL ? tables_later_changes(t->later)
                            : db_changes(t->db);
}

void
tables_size(struct tables *t, enum table table, struct tables_size *out)
{
    struct db_size size = db_size(t->db, table);

    *out = (struct tables_size){size.rows, size.bytes};
}

uint64_t
tables_rows(struct tables *t, int first, int end)
{
    uint64_t rows = 0;

    for (int i = first; i < end; i++)
        rows += db_size(t->db, (unsigned)i).rows;
    return rows;
}
