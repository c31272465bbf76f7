/* line_source.c -- see line_source.h. */
#include "line_source.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd_io.h"
#include "base/log.h"
#include "base/memory.h"
#include "clean/archive/inflate_stream.h"

#define BLOCK_BYTES ((size_t)1 << 20)

struct line_source {
    pthread_mutex_t lock;
    char *const *path;
    size_t paths_n, next;
    struct progress *progress;
    uint64_t bytes_done;
    int fd; /* of the file that is read, or -1 */
    struct inflate_stream *in;
    enum status fault;
};

struct line_source *
line_source_new(char *const *path, size_t n, struct progress *progress)
{
    struct line_source *s = memory_need(calloc(1, sizeof *s));

    s->path = path;
    s->paths_n = n;
    s->progress = progress;
    s->fd = -1;
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

static void
close_file(struct line_source *s)
{
    inflate_stream_close(s->in);
    s->in = NULL;
    if (s->fd >= 0)
        close(s->fd);
    s->fd = -1;
}

void
line_source_free(struct line_source *s)
{
    if (s == NULL)
        return;
    close_file(s);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

static enum status
fault_of(const struct line_source *s, const char *what)
{
    log_error("run", "file=%s fault=\"%s\"", s->path[s->next - 1], what);
    return ST_IO;
}

static ptrdiff_t
read_fd(void *self, void *p, size_t n)
{
    struct line_source *s = self;
    ptrdiff_t got = fd_read(s->fd, p, n);

    if (got < 0)
        fault_of(s, strerror(errno));
    else
        progress_to(s->progress, s->bytes_done += (uint64_t)got);
    return got;
}

static enum status
open_next(struct line_source *s)
{
    enum status st;

    if (s->next == s->paths_n)
        return ST_NONE;
    s->fd = open(s->path[s->next++], O_RDONLY | O_CLOEXEC);
    if (s->fd < 0)
        return fault_of(s, strerror(errno));
    st = inflate_stream_open(&s->in, (struct inflate_source){s, read_fd});
    if (st == ST_OK)
        inflate_stream_skip_mark(s->in);
    return st;
}

/* The file has nothing ahead. */
static enum status
end_of_file(struct line_source *s)
{
    enum inflate_state state = inflate_stream_state(s->in);

    close_file(s);
    if (state == INFLATE_OPEN || state == INFLATE_END)
        return ST_OK;
    if (state != INFLATE_FAILED)
        fault_of(s, "damaged compression");
    return ST_IO;
}

/* Up to the end of a line that is too long. */
static void
skip_line(struct line_source *s)
{
    struct str ahead;

    while ((ahead = inflate_stream_peek(s->in, 1)).n > 0) {
        size_t end = str_find(ahead, '\n', 0);

        inflate_stream_skip(s->in, end < ahead.n ? end + 1 : ahead.n);
        if (end < ahead.n)
            return;
    }
}

/* More of the file behind what the block has; *whole: the block ends with a
 * line, or the file ended. */
static enum status
fill(struct line_source *s, struct buf *block, size_t *line, uint64_t *too_long,
     bool *whole)
{
    struct str ahead = inflate_stream_peek(s->in, 1);
    size_t n = ahead.n, end = str_find(ahead, '\n', 0);
    const char *last;

    *whole = false;
    if (n == 0) { /* the last line may have no end */
        if (block->n > *line)
            buf_char(block, '\n');
        *whole = true;
        return end_of_file(s);
    }
    if (block->n - *line + end >= LINE_SOURCE_MAX) {
        block->n = *line;
        ++*too_long;
        skip_line(s);
        return ST_OK;
    }
    if (block->n >= BLOCK_BYTES) { /* only the line is still wanted */
        *whole = end < n;
        n = *whole ? end + 1 : n;
    }
    last = memrchr(ahead.p, '\n', n);
    if (last != NULL)
        *line = block->n + (size_t)(last - ahead.p) + 1;
    buf_add(block, ahead.p, n);
    inflate_stream_skip(s->in, n);
    return ST_OK;
}

static enum status
take_block(struct line_source *s, struct buf *block, uint64_t *too_long)
{
    enum status st = s->fault;
    bool whole = false;
    size_t line = 0; /* where the block's last line begins */

    buf_clear(block);
    while (st == ST_OK && (!whole || block->n == 0)) {
        if (s->in == NULL)
            st = open_next(s);
        if (st == ST_OK)
            st = fill(s, block, &line, too_long, &whole);
    }
    s->fault = st == ST_NONE ? ST_OK : st;
    return st;
}

enum status
line_source_block(struct line_source *s, struct buf *block, uint64_t *too_long)
{
    enum status st;

    pthread_mutex_lock(&s->lock);
    st = take_block(s, block, too_long);
    pthread_mutex_unlock(&s->lock);
    return st;
}

enum status
line_source_file(struct line_source *s, const char **path)
{
    enum status st = ST_NONE;
    struct stat about;

    pthread_mutex_lock(&s->lock);
    progress_to(s->progress, s->bytes_done);
    if (s->next < s->paths_n) {
        *path = s->path[s->next++];
        if (stat(*path, &about) == 0)
            s->bytes_done += (uint64_t)about.st_size;
        st = ST_OK;
    }
    pthread_mutex_unlock(&s->lock);
    return st;
}
