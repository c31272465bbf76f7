/* index_rows.c -- what of the index is in LMDB: what is small and has to
 * change: counts, how long the log of records and the corpus files are, and the
 * scheme of the fingerprints. */
#include "index_inside.h"
#include "shingle/store/corpus_file.h"

#define SCHEME_ROW "scheme"

static const struct {
    const char *name;
    size_t offset;
} counts[] = {
#define X(member) {#member, offsetof(struct dedup_stat, member)},
    DEDUP_COUNTS(X)
#undef X
};

enum { COUNTS_N = sizeof counts / sizeof counts[0] };

static uint64_t *
count_of(struct dedup_stat *stat, size_t i)
{
    return (uint64_t *)(void *)((char *)stat + counts[i].offset);
}

enum status
index_rows_counts(struct index *x)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < COUNTS_N && st == ST_OK; i++)
        st = store_get_u64(x->store, counts[i].name, count_of(&x->stat, i));
    return st;
}

static enum status
store_counts(struct index *x, struct dedup_stat stat)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < COUNTS_N && st == ST_OK; i++) {
        uint64_t now = *count_of(&stat, i);

        if (now != *count_of(&x->stat_saved, i))
            st = store_put_u64(x->store, counts[i].name, now);
    }
    return st;
}

/* Fingerprints from before there were schemes. */
struct fingerprint_scheme
index_scheme_of(struct str text, bool *ok)
{
    struct fingerprint_scheme s = {FINGERPRINT_ONEPERMUTATION, FINGERPRINT_SIZE,
                                   5, 0};

    *ok = text.n == 0 || fingerprint_scheme_read(&s, text);
    return s;
}

static enum status
load_scheme(struct index *x)
{
    struct str text;
    enum status st = store_get(x->store, STORE_META, S(SCHEME_ROW), &text);

    if (st == ST_OK)
        x->scheme = index_scheme_of(text, &x->has_scheme);
    x->scheme_saved = x->has_scheme;
    return st == ST_NONE ? ST_OK : st;
}

enum status
index_save_begin(struct index *x)
{
    return store_begin(x->store);
}

void
index_save_abort(struct index *x)
{
    store_abort(x->store);
}

static enum status
store_scheme(struct index *x, const struct index_state *s)
{
    char text[FINGERPRINT_SCHEME_BYTES];

    if (!s->has_scheme || x->scheme_saved)
        return ST_OK;
    fingerprint_scheme_text(&s->scheme, text);
    return store_put(x->store, STORE_META, S(SCHEME_ROW), str_c(text));
}

static enum status
store_state(struct index *x, const struct index_state *s)
{
    enum status st = store_counts(x, s->stat);

    if (st == ST_OK && s->stat.index_entries != x->stat_saved.index_entries) {
        if (x->sync)
            st = corpus_file_sync(x->path.z, false);
        if (st == ST_OK)
            st = store_put_u64(x->store, "log", s->log_end);
        if (st == ST_OK)
            st = store_put_u64(x->store, "tags", s->tags);
    }
    if (st == ST_OK)
        st = store_scheme(x, s);
    if (st == ST_OK && s->saved > 0)
        st = store_put_u64(x->store, INDEX_SAVED, s->saved);
    return st;
}

enum status
index_save_end(struct index *x, const struct index_state *s)
{
    enum status st = s != NULL ? store_state(x, s) : ST_OK;

    if (st != ST_OK) {
        store_abort(x->store);
        return st;
    }
    if ((st = store_commit(x->store)) == ST_OK && s != NULL) {
        x->stat_saved = s->stat;
        x->scheme_saved = s->has_scheme;
        x->log_saved = s->log_end;
    }
    return st;
}

enum status
index_sync(struct index *x)
{
    enum status st = x->sync ? store_sync(x->store) : ST_OK;

    if (st == ST_OK)
        checkpoint_publish(x->checkpoint, x->log_saved, x->sync);
    return st;
}

/* ---- corpus files ---- */

enum status
index_put_file(struct index *x, struct str name, struct str state)
{
    return store_put(x->store, STORE_FILES, name, state);
}

enum status
index_each_file(struct index *x, store_each *each, void *self)
{
    return store_walk(x->store, STORE_FILES, S(""), each, self);
}

/* ---- opening ---- */

enum status
index_rows_begin(struct index *x)
{
    enum status st = store_begin(x->store);

    if (st == ST_OK &&
        (st = store_put_u64(x->store, "log", record_log_end(x->records))) ==
            ST_OK)
        return store_commit(x->store);
    store_abort(x->store);
    return st;
}

enum status
index_rows_load(struct index *x, uint64_t *log_end, uint64_t *tags)
{
    enum status st = store_begin(x->store);

    *log_end = *tags = 0;
    if (st == ST_OK && (st = index_rows_counts(x)) == ST_OK &&
        (st = load_scheme(x)) == ST_OK &&
        (st = store_get_u64(x->store, "log", log_end)) == ST_OK &&
        (st = store_get_u64(x->store, INDEX_SAVED, &x->saved)) == ST_OK)
        st = store_get_u64(x->store, "tags", tags);
    store_abort(x->store);
    x->stat_saved = x->stat;
    x->log_saved = *log_end;
    return st;
}

enum status
index_count_record(void *stat, uint32_t place, const struct record *record)
{
    struct dedup_stat *n = stat;

    (void)place;
    n->index_entries++;
    if (record->forgotten) {
        n->forgotten++;
        return ST_OK;
    }
    switch (record->verdict) {
    case VERDICT_KEPT:
        n->documents++;
        n->text_bytes += record->text_bytes;
        n->replaced += record->replaced_n;
        break;
    case VERDICT_EXACT_DUPLICATE: n->exact_duplicates++; break;
    case VERDICT_NEAR_DUPLICATE: n->near_duplicates++; break;
    default: n->rejected++; break;
    }
    return ST_OK;
}
