/* commit_log.c -- see commit_log.h.
 *
 * A batch is text for the most part, so it is packed, by zstd at its fastest.
 * One that does not begin as zstd's do is plain. */
#include "commit_log.h"

#include <stdlib.h>
#include <zstd.h>

#include "base/big_endian.h"
#include "base/redo_log.h"
#include "shingle/store/corpus_file.h"

#define X(member) +1
enum {
    PACK_LEVEL = 1,
    COUNTS_N = 0 DEDUP_COUNTS(X), /* of a batch; new ones come last */
    COUNTS_LEAST = 8              /* in what version 0.2.0 wrote at first */
};
#undef X

static const struct redo_log_kind kind = {
    .owner = "dedup",
    .file = "commits",
    .name = STR("winnow-dedup-commits 1\n\n\n\n\n\n\n\n\n\n")};

struct commit_log {
    struct redo_log *log;
    uint64_t bytes; /* of the segment, before they are packed */
    bool sync;
    ZSTD_CCtx *packer;
    struct buf batch; /* unpacked */
    /* Of a replay: */
    commit_log_each *each;
    void *self;
    struct commit_batch read;
};

/* ---- batches as bytes ---- */

static void
add_number(struct buf *out, uint64_t v, size_t size)
{
    unsigned char bytes[8];

    be_put(bytes, v, size);
    buf_add(out, (const char *)bytes, size);
}

static void
add_text(struct buf *out, struct str s, size_t size)
{
    add_number(out, s.n, size);
    buf_str(out, s);
}

static bool
take_number(struct str *in, uint64_t *v, size_t size)
{
    if (in->n < size)
        return false;
    *v = be_get(in->p, size);
    *in = str_sub(*in, size, in->n);
    return true;
}

static bool
take_text(struct str *in, struct str *s, size_t size)
{
    uint64_t n;

    if (!take_number(in, &n, size) || n > in->n)
        return false;
    *s = str_sub(*in, 0, (size_t)n);
    *in = str_sub(*in, (size_t)n, in->n);
    return true;
}

void
commit_batch_write(const struct commit_batch *b, struct buf *out)
{
    const struct index_batch *x = &b->index;

    add_number(out, b->split_bytes, 8);
    add_number(out, x->at, 8);
#define X(member) add_number(out, x->stat.member, 8);
    DEDUP_COUNTS(X)
#undef X
    add_text(out, str_c(x->scheme), 1);
    add_text(out, x->records, 8);
    for (size_t i = 0; i < b->streams_n; i++) {
        add_number(out, b->stream[i].group, 1);
        add_text(out, b->stream[i].suffix, 1);
        add_text(out, b->stream[i].bytes, 8);
    }
}

static bool
take_stream(struct str *in, struct commit_stream *s)
{
    uint64_t group;

    if (!take_number(in, &group, 1) || group >= CORPUS_GROUPS_N ||
        !take_text(in, &s->suffix, 1) || !take_text(in, &s->bytes, 8))
        return false;
    s->group = (enum corpus_group)group;
    return true;
}

/* Those that the log of an earlier version has not are 0. */
static bool
take_counts(struct str *in, struct dedup_stat *stat, size_t n)
{
#define X(member)                                                              \
    if (n > 0 && !take_number(in, &stat->member, 8))                           \
        return false;                                                          \
    n -= n > 0;
    DEDUP_COUNTS(X)
#undef X
    return true;
}

static bool
read_with_counts(struct commit_batch *out, struct str in, size_t counts)
{
    struct index_batch *x = &out->index;
    struct str scheme;

    *out = (struct commit_batch){0};
    if (!take_number(&in, &out->split_bytes, 8) ||
        !take_number(&in, &x->at, 8) || !take_counts(&in, &x->stat, counts))
        return false;
    if (!take_text(&in, &scheme, 1) || scheme.n >= sizeof x->scheme ||
        !take_text(&in, &x->records, 8))
        return false;
    memcpy(x->scheme, scheme.p, scheme.n);
    while (in.n > 0)
        if (out->streams_n == CORPUS_STREAMS_MAX ||
            !take_stream(&in, &out->stream[out->streams_n++]))
            return false;
    return true;
}

bool
commit_batch_read(struct commit_batch *out, struct str in)
{
    for (size_t counts = COUNTS_N; counts >= COUNTS_LEAST; counts--)
        if (read_with_counts(out, in, counts))
            return true;
    return false;
}

/* ---- reading ---- */

/* What a record has as a batch, of any size: its check has shown that it is
 * ours, and services.memory_mib lets a batch be larger than a GiB. */
static bool
unpack(struct commit_log *l, struct str in, struct commit_batch *b)
{
    unsigned long long n;
    uint32_t magic = 0;

    memcpy(&magic, in.p, in.n < sizeof magic ? in.n : sizeof magic);
    if (magic != ZSTD_MAGICNUMBER)
        return commit_batch_read(b, in);
    n = ZSTD_getFrameContentSize(in.p, in.n);
    if (n == ZSTD_CONTENTSIZE_ERROR || n == ZSTD_CONTENTSIZE_UNKNOWN)
        return false;
    buf_clear(&l->batch);
    buf_reserve(&l->batch, (size_t)n);
    l->batch.n = (size_t)n;
    return ZSTD_decompress(l->batch.p, l->batch.n, in.p, in.n) == n &&
           commit_batch_read(b, buf_view(&l->batch));
}

static enum status
read_record(void *self, struct str record)
{
    struct commit_log *l = self;

    return unpack(l, record, &l->read) ? l->each(l->self, &l->read) : ST_STORE;
}

enum status
commit_log_replay(struct commit_log *l, uint64_t segment, commit_log_each *each,
                  void *self, bool *gap)
{
    uint64_t next = 0;

    l->each = each;
    l->self = self;
    return redo_log_read(l->log, segment, &next, read_record, l, gap);
}

enum status
commit_log_oldest(const struct commit_log *l, uint64_t *segment, bool *gap)
{
    return redo_log_oldest(l->log, segment, gap);
}

enum status
commit_log_newest(const struct commit_log *l, uint64_t *segment)
{
    return redo_log_newest(l->log, segment);
}

bool
commit_log_exists(const char *dir)
{
    return redo_log_exists(&kind, dir);
}

/* ---- writing ---- */

void
commit_log_begin(struct commit_log *l, uint64_t segment)
{
    redo_log_begin(l->log, segment, 0);
    l->bytes = 0;
}

void
commit_log_extend(struct commit_log *l)
{
    if (l->sync)
        redo_log_extend(l->log);
}

void
commit_log_make_room(struct commit_log *l, uint64_t bytes)
{
    if (l->sync)
        redo_log_make_room(l->log, bytes);
}

/* The batch, packed.  False: no memory. */
static bool
add_packed(struct commit_log *l, struct buf *out)
{
    size_t most = ZSTD_compressBound(l->batch.n), n;

    buf_reserve(out, most);
    n = ZSTD_compressCCtx(l->packer, out->p + out->n, most, l->batch.p,
                          l->batch.n, PACK_LEVEL);
    if (ZSTD_isError(n))
        return false;
    out->n += n;
    return true;
}

enum status
commit_log_append(struct commit_log *l, const struct commit_batch *b)
{
    enum status st;

    buf_clear(&l->batch);
    commit_batch_write(b, &l->batch);
    if (!add_packed(l, redo_log_record(l->log)))
        return ST_NOMEM;
    if ((st = redo_log_append(l->log, l->sync)) == ST_OK)
        l->bytes += l->batch.n;
    return st;
}

uint64_t
commit_log_bytes(const struct commit_log *l)
{
    return l->bytes;
}

/* ---- opening ---- */

enum status
commit_log_open(struct commit_log **out, const char *dir, bool sync)
{
    struct commit_log *l = calloc(1, sizeof *l);

    *out = l;
    if (l == NULL)
        return ST_NOMEM;
    l->sync = sync;
    if ((l->packer = ZSTD_createCCtx()) == NULL ||
        redo_log_open(&l->log, &kind, dir) != ST_OK) {
        commit_log_close(l);
        *out = NULL;
        return ST_NOMEM;
    }
    return ST_OK;
}

void
commit_log_remove(const char *dir)
{
    (void)redo_log_remove(&kind, dir, false);
}

void
commit_log_close(struct commit_log *l)
{
    if (l == NULL)
        return;
    redo_log_close(l->log);
    buf_free(&l->batch);
    ZSTD_freeCCtx(l->packer);
    free(l);
}
