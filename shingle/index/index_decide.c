/* index_decide.c -- the verdict of a document.
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
#include "base/big_endian.h"
#include "index_inside.h"
#include "shingle/shards/shards.h"

/* A document as a record, with the memory it needs. */
struct judged {
    struct record r;
    unsigned char visit[RECORD_VISIT_BYTES], digest[RECORD_DIGEST_BYTES],
        id[DOCUMENT_ID_BYTES], band[RECORD_BANDS_MAX * RECORD_BAND_BYTES];
    uint64_t word[SIGNATURE_BITS_MIN / 64];
    struct near_shape shape;
    bool prints; /* it has a fingerprint */
};

/* Is something like it to be looked for? */
static bool
has_bands(const struct index *x, const struct dedup_document *doc)
{
    return x->near > 0 && doc->fingerprint != NULL &&
           doc->fingerprint->shingles_n > 0 && doc->reject == VERDICT_NONE;
}

static void
sketch(struct index *x, const struct dedup_document *doc, struct judged *j)
{
    const struct signature *s = doc->signature;

    j->prints = has_bands(x, doc);
    if (!j->prints)
        return;
    if (s != NULL && s->bits_n > 0) {
        j->r.signature = *s;
    } else {
        signature_of_values(doc->fingerprint, j->word, &j->r.signature);
        j->r.of_values = true;
    }
}

void
index_visit(const struct dedup_document *doc,
            unsigned char out[RECORD_VISIT_BYTES])
{
    struct hash128 h = hash128(doc->url);

    be64_put(out, h.high);
    be64_put(out + 8, h.low ^ hash_mix(doc->revisit));
}

static void
describe(struct index *x, const struct dedup_document *doc, struct judged *j)
{
    j->r = (struct record){.visit = j->visit,
                           .id = j->id,
                           .digest = j->digest,
                           .text_bytes = doc->text_bytes};
    index_visit(doc, j->visit);
    be64_put(j->digest, doc->digest.high);
    be64_put(j->digest + 8, doc->digest.low);
    document_id_pack(&doc->id, j->id);
    sketch(x, doc, j);
    lookup_prefetch(x->lookup, lookup_key_of_16(LOOKUP_VISIT, j->visit));
    lookup_prefetch(x->lookup, lookup_key_of_16(LOOKUP_DIGEST, j->digest));
    if (!j->prints)
        return;
    j->shape = near_shape_for(x->shape, doc->fingerprint);
    near_bands(j->shape, doc->fingerprint, j->band);
    for (uint32_t i = 0; i < j->shape.bands && x->shards == NULL; i++)
        lookup_prefetch(x->lookup, near_key(j->shape.rows, i, j->band));
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
    if (r->of == 0) /* of no document, or of sentences of many */
        return ST_OK;
    return name_kept(x, r->of, &out->of);
}

/* ST_NONE: the visit is new. */
enum status
index_recall(struct index *x, const unsigned char visit[RECORD_VISIT_BYTES],
             struct record *r)
{
    uint32_t place[4];
    size_t n = lookup_find(x->lookup, lookup_key_of_16(LOOKUP_VISIT, visit),
                           place, sizeof place / sizeof *place);

    for (size_t i = 0; i < n; i++) {
        enum status st = record_log_read(x->records, place[i], r);

        if (st != ST_OK || memcmp(r->visit, visit, RECORD_VISIT_BYTES) == 0)
            return st;
    }
    return ST_NONE;
}

static enum status
recall(struct index *x, const struct judged *j, struct index_verdict *out)
{
    struct record r;
    enum status st = index_recall(x, j->visit, &r);

    if (st != ST_OK)
        return st;
    out->known = true;
    return answer(x, &r, &out->answer);
}

/* The document that stands for the one at *place: itself, or what replaced it,
 * and so on. */
static enum status
follow_successors(struct index *x, uint32_t *place)
{
    for (;;) {
        uint32_t next[4];
        size_t n = lookup_find(x->lookup, lookup_key(LOOKUP_SUCCESSOR, *place),
                               next, sizeof next / sizeof *next);
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
    size_t n =
        lookup_find(x->lookup, lookup_key_of_16(LOOKUP_DIGEST, j->digest),
                    place, sizeof place / sizeof *place);
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
        size_t n = lookup_find_band(x->lookup, near_key(shape.rows, i, band),
                                    place, INDEX_BAND_MAX + 1);

        if (n > INDEX_BAND_MAX) {
            x->stat.bands_full++;
            n = INDEX_BAND_MAX;
        }
        for (size_t k = 0; k < n; k++)
            add_candidate(out, place[k]);
    }
}

/* All shapes of bands in which something like it may stand: of today's
 * dedup.near, and of others before. */
static size_t
shapes_of(const struct index *x, const struct fingerprint *f,
          struct near_shape today, struct near_shape *out)
{
    size_t seen_n, n = 0;
    const struct near_shape *seen = lookup_shapes(x->lookup, &seen_n);

    out[n++] = near_shape_for(today, f);
    for (size_t i = 0; i < seen_n; i++)
        if (seen[i].rows != today.rows &&
            seen[i].rows * seen[i].bands <= f->values_n)
            out[n++] = seen[i];
    return n;
}

static void
find_candidates(struct index *x, const struct dedup_document *doc,
                struct candidates *out)
{
    unsigned char band[RECORD_BANDS_MAX * RECORD_BAND_BYTES];
    struct near_shape shape[CHECKPOINT_SHAPES_MAX + 1];
    size_t n = shapes_of(x, doc->fingerprint, x->shape, shape);

    out->n = 0;
    for (size_t i = 0; i < n; i++) {
        near_bands(shape[i], doc->fingerprint, band);
        look_into_bands(x, shape[i], band, out);
    }
    for (size_t i = 0; i < out->n; i++)
        record_log_prefetch(x->records, out->place[i]);
}

void
index_want(struct index *x, const struct dedup_document *doc)
{
    const struct fingerprint *f = doc->fingerprint;
    unsigned char band[RECORD_BANDS_MAX * RECORD_BAND_BYTES];
    struct near_shape shape[CHECKPOINT_SHAPES_MAX + 1];
    size_t n;

    if (x->shards == NULL || !has_bands(x, doc))
        return;
    n = shapes_of(x, f, near_shape(x->near, f->values_n), shape);
    for (size_t i = 0; i < n; i++) {
        near_bands(shape[i], f, band);
        for (uint32_t k = 0; k < shape[i].bands; k++)
            shards_want(x->shards, near_key(shape[i].rows, k, band), k);
    }
}

enum status
index_ask(struct index *x)
{
    return x->shards == NULL ? ST_OK : shards_ask(x->shards, x->records);
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

/* May it stand for all that the kept documents it resembles stand for, and for
 * those themselves? */
static enum status
replaces_all(struct index *x, const struct judged *j, const struct similar *s,
             bool *yes)
{
    uint32_t dependent[LOOKUP_DEPENDENTS_MAX + 1];
    size_t n = 0;
    enum status st = ST_OK;

    /* Others were cut for the sake of those. */
    *yes = s->longest && s->n <= RECORD_REPLACED_MAX && !x->sentence_rule.cut;
    for (size_t i = 0; i < s->n && *yes && st == ST_OK; i++)
        st = lookup_dependents(x->lookup, s->kept[i].place, dependent, &n);
    *yes = *yes && s->n + n <= LOOKUP_DEPENDENTS_MAX;
    for (size_t i = 0; i < n && *yes && st == ST_OK; i++) {
        struct record r;

        st = record_log_read(x->records, dependent[i], &r);
        *yes = st == ST_OK && near_estimate(&j->r, &r, x->near) >= x->near;
    }
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

    find_candidates(x, doc, &c);
    if ((st = compare(x, j, &c, &s)) != ST_OK || s.n == 0 ||
        (st = replaces_all(x, j, &s, &longest)) != ST_OK)
        return st;
    if (!longest || index_is_copy(x, doc)) {
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
    double share;
    enum status st;

    j->r.verdict = VERDICT_REJECTED;
    if (doc->reject != VERDICT_NONE)
        return ST_OK;
    if ((st = find_equal(x, j)) != ST_NONE)
        return st;
    j->r.verdict = VERDICT_KEPT;
    if (j->prints && (st = find_near(x, doc, j, out)) != ST_OK)
        return st;
    if (j->r.verdict == VERDICT_KEPT && j->r.replaced_n == 0 &&
        (share = index_too_known(x, doc)) > 0) {
        j->r.verdict = VERDICT_NEAR_DUPLICATE;
        j->r.estimate = share;
    }
    return ST_OK;
}

/* What is removed is compared only with what would replace the document that
 * stands for it: for that, half of the smallest signature will do. */
static void
fold_in_half(struct judged *j)
{
    struct signature *s = &j->r.signature;
    uint64_t half[SIGNATURE_BITS_MIN / 2 / 64];

    signature_fold(s, SIGNATURE_BITS_MIN / 2, half);
    memcpy(j->word, half, sizeof half);
    *s = (struct signature){.word = j->word,
                            .bits_n = SIGNATURE_BITS_MIN / 2,
                            .shingles_n = s->shingles_n};
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

/* What its record holds beside the verdict. */
static void
fill_record(struct judged *j)
{
    struct record *r = &j->r;

    if (r->verdict == VERDICT_KEPT && j->prints) {
        r->rows = j->shape.rows;
        r->bands_n = j->shape.bands;
        r->band = j->band;
    } else if (r->verdict != VERDICT_NEAR_DUPLICATE || r->of == 0) {
        r->signature = (struct signature){0};
    } else if (r->signature.gaps.n > SIGNATURE_BITS_MIN / 16 ||
               r->signature.bits_n == SIGNATURE_BITS_MIN) {
        fold_in_half(j);
    }
}

static enum status
remember(struct index *x, const struct dedup_document *doc, struct judged *j)
{
    struct buf sentences = {0};
    uint32_t place;
    enum status st;

    fill_record(j);
    if (j->r.verdict == VERDICT_KEPT && doc->sentences_n > 0) {
        buf_reserve(&sentences, doc->sentences_n * RECORD_SENTENCE_BYTES);
        j->r.sentence = (unsigned char *)sentences.p;
        j->r.sentences_n =
            index_learn_sentences(x, doc, (unsigned char *)sentences.p);
    }
    st = record_log_add(x->records, &j->r, &place);
    if (st == ST_OK)
        st = lookup_enter(x->lookup, place, &j->r);
    buf_free(&sentences);
    return st;
}

enum status
index_decide(struct index *x, const struct dedup_document *doc,
             struct index_verdict *out)
{
    struct judged j = {.prints = false};
    enum status st;

    *out = (struct index_verdict){.answer.id = doc->id};
    if ((st = index_settle_scheme(x, doc)) != ST_OK)
        return st;
    describe(x, doc, &j);
    if ((st = recall(x, &j, out)) != ST_NONE)
        return st;
    if ((st = decide(x, doc, &j, out)) != ST_OK ||
        (st = remember(x, doc, &j)) != ST_OK)
        return st;
    count(x, &j.r);
    return answer(x, &j.r, &out->answer);
}
