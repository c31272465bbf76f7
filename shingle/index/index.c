/* index.c -- see index.h.
 *
 * A verdict is given once.  It is a record in an append-only log, and what
 * finds it again is a table of tags in memory, made from the log at the start
 * (lookup.h).  So a document costs one sequential write.  (Rows in LMDB would
 * be one page written a key, twenty for a document: 3,000 documents a second at
 * a few million of them.)  What is in LMDB is in index_rows.c, how a verdict is
 * come by in index_decide.c; here is what makes the three one: batches,
 * transactions, the scheme that all fingerprints have, opening. */
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "index_inside.h"

/* ---- batches ---- */

void
index_batch_begin(struct index *x)
{
    x->stat_before = x->stat;
    if (x->sentences != NULL)
        sentence_set_end(x->sentences); /* the last batch was not undone */
    lookup_begin(x->lookup);
    x->new_scheme = false;
    x->writing = true;
    x->end_before = record_log_end(x->records);
}

void
index_batch_undo(struct index *x)
{
    x->stat = x->stat_before;
    lookup_undo(x->lookup);
    if (x->sentences != NULL)
        sentence_set_undo(x->sentences);
    (void)record_log_back(x->records, x->end_before);
    x->has_scheme = x->has_scheme && !x->new_scheme;
    x->writing = false;
}

static void
end_of_batch(struct index *x)
{
    lookup_end(x->lookup);
    x->writing = false;
}

enum status
index_batch_end(struct index *x)
{
    enum status st = record_log_write(x->records, false);

    if (st == ST_OK)
        end_of_batch(x);
    return st;
}

void
index_batch_bytes(const struct index *x, struct index_batch *out)
{
    *out = (struct index_batch){.at = x->end_before,
                                .records = record_log_pending(x->records),
                                .stat = x->stat};
    if (x->has_scheme)
        fingerprint_scheme_text(&x->scheme, out->scheme);
}

enum { WAITS_MAX = 8, CHECKPOINT_STEP = 256 << 10 };

/* Stored records on their way into the table: what each of them looks at is
 * fetched while those before it are entered. */
struct entering {
    struct index *x;
    struct lookup *lookup;
    size_t n;
    struct {
        uint32_t place;
        struct record r;
    } waits[WAITS_MAX];
};

static enum status
enter_stored(void *self, uint32_t place, const struct record *r)
{
    struct entering *e = self;
    size_t at = e->n++ % WAITS_MAX;
    enum status st = ST_OK;

    lookup_prefetch_record(e->lookup, r);
    index_enter_sentences(e->x, r);
    if (e->n > WAITS_MAX)
        st = lookup_enter(e->lookup, e->waits[at].place, &e->waits[at].r);
    e->waits[at].place = place;
    e->waits[at].r = *r;
    return st;
}

static enum status
enter_all(struct index *x, uint64_t from)
{
    struct entering e = {.x = x, .lookup = x->lookup};
    enum status st = record_log_walk(x->records, from, enter_stored, &e);

    for (size_t i = e.n > WAITS_MAX ? e.n - WAITS_MAX : 0;
         i < e.n && st == ST_OK; i++)
        st = lookup_enter(e.lookup, e.waits[i % WAITS_MAX].place,
                          &e.waits[i % WAITS_MAX].r);
    return st;
}

enum status
index_batch_again(struct index *x, const struct index_batch *b)
{
    struct fingerprint_scheme scheme;
    enum status st = ST_STORE;

    if (b->at == record_log_end(x->records) &&
        (st = record_log_add_bytes(x->records, b->records)) == ST_OK &&
        (st = record_log_write(x->records, false)) == ST_OK)
        st = enter_all(x, b->at);
    if (st != ST_OK)
        return st;
    x->stat = b->stat;
    if (!x->has_scheme && fingerprint_scheme_read(&scheme, str_c(b->scheme))) {
        x->scheme = scheme;
        x->has_scheme = true;
    }
    return ST_OK;
}

/* ---- transactions ---- */

void
index_state(const struct index *x, struct index_state *out)
{
    *out = (struct index_state){.stat = x->stat,
                                .log_end = record_log_end(x->records),
                                .tags = lookup_tags(x->lookup),
                                .has_scheme = x->has_scheme,
                                .scheme = x->scheme};
}

size_t
index_checkpoint(struct index *x)
{
    return lookup_checkpoint(x->lookup, x->checkpoint, CHECKPOINT_STEP);
}

uint64_t
index_saved(const struct index *x)
{
    return x->saved;
}

enum status
index_begin(struct index *x)
{
    enum status st = index_save_begin(x);

    if (st == ST_OK && !x->read_only)
        index_batch_begin(x);
    return st;
}

void
index_abort(struct index *x)
{
    index_save_abort(x);
    if (x->writing)
        index_batch_undo(x);
}

enum status
index_commit(struct index *x)
{
    struct index_state s;
    enum status st = record_log_write(x->records, false);

    index_state(x, &s);
    if (st != ST_OK)
        store_abort(x->store);
    else
        st = index_save_end(x, &s);
    if (st != ST_OK)
        index_batch_undo(x);
    else
        end_of_batch(x);
    return st;
}

enum status
index_stat(struct index *x, struct dedup_stat *out)
{
    enum status st = ST_OK;

    if (x->read_only) { /* the service writes meanwhile */
        if ((st = store_begin(x->store)) != ST_OK)
            return st;
        st = index_rows_counts(x);
        store_abort(x->store);
    }
    *out = x->stat;
    return st;
}

/* ---- schemes ---- */

static bool
fits(const struct index *x, const struct fingerprint_scheme *s)
{
    char ours[FINGERPRINT_SCHEME_BYTES], theirs[FINGERPRINT_SCHEME_BYTES];
    static struct log_limit said = LOG_LIMIT(60);

    if (!x->has_scheme || fingerprint_scheme_equal(&x->scheme, s))
        return true;
    fingerprint_scheme_text(&x->scheme, ours);
    fingerprint_scheme_text(s, theirs);
    log_rarely(&said, LOG_ERROR, "dedup",
               "fingerprints are %s, those in the index are %s "
               "(dedup.fingerprint/values/shingle_size/seed): they cannot be "
               "compared; use the options of the index, or another folder",
               theirs, ours);
    return false;
}

enum status
index_expect(struct index *x, struct str text)
{
    bool ok;
    struct fingerprint_scheme s = index_scheme_of(text, &ok);

    return x->near <= 0 || (ok && fits(x, &s)) ? ST_OK : ST_USAGE;
}

/* The bands that new records have.  Those of the threshold may be one kind too
 * many to look for in each. */
static enum status
choose_shape(struct index *x, uint32_t values_n)
{
    struct near_shape s = near_shape(x->near, values_n);

    if (x->near <= 0 || x->shape_values == values_n)
        return ST_OK;
    if (!lookup_has_room(x->lookup, s.rows)) {
        log_error("dedup",
                  "dedup.near = %g: this index was run with %d others, and "
                  "would not find near-duplicates of one more: go on with one "
                  "of those, or begin in another folder",
                  x->near, CHECKPOINT_SHAPES_MAX);
        return ST_USAGE;
    }
    x->shape = s;
    x->shape_values = values_n;
    return ST_OK;
}

enum status
index_be_of(struct index *x, struct str text)
{
    enum status st = index_expect(x, text);
    bool ok;

    if (st == ST_OK && !x->has_scheme) {
        x->scheme = index_scheme_of(text, &ok);
        x->has_scheme = true;
    }
    return st == ST_OK ? choose_shape(x, x->scheme.values_n) : st;
}

/* Without index_be_of() the first fingerprint says of which scheme all are. */
enum status
index_settle_scheme(struct index *x, const struct dedup_document *doc)
{
    bool ok;
    struct fingerprint_scheme s = index_scheme_of(doc->scheme, &ok);

    if (x->near <= 0 || doc->fingerprint == NULL ||
        doc->fingerprint->shingles_n == 0)
        return ST_OK;
    if (!ok || doc->fingerprint->values_n != s.values_n || !fits(x, &s) ||
        choose_shape(x, s.values_n) != ST_OK)
        return ST_INVALID;
    if (x->has_scheme)
        return ST_OK;
    x->scheme = s;
    x->has_scheme = x->new_scheme = true;
    return ST_OK;
}

/* ---- opening ---- */

static enum status
open_log(struct index *x, const char *dir, const struct store_options *o)
{
    char repair[4400];
    uint64_t end, tags, from;
    enum status st = index_rows_load(x, &end, &tags);

    store_repair_command(dir, repair, sizeof repair);
    x->path = path_printf("%s/%s", dir, INDEX_LOG);
    if (st != ST_OK ||
        (st = record_log_open(&x->records, x->path.z, end, o->map_gib << 30,
                              repair)) != ST_OK ||
        (st = lookup_open(&x->lookup, x->records, o->shards, dir, tags,
                          &from)) != ST_OK ||
        (st = checkpoint_open(&x->checkpoint, dir,
                              lookup_checkpoint_name(o->shards), from,
                              o->checkpoint_bytes)) != ST_OK)
        return st;
    return end == 0 ? index_rows_begin(x) : enter_all(x, from);
}

/* A run without syncs (dedup.sync=none; a load) may have left in memory what
 * answers will rely on that are to be durable; and the first acks would wait
 * while the system writes it. */
static enum status
sync_what_stands(struct index *x)
{
    enum status st = record_log_write(x->records, true);

    checkpoint_sync(x->checkpoint);
    return st == ST_OK ? store_sync(x->store) : st;
}

enum status
index_open(struct index **out, const char *dir, double near,
           const struct store_options *o)
{
    struct index *x = calloc(1, sizeof *x);
    enum status st;

    *out = NULL;
    if (x == NULL)
        return ST_NOMEM;
    x->shards = o->shards;
    x->read_only = o->read_only;
    x->near = near;
    x->sync = !str_eq(o->sync, S("none"));
    if ((st = store_open(&x->store, dir, o)) == ST_OK && !o->read_only)
        st = open_log(x, dir, o);
    if (st == ST_OK && !o->read_only && x->sync)
        st = sync_what_stands(x);
    x->opened = st == ST_OK && !o->read_only;
    if (st == ST_OK)
        *out = x;
    else
        index_close(x);
    return st;
}

/* What a start would have to read goes into a checkpoint. */
static void
checkpoint_all(struct index *x)
{
    if (record_log_pending(x->records).n > 0)
        return;
    (void)lookup_checkpoint(x->lookup, x->checkpoint, SIZE_MAX);
    checkpoint_publish(x->checkpoint, x->log_saved, x->sync);
}

void
index_close(struct index *x)
{
    if (x == NULL)
        return;
    if (x->opened && !x->writing)
        checkpoint_all(x);
    checkpoint_close(x->checkpoint);
    record_log_close(x->records);
    lookup_close(x->lookup);
    sentence_set_close(x->sentences);
    store_close(x->store);
    free(x);
}
