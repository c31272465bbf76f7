/* line_blocks.c -- see line_blocks.h.
 *
 * With one thread everything is done by the caller.  With more there are two
 * blocks for each thread, which go round between a queue of empty ones and a
 * queue of full ones; that bounds memory, and a fault anywhere closes both. */
#include "line_blocks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/drop_behind.h"
#include "base/fd_io.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/workq.h"
#include "clean/archive/inflate_stream.h"

#define BLOCK ((size_t)1 << 20)
#define LINE_MAX_BYTES ((size_t)64 << 20)

struct filled {
    struct buf text;
    const char *path;
    uint64_t offset;
};

struct blocks_reading {
    struct workq *empty, *full; /* NULL: one thread */
    line_blocks_take *take;
    void *self;
    atomic_int fault;
    struct progress *progress;
    uint64_t before; /* bytes of the files that are done */
    const char *path;
    int fd;
    bool drops_behind;
    struct drop_behind behind;
    uint64_t read; /* bytes of this file */
};

struct taker {
    struct blocks_reading *r;
    size_t thread;
};

uint64_t
line_blocks_bytes(const struct paths *p)
{
    uint64_t n = 0;
    struct stat about;

    for (size_t i = 0; i < p->n; i++)
        if (stat(p->path[i], &about) == 0 && S_ISREG(about.st_mode))
            n += (uint64_t)about.st_size;
    return n;
}

static void
fail(struct blocks_reading *r, enum status st)
{
    int none = ST_OK;

    atomic_compare_exchange_strong(&r->fault, &none, (int)st);
    if (r->empty != NULL) {
        workq_close(r->empty);
        workq_close(r->full);
    }
}

static void
hand_out(struct blocks_reading *r, size_t thread, const struct filled *f)
{
    struct line_block b = {buf_view(&f->text), f->path, f->offset};
    enum status st = r->fault == ST_OK ? r->take(r->self, thread, &b) : ST_OK;

    if (st != ST_OK)
        fail(r, st);
}

static void *
taker_run(void *self)
{
    struct taker *t = self;
    void *f;

    while (workq_pop(t->r->full, &f, UINT64_MAX) == ST_OK) {
        hand_out(t->r, t->thread, f);
        if (workq_push(t->r->empty, f) != ST_OK)
            break;
    }
    return NULL;
}

static ptrdiff_t
read_fd(void *self, void *p, size_t n)
{
    struct blocks_reading *r = self;
    ptrdiff_t got = fd_read(r->fd, p, n);

    if (got < 0)
        log_error("lines", "file=%s fault=\"%s\"", r->path, strerror(errno));
    else if (r->drops_behind)
        drop_behind_read(&r->behind, r->fd, r->read += (uint64_t)got);
    return got;
}

/* Nothing is ahead: why? */
static enum status
ending(const struct blocks_reading *r, const struct inflate_stream *in)
{
    const char *why = "what follows the compressed data is none";

    switch (inflate_stream_state(in)) {
    case INFLATE_OPEN:
    case INFLATE_END: return ST_OK;
    case INFLATE_FAILED: return ST_IO;
    case INFLATE_SHORT: why = "cut: the compressed data are incomplete"; break;
    case INFLATE_DAMAGED: why = "damaged compression"; break;
    case INFLATE_BOMB: why = "expands beyond all bounds"; break;
    case INFLATE_GARBAGE: break;
    }
    log_error("lines", "file=%s offset=%llu fault=\"%s\"", r->path,
              (unsigned long long)inflate_stream_offset(in), why);
    return ST_INVALID;
}

/* Move whole lines into f->text: what is left over of the last block, in
 * *rest, then what the file gives.  *more: there is more of the file. */
static enum status
fill(struct blocks_reading *r, struct inflate_stream *in, struct buf *rest,
     struct filled *f, bool *more)
{
    size_t end;

    f->path = r->path;
    f->offset = inflate_stream_position(in) - rest->n;
    buf_clear(&f->text);
    buf_str(&f->text, buf_view(rest));
    buf_clear(rest);
    for (*more = true;;) {
        struct str ahead = inflate_stream_peek(in, 1);

        *more = ahead.n > 0;
        if (!*more)
            return ending(r, in);
        buf_str(&f->text, ahead);
        inflate_stream_skip(in, ahead.n);
        if (f->text.n < BLOCK)
            continue;
        for (end = f->text.n; end > 0 && f->text.p[end - 1] != '\n';)
            end--;
        if (end > 0)
            break;
        if (f->text.n > LINE_MAX_BYTES) {
            log_error("lines",
                      "file=%s offset=%llu fault=\"a line without an "
                      "end\"",
                      r->path, (unsigned long long)f->offset);
            return ST_INVALID;
        }
    }
    buf_add(rest, f->text.p + end, f->text.n - end);
    f->text.n = end;
    return ST_OK;
}

static enum status
read_stream(struct blocks_reading *r, struct inflate_stream *in,
            struct filled *own)
{
    struct buf rest = {0};
    enum status st = ST_OK;
    bool more = true;

    while (more && st == ST_OK) {
        void *f = own;

        if (r->empty != NULL && workq_pop(r->empty, &f, UINT64_MAX) != ST_OK)
            break;
        st = fill(r, in, &rest, f, &more);
        if (st != ST_OK)
            break;
        if (r->empty == NULL)
            hand_out(r, 0, f);
        else if (workq_push(r->full, f) != ST_OK)
            break;
        progress_to(r->progress, r->before + inflate_stream_offset(in));
        st = (enum status)r->fault;
    }
    buf_free(&rest);
    return st;
}

static enum status
read_file(struct blocks_reading *r, const char *path, struct filled *own)
{
    bool is_stdin = strcmp(path, "-") == 0;
    struct inflate_stream *in;
    enum status st;

    r->path = path;
    r->read = 0;
    r->behind.next = 0;
    r->fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (r->fd < 0) {
        log_error("lines", "file=%s fault=\"%s\"", path, strerror(errno));
        return ST_IO;
    }
    st = inflate_stream_open(&in, (struct inflate_source){r, read_fd});
    if (st == ST_OK) {
        inflate_stream_skip_mark(in);
        st = read_stream(r, in, own);
        r->before += inflate_stream_offset(in);
        inflate_stream_close(in);
    }
    if (!is_stdin)
        close(r->fd);
    return st;
}

static enum status
read_files(struct blocks_reading *r, const struct paths *p, struct filled *own)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < p->n && st == ST_OK; i++)
        st = read_file(r, p->path[i], own);
    return st;
}

enum status
line_blocks_each(const struct paths *p, size_t threads_n, bool drop_behind,
                 struct progress *progress, line_blocks_take *take, void *self)
{
    struct blocks_reading r = {.take = take,
                               .self = self,
                               .progress = progress,
                               .drops_behind = drop_behind};
    size_t blocks_n = threads_n > 1 ? 2 * threads_n : 1;
    struct filled *block = memory_need(calloc(blocks_n, sizeof *block));
    struct taker *taker = memory_need(calloc(threads_n, sizeof *taker));
    struct pool pool = {.n = 0};
    enum status st;

    if (threads_n > 1) {
        r.empty = workq_new(blocks_n);
        r.full = workq_new(blocks_n);
        for (size_t i = 0; i < blocks_n; i++)
            workq_push(r.empty, &block[i]);
        for (size_t i = 0; i < threads_n; i++)
            taker[i] = (struct taker){&r, i};
        if (pool_start(&pool, threads_n, taker_run, taker, sizeof *taker) == 0)
            memory_fail(ST_NOMEM, 0);
    }
    st = read_files(&r, p, block);
    if (st != ST_OK)
        fail(&r, st);
    if (threads_n > 1) {
        void *left;

        workq_close(r.full);
        pool_join(&pool);
        workq_close(r.empty);
        while (workq_pop(r.empty, &left, 0) == ST_OK ||
               workq_pop(r.full, &left, 0) == ST_OK)
            ;
        workq_free(r.empty);
        workq_free(r.full);
    }
    for (size_t i = 0; i < blocks_n; i++)
        buf_free(&block[i].text);
    free(block);
    free(taker);
    return (enum status)r.fault;
}
