/* commit_log.c -- see commit_log.h.
 *
 * A file begins with its name; then entries, each a head and a batch.  The head
 * has segment, number and a check of all, so what stands behind the last
 * entry that was synced, a torn one or one of an older segment, is told from
 * it and not read.  Numbers of heads are those of the machine, as in LMDB.
 *
 * A batch is text for the most part, so it is packed, by zstd at its fastest.
 * One that does not begin as zstd's do is plain. */
#include "commit_log.h"

#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

#include "base/append_log.h"
#include "base/big_endian.h"
#include "corpus_file.h"

#define NAME "winnow-dedup-commits 1\n\n\n\n\n\n\n\n\n\n"

enum {
    FILES = 2,
    NAME_BYTES = sizeof NAME - 1,
    PACK_LEVEL = 1,
    ROOM_STEP = 1 << 20
};

struct entry_head {
    uint64_t check; /* of all behind it */
    uint64_t bytes, segment, number;
};

struct commit_log {
    struct path path[FILES];
    struct append_log *file[FILES]; /* NULL: not there yet */
    uint64_t segment, number, bytes;
    uint64_t longest, room[FILES]; /* bytes; room: that are in the file */
    bool sync;
    ZSTD_CCtx *packer;
    struct buf entry, text, batch; /* batch: unpacked */
};

static size_t
file_of(uint64_t segment)
{
    return segment % FILES;
}

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

bool
commit_batch_read(struct commit_batch *out, struct str in)
{
    struct index_batch *x = &out->index;
    struct str scheme;

    *out = (struct commit_batch){0};
    if (!take_number(&in, &out->split_bytes, 8) || !take_number(&in, &x->at, 8))
        return false;
#define X(member)                                                              \
    if (!take_number(&in, &x->stat.member, 8))                                 \
        return false;
    DEDUP_COUNTS(X)
#undef X
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

/* ---- reading ---- */

static uint64_t
check_of(const char *entry, size_t n)
{
    size_t skip = sizeof(uint64_t);

    return hash64(str_n(entry + skip, n - skip));
}

/* The file's text, with its name; "": there is none. */
static enum status
read_file(struct commit_log *l, size_t i)
{
    struct append_log *file = l->file[i];
    enum status st = ST_OK;

    buf_clear(&l->text);
    if (file == NULL)
        st = append_log_open(&file, "dedup", l->path[i].z, APPEND_LOG_READ);
    if (st == ST_OK)
        st = append_log_read(file, 0, (size_t)append_log_written(file),
                             &l->text);
    if (l->file[i] == NULL)
        append_log_close(file);
    if (!str_starts(buf_view(&l->text), S(NAME)))
        buf_clear(&l->text); /* it was never synced, so no batch was */
    return st == ST_NONE ? ST_OK : st;
}

/* What stands behind a head as a batch, of any size: its check has shown that
 * it is ours, and services.memory_mib lets a batch be larger than a GiB. */
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

/* The batch number `number` that begins *in, which is moved behind it. */
static bool
take_entry(struct commit_log *l, struct str *in, uint64_t number,
           struct entry_head *h, struct commit_batch *b)
{
    size_t n;

    if (in->n < sizeof *h)
        return false;
    memcpy(h, in->p, sizeof *h);
    if (h->bytes > in->n - sizeof *h || h->number != number)
        return false;
    n = sizeof *h + (size_t)h->bytes;
    if (h->check != check_of(in->p, n) ||
        !unpack(l, str_sub(*in, sizeof *h, n), b))
        return false;
    *in = str_sub(*in, n, in->n);
    return true;
}

enum status
commit_log_replay(struct commit_log *l, uint64_t segment, commit_log_each *each,
                  void *self)
{
    enum status st = read_file(l, file_of(segment));
    struct commit_batch *b = malloc(sizeof *b);
    struct str in = buf_view(&l->text);
    struct entry_head h;

    if (b == NULL)
        return ST_NOMEM;
    in = str_sub(in, in.n > 0 ? NAME_BYTES : 0, in.n);
    for (uint64_t n = 0;
         st == ST_OK && take_entry(l, &in, n, &h, b) && h.segment == segment;
         n++)
        st = each(self, b);
    free(b);
    buf_free(&l->text);
    return st;
}

enum status
commit_log_oldest(struct commit_log *l, uint64_t *segment)
{
    struct commit_batch *b = malloc(sizeof *b);
    enum status st = b == NULL ? ST_NOMEM : ST_OK;

    *segment = 0;
    for (size_t i = 0; i < FILES && st == ST_OK; i++) {
        struct entry_head h;
        struct str in;

        st = read_file(l, i);
        in = buf_view(&l->text);
        if (in.n == 0)
            continue;
        in = str_sub(in, NAME_BYTES, in.n);
        if (take_entry(l, &in, 0, &h, b) &&
            (*segment == 0 || h.segment < *segment))
            *segment = h.segment;
    }
    free(b);
    buf_free(&l->text);
    return st;
}

/* ---- writing ---- */

void
commit_log_begin(struct commit_log *l, uint64_t segment)
{
    struct append_log *file = l->file[file_of(segment)],
                      *before = l->file[file_of(l->segment)];

    if (before != NULL && append_log_end(before) > l->longest)
        l->longest = append_log_end(before);
    l->segment = segment;
    l->number = l->bytes = 0;
    if (file != NULL)
        append_log_back(file, NAME_BYTES);
}

/* The file gets so many bytes.  This is tried once: on a full disk the batches
 * extend it. */
static void
fill(struct commit_log *l, size_t i, uint64_t bytes)
{
    uint64_t room = (bytes + ROOM_STEP - 1) / ROOM_STEP * ROOM_STEP;

    if (!l->sync || l->file[i] == NULL || l->room[i] >= room)
        return;
    l->room[i] = room;
    (void)append_log_fill(l->file[i], room);
}

void
commit_log_extend(struct commit_log *l)
{
    fill(l, file_of(l->segment + 1), l->longest);
}

/* The file, with its name in it; old entries are written over. */
static enum status
open_file(struct commit_log *l, size_t i)
{
    struct append_log *file;
    enum status st;

    if (l->file[i] != NULL)
        return ST_OK;
    st = append_log_open(&file, "dedup", l->path[i].z, APPEND_LOG_MAKE);
    if (st != ST_OK)
        return st;
    append_log_back(file, 0);
    if ((st = append_log_write(file, S(NAME))) == ST_OK)
        l->file[i] = file;
    else
        append_log_close(file);
    return st;
}

void
commit_log_make_room(struct commit_log *l, uint64_t bytes)
{
    for (size_t i = 0; i < FILES && bytes > 0; i++)
        if (open_file(l, i) == ST_OK)
            fill(l, i, bytes);
}

/* Head and packed batch; 0: no memory. */
static bool
make_entry(struct commit_log *l, const struct commit_batch *b)
{
    struct entry_head h = {.segment = l->segment, .number = l->number};
    size_t most, n;

    buf_clear(&l->batch);
    commit_batch_write(b, &l->batch);
    most = ZSTD_compressBound(l->batch.n);
    buf_clear(&l->entry);
    buf_reserve(&l->entry, sizeof h + most);
    n = ZSTD_compressCCtx(l->packer, l->entry.p + sizeof h, most, l->batch.p,
                          l->batch.n, PACK_LEVEL);
    if (ZSTD_isError(n))
        return false;
    h.bytes = n;
    l->entry.n = sizeof h + n;
    memcpy(l->entry.p, &h, sizeof h);
    h.check = check_of(l->entry.p, l->entry.n);
    memcpy(l->entry.p, &h, sizeof h);
    return true;
}

enum status
commit_log_append(struct commit_log *l, const struct commit_batch *b)
{
    struct append_log *file;
    uint64_t before;
    enum status st = open_file(l, file_of(l->segment));

    if (st != ST_OK)
        return st;
    if (!make_entry(l, b))
        return ST_NOMEM;
    file = l->file[file_of(l->segment)];
    before = append_log_end(file);
    st = append_log_write(file, buf_view(&l->entry));
    if (st == ST_OK && l->sync)
        st = append_log_sync(file);
    if (st != ST_OK) {
        append_log_back(file, before);
        return st;
    }
    l->number++;
    l->bytes += l->batch.n;
    return ST_OK;
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
    if ((l->packer = ZSTD_createCCtx()) == NULL) {
        free(l);
        *out = NULL;
        return ST_NOMEM;
    }
    l->sync = sync;
    for (size_t i = 0; i < FILES; i++)
        l->path[i] = path_printf("%s/commits-%zu", dir, i);
    return ST_OK;
}

static void
close_files(struct commit_log *l)
{
    for (size_t i = 0; i < FILES; i++) {
        append_log_close(l->file[i]);
        l->file[i] = NULL;
    }
}

void
commit_log_remove(struct commit_log *l)
{
    close_files(l);
    for (size_t i = 0; i < FILES; i++)
        unlink(l->path[i].z);
}

void
commit_log_close(struct commit_log *l)
{
    if (l == NULL)
        return;
    close_files(l);
    buf_free(&l->entry);
    buf_free(&l->text);
    buf_free(&l->batch);
    ZSTD_freeCCtx(l->packer);
    free(l);
}
