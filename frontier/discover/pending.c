/* pending.c -- see pending.h.
 *
 * Keys are hashes, so their first bits part the links of a generation into
 * BUCKETS of about equal size; merging goes bucket by bucket, each sorted when
 * its turn comes.  So there is no long sort, and a slice may be as small as it
 * likes: a page of the store is still written about once a generation.
 *
 * A generation is closed when it has `target` links (a sixteenth of the
 * store, as far as memory allows), when its first link has waited for
 * frontier.merge_seconds, or when crawlers get too little (pending_wanted()).
 * Then it is merged at twice the speed at which links come in, and is done
 * before the next one is full.
 *
 * On disk: links-N.log for each generation, and in the table meta a row with
 * its number, its end, and how far it is merged.  That row changes in the same
 * transaction as the tables, so after kill -9 each link is merged once; files
 * that no row names are removed. */
#include "pending.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "frontier/store/pack.h"
#include "journal.h"
#include "known.h"
#include "winnow/log.h"

#define BUCKETS 1024u
#define SLICE_MAX 20000u /* links merged by one transaction */
#define TARGET_LEAST 2000u
#define TARGET_SHARE 16u   /* of the store's URLs */
#define WANTED_SLICE 4096u /* merged by a lease that finds too little */
#define WANTED_MS 1000u    /* ... though not so little that it finds nothing */
#define IDLE_SLICE 128u    /* merged now and then when nothing comes in */
#define IDLE_MS 50u

struct entry {
    struct row_seen_key key;
    uint64_t at; /* in the journal */
};

struct bucket {
    struct entry *entry;
    uint32_t n, cap;
};

struct generation {
    uint64_t number, end; /* end: committed */
    uint64_t left;        /* links not merged yet */
    struct journal *journal;
    struct bucket bucket[BUCKETS];
};

struct place { /* how far the old generation is merged */
    uint32_t bucket, i;
    bool sorted;              /* the bucket */
    bool begun;               /* `last` means something */
    struct row_seen_key last; /* merged */
    uint64_t left;
};

struct pending {
    struct frontier *f;
    char *dir;
    struct generation *young, *old; /* old: NULL when nothing is merged */
    struct place place, committed;
    uint64_t added;  /* links accepted by this transaction */
    uint64_t number; /* of the latest generation */
    uint64_t max;    /* links of a generation */
    uint64_t first_ms, merged_ms;
    uint64_t closed_ms; /* when the old generation was closed */
    bool wanted, changed;
    struct buf record, queued, row;
};

/* ---- records ---- */

enum { RECORD_STEER = 1 };

void
pending_record(struct buf *out, struct buf *queued, const struct candidate *c)
{
    row_queued_write(queued, &c->q);
    buf_clear(out);
    buf_add(out, c->key.bytes, sizeof c->key.bytes);
    pack_number(out, c->sequence);
    pack_fixed(out, c->priority, 2);
    pack_fixed(out, c->steer ? RECORD_STEER : 0, 1);
    pack_text(out, c->authority);
    pack_text(out, c->domain);
    buf_str(out, buf_view(queued));
}

bool
pending_read(struct candidate *c, struct str record)
{
    struct unpack u = {record, false};

    *c = (struct candidate){0};
    if (record.n < sizeof c->key.bytes)
        return false;
    memcpy(c->key.bytes, record.p, sizeof c->key.bytes);
    u.left = str_sub(record, sizeof c->key.bytes, record.n);
    c->sequence = unpack_number(&u);
    c->priority = (uint16_t)unpack_fixed(&u, 2);
    c->steer = unpack_fixed(&u, 1) & RECORD_STEER;
    c->authority = unpack_text(&u);
    c->domain = unpack_text(&u);
    return !u.bad && c->priority > 0 && c->authority.n > 0 &&
           row_queued_read(&c->q, u.left);
}

/* ---- generations ---- */

static void
path_of(const struct pending *p, uint64_t number, char path[4200])
{
    snprintf(path, 4200, "%s/links-%llu.log", p->dir,
             (unsigned long long)number);
}

static void
generation_free(struct generation *g)
{
    if (g == NULL)
        return;
    for (size_t i = 0; i < BUCKETS; i++)
        free(g->bucket[i].entry);
    journal_close(g->journal);
    free(g);
}

static enum status
generation_new(struct pending *p, struct generation **out, uint64_t number,
               uint64_t end)
{
    struct generation *g = calloc(1, sizeof *g);
    char path[4200];
    enum status st;

    *out = NULL;
    if (g == NULL)
        return ST_NOMEM;
    path_of(p, number, path);
    st = journal_open(&g->journal, path, end, p->f->reader);
    if (st != ST_OK) {
        free(g);
        return st;
    }
    g->number = number;
    g->end = journal_end(g->journal);
    if (number > p->number)
        p->number = number;
    *out = g;
    return ST_OK;
}

static void
push(struct generation *g, const struct row_seen_key *key, uint64_t at)
{
    struct bucket *b =
        &g->bucket[((unsigned)key->bytes[0] << 8 | key->bytes[1]) * BUCKETS >>
                   16];

    if (b->n == b->cap) {
        b->cap = b->cap ? 2 * b->cap : 16;
        b->entry = realloc(b->entry, b->cap * sizeof *b->entry);
        if (b->entry == NULL) {
            log_error("frontier", "out of memory");
            abort();
        }
    }
    b->entry[b->n++] = (struct entry){*key, at};
    g->left++;
}

static int
by_key(const void *x, const void *y)
{
    const struct entry *a = x, *b = y;
    int c = memcmp(a->key.bytes, b->key.bytes, sizeof a->key.bytes);

    return c != 0 ? c : (a->at > b->at) - (a->at < b->at);
}

/* ---- what the store knows of it ---- */

#define META_ROW S("links")

static enum status
write_state(struct pending *p)
{
    const struct generation *all[] = {p->old, p->young};
    struct buf *row = &p->row;

    buf_clear(row);
    for (size_t i = 0; i < 2; i++) {
        if (all[i] == NULL || (i == 0 && p->place.left == 0))
            continue;
        pack_number(row, all[i]->number);
        pack_number(row, journal_end(all[i]->journal));
        pack_number(row, i == 0 ? p->place.left : all[i]->left);
        pack_fixed(row, i == 0 && p->place.begun, 1);
        if (i == 0 && p->place.begun)
            buf_add(row, p->place.last.bytes, sizeof p->place.last.bytes);
    }
    return tables_put(p->f->tables, TABLE_META, META_ROW, buf_view(row));
}

/* The links of a generation that are not merged yet, from its journal. */
static enum status
load_links(struct pending *p, struct generation *g)
{
    struct row_seen_key key;
    struct str record;
    uint64_t at = 0, from = JOURNAL_START;
    enum status st;

    while ((st = journal_next(g->journal, &at, &record)) == ST_OK) {
        if (record.n < sizeof key.bytes)
            return frontier_corrupt("links");
        memcpy(key.bytes, record.p, sizeof key.bytes);
        if (!p->place.begun || g != p->old ||
            memcmp(key.bytes, p->place.last.bytes, sizeof key.bytes) > 0)
            push(g, &key, from);
        from = at;
    }
    return st == ST_NONE ? ST_OK : st;
}

static enum status
load_generation(struct pending *p, struct unpack *u)
{
    uint64_t number = unpack_number(u), end = unpack_number(u);
    uint64_t left = unpack_number(u);
    bool begun = unpack_fixed(u, 1) != 0;
    struct generation *g;
    enum status st;

    if (begun) {
        p->place.begun = true;
        for (size_t i = 0; i < sizeof p->place.last.bytes; i++)
            p->place.last.bytes[i] = (unsigned char)unpack_fixed(u, 1);
    }
    if (u->bad || end < JOURNAL_START)
        return frontier_corrupt("meta");
    st = generation_new(p, &g, number, end);
    if (st == ST_NONE && p->f->reader)
        return ST_BUSY; /* it was merged meanwhile: look again */
    if (st == ST_NONE) {
        log_warn("frontier",
                 "%s/links-%llu.log is gone: the links that waited in it are "
                 "lost",
                 p->dir, (unsigned long long)number);
        p->place = (struct place){0};
        return ST_OK;
    }
    if (st != ST_OK)
        return st;
    if (p->old == NULL)
        p->old = g;
    else
        p->young = g;
    if (p->f->reader)
        g->left = left;
    else if ((st = load_links(p, g)) == ST_OK && g->left != left)
        st = frontier_corrupt("links");
    return st;
}

/* links-N.log; 0: another file. */
static unsigned long long
number_in(const char *name)
{
    unsigned long long number;
    char *end;

    if (strncmp(name, "links-", 6) != 0 || !ascii_digit(name[6]))
        return 0;
    number = strtoull(name + 6, &end, 10);
    return strcmp(end, ".log") == 0 ? number : 0;
}

/* Files of generations that are merged, or never were committed. */
static void
remove_strays(const struct pending *p)
{
    struct dirent *e;
    DIR *d = opendir(p->dir);

    while (d != NULL && (e = readdir(d)) != NULL) {
        unsigned long long number = number_in(e->d_name);
        char path[4200];

        if (number == 0 || (p->old != NULL && p->old->number == number) ||
            (p->young != NULL && p->young->number == number))
            continue;
        path_of(p, number, path);
        unlink(path);
    }
    if (d != NULL)
        closedir(d);
}

enum status
pending_open(struct pending **out, const char *dir, struct frontier *f)
{
    struct pending *p = calloc(1, sizeof *p);
    struct str value;
    enum status st;

    *out = NULL;
    if (p == NULL || (p->dir = strdup(dir)) == NULL) {
        free(p);
        return ST_NOMEM;
    }
    p->f = f;
    p->max = f->rules.merge_bytes / (2 * sizeof(struct entry)) + 1;
    st = tables_get(f->tables, TABLE_META, META_ROW, &value);
    if (st == ST_OK) {
        struct unpack u = {value, false};

        while (u.left.n > 0 && st == ST_OK)
            st = load_generation(p, &u);
    }
    if (st != ST_OK && st != ST_NONE) {
        pending_close(p);
        return st;
    }
    if (p->old != NULL && p->young == NULL && !p->place.begun) {
        p->young = p->old; /* it may go on gathering */
        p->old = NULL;
    }
    p->place.left = p->old ? p->old->left : 0;
    p->committed = p->place;
    if (!f->reader)
        remove_strays(p);
    *out = p;
    return ST_OK;
}

void
pending_close(struct pending *p)
{
    if (p == NULL)
        return;
    generation_free(p->old);
    generation_free(p->young);
    buf_free(&p->record);
    buf_free(&p->queued);
    buf_free(&p->row);
    free(p->dir);
    free(p);
}

uint64_t
pending_n(const struct pending *p)
{
    return p->place.left + (p->young ? p->young->left : 0);
}

/* ---- accepting ---- */

enum status
pending_add(struct pending *p, const struct candidate *c)
{
    enum status st;

    if (p->young == NULL &&
        (st = generation_new(p, &p->young, p->number + 1, 0)) != ST_OK)
        return st;
    if (p->young->left == 0)
        p->first_ms = p->f->now_ms;
    pending_record(&p->record, &p->queued, c);
    push(p->young, &c->key, journal_end(p->young->journal));
    journal_add(p->young->journal, buf_view(&p->record));
    p->added++;
    p->changed = true;
    return ST_OK;
}

/* ---- merging ---- */

/* The links of a slice: at least `want` if there are so many, and all of the
 * last one's URL. */
static enum status
slice(struct pending *p, size_t want, struct candidate ***out, size_t *out_n)
{
    struct place *at = &p->place;
    struct candidate **c;
    size_t n = 0, room = want + want / 4 + 16;

    c = arena_raw(p->f->scratch, room * sizeof *c);
    for (; at->bucket < BUCKETS; at->bucket++, at->i = 0, at->sorted = false) {
        struct bucket *b = &p->old->bucket[at->bucket];

        if (!at->sorted && b->n > 1)
            qsort(b->entry + at->i, b->n - at->i, sizeof *b->entry, by_key);
        at->sorted = true;
        for (; at->i < b->n; at->i++) {
            const struct entry *e = &b->entry[at->i];
            uint64_t record_at = e->at;
            struct str record;

            if (n >= want &&
                memcmp(e->key.bytes, at->last.bytes, sizeof e->key.bytes) != 0)
                goto out;
            if (n == room) {
                c = arena_grow(p->f->scratch, c, n * sizeof *c,
                               2 * n * sizeof *c);
                room = 2 * n;
            }
            c[n] = arena_raw(p->f->scratch, sizeof *c[n]);
            if (journal_next(p->old->journal, &record_at, &record) != ST_OK ||
                !pending_read(c[n], record))
                return frontier_corrupt("links");
            at->last = e->key;
            at->begun = true;
            at->left--;
            n++;
        }
    }
out:
    *out = c;
    *out_n = n;
    return ST_OK;
}

enum status
pending_merge(struct pending *p, size_t least)
{
    struct frontier *f = p->f;
    struct frontier_put counts = {0};
    struct candidate **c = NULL;
    size_t want = 2 * (size_t)p->added, n = 0;
    enum status st;

    if (p->old == NULL || p->place.left == 0)
        return ST_OK;
    if (want < IDLE_SLICE && f->now_ms - p->merged_ms >= IDLE_MS)
        want = IDLE_SLICE;
    if (want < least)
        want = least;
    if (want > SLICE_MAX)
        want = SLICE_MAX;
    if (want == 0)
        return ST_OK;
    p->merged_ms = f->now_ms;
    p->changed = true;
    arena_reset(f->scratch);
    if ((st = slice(p, want, &c, &n)) != ST_OK)
        return st;
    return frontier_merge(f, c, n, &counts);
}

bool
pending_wanted(struct pending *p, bool starved)
{
    bool young = p->young != NULL && p->young->left > 0;

    p->wanted =
        p->place.left > 0 ||
        (young && (starved || p->f->now_ms - p->closed_ms >= WANTED_MS));
    return p->wanted;
}

enum status
pending_feed(struct pending *p)
{
    return p->wanted ? pending_merge(p, WANTED_SLICE) : ST_OK;
}

/* ---- transactions ---- */

enum status
pending_commit(struct pending *p)
{
    enum status st = ST_OK;

    if (!p->changed)
        return ST_OK;
    if (p->young != NULL)
        st = journal_write(p->young->journal, p->f->rules.sync);
    return st == ST_OK ? write_state(p) : st;
}

static void
drop_old(struct pending *p)
{
    char path[4200];

    path_of(p, p->old->number, path);
    generation_free(p->old);
    p->old = NULL;
    p->place = p->committed = (struct place){0};
    unlink(path);
}

static bool
full(const struct pending *p)
{
    uint64_t target = p->f->counters.totals.seen / TARGET_SHARE;

    if (p->f->loading)
        return false;
    if (target < TARGET_LEAST)
        target = TARGET_LEAST;
    if (target > p->max)
        target = p->max;
    return p->wanted || p->young->left >= target ||
           journal_end(p->young->journal) > JOURNAL_SIZE_MAX / 2 ||
           p->f->now_ms - p->first_ms >= p->f->rules.merge_ms;
}

void
pending_committed(struct pending *p)
{
    p->changed = false;
    p->added = 0;
    p->committed = p->place;
    if (p->young != NULL)
        p->young->end = journal_end(p->young->journal);
    if (p->old != NULL && p->place.left == 0)
        drop_old(p);
    if (p->old == NULL && p->young != NULL && p->young->left > 0 && full(p)) {
        p->old = p->young;
        p->young = NULL;
        p->place = (struct place){.left = p->old->left};
        p->committed = p->place;
        p->closed_ms = p->f->now_ms;
    }
}

void
pending_abort(struct pending *p)
{
    struct generation *g = p->young;

    p->place = p->committed;
    for (size_t i = 0; g != NULL && p->added > 0 && i < BUCKETS; i++) {
        struct bucket *b = &g->bucket[i];

        while (b->n > 0 && b->entry[b->n - 1].at >= g->end) {
            b->n--;
            g->left--;
        }
    }
    if (g != NULL)
        journal_cut(g->journal, g->end);
    p->added = 0;
    p->changed = false;
}

/* ---- looking ---- */

static enum status
each_of(const struct pending *p, const struct generation *g,
        enum status (*take)(void *self, const struct candidate *c), void *self)
{
    struct candidate c;
    struct str record;
    uint64_t at = 0;
    enum status st = ST_OK;

    while (g != NULL && st == ST_OK) {
        if ((st = journal_next(g->journal, &at, &record)) != ST_OK)
            break;
        if (!pending_read(&c, record))
            return frontier_corrupt("links");
        if (g != p->old || !p->place.begun ||
            memcmp(c.key.bytes, p->place.last.bytes, sizeof c.key.bytes) > 0)
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
