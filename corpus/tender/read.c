/* read.c -- the first stage: lines become documents and keys.
 *
 * Threads take blocks of lines.  Of texrex's form the lines of one document
 * may stand anywhere, so ids are looked up in a table that all share, once for
 * each run of lines with the same id; of the other form each line is a document
 * and takes the next number (numbering.h).  Lines with wrong columns are left
 * out, counted and (the first of them) named. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/big_endian.h"
#include "base/disk_full.h"
#include "base/drop_behind.h"
#include "base/fd_io.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "corpus/lines/line_blocks.h"
#include "numbering.h"
#include "shingle/fingerprint/bands.h"
#include "shingle/fingerprint/fingerprint.h"

#define REJECTED_NAMED 5 /* lines that are named in the log */
#define RECALL .999      /* by bands, of pairs at the threshold */

struct reader; /* of a thread */

struct read_stage {
    struct tender *t;
    struct spill *keys;
    unsigned bits;
    struct bands bands;
    struct numbering *documents;
    int prints_fd;
    char *prints_path;
    pthread_mutex_t lock; /* of what follows */
    uint64_t prints_at;
    struct drop_behind prints_behind;
    bool signatures;
    struct print_family family;
    enum shingle_form form;
    char order_id[HASH_LINE_SIZE]; /* the last line, for presorted input */
    const char *order_path;
    struct tender_counts counts;
    struct reader *reader;
};

struct reader {
    struct spill_writer *keys;
    struct buf documents, prints;
    char last_id[ID_SIZE];
    uint32_t last_number;
    bool last_is_listed, last_known;
    uint64_t last_size;
    struct tender_counts counts;
    struct buf keys_pending;
    bool same_kind; /* so was the last line */
    bool earlier;   /* the block is of an earlier corpus */
    struct print_family family;
};

/* ---- writing ---- */

static enum status
write_prints(struct read_stage *r, const struct buf *b, uint64_t at)
{
    bool full;

    if (!fd_write_at(r->prints_fd, b->p, b->n, at, NULL)) {
        full = disk_full(errno);
        log_error("tender", "file=%s fault=\"%s\"", r->prints_path,
                  disk_full_text(errno));
        return full ? ST_FULL : ST_IO;
    }
    if (r->t->large)
        drop_behind_written(&r->prints_behind, r->prints_fd, at + b->n);
    return ST_OK;
}

static void
put_key(struct read_stage *r, struct reader *me, uint64_t hash, uint32_t number)
{
    unsigned char record[KEY_SIZE];

    be64_put(record, hash << r->bits | hash >> (64 - r->bits));
    be32_put(record + 8, number);
    spill_put(me->keys, (unsigned)(hash >> (64 - r->bits)), record);
    me->counts.hashes++;
}

static void
put_document(struct buf *to, const char *id, uint64_t size, uint64_t print_at,
             uint32_t print_n)
{
    struct stored_document d = {
        .size = size, .print_at = print_at, .print_n = print_n};

    memcpy(d.id, id, ID_SIZE);
    buf_add(to, &d, sizeof d);
}

static void
reject(struct read_stage *r, struct reader *me, const struct line_block *b,
       struct str line, const char *why)
{
    static atomic_uint named;

    (void)r;
    me->counts.rejected_lines++;
    if (atomic_fetch_add(&named, 1) < REJECTED_NAMED)
        log_warn(
            "tender", "file=%s offset=%llu rejected=\"%s\"", b->path,
            (unsigned long long)(b->offset + (uint64_t)(line.p - b->text.p)),
            why);
}

/* ---- texrex's form ---- */

static enum status
take_hash(struct read_stage *r, struct reader *me, const struct hash_line *h)
{
    enum status st = ST_OK;

    if (!me->last_known || memcmp(me->last_id, h->id, ID_SIZE) != 0 ||
        me->last_size != h->size) {
        memcpy(me->last_id, h->id, ID_SIZE);
        me->last_known = true;
        me->last_size = h->size;
        me->last_is_listed = id_set_has(&r->t->listed, str_n(h->id, ID_SIZE));
        if (me->last_is_listed)
            me->counts.blacklisted++;
        else
            st =
                numbering_of_id(r->documents, h->id, h->size, &me->last_number);
    }
    if (!me->last_is_listed)
        put_key(r, me, hash_mix(h->hash), me->last_number);
    return st;
}

/* ---- fingerprints ---- */

static void
values_keys(struct read_stage *r, const uint32_t *value, uint32_t n,
            uint64_t *key)
{
    if (r->t->near > 0)
        for (uint32_t i = 0; i < r->bands.n; i++)
            key[i] =
                band_hash(value + (size_t)i * r->bands.rows, r->bands.rows, i);
    else /* as they are in texrex's form, so that both go together */
        for (uint32_t i = 0; i < n; i++)
            key[i] = hash_mix(hash_mix((uint64_t)i << 32 | value[i]));
}

/* What estimates of this document will be made of. */
static bool
store_print(const struct read_stage *r, struct reader *me,
            const struct print_line *p, const uint32_t *value)
{
    struct buf *to = &me->prints;
    size_t from = to->n;

    if (!r->signatures) {
        buf_add(to, value, p->values_n * sizeof *value);
        return true;
    }
    buf_add(to, &p->shingles_n, sizeof p->shingles_n);
    buf_reserve(to, p->signature.n / 2);
    if (!hex_bytes(p->signature, to->p + to->n) ||
        !signature_is(str_n(to->p + to->n, p->signature.n / 2))) {
        to->n = from;
        return false;
    }
    to->n += p->signature.n / 2;
    return true;
}

static bool
take_print(struct read_stage *r, struct reader *me, const struct print_line *p)
{
    uint32_t value[VALUES_MAX];
    uint64_t key[VALUES_MAX];
    size_t keys_n = r->t->near > 0 ? r->bands.n : p->values_n;
    size_t at = me->prints.n;

    if (!hex_values(p->values, value))
        return false;
    if (id_set_has(&r->t->listed, str_n(p->id, ID_SIZE))) {
        me->counts.blacklisted++;
        return true;
    }
    if (r->t->near > 0 && !store_print(r, me, p, value))
        return false;
    put_document(&me->documents, p->id,
                 p->size | (me->earlier ? SIZE_EARLIER : 0), at,
                 (uint32_t)(me->prints.n - at));
    values_keys(r, value, p->values_n, key);
    buf_add(&me->keys_pending, key, keys_n * sizeof *key);
    return true;
}

/* The documents of a block get their numbers and places. */
static enum status
settle_prints(struct read_stage *r, struct reader *me)
{
    size_t n = me->documents.n / sizeof(struct stored_document);
    struct stored_document *d = (void *)me->documents.p;
    const uint64_t *key = (const void *)me->keys_pending.p;
    size_t keys_n = n > 0 ? me->keys_pending.n / sizeof *key / n : 0;
    uint64_t prints_at;
    enum status st;
    uint32_t first;

    pthread_mutex_lock(&r->lock);
    prints_at = r->prints_at;
    r->prints_at += me->prints.n;
    pthread_mutex_unlock(&r->lock);
    for (size_t i = 0; i < n; i++)
        d[i].print_at += prints_at;
    st = numbering_add(r->documents, d, n, &first);
    for (size_t i = 0; st == ST_OK && i < n; i++)
        for (size_t k = 0; k < keys_n; k++)
            put_key(r, me, *key++, first + (uint32_t)i);
    if (st == ST_OK)
        st = write_prints(r, &me->prints, prints_at);
    buf_clear(&me->documents);
    buf_clear(&me->prints);
    buf_clear(&me->keys_pending);
    return st;
}

/* ---- both ---- */

/* What the first line that can be read decides; p: of form PRINTS. */
static enum status
first_kind(struct read_stage *r, const struct line_block *b,
           enum shingle_form form, const struct print_line *p)
{
    struct tender *t = r->t;

    r->form = form;
    if (t->limit == 0 && t->near == 0) {
        if (form == SHINGLE_HASHES)
            t->limit = TENDER_LIMIT_PRESET;
        else
            t->near = TENDER_NEAR_PRESET;
    }
    if (t->o->earlier_n > 0 && form == SHINGLE_HASHES) {
        log_error("tender",
                  "file=%s fault=\"--against takes fingerprints (winnow clean "
                  "--format shingles), no hashes\"",
                  b->path);
        return ST_USAGE;
    }
    if (t->near > 0 && form == SHINGLE_HASHES) {
        log_error("tender",
                  "file=%s fault=\"hashes do not say which function made them: "
                  "--limit, not --near\"",
                  b->path);
        return ST_USAGE;
    }
    if (t->near > 0) {
        assert(p != NULL); /* of every form but hashes */
        r->bands = bands_for(t->near, RECALL, p->values_n, p->values_n);
        if (r->bands.n == 0) /* single values */
            r->bands = (struct bands){p->values_n, 1};
    }
    return ST_OK;
}

/* The first fingerprint decides what the others have to be like. */
static enum status
same_family(struct read_stage *r, const struct line_block *b,
            const struct print_line *p)
{
    if (r->family.values_n == 0) {
        r->family = print_family_of(p);
        r->signatures = p->signature.n > 0;
    }
    if (print_family_is(&r->family, p))
        return ST_OK;
    log_error("tender",
              "file=%s fault=\"another family: fingerprints %.*s of %u values, "
              "others are %s of %u\"",
              b->path, STRF(p->scheme), p->values_n, r->family.scheme,
              r->family.values_n);
    return ST_USAGE;
}

/* All files are of one kind.  ST_USAGE: this one is of another; reported. */
static enum status
same_kind(struct read_stage *r, const struct line_block *b,
          enum shingle_form form, const struct print_line *p)
{
    enum status st = ST_OK;

    pthread_mutex_lock(&r->lock);
    if (r->form == SHINGLE_NONE) {
        st = first_kind(r, b, form, p);
    } else if (r->form != form && r->t->near > 0) {
        log_error("tender",
                  "file=%s fault=\"hashes and fingerprints cannot be compared; "
                  "both go with --limit\"",
                  b->path);
        st = ST_USAGE;
    }
    if (st == ST_OK && p != NULL)
        st = same_family(r, b, p);
    pthread_mutex_unlock(&r->lock);
    return st;
}

/* Presorted lines (one thread): do they go on where the last one ended? */
static bool
in_order(struct read_stage *r, const struct line_block *b, struct str line)
{
    bool good = r->order_path != b->path ||
                memcmp(r->order_id, line.p, HASH_LINE_SIZE) <= 0;

    memcpy(r->order_id, line.p, HASH_LINE_SIZE);
    r->order_path = b->path;
    return good;
}

static enum status
take_hash_line(struct read_stage *r, struct reader *me,
               const struct line_block *b, struct str line)
{
    struct hash_line h;

    if (!hash_line_read(&h, line)) {
        reject(r, me, b, line, "wrong columns: no 20 + 36 + 10 characters");
        return ST_OK;
    }
    if (r->t->o->presorted && !in_order(r, b, line)) {
        log_error(
            "tender",
            "file=%s offset=%llu fault=\"not sorted, as "
            "--presort says\"",
            b->path,
            (unsigned long long)(b->offset + (uint64_t)(line.p - b->text.p)));
        return ST_INVALID;
    }
    return take_hash(r, me, &h);
}

/* A line without its end may be a part of one, of a file that was copied while
 * it was written: such a part looks like a line of another family. */
static bool
is_cut(struct read_stage *r, const struct line_block *b, struct str line,
       const struct print_line *p)
{
    bool other;

    if (line.p + line.n < b->text.p + b->text.n)
        return false;
    pthread_mutex_lock(&r->lock);
    other = r->family.values_n > 0 && !print_family_is(&r->family, p);
    pthread_mutex_unlock(&r->lock);
    return other;
}

static enum status
take_print_line(struct read_stage *r, struct reader *me,
                const struct line_block *b, struct str line)
{
    struct print_line p;
    enum status st;

    if (!print_line_read(&p, line)) {
        reject(r, me, b, line, "wrong columns: no id, size, shingles, values");
        return ST_OK;
    }
    if (!me->same_kind || !print_family_is(&me->family, &p)) {
        if (is_cut(r, b, line, &p)) {
            reject(r, me, b, line, "cut: the file ends inside it");
            return ST_OK;
        }
        st = same_kind(r, b, SHINGLE_PRINTS, &p);
        if (st != ST_OK)
            return st;
        me->same_kind = true;
        me->family = print_family_of(&p);
    }
    if (!take_print(r, me, &p))
        reject(r, me, b, line,
               "values or signature are no hex digits, or missing");
    return ST_OK;
}

static bool
is_earlier(const struct tender_options *o, const char *path)
{
    for (size_t i = o->inputs.n - o->earlier_n; i < o->inputs.n; i++)
        if (strcmp(o->inputs.path[i], path) == 0)
            return true;
    return false;
}

static enum status
take_block(void *self, size_t thread, const struct line_block *b)
{
    struct read_stage *r = self;
    struct reader *me = &r->reader[thread];
    struct str rest = b->text, line;
    enum shingle_form form = SHINGLE_NONE;
    enum status st = ST_OK;

    me->earlier = is_earlier(r->t->o, b->path);
    while (st == ST_OK && rest.n > 0) {
        size_t end = str_find(rest, '\n', 0);

        line = str_sub(rest, 0, end);
        rest = str_sub(rest, end + 1, rest.n);
        if (form == SHINGLE_NONE) {
            form = shingle_form_of(line);
            if (form == SHINGLE_HASHES)
                st = same_kind(r, b, form, NULL);
        }
        if (st != ST_OK)
            break;
        if (form == SHINGLE_PRINTS)
            st = take_print_line(r, me, b, line);
        else if (form == SHINGLE_HASHES)
            st = take_hash_line(r, me, b, line);
        else
            reject(r, me, b, line, "neither a hash nor a fingerprint");
    }
    if (st == ST_OK && me->documents.n > 0)
        st = settle_prints(r, me);
    return st;
}

static int
open_prints(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

    if (fd < 0)
        log_error("tender", "file=%s fault=\"%s\"", path, strerror(errno));
    return fd;
}

/* A guess, for the buckets: plain lines, and less than all of them. */
static uint64_t
keys_bytes_guess(const struct tender *t)
{
    return line_blocks_bytes(&t->o->inputs) / 2 + (1 << 20);
}

static void
gather(struct read_stage *r, size_t threads)
{
    struct tender_counts *c = &r->t->counts;

    for (size_t i = 0; i < threads; i++) {
        struct reader *me = &r->reader[i];

        spill_writer_end(me->keys);
        buf_free(&me->documents);
        buf_free(&me->prints);
        buf_free(&me->keys_pending);
        c->hashes += me->counts.hashes;
        c->rejected_lines += me->counts.rejected_lines;
        c->blacklisted += me->counts.blacklisted;
    }
    r->t->facts.form = r->form;
    r->t->facts.values_n = r->family.values_n;
    r->t->facts.signatures = r->signatures;
}

static enum status
read_all(struct read_stage *r)
{
    struct tender *t = r->t;
    size_t threads = t->o->presorted ? 1 : t->o->threads;
    uint64_t bytes = line_blocks_bytes(&t->o->inputs);
    struct progress *progress =
        progress_begin("reading fingerprints", PROGRESS_BYTES, bytes);
    enum status st, keys;

    r->reader = memory_need(calloc(threads, sizeof *r->reader));
    for (size_t i = 0; i < threads; i++)
        r->reader[i].keys = spill_writer_new(r->keys);
    st = line_blocks_each(&t->o->inputs, threads, t->large, progress,
                          take_block, r);
    progress_end(progress);
    gather(r, threads);
    free(r->reader);
    if (st == ST_OK)
        st = numbering_end(r->documents, &t->facts.documents_n);
    t->counts.documents = t->facts.documents_n;
    keys = spill_finish(r->keys);
    return st != ST_OK ? st : keys;
}

enum status
tender_read(struct tender *t)
{
    struct read_stage r = {.t = t,
                           .bits = tender_bucket_bits(t, keys_bytes_guess(t))};
    char *keys = tender_path(t, "keys");
    enum status st = numbering_new(&r.documents, t);

    pthread_mutex_init(&r.lock, NULL);
    r.prints_path = tender_path(t, "prints");
    r.prints_fd = open_prints(r.prints_path);
    if (st == ST_OK && r.prints_fd < 0)
        st = ST_IO;
    if (st == ST_OK)
        st = tender_spill_make(t, &r.keys, keys, 1u << r.bits, KEY_SIZE);
    if (st == ST_OK)
        st = read_all(&r);
    spill_close(r.keys);
    if (r.prints_fd >= 0)
        close(r.prints_fd);
    numbering_free(r.documents);
    pthread_mutex_destroy(&r.lock);
    free(r.prints_path);
    free(keys);
    return st;
}
