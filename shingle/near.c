/* near.c -- see near.h.
 *
 *   prints   number (8)                    -> id (16) | shingles (4) | values
 *   bands    hash of band and values (8) | number (8) -> (empty)
 *
 * The values of a fingerprint are cut into bands of `rows` values; documents
 * that agree in a whole band are candidates (locality-sensitive hashing:
 * Leskovec, Rajaraman & Ullman, Mining of Massive Datasets, ch. 3), and every
 * candidate's full fingerprint is compared.  So bands cost only recall, never
 * precision: 1 - (1 - t^rows)^bands of the pairs with resemblance t are found.
 * The most similar candidate wins, the older one of equals.
 *
 * Bounds: NEAR_BAND_MAX candidates a band (the oldest), counted when it bites;
 * NEAR_CANDIDATES_MAX a document. */
#include "near.h"

#include <math.h>

#include "winnow/hash.h"
#include "winnow/log.h"

enum {
    PRINT_SIZE = NEAR_PRINT_SIZE,
    HASH_SIZE = 8,
    NUMBER_SIZE = 8,
    BAND_KEY_SIZE = HASH_SIZE + NUMBER_SIZE,
    REBUILD_STEP = 5000 /* documents in one transaction */
};

static struct str
bytes(const unsigned char *p, size_t n)
{
    return str_n((const char *)p, n);
}

void
near_shape(double threshold, uint32_t *rows, uint32_t *bands)
{
    uint32_t best = 1;

    *rows = *bands = 0;
    if (threshold <= 0)
        return;
    for (uint32_t r = 2; r <= FINGERPRINT_SIZE; r++) {
        uint32_t b = FINGERPRINT_SIZE / r;

        if (1 - pow(1 - pow(threshold, r), b) >= NEAR_RECALL)
            best = r;
    }
    *rows = best;
    *bands = FINGERPRINT_SIZE / best;
}

static void
band_key(const struct near *n, const struct fingerprint *f, uint32_t band,
         uint64_t number, unsigned char key[BAND_KEY_SIZE])
{
    unsigned char values[4 * FINGERPRINT_SIZE];
    size_t size = (size_t)4 * n->rows;

    for (uint32_t i = 0; i < n->rows; i++)
        store_pack(values + (size_t)4 * i, f->value[band * n->rows + i], 4);
    store_pack(key, hash64_seed(bytes(values, size), band), HASH_SIZE);
    store_pack(key + HASH_SIZE, number, NUMBER_SIZE);
}

static enum status
put_bands(struct near *n, const struct fingerprint *f, uint64_t number)
{
    unsigned char key[BAND_KEY_SIZE];
    enum status st = ST_OK;

    for (uint32_t band = 0; band < n->bands && st == ST_OK; band++) {
        band_key(n, f, band, number, key);
        st = store_put(n->store, STORE_BANDS, bytes(key, sizeof key), S(""));
    }
    return st;
}

static bool
read_print(struct str v, struct fingerprint *f)
{
    if (v.n != PRINT_SIZE)
        return false;
    f->values_n = FINGERPRINT_SIZE;
    f->shingles_n = (uint32_t)store_unpack(v.p + DOCUMENT_ID_BYTES, 4);
    for (size_t i = 0; i < FINGERPRINT_SIZE; i++)
        f->value[i] =
            (uint32_t)store_unpack(v.p + DOCUMENT_ID_BYTES + 4 + 4 * i, 4);
    return true;
}

enum status
near_add(struct near *n, const struct fingerprint *f,
         const unsigned char id[DOCUMENT_ID_BYTES])
{
    unsigned char key[NUMBER_SIZE], value[PRINT_SIZE];
    enum status st;

    if (n->rows == 0 || f->shingles_n == 0)
        return ST_OK;
    store_pack(key, n->next, sizeof key);
    memcpy(value, id, DOCUMENT_ID_BYTES);
    store_pack(value + DOCUMENT_ID_BYTES, f->shingles_n, 4);
    for (size_t i = 0; i < FINGERPRINT_SIZE; i++)
        store_pack(value + DOCUMENT_ID_BYTES + 4 + 4 * i, f->value[i], 4);
    st = store_put(n->store, STORE_PRINTS, bytes(key, sizeof key),
                   bytes(value, sizeof value));
    if (st == ST_OK)
        st = put_bands(n, f, n->next);
    n->next++;
    return st == ST_OK ? store_put_u64(n->store, "next", n->next) : st;
}

/* ---- finding ---- */

/* Numbers of documents that share a band, each once. */
struct candidates {
    unsigned char band[HASH_SIZE];
    int in_band;
    bool full; /* this band met its bound */
    uint64_t number[NEAR_CANDIDATES_MAX];
    size_t n;
};

static enum status
add_candidate(void *self, struct str key, struct str value)
{
    struct candidates *c = self;
    uint64_t number;

    (void)value;
    if (key.n != BAND_KEY_SIZE || memcmp(key.p, c->band, HASH_SIZE) != 0)
        return ST_NONE;
    if ((c->full = c->in_band++ == NEAR_BAND_MAX))
        return ST_NONE;
    number = store_unpack(key.p + HASH_SIZE, NUMBER_SIZE);
    for (size_t i = 0; i < c->n; i++) {
        if (c->number[i] == number)
            return ST_OK;
    }
    if (c->n < NEAR_CANDIDATES_MAX)
        c->number[c->n++] = number;
    return ST_OK;
}

static enum status
find_candidates(struct near *n, const struct fingerprint *f,
                struct candidates *found)
{
    unsigned char from[BAND_KEY_SIZE];
    enum status st = ST_OK;

    found->n = 0;
    for (uint32_t band = 0; band < n->bands && st == ST_OK; band++) {
        band_key(n, f, band, 0, from);
        memcpy(found->band, from, HASH_SIZE);
        found->in_band = 0;
        found->full = false;
        st = store_walk(n->store, STORE_BANDS, bytes(from, sizeof from),
                        add_candidate, found);
        n->bands_full += found->full;
    }
    return st;
}

enum status
near_find(struct near *n, const struct fingerprint *f,
          unsigned char id[DOCUMENT_ID_BYTES])
{
    struct candidates found;
    struct fingerprint other;
    double best = -1;
    uint64_t best_number = 0;
    enum status st;

    if (n->rows == 0 || f->shingles_n == 0)
        return ST_NONE;
    if ((st = find_candidates(n, f, &found)) != ST_OK)
        return st;
    for (size_t i = 0; i < found.n; i++) {
        unsigned char key[NUMBER_SIZE];
        double resemblance;
        struct str v;

        store_pack(key, found.number[i], sizeof key);
        st = store_get(n->store, STORE_PRINTS, bytes(key, sizeof key), &v);
        if (st != ST_OK || !read_print(v, &other)) {
            log_error("dedup", "index: bands and prints do not agree");
            return st == ST_FULL ? st : ST_STORE;
        }
        resemblance = fingerprint_resemblance(f, &other);
        if (resemblance < n->threshold || resemblance < best ||
            (resemblance <= best && found.number[i] > best_number))
            continue;
        best = resemblance;
        best_number = found.number[i];
        memcpy(id, v.p, DOCUMENT_ID_BYTES);
    }
    return best < 0 ? ST_NONE : ST_OK;
}

/* ---- other rows than before ---- */

struct band_rebuild {
    struct near *near;
    uint64_t number; /* the next to do */
    int left;        /* in this transaction */
    bool more;
};

static enum status
rebuild_one(void *self, struct str key, struct str value)
{
    struct band_rebuild *r = self;
    struct fingerprint f;

    if (key.n != NUMBER_SIZE || !read_print(value, &f))
        return ST_STORE;
    if ((r->more = r->left-- == 0))
        return ST_NONE;
    r->number = store_unpack(key.p, NUMBER_SIZE) + 1;
    return put_bands(r->near, &f, r->number - 1);
}

static enum status
rebuild_step(struct band_rebuild *r)
{
    unsigned char from[NUMBER_SIZE];
    struct store *s = r->near->store;
    enum status st;

    r->left = REBUILD_STEP;
    r->more = false;
    store_pack(from, r->number, sizeof from);
    if ((st = store_begin(s)) != ST_OK)
        return st;
    st = store_walk(s, STORE_PRINTS, bytes(from, sizeof from), rebuild_one, r);
    if (st == ST_OK && !r->more)
        st = store_put_u64(s, "rows", r->near->rows);
    if (st == ST_OK)
        return store_commit(s);
    store_abort(s);
    return st;
}

/* While `rows` in meta is 0 the bands are incomplete: a crash starts again. */
static enum status
rebuild(struct near *n)
{
    struct band_rebuild r = {.near = n, .more = true};
    struct store *s = n->store;
    enum status st;

    if (n->next > 0)
        log_info("dedup", "building near-duplicate bands rows=%u bands=%u",
                 n->rows, n->bands);
    if ((st = store_begin(s)) != ST_OK)
        return st;
    if ((st = store_empty(s, STORE_BANDS)) != ST_OK ||
        (st = store_put_u64(s, "rows", 0)) != ST_OK) {
        store_abort(s);
        return st;
    }
    st = store_commit(s);
    while (st == ST_OK && r.more)
        st = rebuild_step(&r);
    return st;
}

enum status
near_init(struct near *n, struct store *s, double threshold)
{
    uint64_t rows;
    enum status st;

    *n = (struct near){.store = s, .threshold = threshold};
    near_shape(threshold, &n->rows, &n->bands);
    if ((st = store_begin(s)) != ST_OK)
        return st;
    if ((st = store_get_u64(s, "rows", &rows)) == ST_OK)
        st = store_get_u64(s, "next", &n->next);
    store_abort(s);
    if (st != ST_OK || n->rows == 0 || rows == n->rows)
        return st;
    return rebuild(n);
}
