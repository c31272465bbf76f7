/* index.c -- see index.h.
 *
 * A verdict is given once: `ids` holds it by visit, with the id of the document
 * that came of it, and a visit that is found there gets both again:
 *
 *   ids      visit (16)   -> verdict (1) | of (16) | id (16)
 *
 * A visit is a hash of the URL, mixed with how many there were before.  Not the
 * id: a page whose crawler was killed before it reported it is fetched again.
 * That is a capture of its own, but must neither be stored twice nor be called
 * a duplicate of itself.
 *
 * Exact duplicates: one look-up in `digests`.  Near-duplicates: near.c.  Only
 * kept documents are in digests, prints and bands, so a document is never a
 * duplicate of a duplicate.  Documents of one batch are judged one after the
 * other in one transaction and see each other.
 *
 * Counts live in memory and go to `meta` with each commit. */
#include "index.h"

#include <stdlib.h>

#include "near.h"
#include "winnow/log.h"

enum {
    ID_SIZE = DOCUMENT_ID_BYTES,
    DIGEST_SIZE = 16,
    VISIT_SIZE = INDEX_VISIT_BYTES,
    VERDICT_BYTES = 1 + ID_SIZE + ID_SIZE
};

struct index {
    struct store *store;
    struct near near, near_before; /* before: at the begin */
    struct dedup_stat stat, stat_before;
    bool writing, read_only;
};

static struct str
bytes(const unsigned char *p, size_t n)
{
    return str_n((const char *)p, n);
}

static void
visit_key(const struct dedup_document *doc, unsigned char key[VISIT_SIZE])
{
    struct hash128 h = hash128(doc->url);

    store_pack(key, h.high, 8);
    store_pack(key + 8, h.low ^ hash_mix(doc->revisit), 8);
}

static struct document_id
id_of(const char *packed)
{
    return document_id_unpack((const unsigned char *)packed);
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
store_counts(struct index *x)
{
    enum status st = ST_OK;

    x->stat.bands_full += x->near.bands_full - x->near_before.bands_full;
    for (size_t i = 0; i < COUNTS_N && st == ST_OK; i++) {
        uint64_t now = *count_of(&x->stat, i);

        if (now != *count_of(&x->stat_before, i))
            st = store_put_u64(x->store, counts[i].name, now);
    }
    return st;
}

static void
count(struct index *x, const struct dedup_document *doc, enum verdict verdict)
{
    x->stat.index_entries++;
    switch (verdict) {
    case VERDICT_KEPT:
        x->stat.documents++;
        x->stat.text_bytes += doc->text_bytes;
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

/* ---- transactions ---- */

enum status
index_begin(struct index *x)
{
    enum status st = store_begin(x->store);

    x->stat_before = x->stat;
    x->near_before = x->near;
    x->writing = st == ST_OK;
    return st;
}

static void
undo(struct index *x)
{
    x->stat = x->stat_before;
    x->near = x->near_before;
    x->writing = false;
}

void
index_abort(struct index *x)
{
    store_abort(x->store);
    if (x->writing)
        undo(x);
}

enum status
index_commit(struct index *x)
{
    enum status st = store_counts(x);

    if (st != ST_OK)
        store_abort(x->store);
    else
        st = store_commit(x->store);
    if (st != ST_OK)
        undo(x);
    x->writing = false;
    return st;
}

enum status
index_sync(struct index *x)
{
    return store_sync(x->store);
}

/* ---- verdicts ---- */

bool
index_is_verdict(struct str v)
{
    return v.n == VERDICT_BYTES && (unsigned char)v.p[0] <= VERDICT_REJECTED;
}

static enum status
recall(struct index *x, const unsigned char visit[VISIT_SIZE],
       struct index_verdict *out)
{
    struct dedup_answer *a = &out->answer;
    struct str v;
    enum status st =
        store_get(x->store, STORE_IDS, bytes(visit, VISIT_SIZE), &v);

    if (st != ST_OK)
        return st;
    if (!index_is_verdict(v)) {
        log_error("dedup", "index: a verdict cannot be read");
        return ST_STORE;
    }
    out->known = true;
    a->verdict = (enum verdict)v.p[0];
    if (a->verdict == VERDICT_EXACT_DUPLICATE ||
        a->verdict == VERDICT_NEAR_DUPLICATE)
        a->of = id_of(v.p + 1);
    a->id = id_of(v.p + 1 + ID_SIZE);
    return ST_OK;
}

/* A verdict for a document that is not known.  Reads only. */
static enum status
decide(struct index *x, const struct dedup_document *doc,
       const unsigned char digest[DIGEST_SIZE], struct dedup_answer *out)
{
    unsigned char of[ID_SIZE];
    struct str v;
    enum status st;

    if (doc->reject != VERDICT_NONE) {
        out->verdict = VERDICT_REJECTED;
        return ST_OK;
    }
    st = store_get(x->store, STORE_DIGESTS, bytes(digest, DIGEST_SIZE), &v);
    if (st == ST_OK && v.n == ID_SIZE) {
        out->verdict = VERDICT_EXACT_DUPLICATE;
        out->of = id_of(v.p);
        return ST_OK;
    }
    if (st == ST_NONE && doc->fingerprint != NULL)
        st = near_find(&x->near, doc->fingerprint, of);
    if (st == ST_OK) {
        out->verdict = VERDICT_NEAR_DUPLICATE;
        out->of = document_id_unpack(of);
    } else if (st == ST_NONE) {
        out->verdict = VERDICT_KEPT;
        st = ST_OK;
    }
    return st;
}

enum status
index_decide(struct index *x, const struct dedup_document *doc,
             struct index_verdict *out)
{
    struct dedup_answer *a = &out->answer;
    unsigned char visit[VISIT_SIZE], digest[DIGEST_SIZE],
        value[VERDICT_BYTES] = {0}, *id = value + 1 + ID_SIZE;
    enum status st;

    *out = (struct index_verdict){.answer.id = doc->id};
    visit_key(doc, visit);
    store_pack(digest, doc->digest.high, 8);
    store_pack(digest + 8, doc->digest.low, 8);
    if ((st = recall(x, visit, out)) != ST_NONE)
        return st;
    if ((st = decide(x, doc, digest, a)) != ST_OK)
        return st;
    value[0] = (unsigned char)a->verdict;
    if (a->of.z[0] != '\0')
        document_id_pack(&a->of, value + 1);
    document_id_pack(&a->id, id);
    st = store_put(x->store, STORE_IDS, bytes(visit, sizeof visit),
                   bytes(value, sizeof value));
    if (st == ST_OK && a->verdict == VERDICT_KEPT) {
        st = store_put(x->store, STORE_DIGESTS, bytes(digest, sizeof digest),
                       bytes(id, ID_SIZE));
        if (st == ST_OK && doc->fingerprint != NULL)
            st = near_add(&x->near, doc->fingerprint, id);
    }
    if (st == ST_OK)
        count(x, doc, a->verdict);
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
index_open(struct index **out, const char *dir, double near,
           const struct store_options *o)
{
    struct index *x = calloc(1, sizeof *x);
    enum status st;

    *out = NULL;
    if (x == NULL)
        return ST_NOMEM;
    x->read_only = o->read_only;
    if ((st = store_open(&x->store, dir, o)) != ST_OK)
        goto failed;
    if (!o->read_only) {
        if ((st = near_init(&x->near, x->store, near)) != ST_OK ||
            (st = store_begin(x->store)) != ST_OK)
            goto failed;
        st = load_counts(x);
        store_abort(x->store);
        if (st != ST_OK)
            goto failed;
    }
    *out = x;
    return ST_OK;

failed:
    index_close(x);
    return st;
}

void
index_close(struct index *x)
{
    if (x == NULL)
        return;
    store_close(x->store);
    free(x);
}
