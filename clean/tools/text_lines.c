/* text_lines.c -- see text_lines.h.
 *
 * A line that lies whole in the window of the decompressor is handed out from
 * there; only longer ones are put together in a buffer of their own. */
#include "text_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd_io.h"
#include "base/log.h"
#include "clean/archive/inflate_stream.h"

struct text_lines {
    const char *path; /* for messages */
    int fd;
    struct inflate_stream *in;
    size_t skip; /* bytes of the window given out by the last call */
    struct buf piece;
};

static ptrdiff_t
read_fd(void *self, void *p, size_t n)
{
    struct text_lines *l = self;
    ptrdiff_t got = fd_read(l->fd, p, n);

    if (got < 0)
        log_error("text", "file=%s fault=\"%s\"", l->path, strerror(errno));
    return got;
}

enum status
text_lines_open(struct text_lines **out, const char *path)
{
    bool is_stdin = path == NULL || strcmp(path, "-") == 0;
    struct text_lines *l = calloc(1, sizeof *l);
    enum status st;

    *out = NULL;
    if (l == NULL)
        return ST_NOMEM;
    l->path = is_stdin ? "stdin" : path;
    l->fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (l->fd < 0) {
        log_error("text", "file=%s fault=\"%s\"", path, strerror(errno));
        st = ST_IO;
    } else
        st = inflate_stream_open(&l->in, (struct inflate_source){l, read_fd});
    if (st != ST_OK) {
        text_lines_close(l);
        return st;
    }
    inflate_stream_skip_mark(l->in);
    *out = l;
    return ST_OK;
}

void
text_lines_close(struct text_lines *l)
{
    if (l == NULL)
        return;
    inflate_stream_close(l->in);
    if (l->fd > STDERR_FILENO)
        close(l->fd);
    buf_free(&l->piece);
    free(l);
}

/* Nothing is ahead: why? */
static enum status
ending(struct text_lines *l)
{
    switch (inflate_stream_state(l->in)) {
    case INFLATE_OPEN:
    case INFLATE_END: return ST_NONE;
    case INFLATE_FAILED: return ST_IO;
    case INFLATE_GARBAGE:
    case INFLATE_DAMAGED:
    case INFLATE_SHORT:
    case INFLATE_BOMB: break;
    }
    log_error("text", "file=%s offset=%llu fault=\"damaged compression\"",
              l->path, (unsigned long long)inflate_stream_offset(l->in));
    return ST_INVALID;
}

enum status
text_lines_next(struct text_lines *l, struct str *line, bool *ended)
{
    buf_clear(&l->piece);
    for (;;) {
        struct str ahead;
        size_t end;

        inflate_stream_skip(l->in, l->skip);
        l->skip = 0;
        ahead = inflate_stream_peek(l->in, 1);
        if (ahead.n == 0) {
            enum status st = ending(l);

            *line = buf_view(&l->piece);
            *ended = false;
            return l->piece.n > 0 && st == ST_NONE ? ST_OK : st;
        }
        if (ahead.n > TEXT_LINE_MAX - l->piece.n)
            ahead.n = TEXT_LINE_MAX - l->piece.n;
        end = str_find(ahead, '\n', 0);
        *ended = end < ahead.n;
        l->skip = *ended ? end + 1 : ahead.n;
        if (*ended && l->piece.n == 0) {
            *line = str_sub(ahead, 0, end);
            return ST_OK;
        }
        buf_add(&l->piece, ahead.p, end);
        if (*ended || l->piece.n == TEXT_LINE_MAX) {
            *line = buf_view(&l->piece);
            return ST_OK;
        }
    }
}
