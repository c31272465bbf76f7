/* index.c -- see index.h.
 *
 * A verdict is given once.  It is a record in an append-only log, and what
 * finds it again is a table of tags in memory, made from the log at the start:
 *
 *   visit       -> its record: a visit that is found gets verdict and id again
 *   digest      -> the kept document with this text
 *   band        -> kept documents that may resemble
 *   dependents  -> near-duplicates of a kept document
 *   successor   -> the document that replaced a kept one
 *
 * So a document costs one sequential write.  (Rows in LMDB would be one page
 * written a key, twenty for a document: 3,000 documents a second at a few
 * million of them.)  In LMDB is what is small and has to change: how long log
 * and corpus files are, and counts.
 *
 * A visit is a hash of the URL, mixed with how many there were before.  Not the
 * id: a page whose crawler was killed before it reported it is fetched again.
 * That is a capture of its own, but must neither be stored twice nor be called
 * a duplicate of itself.
 *
 * Which copy stays: the longer text, of equal ones the earlier.  A document
 * that is longer than all the kept ones that it resembles replaces them, if
 * what was removed for their sake resembles it as well; else it is a
 * near-duplicate of the most similar.  So every document that is removed was
 * compared with the one that stands for it (stars, not chains), and no two kept
 * ones resemble each other.  Documents of one batch are judged one after the
 * other and see each other. */
#include "index.h"

#include <stdio.h>
#include <stdlib.h>

#include "corpus_file.h"
#include "near.h"
#include "tags.h"
#include "winnow/log.h"

#define SCHEME_ROW "scheme"

enum { SHAPES_MAX = 8, DEPENDENTS_MAX = 64 };

/* What a key of the table is of; mixed into it. */
enum key_kind { KEY_VISIT = 1, KEY_DIGEST, KEY_DEPENDENT, KEY_SUCCESSOR };

/* A change of the table since the begin. */
struct change {
    uint64_t key;
    uint32_t place;
    bool added;
};

struct index {
    struct store *store;
    struct record_log *records;
    struct tags *tags;
    double near;
    struct near_shape shape, seen[SHAPES_MAX]; /* of new and of old records */
    uint32_t shape_values; /* of fingerprints of this many values */
    size_t seen_n;
    bool has_scheme;
    struct fingerprint_scheme scheme;
    struct dedup_stat stat, stat_before;
    uint64_t end_before; /* of the log, at the begin of the batch */
    struct change *change;
    size_t changes_n, changes_room;
    bool writing, read_only, sync, new_scheme;
    uint64_t saved; /* of the row INDEX_SAVED, when it was opened */
    char path[4300];
    /* Of the thread that saves: what is in LMDB. */
    struct dedup_stat stat_saved;
    bool scheme_saved;
};

static uint64_t
key_of(enum key_kind kind, uint64_t x)
{
    return hash_mix(x + (uint64_t)kind * 0x9e3779b97f4a7c15u);
}

static uint64_t
key_of_16(enum key_kind kind, const unsigned char *bytes)
{
    return key_of(kind,
                  store_unpack(bytes, 8) + 3 * store_unpack(bytes + 8, 8));
}

/* ---- counts ---- */

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

static enum status
load_counts(struct index *x)
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

static void
count(struct index *x, const struct record *r)
{
    x->stat.index_entries++;
    switch (r->verdict) {
    case VERDICT_KEPT:
        x->stat.documents++;
        x->stat.text_bytes += r->text_bytes;
        x->stat.replaced += r->replaced_n;
        break;
    case VERDICT_EXACT_DUPLICATE: x->stat.exact_duplicates++; break;
    case VERDICT_NEAR_DUPLICATE: x->stat.near_duplicates++; break;
    default: x->stat.rejected++; break;
    }
}

enum status
index_stat(struct index *x, struct dedup_stat *out)
{
    enum status st = ST_OK;

    if (x->read_only) { /* the service writes meanwhile */
        if ((st = store_begin(x->store)) != ST_OK)
            return st;
        st = load_counts(x);
        store_abort(x->store);
    }
    *out = x->stat;
    return st;
}

/* ---- the table ---- */

/* Changes are noted during a transaction, not while the log is read. */
static enum status
note(struct index *x, uint64_t key, uint32_t place, bool added)
{
    if (!x->writing)
        return ST_OK;
    if (x->changes_n == x->changes_room) {
        size_t room = 2 * x->changes_room + 64;
        struct change *p = realloc(x->change, room * sizeof *p);

        if (p == NULL)
            return ST_NOMEM;
        x->change = p;
        x->changes_room = room;
    }
    x->change[x->changes_n++] = (struct change){key, place, added};
    return ST_OK;
}

static enum status
add(struct index *x, uint64_t key, uint32_t place)
{
    enum status st = note(x, key, place, true);

    if (st == ST_OK && (st = tags_add(x->tags, key, place)) != ST_OK &&
        x->writing)
        x->changes_n--;
    return st;
}

static enum status
drop(struct index *x, uint64_t key, uint32_t place)
{
    enum status st = note(x, key, place, false);

    if (st == ST_OK)
        tags_remove(x->tags, key, place);
    return st;
}

static void
undo_changes(struct index *x)
{
    while (x->changes_n > 0) {
        const struct change *c = &x->change[--x->changes_n];

        if (c->added)
            tags_remove(x->tags, c->key, c->place);
        else if (tags_add(x->tags, c->key, c->place) != ST_OK)
            log_error("dedup", "no memory to undo a batch: some of its "
                               "near-duplicates will not be found");
    }
}

/* `old` was replaced by `place`: it is no candidate any more, and what depended
 * on it depends on that, like itself. */
static enum status
supersede(struct index *x, uint32_t old, uint32_t place)
{
    uint32_t dependent[DEPENDENTS_MAX];
    size_t n = tags_find(x->tags, key_of(KEY_DEPENDENT, old), dependent,
                         DEPENDENTS_MAX);
    struct record r;
    enum status st = record_log_read(x->records, old, &r);

    for (uint32_t i = 0; st == ST_OK && i < r.bands_n; i++)
        st = drop(x, near_key(r.rows, i, r.band), old);
    for (size_t i = 0; st == ST_OK && i < n; i++) {
        st = drop(x, key_of(KEY_DEPENDENT, old), dependent[i]);
        if (st == ST_OK)
            st = add(x, key_of(KEY_DEPENDENT, place), dependent[i]);
    }
    if (st == ST_OK)
        st = add(x, key_of(KEY_DEPENDENT, place), old);
    return st == ST_OK ? add(x, key_of(KEY_SUCCESSOR, old), place) : st;
}

static void
see_shape(struct index *x, const struct record *r)
{
    struct near_shape s = {r->rows, r->bands_n};

    for (size_t i = 0; i < x->seen_n; i++)
        if (x->seen[i].rows == s.rows && x->seen[i].bands == s.bands)
            return;
    if (x->seen_n < SHAPES_MAX)
        x->seen[x->seen_n++] = s;
}

/* The record at `place` can be found. */
static enum status
enter(struct index *x, uint32_t place, const struct record *r)
{
    enum status st = add(x, key_of_16(KEY_VISIT, r->visit), place);

    if (st == ST_OK && r->verdict == VERDICT_NEAR_DUPLICATE)
        return add(x, key_of(KEY_DEPENDENT, r->of), place);
    if (r->verdict != VERDICT_KEPT)
        return st;
    if (st == ST_OK)
        st = add(x, key_of_16(KEY_DIGEST, r->digest), place);
    for (uint32_t i = 0; st == ST_OK && i < r->bands_n; i++)
        st = add(x, near_key(r->rows, i, r->band), place);
    for (uint32_t i = 0; st == ST_OK && i < r->replaced_n; i++)
        st = supersede(x, r->replaced[i], place);
    if (r->bands_n > 0)
        see_shape(x, r);
    return st;
}

/* ---- batches ---- */

void
index_batch_begin(struct index *x)
{
    x->stat_before = x->stat;
    x->changes_n = 0;
    x->new_scheme = false;
    x->writing = true;
    x->end_before = record_log_end(x->records);
}

void
index_batch_undo(struct index *x)
{
    x->stat = x->stat_before;
    undo_changes(x);
    (void)record_log_back(x->records, x->end_before);
    x->has_scheme = x->has_scheme && !x->new_scheme;
    x->writing = false;
}

enum status
index_batch_end(struct index *x)
{
    enum status st = record_log_write(x->records, false);

    x->writing = x->writing && st != ST_OK;
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

static enum status
enter_stored(void *self, uint32_t place, const struct record *r)
{
    return enter(self, place, r);
}

enum status
index_batch_again(struct index *x, const struct index_batch *b)
{
    struct fingerprint_scheme scheme;
    enum status st = ST_STORE;

    if (b->at == record_log_end(x->records) &&
        (st = record_log_add_bytes(x->records, b->records)) == ST_OK &&
        (st = record_log_write(x->records, false)) == ST_OK)
        st = record_log_walk(x->records, b->at, enter_stored, x);
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
                                .tags = tags_entries(x->tags),
                                .has_scheme = x->has_scheme,
                                .scheme = x->scheme};
}

uint64_t
index_saved(const struct index *x)
{
    return x->saved;
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
            st = corpus_file_sync(x->path, false);
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
    }
    return st;
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
index_write(struct index *x)
{
    return record_log_write(x->records, false);
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
    x->writing = false;
    return st;
}

enum status
index_sync(struct index *x)
{
    return store_sync(x->store);
}

/* ---- schemes ---- */

/* Fingerprints from before there were schemes. */
static struct fingerprint_scheme
scheme_of(struct str text, bool *ok)
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
        x->scheme = scheme_of(text, &x->has_scheme);
    x->scheme_saved = x->has_scheme;
    return st == ST_NONE ? ST_OK : st;
}

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
    struct fingerprint_scheme s = scheme_of(text, &ok);

    return ok && fits(x, &s) ? ST_OK : ST_USAGE;
}

/* The first fingerprint says of which scheme all are. */
static enum status
settle_scheme(struct index *x, const struct dedup_document *doc)
{
    bool ok;
    struct fingerprint_scheme s = scheme_of(doc->scheme, &ok);

    if (doc->fingerprint == NULL || doc->fingerprint->shingles_n == 0)
        return ST_OK;
    if (!ok || doc->fingerprint->values_n != s.values_n || !fits(x, &s))
        return ST_INVALID;
    if (x->shape_values != s.values_n) {
        x->shape = near_shape(x->near, s.values_n);
        x->shape_values = s.values_n;
    }
    if (x->has_scheme)
        return ST_OK;
    x->scheme = s;
    x->has_scheme = x->new_scheme = true;
    return ST_OK;
}

/* ---- verdicts ---- */

/* A document as a record, with the memory it needs. */
struct judged {
    struct record r;
    unsigned char visit[RECORD_VISIT_BYTES], digest[RECORD_DIGEST_BYTES],
        id[DOCUMENT_ID_BYTES], band[RECORD_BANDS_MAX * RECORD_BAND_BYTES];
    uint64_t word[SIGNATURE_BITS_MIN / 64];
    struct near_shape shape;
    bool prints; /* it has a fingerprint */
};

static void
sketch(struct index *x, const struct dedup_document *doc, struct judged *j)
{
    const struct signature *s = doc->signature;

    j->prints = x->near > 0 && doc->fingerprint != NULL &&
                doc->fingerprint->shingles_n > 0 && doc->reject == VERDICT_NONE;
    if (!j->prints)
        return;
    if (s != NULL && s->bits_n > 0) {
        j->r.signature = *s;
    } else {
        signature_of_values(doc->fingerprint, j->word, &j->r.signature);
        j->r.of_values = true;
    }
}

static void
describe(struct index *x, const struct dedup_document *doc, struct judged *j)
{
    struct hash128 h = hash128(doc->url);

    j->r = (struct record){.visit = j->visit,
                           .id = j->id,
                           .digest = j->digest,
                           .text_bytes = doc->text_bytes};
    store_pack(j->visit, h.high, 8);
    store_pack(j->visit + 8, h.low ^ hash_mix(doc->revisit), 8);
    store_pack(j->digest, doc->digest.high, 8);
    store_pack(j->digest + 8, doc->digest.low, 8);
    document_id_pack(&doc->id, j->id);
    sketch(x, doc, j);
    tags_prefetch(x->tags, key_of_16(KEY_VISIT, j->visit));
    tags_prefetch(x->tags, key_of_16(KEY_DIGEST, j->digest));
    if (!j->prints)
        return;
    j->shape = near_shape_for(x->shape, doc->fingerprint);
    near_bands(j->shape, doc->fingerprint, j->band);
    for (uint32_t i = 0; i < j->shape.bands; i++)
        tags_prefetch(x->tags, near_key(j->shape.rows, i, j->band));
}

static enum status
name_kept(struct index *x, uint32_t place, struct document_id *out)
{
    struct record r;
    enum status st = record_log_read(x->records, place, &r);

    if (st == ST_OK)
        *out = document_id_unpack(r.id);
    return st;
}

static enum status
answer(struct index *x, const struct record *r, struct dedup_answer *out)
{
    out->verdict = r->verdict;
    out->id = document_id_unpack(r->id);
    out->estimate = r->estimate;
    if (r->verdict != VERDICT_EXACT_DUPLICATE &&
        r->verdict != VERDICT_NEAR_DUPLICATE)
        return ST_OK;
    return name_kept(x, r->of, &out->of);
}

/* ST_NONE: the visit is new. */
static enum status
recall(struct index *x, const struct judged *j, struct index_verdict *out)
{
    uint32_t place[4];
    size_t n = tags_find(x->tags, key_of_16(KEY_VISIT, j->visit), place,
                         sizeof place / sizeof *place);
    struct record r;
    enum status st = ST_OK;

    for (size_t i = 0; i < n && st == ST_OK; i++) {
        if ((st = record_log_read(x->records, place[i], &r)) != ST_OK ||
            memcmp(r.visit, j->visit, sizeof j->visit) != 0)
            continue;
        out->known = true;
        return answer(x, &r, &out->answer);
    }
    return st == ST_OK ? ST_NONE : st;
}

/* The document that stands for the one at *place: itself, or what replaced it,
 * and so on. */
static enum status
follow_successors(struct index *x, uint32_t *place)
{
    for (;;) {
        uint32_t next[4];
        size_t n = tags_find(x->tags, key_of(KEY_SUCCESSOR, *place), next,
                             sizeof next / sizeof *next);
        uint32_t found = 0;

        for (size_t i = 0; i < n && found == 0; i++) {
            struct record r;
            enum status st = record_log_read(x->records, next[i], &r);

            if (st != ST_OK)
                return st;
            for (uint32_t k = 0; k < r.replaced_n; k++)
                if (r.replaced[k] == *place)
                    found = next[i];
        }
        if (found == 0)
            return ST_OK;
        *place = found;
    }
}

/* ST_NONE: no document had this text. */
static enum status
find_equal(struct index *x, struct judged *j)
{
    uint32_t place[4], kept;
    size_t n = tags_find(x->tags, key_of_16(KEY_DIGEST, j->digest), place,
                         sizeof place / sizeof *place);
    struct record r, standing;
    enum status st = ST_OK;

    for (size_t i = 0; i < n && st == ST_OK; i++) {
        if ((st = record_log_read(x->records, place[i], &r)) != ST_OK ||
            r.digest == NULL ||
            memcmp(r.digest, j->digest, sizeof j->digest) != 0)
            continue;
        kept = place[i];
        if ((st = follow_successors(x, &kept)) != ST_OK)
            return st;
        j->r.of = kept;
        j->r.verdict = VERDICT_EXACT_DUPLICATE;
        j->r.estimate = 1;
        if (kept == place[i])
            return ST_OK;
        if ((st = record_log_read(x->records, kept, &standing)) != ST_OK)
            return st;
        j->r.verdict = VERDICT_NEAR_DUPLICATE;
        j->r.estimate = near_estimate(&r, &standing, 0);
        return ST_OK;
    }
    return st == ST_OK ? ST_NONE : st;
}

/* ---- near-duplicates ---- */

struct candidates {
    uint32_t place[INDEX_CANDIDATES_MAX];
    size_t n;
};

static void
add_candidate(struct candidates *c, uint32_t place)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->place[i] == place)
            return;
    if (c->n < INDEX_CANDIDATES_MAX)
        c->place[c->n++] = place;
}

static void
look_into_bands(struct index *x, struct near_shape shape,
                const unsigned char *band, struct candidates *out)
{
    uint32_t place[INDEX_BAND_MAX + 1];

    for (uint32_t i = 0; i < shape.bands; i++) {
        size_t n = tags_find(x->tags, near_key(shape.rows, i, band), place,
                             INDEX_BAND_MAX + 1);

        if (n > INDEX_BAND_MAX) {
            x->stat.bands_full++;
            n = INDEX_BAND_MAX;
        }
        for (size_t k = 0; k < n; k++)
            add_candidate(out, place[k]);
    }
}

static void
find_candidates(struct index *x, const struct dedup_document *doc,
                const struct judged *j, struct candidates *out)
{
    unsigned char band[RECORD_BANDS_MAX * RECORD_BAND_BYTES];

    out->n = 0;
    look_into_bands(x, j->shape, j->band, out);
    for (size_t i = 0; i < x->seen_n; i++) {
        struct near_shape s = x->seen[i]; /* of another dedup.near */

        if (s.rows == j->shape.rows ||
            s.rows * s.bands > doc->fingerprint->values_n)
            continue;
        near_bands(s, doc->fingerprint, band);
        look_into_bands(x, s, band, out);
    }
    for (size_t i = 0; i < out->n; i++)
        record_log_prefetch(x->records, out->place[i]);
}

/* Those of the candidates that resemble the document, to begin with the most
 * similar. */
struct similar {
    struct {
        uint32_t place;
        double estimate;
    } kept[INDEX_CANDIDATES_MAX];
    size_t n;
    bool longest; /* the document has more text than any of them */
};

static enum status
compare(struct index *x, const struct judged *j, const struct candidates *c,
        struct similar *out)
{
    out->n = 0;
    out->longest = true;
    for (size_t i = 0; i < c->n; i++) {
        struct record r;
        double e;
        enum status st = record_log_read(x->records, c->place[i], &r);
        size_t at;

        if (st != ST_OK)
            return st;
        e = near_estimate(&j->r, &r, x->near);
        if (r.verdict != VERDICT_KEPT || e < x->near)
            continue;
        out->longest = out->longest && j->r.text_bytes > r.text_bytes;
        for (at = out->n++; at > 0 && (out->kept[at - 1].estimate < e ||
                                       (out->kept[at - 1].estimate <= e &&
                                        out->kept[at - 1].place > c->place[i]));
             at--)
            out->kept[at] = out->kept[at - 1];
        out->kept[at].place = c->place[i];
        out->kept[at].estimate = e;
    }
    return ST_OK;
}

/* Does everything that was removed for the sake of `kept` resemble it as well?
 */
static enum status
stands_for(struct index *x, const struct judged *j, uint32_t kept, bool *yes)
{
    uint32_t dependent[DEPENDENTS_MAX + 1];
    size_t n = tags_find(x->tags, key_of(KEY_DEPENDENT, kept), dependent,
                         DEPENDENTS_MAX + 1);
    enum status st = ST_OK;

    *yes = n <= DEPENDENTS_MAX;
    for (size_t i = 0; i < n && *yes && st == ST_OK; i++) {
        struct record r;

        st = record_log_read(x->records, dependent[i], &r);
        *yes = st == ST_OK && near_estimate(&j->r, &r, x->near) >= x->near;
    }
    return st;
}

static enum status
replaces_all(struct index *x, const struct judged *j, const struct similar *s,
             bool *yes)
{
    size_t dependents = s->n;
    enum status st = ST_OK;

    *yes = s->longest && s->n <= RECORD_REPLACED_MAX;
    for (size_t i = 0; i < s->n && *yes && st == ST_OK; i++) {
        uint32_t some[DEPENDENTS_MAX];

        st = stands_for(x, j, s->kept[i].place, yes);
        dependents +=
            tags_find(x->tags, key_of(KEY_DEPENDENT, s->kept[i].place), some,
                      DEPENDENTS_MAX);
    }
    *yes = *yes && dependents <= DEPENDENTS_MAX;
    return st;
}

static enum status
find_near(struct index *x, const struct dedup_document *doc, struct judged *j,
          struct index_verdict *out)
{
    struct candidates c;
    struct similar s;
    bool longest = false;
    enum status st;

    find_candidates(x, doc, j, &c);
    if ((st = compare(x, j, &c, &s)) != ST_OK || s.n == 0 ||
        (st = replaces_all(x, j, &s, &longest)) != ST_OK)
        return st;
    if (!longest) {
        j->r.verdict = VERDICT_NEAR_DUPLICATE;
        j->r.of = s.kept[0].place;
        j->r.estimate = s.kept[0].estimate;
        return ST_OK;
    }
    for (size_t i = 0; i < s.n && st == ST_OK; i++) {
        j->r.replaced[i] = s.kept[i].place;
        st = name_kept(x, s.kept[i].place, &out->replaced[i]);
        out->replaced_estimate[i] = s.kept[i].estimate;
    }
    j->r.replaced_n = (uint32_t)s.n;
    out->replaced_n = s.n;
    return st;
}

/* A verdict for a document that is not known.  Reads only. */
static enum status
decide(struct index *x, const struct dedup_document *doc, struct judged *j,
       struct index_verdict *out)
{
    enum status st;

    j->r.verdict = VERDICT_REJECTED;
    if (doc->reject != VERDICT_NONE)
        return ST_OK;
    if ((st = find_equal(x, j)) != ST_NONE)
        return st;
    j->r.verdict = VERDICT_KEPT;
    return j->prints ? find_near(x, doc, j, out) : ST_OK;
}

/* What is removed is compared only with what would replace the document that
 * stands for it: for that, half of the smallest signature will do. */
static void
fold_in_half(struct judged *j)
{
    enum { HALF = SIGNATURE_BITS_MIN / 2 / 64 };
    const uint64_t *word = j->r.signature.word;

    for (size_t i = 0; i < HALF; i++)
        j->word[i] = word[i] ^ word[i + HALF];
    j->r.signature.word = j->word;
    j->r.signature.bits_n = SIGNATURE_BITS_MIN / 2;
}

enum status
index_decide(struct index *x, const struct dedup_document *doc,
             struct index_verdict *out)
{
    struct judged j = {.prints = false};
    uint32_t place;
    enum status st;

    *out = (struct index_verdict){.answer.id = doc->id};
    if ((st = settle_scheme(x, doc)) != ST_OK)
        return st;
    describe(x, doc, &j);
    if ((st = recall(x, &j, out)) != ST_NONE)
        return st;
    if ((st = decide(x, doc, &j, out)) != ST_OK)
        return st;
    if (j.r.verdict == VERDICT_KEPT && j.prints) {
        j.r.rows = j.shape.rows;
        j.r.bands_n = j.shape.bands;
        j.r.band = j.band;
    } else if (j.r.verdict != VERDICT_NEAR_DUPLICATE) {
        j.r.signature = (struct signature){0};
    } else if (j.r.signature.bits_n == SIGNATURE_BITS_MIN) {
        fold_in_half(&j);
    }
    if ((st = record_log_add(x->records, &j.r, &place)) != ST_OK ||
        (st = enter(x, place, &j.r)) != ST_OK)
        return st;
    count(x, &j.r);
    return answer(x, &j.r, &out->answer);
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

/* Its first row, before there is a record. */
static enum status
begin_log(struct index *x)
{
    enum status st = store_begin(x->store);

    if (st == ST_OK &&
        (st = store_put_u64(x->store, "log", record_log_end(x->records))) ==
            ST_OK)
        return store_commit(x->store);
    store_abort(x->store);
    return st;
}

static enum status
open_log(struct index *x, const char *dir, const struct store_options *o)
{
    char repair[4400];
    uint64_t end = 0, entries = 0;
    enum status st = store_begin(x->store);

    store_repair_command(dir, repair, sizeof repair);
    snprintf(x->path, sizeof x->path, "%s/%s", dir, INDEX_LOG);
    if (st == ST_OK && (st = load_counts(x)) == ST_OK &&
        (st = load_scheme(x)) == ST_OK &&
        (st = store_get_u64(x->store, "log", &end)) == ST_OK &&
        (st = store_get_u64(x->store, INDEX_SAVED, &x->saved)) == ST_OK)
        st = store_get_u64(x->store, "tags", &entries);
    store_abort(x->store);
    x->stat_saved = x->stat;
    if (st != ST_OK ||
        (st = record_log_open(&x->records, x->path, end, o->map_gib << 30,
                              repair)) != ST_OK ||
        (st = tags_open(&x->tags, entries)) != ST_OK)
        return st;
    return end == 0 ? begin_log(x)
                    : record_log_walk(x->records, 0, enter_stored, x);
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
    x->read_only = o->read_only;
    x->near = near;
    x->sync = !str_eq(o->sync, S("none"));
    if ((st = store_open(&x->store, dir, o)) == ST_OK && !o->read_only)
        st = open_log(x, dir, o);
    if (st == ST_OK)
        *out = x;
    else
        index_close(x);
    return st;
}

void
index_close(struct index *x)
{
    if (x == NULL)
        return;
    record_log_close(x->records);
    tags_close(x->tags);
    store_close(x->store);
    free(x->change);
    free(x);
}
