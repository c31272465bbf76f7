/* pending.c -- see pending.h.
 *
 * A segment is closed when it has `target` links (a quarter of the store, as
 * far as memory allows; a sixteenth of a store larger than memory, where what
 * is on its way to be merged would push out pages), when its first link has
 * waited so long that there is just time to merge it before
 * frontier.merge_seconds are over, or when crawlers get too little
 * (pending_wanted()).
 * Then it is merged at twice the speed at which links come in, so that it is
 * done before the next one is full, or faster if its time demands that, slice
 * by slice in the order of the keys: a page of the store is written about once
 * a segment (log_segment.h, prefetch_links.h).  Every transaction with
 * something to write does a part; when none comes, whoever owns the frontier
 * makes one (frontier_maintain()), and then all the speed there is.
 *
 * So the larger a segment, the fewer pages a link costs.  A host gets its
 * number when it is first met: hosts that one segment brings are neighbours
 * in `queue` and `hosts`, in the order in which later ones come by.
 *
 * When the store is larger than memory only what prefetch_links.c has brought
 * into memory is merged, so that no transaction waits for the disk: until the
 * links that wait are twice as many as they should be.
 *
 * On disk: links-N.log for each segment, and in the table meta a row with
 * its number, its end, and how far it is merged.  That row changes in the same
 * transaction as the tables, so after kill -9 each link is merged once; files
 * that no row names are removed.  A file is removed only when the commit that
 * has merged its last link is on the disk. */
#include "pending.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "frontier/store/pack.h"
#include "prefetch_links.h"

#define SLICE_MAX 20000u /* links merged by one transaction */
#define TARGET_LEAST 2000u
#define TARGET_SHARE 4u        /* of the store's URLs */
#define TARGET_SHARE_LARGE 16u /* ... of a store larger than memory */
#define WANTED_SLICE 4096u     /* merged by a lease that finds too little */
#define WANTED_MS 1000u /* ... though not so little that it finds nothing */
#define MAINTAIN_SLICE 2000u /* merged when nobody calls */
#define MAINTAIN_MS 50u /* a transaction without links is no reason sooner */
#define SPEED 50u       /* links merged in a millisecond, to be expected */
#define NOT_READY_MS 5u
#define FULL_MS 1000u /* until one looks for space again */
#define STEP 1024u    /* links merged between two looks at the time */
#define STEP_LEAST 64u

struct position {             /* how far the old segment is merged */
    bool begun;               /* `last` means something */
    struct row_seen_key last; /* merged */
    uint64_t left;
};

struct pending {
    struct intake *in;
    char *dir;
    struct log_segment *young, *old; /* old: NULL when nothing is merged */
    struct position position, committed;
    struct prefetch_links *prefetch; /* of the old one; NULL: not begun */
    uint64_t added;                  /* links accepted by this transaction */
    uint64_t owed;     /* links to be merged for those of earlier ones */
    uint64_t number;   /* of the latest segment */
    uint64_t max;      /* links of a segment */
    uint64_t first_ms; /* of the young segment; 0: before the start */
    uint64_t merged_ms;
    uint64_t closed_ms, due_ms; /* of the old one: was closed, is to be done */
    bool wanted, changed;
    bool stuck; /* the next links to be merged are not ready */
    struct buf record, queued, row;
};

/* ---- segments ---- */

static enum status
new_segment(struct pending *p, struct log_segment **out, uint64_t number,
            uint64_t end)
{
    enum status st = log_segment_new(out, journal_path(p->dir, number).z,
                                     number, end, p->in->db->reader);

    if (st == ST_OK && number > p->number)
        p->number = number;
    return st;
}

/* ---- what the store knows of it ---- */

#define META_ROW S("links")

static enum status
write_state(struct pending *p)
{
    const struct log_segment *all[] = {p->old, p->young};
    struct buf *row = &p->row;

    buf_clear(row);
    for (size_t i = 0; i < 2; i++) {
        if (all[i] == NULL || (i == 0 && p->position.left == 0))
            continue;
        pack_number(row, all[i]->number);
        pack_number(row, journal_end(all[i]->journal));
        pack_number(row, i == 0 ? p->position.left : all[i]->left);
        pack_fixed(row, i == 0 && p->position.begun, 1);
        if (i == 0 && p->position.begun)
            buf_add(row, p->position.last.bytes, sizeof p->position.last.bytes);
    }
    return tables_put(p->in->db->tables, TABLE_META, META_ROW, buf_view(row));
}

/* The links of a segment that are not merged yet, from its journal. */
static enum status
load_links(struct pending *p, struct log_segment *g)
{
    struct row_seen_key key;
    struct str record;
    uint64_t at = 0, from = JOURNAL_START;
    enum status st;

    while ((st = journal_next(g->journal, &at, &record)) == ST_OK) {
        if (record.n < sizeof key.bytes)
            return url_store_corrupt("links");
        memcpy(key.bytes, record.p, sizeof key.bytes);
        if (!p->position.begun || g != p->old ||
            memcmp(key.bytes, p->position.last.bytes, sizeof key.bytes) > 0)
            log_segment_push(g, &key, from);
        from = at;
    }
    return st == ST_NONE ? ST_OK : st;
}

/* What the row says of the next segment. */
struct segment_row {
    uint64_t number, end, left;
    bool begun;
    struct row_seen_key last; /* begun: merged so far */
};

static enum status
read_segment(struct unpack *u, struct segment_row *s)
{
    *s = (struct segment_row){.number = unpack_number(u)};
    s->end = unpack_number(u);
    s->left = unpack_number(u);
    s->begun = unpack_fixed(u, 1) != 0;
    for (size_t i = 0; s->begun && i < sizeof s->last.bytes; i++)
        s->last.bytes[i] = (unsigned char)unpack_fixed(u, 1);
    return u->bad || s->end < JOURNAL_START ? url_store_corrupt("meta") : ST_OK;
}

enum status
intake_files(struct tables *t, struct intake_file file[INTAKE_FILES_MAX],
             size_t *n)
{
    struct segment_row s;
    struct str value;
    enum status st = tables_get(t, TABLE_META, META_ROW, &value);

    *n = 0;
    if (st == ST_OK) {
        struct unpack u = {value, false};

        while (u.left.n > 0 && st == ST_OK && *n < INTAKE_FILES_MAX)
            if ((st = read_segment(&u, &s)) == ST_OK)
                file[(*n)++] = (struct intake_file){s.number, s.end};
    }
    return st == ST_NONE ? ST_OK : st;
}

static enum status
load_segment(struct pending *p, struct unpack *u)
{
    struct segment_row s;
    struct log_segment *g;
    enum status st = read_segment(u, &s);

    if (st != ST_OK)
        return st;
    if (s.begun) {
        p->position.begun = true;
        p->position.last = s.last;
    }
    st = new_segment(p, &g, s.number, s.end);
    if (st == ST_NONE && p->in->db->reader)
        return ST_BUSY; /* it was merged meanwhile: look again */
    if (st == ST_NONE) {
        log_warn("frontier",
                 "%s/links-%llu.log is gone: the links that waited in it are "
                 "lost",
                 p->dir, (unsigned long long)s.number);
        p->position = (struct position){0};
        return ST_OK;
    }
    if (st != ST_OK)
        return st;
    if (p->old == NULL)
        p->old = g;
    else
        p->young = g;
    if (p->in->db->reader)
        g->left = s.left;
    else if ((st = load_links(p, g)) == ST_OK && g->left != s.left)
        st = url_store_corrupt("links");
    return st;
}

/* Files of segments that are merged, or never were committed. */
static void
remove_strays(const struct pending *p)
{
    const struct log_segment *all[] = {p->old, p->young};
    uint64_t kept[2];
    size_t n = 0;

    for (size_t i = 0; i < 2; i++)
        if (all[i] != NULL)
            kept[n++] = all[i]->number;
    journal_remove_others(p->dir, kept, n);
}

enum status
pending_open(struct pending **out, const char *dir, struct intake *in)
{
    struct pending *p = calloc(1, sizeof *p);
    struct str value;
    enum status st;

    *out = NULL;
    if (p == NULL || (p->dir = strdup(dir)) == NULL) {
        free(p);
        return ST_NOMEM;
    }
    p->in = in;
    p->max = in->rules.merge_bytes / (2 * LOG_SEGMENT_ENTRY_SIZE) + 1;
    st = tables_get(in->db->tables, TABLE_META, META_ROW, &value);
    if (st == ST_OK) {
        struct unpack u = {value, false};

        while (u.left.n > 0 && st == ST_OK)
            st = load_segment(p, &u);
    }
    if (st != ST_OK && st != ST_NONE) {
        pending_close(p);
        return st;
    }
    if (p->old != NULL && p->young == NULL && !p->position.begun) {
        p->young = p->old; /* it may go on gathering */
        p->old = NULL;
    }
    p->position.left = p->old ? p->old->left : 0;
    p->committed = p->position;
    if (!in->db->reader)
        remove_strays(p);
    *out = p;
    return ST_OK;
}

void
pending_close(struct pending *p)
{
    if (p == NULL)
        return;
    prefetch_links_stop(p->prefetch);
    log_segment_free(p->old);
    log_segment_free(p->young);
    buf_free(&p->record);
    buf_free(&p->queued);
    buf_free(&p->row);
    free(p->dir);
    free(p);
}

uint64_t
pending_n(const struct pending *p)
{
    return p->position.left + (p->young ? p->young->left : 0);
}

/* ---- accepting ---- */

enum status
pending_add(struct pending *p, const struct candidate *c)
{
    enum status st;

    if (p->young == NULL &&
        (st = new_segment(p, &p->young, p->number + 1, 0)) != ST_OK)
        return st;
    if (p->young->left == 0)
        p->first_ms = p->in->db->now_ms;
    candidate_record(&p->record, &p->queued, c);
    log_segment_push(p->young, &c->key, journal_end(p->young->journal));
    journal_add(p->young->journal, buf_view(&p->record));
    p->added++;
    p->changed = true;
    return ST_OK;
}

/* ---- merging ---- */

static void
begin_prefetch(struct pending *p)
{
    p->prefetch = prefetch_links_start(
        p->old, p->position.begun ? &p->position.last : NULL, p->in->db->keys,
        p->in->db->prefetch_pool);
}

/* Links that a segment should have. */
static uint64_t
target(const struct pending *p)
{
    unsigned share = prefetch_pool_wanted(p->in->db->prefetch_pool)
                         ? TARGET_SHARE_LARGE
                         : TARGET_SHARE;
    uint64_t n = p->in->db->counters.totals.seen / share;

    n = n < TARGET_LEAST ? TARGET_LEAST : n;
    return n > p->max ? p->max : n;
}

/* Links that are merged without a look at the time. */
static size_t
step(const struct pending *p, size_t want)
{
    const struct intake_slice *s = &p->in->slice;
    size_t changed = tables_changes(p->in->db->tables), n;

    if (s->until_ms == 0)
        return want;
    n = s->rows > changed ? (s->rows - changed) / 2 : 0; /* two rows each */
    n = n < STEP_LEAST ? STEP_LEAST : n > STEP ? STEP : n;
    return n < want ? n : want;
}

/* Merge `want` links, or those that are left; or, unless somebody waits for
 * them, those that are ready. */
static enum status
merge(struct pending *p, size_t want, bool wait)
{
    struct row_link_counts counts = {0};
    struct candidate **c;
    size_t n, links;
    enum status st = ST_OK;

    if (p->prefetch == NULL)
        begin_prefetch(p);
    wait = wait || !prefetch_pool_wanted(p->in->db->prefetch_pool) ||
           pending_behind(p);
    for (size_t merged = 0;
         merged < want && p->position.left > 0 && st == ST_OK;
         merged += links) {
        if (merged > 0 && intake_slice_over(p->in))
            break;
        st = prefetch_links_take(p->prefetch, step(p, want - merged), wait, &c,
                                 &n);
        p->stuck = st == ST_BUSY;
        if (p->stuck)
            break;
        if (st != ST_OK)
            return st == ST_NONE ? url_store_corrupt("links") : st;
        links = 0;
        for (size_t i = 0; i < n; i++)
            links += c[i]->links;
        p->owed -= links < p->owed ? links : p->owed;
        p->position.last = c[n - 1]->key;
        p->position.begun = true;
        p->position.left -= links < p->position.left ? links : p->position.left;
        arena_reset(p->in->db->scratch);
        st = intake_merge_sorted(p->in, c, n, &counts);
    }
    return st == ST_BUSY ? ST_OK : st;
}

/* What has to be merged by now for all to be when it is due. */
static size_t
pace(const struct pending *p)
{
    uint64_t now = p->in->db->now_ms, gone = now - p->merged_ms;
    uint64_t time = p->due_ms > now ? p->due_ms - now : 0;

    if (time > p->in->rules.merge_ms) /* the clock was set back */
        time = p->in->rules.merge_ms;
    if (gone < MAINTAIN_MS)
        return 0;
    if (gone >= time)
        return (size_t)p->position.left;
    return (size_t)(p->position.left * gone / time);
}

static enum status
merge_some(struct pending *p, size_t least, bool wait)
{
    size_t want, due;

    if (p->old == NULL || p->position.left == 0 ||
        !url_store_has_room(p->in->db))
        return ST_OK;
    p->owed += 2 * p->added;
    p->added = 0;
    want = (size_t)p->owed;
    due = pace(p);
    if (want < due)
        want = due;
    if (want < least)
        want = least;
    if (want > SLICE_MAX)
        want = SLICE_MAX;
    if (want == 0)
        return ST_OK;
    p->merged_ms = p->in->db->now_ms;
    p->changed = true;
    return merge(p, want, wait);
}

enum status
pending_merge(struct pending *p, size_t least)
{
    return merge_some(p, least, least > 0);
}

bool
pending_wanted(struct pending *p, bool starved)
{
    bool young = p->young != NULL && p->young->left > 0;

    p->wanted =
        p->position.left > 0 ||
        (young && (starved || p->in->db->now_ms - p->closed_ms >= WANTED_MS));
    return p->wanted;
}

enum status
pending_feed(struct pending *p)
{
    return p->wanted && !p->in->slice.leases
               ? merge_some(p, WANTED_SLICE, false)
               : ST_OK;
}

enum status
pending_maintain(struct pending *p)
{
    return merge_some(p, p->in->slice.until_ms > 0 ? SLICE_MAX : MAINTAIN_SLICE,
                      false);
}

/* How long the young segment may gather. */
static uint64_t
patience(const struct pending *p)
{
    uint64_t ms = p->in->rules.merge_ms, merging = p->young->left / SPEED;

    return ms - (merging < ms / 2 ? merging : ms / 2);
}

uint64_t
pending_due(const struct pending *p, uint64_t now_ms)
{
    uint64_t age = now_ms - p->first_ms;

    if (p->position.left > 0 && !url_store_has_room(p->in->db))
        return FULL_MS;
    if (p->position.left > 0)
        return p->stuck ? NOT_READY_MS : 0;
    if (p->young == NULL || p->young->left == 0)
        return UINT64_MAX;
    return age < patience(p) ? patience(p) - age : 0;
}

bool
pending_behind(const struct pending *p)
{
    return p->position.left > 0 && p->young != NULL &&
           p->young->left > 2 * target(p);
}

/* ---- transactions ---- */

enum status
pending_commit(struct pending *p)
{
    enum status st = ST_OK;

    if (!p->changed)
        return ST_OK;
    if (p->young != NULL)
        st = journal_write(p->young->journal, p->in->rules.sync);
    return st == ST_OK ? write_state(p) : st;
}

/* The file goes when the commit that needs it no more is in LMDB and on the
 * disk; until then a power loss may undo that, and a reader needs the file. */
static void
drop_old(struct pending *p)
{
    bool safe = tables_sync(p->in->db->tables) == ST_OK;
    const struct path path = journal_path(p->dir, p->old->number);

    prefetch_links_stop(p->prefetch);
    p->prefetch = NULL;
    log_segment_free(p->old);
    p->old = NULL;
    p->position = p->committed = (struct position){0};
    p->owed = 0;
    if (safe)
        unlink(path.z); /* else the next opening does it */
}

static bool
full(const struct pending *p)
{
    if (p->in->db->loading)
        return false;
    return p->wanted || p->young->left >= target(p) ||
           journal_end(p->young->journal) > JOURNAL_SIZE_MAX / 2 ||
           p->in->db->now_ms - p->first_ms >= patience(p);
}

void
pending_committed(struct pending *p)
{
    p->changed = false;
    p->added = 0;
    p->committed = p->position;
    if (p->young != NULL)
        p->young->end = journal_end(p->young->journal);
    if (p->old != NULL && p->position.left == 0)
        drop_old(p);
    if (p->old == NULL && p->young != NULL && p->young->left > 0 && full(p)) {
        p->old = p->young;
        p->young = NULL;
        p->position = (struct position){.left = p->old->left};
        p->committed = p->position;
        p->closed_ms = p->merged_ms = p->in->db->now_ms;
        p->due_ms = p->first_ms + p->in->rules.merge_ms;
        begin_prefetch(p);
    }
}

void
pending_abort(struct pending *p)
{
    prefetch_links_stop(p->prefetch); /* it may be ahead of what is merged */
    p->prefetch = NULL;
    p->position = p->committed;
    if (p->young != NULL)
        log_segment_cut(p->young);
    p->added = p->owed = 0;
    p->changed = false;
}

/* ---- looking ---- */

static enum status
each_of(const struct pending *p, const struct log_segment *g,
        enum status (*take)(void *self, const struct candidate *c), void *self)
{
    struct candidate c;
    struct str record;
    uint64_t at = 0;
    enum status st = ST_OK;

    while (g != NULL && st == ST_OK) {
        if ((st = journal_next(g->journal, &at, &record)) != ST_OK)
            break;
        if (!candidate_read(&c, record))
            return url_store_corrupt("links");
        if (g != p->old || !p->position.begun ||
            memcmp(c.key.bytes, p->position.last.bytes, sizeof c.key.bytes) > 0)
            st = take(self, &c);
    }
    return st == ST_NONE ? ST_OK : st;
}

enum status
pending_each(struct pending *p,
             enum status (*take)(void *self, const struct candidate *c),
             void *self)
{
    enum status st = each_of(p, p->old, take, self);

    return st == ST_OK ? each_of(p, p->young, take, self) : st;
}
