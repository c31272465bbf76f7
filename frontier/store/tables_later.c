/* tables_later.c -- see tables_later.h: the log of rows before LMDB.
 *
 *     frontier's | commit | commit | ...      | commit | commit | ...
 *     rows-0     | write  | write  |          :                       (1)
 *     rows-1     :                            | write  | write  |     (2)
 *     sync       : ...   lag   ...  | fdatasync                       (3)
 *     LMDB       | one transaction            | the next one
 *                                             ^ save
 *
 * A commit of LMDB writes every page that it has touched, so rows that lie
 * anywhere cost a page each and every commit a sync.  Here a transaction of
 * LMDB stays open over many of ours; what each of those has changed is a record
 * of the log (row_log.h), written at its end, and with sync = full synced, else
 * by a thread (sync_later.h) so much later.  After SAVE_MS, SAVE_ROWS or
 * SAVE_BYTES LMDB commits, and the next segment of the log begins: behind a
 * transaction that has changed more than leases, since a crawler waits for
 * those; before the next one, whatever that is, at twice so much or when it is
 * late.  What changes more than
 * LARGE_ROWS at once is no record, but such a commit itself.
 *
 * After kill -9 LMDB is where its last commit was, after a power loss maybe one
 * before that; the segments that follow it are read again.  An abort is the
 * same: LMDB's transaction ends, a new one reads the segment.  It is rare: the
 * disk or the map is full. */
#include "tables_later.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "row_log.h"
#include "sync_later.h"
#include "tables_impl.h"

enum {
    SAVE_MS = 5000,
    SAVE_ROWS = 16384, /* each may be a page of LMDB's transaction */
    SAVE_BYTES = 16 << 20,
    SAVE_AGAIN_MS = 1000, /* after a save that failed */
    LARGE_ROWS = 2000,
    MAP_PART = 64 /* of the map are a save's pages at most */
};

struct tables_later {
    struct tables *t;
    struct redo_log *log;
    struct sync_later *syncer; /* NULL: nobody syncs later */
    struct buf changes;        /* of the present transaction */
    size_t noted;              /* ... before the last one */
    size_t begun, save_rows;   /* begun: changes before the present one */
    uint64_t first_ms;         /* of what LMDB has not: when it came */
    uint64_t failed_ms;        /* when a save failed */
    bool open, writing;        /* LMDB's transaction; the present one */
    bool behind;               /* LMDB's has to be made again */
    bool sync, wanted;         /* in each commit; a save after the next one */
    bool leases;               /* nothing else was changed by the present one */
};

/* ---- LMDB's transaction ---- */

static enum status
apply(void *self, const struct row_change *c)
{
    struct tables *t = self;
    enum status st;

    if (c->table >= TABLE_N || c->key.n == 0 || c->key.n > TABLES_KEY_MAX)
        return ST_INVALID;
    st = c->gone ? db_delete(t->db, c->table, c->key)
                 : db_put(t->db, c->table, c->key, c->value);
    return st == ST_NONE ? ST_OK : st;
}

static enum status
open_txn(struct tables_later *w)
{
    enum status st = w->open ? ST_OK : db_begin(w->t->db);

    w->open = st == ST_OK;
    return st;
}

static void
drop_txn(struct tables_later *w)
{
    db_abort(w->t->db);
    w->open = w->writing = false;
}

/* As it was before the present transaction. */
static enum status
go_back(struct tables_later *w)
{
    bool had = w->behind || redo_log_bytes(w->log) > 0, gap = false;
    enum status st;

    drop_txn(w);
    w->behind = had;
    w->first_ms = 0; /* it is saved soon: pages that are free again may help */
    if (!had)
        return ST_OK;
    if ((st = open_txn(w)) == ST_OK)
        st = row_log_replay(w->log, db_version(w->t->db), apply, w->t, &gap);
    if (st == ST_OK && gap) {
        log_error("frontier", "%s/rows-* has changed meanwhile", w->t->dir);
        st = ST_STORE;
    }
    if (st == ST_OK)
        w->behind = false;
    else
        drop_txn(w);
    return st == ST_INVALID ? ST_STORE : st;
}

/* ---- saving ---- */

static bool
has_unsaved(const struct tables_later *w)
{
    return w->open && !w->writing && db_changes(w->t->db) > 0;
}

/* Is it late, or is there `times` as much to save as there should be? */
static bool
save_is_due(const struct tables_later *w, unsigned times)
{
    uint64_t now = clock_steady_ms();

    return has_unsaved(w) &&
           (w->failed_ms == 0 || now - w->failed_ms >= SAVE_AGAIN_MS) &&
           (db_changes(w->t->db) >= times * w->save_rows ||
            redo_log_bytes(w->log) >= (uint64_t)times * SAVE_BYTES ||
            now - w->first_ms >= SAVE_MS);
}

/* LMDB's commit; `whole`: the log has all of it. */
static enum status
commit_txn(struct tables_later *w, bool whole)
{
    struct tables *t = w->t;
    bool large = db_changes(t->db) >= LARGE_ROWS;
    enum status st, back;

    if (large)
        writeback_begin(t->writeback);
    st = db_commit(t->db);
    if (large)
        writeback_end(t->writeback);
    w->open = w->writing = false;
    if (st == ST_OK) {
        row_log_begin(w->log, db_version(t->db), whole);
        w->failed_ms = 0;
        return ST_OK;
    }
    w->failed_ms = clock_steady_ms() | 1;
    w->behind = true;
    back = go_back(w);
    return back == ST_OK || back == ST_FULL ? st : back;
}

enum status
tables_later_save(struct tables_later *w)
{
    return has_unsaved(w) ? commit_txn(w, true) : ST_OK;
}

void
tables_later_end(struct tables_later *w)
{
    tables_later_abort(w);
    if (!w->behind && tables_later_save(w) != ST_OK)
        w->behind = true; /* the log has it */
    drop_txn(w);
}

void
tables_later_save_soon(struct tables_later *w)
{
    w->wanted = true;
}

/* What comes of a save the next call says.  `wanted`: somebody is going to
 * look. */
static enum status
committed(struct tables_later *w)
{
    w->writing = false;
    if (w->wanted || (!w->leases && save_is_due(w, 1)))
        (void)tables_later_save(w);
    w->wanted = false;
    return ST_OK;
}

uint64_t
tables_later_due(const struct tables_later *w)
{
    uint64_t now = clock_steady_ms(), at = w->first_ms + SAVE_MS;

    if (!has_unsaved(w))
        return UINT64_MAX;
    if (w->failed_ms != 0)
        at = w->failed_ms + SAVE_AGAIN_MS;
    return at > now ? at - now : 0;
}

/* ---- transactions ---- */

enum status
tables_later_begin(struct tables_later *w)
{
    enum status st = w->behind ? go_back(w) : ST_OK;

    if (st == ST_OK && save_is_due(w, 2))
        st = tables_later_save(w);
    if (st != ST_OK || (st = open_txn(w)) != ST_OK)
        return st;
    w->writing = true;
    w->leases = true;
    w->begun = db_changes(w->t->db);
    buf_clear(&w->changes);
    return ST_OK;
}

/* What LMDB's transaction has counts as well. */
enum status
tables_later_peek(struct tables_later *w)
{
    enum status st = w->behind ? go_back(w) : ST_OK;

    return st == ST_OK ? open_txn(w) : st;
}

size_t
tables_later_changes(const struct tables_later *w)
{
    return w->writing ? db_changes(w->t->db) - w->begun : 0;
}

void
tables_later_note(struct tables_later *w, enum table table, struct str key,
                  struct str value, bool gone)
{
    w->noted = w->changes.n;
    w->leases = w->leases && (table == TABLE_LEASES || table == TABLE_META);
    if (tables_later_changes(w) <= LARGE_ROWS)
        row_change_add(&w->changes,
                       &(struct row_change){table, gone, key, value});
}

void
tables_later_unnote(struct tables_later *w)
{
    w->changes.n = w->noted;
}

static enum status
log_changes(struct tables_later *w)
{
    enum status st = row_log_append(w->log, buf_view(&w->changes), w->sync);

    if (st == ST_OK && w->syncer != NULL &&
        !sync_later_note(w->syncer, redo_log_file(w->log))) {
        redo_log_take_back(w->log); /* its links will be cut off, too */
        st = ST_STORE;
    }
    return st == ST_IO ? ST_STORE : st;
}

/* Too many for the log; the log says nothing of what LMDB's last commit has,
 * so that is to be on the disk soon as well. */
static enum status
commit_large(struct tables_later *w)
{
    enum status st;

    if (w->syncer != NULL && sync_later_failed(w->syncer)) {
        (void)go_back(w);
        return ST_STORE;
    }
    if ((st = commit_txn(w, false)) == ST_OK && w->syncer != NULL)
        (void)sync_later_note(w->syncer, db_fd(w->t->db)); /* LMDB has it */
    return st;
}

enum status
tables_later_commit(struct tables_later *w)
{
    size_t changes = tables_later_changes(w);
    enum status st;

    if (changes == 0)
        return committed(w);
    if (changes > LARGE_ROWS)
        return commit_large(w);
    if (w->begun == 0)
        w->first_ms = clock_steady_ms();
    if ((st = log_changes(w)) == ST_OK)
        return committed(w);
    (void)go_back(w); /* the next call says what came of it */
    return st;
}

void
tables_later_abort(struct tables_later *w)
{
    if (tables_later_changes(w) > 0)
        (void)go_back(w);
    w->writing = false;
}

/* ---- opening, closing ---- */

enum status
tables_later_new(struct tables_later **out, struct tables *t, uint64_t lag_ms)
{
    struct tables_later *w = calloc(1, sizeof *w);
    size_t most = t->map_size / MAP_PART / 4096;
    enum status st;

    *out = NULL;
    if (w == NULL)
        return ST_NOMEM;
    w->t = t;
    w->sync = t->sync == TABLES_SYNC_FULL;
    w->save_rows = most < SAVE_ROWS ? most : SAVE_ROWS;
    /* What the log goes with is on the disk before it, or a power loss would
     * take what the log has. */
    st = t->sync == TABLES_SYNC_NONE ? ST_OK : db_sync(t->db);
    if (st == ST_OK)
        st = redo_log_open(&w->log, &row_log, t->dir);
    if (st == ST_OK && t->sync == TABLES_SYNC_META &&
        (w->syncer = sync_later_new(lag_ms)) == NULL)
        st = ST_NOMEM;
    if (st != ST_OK) {
        redo_log_close(w->log);
        free(w);
        return st;
    }
    row_log_begin(w->log, db_version(t->db), true);
    *out = w;
    return ST_OK;
}

/* Nothing is left that only the log has. */
static enum status
settle(struct tables *t)
{
    bool sync = t->sync != TABLES_SYNC_NONE;
    enum status st = sync ? db_sync(t->db) : ST_OK;

    return st == ST_OK ? redo_log_remove(&row_log, t->dir, sync) : st;
}

void
tables_later_free(struct tables_later *w)
{
    if (w == NULL)
        return;
    tables_later_end(w);
    if (!w->behind)
        (void)settle(w->t);
    sync_later_free(w->syncer);
    redo_log_close(w->log);
    buf_free(&w->changes);
    free(w);
}

enum status
tables_recover(struct tables *t)
{
    struct redo_log *log;
    enum status st;
    size_t rows = 0;
    bool gap = false;

    if (!redo_log_exists(&row_log, t->dir))
        return ST_OK;
    if ((st = redo_log_open(&log, &row_log, t->dir)) != ST_OK)
        return st;
    if ((st = db_begin(t->db)) == ST_OK) {
        st = row_log_replay(log, db_version(t->db), apply, t, &gap);
        rows = db_changes(t->db);
        if (st == ST_OK)
            st = db_commit(t->db);
        else
            db_abort(t->db);
    }
    redo_log_close(log);
    if (st == ST_INVALID) {
        log_error("frontier",
                  "%s/rows-* do not go with the store beside them: move them "
                  "away if they are of another one",
                  t->dir);
        return ST_STORE;
    }
    if (st == ST_OK && gap)
        log_warn("frontier",
                 "%s/rows-* is damaged, or was not on the disk when the power "
                 "failed: what was committed last is lost",
                 t->dir);
    if (st == ST_OK && rows > 0)
        log_info("frontier", "dir=%s rows=%zu brought in from the log", t->dir,
                 rows);
    return st == ST_OK ? settle(t) : st;
}
