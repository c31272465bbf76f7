/* text_sink.c -- see text_sink.h.
 *
 * Text is gathered to PIECE bytes; compressed, each piece is a gzip member, so
 * that memory is bounded and libdeflate (whole buffers only, and twice as fast
 * as zlib) can be used.  Readers run the members together. */
#include "text_sink.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/disk_full.h"
#include "base/log.h"
#include "base/memory.h"
#include "clean/archive/gzip_member.h"

#define PIECE ((size_t)1 << 20)

struct text_sink {
    FILE *to;
    char *path; /* for messages; owned */
    struct gzip_member *gzip;
    struct buf piece, packed;
    bool failed;
};

enum status
text_sink_open(struct text_sink **out, const char *path, bool gzip)
{
    struct text_sink *s = calloc(1, sizeof *s);
    bool file = path != NULL && strcmp(path, "-") != 0;

    *out = NULL;
    if (s == NULL)
        return ST_NOMEM;
    s->path = memory_need(strdup(file ? path : "stdout"));
    s->to = file ? fopen(path, "wbe") : stdout;
    if (s->to == NULL) {
        log_error("text", "file=%s fault=\"%s\"", s->path, strerror(errno));
        text_sink_close(s);
        return ST_IO;
    }
    if (gzip && (s->gzip = gzip_member_new()) == NULL) {
        text_sink_close(s);
        return ST_NOMEM;
    }
    *out = s;
    return ST_OK;
}

static void
flush(struct text_sink *s)
{
    struct str text = buf_view(&s->piece);

    if (s->gzip != NULL && text.n > 0) {
        buf_clear(&s->packed);
        s->failed |= !gzip_member_write(s->gzip, text, &s->packed);
        text = buf_view(&s->packed);
    }
    if (!s->failed && fwrite(text.p, 1, text.n, s->to) != text.n) {
        log_error("text", "file=%s fault=\"%s\"", s->path,
                  disk_full_text(errno));
        s->failed = true;
    }
    buf_clear(&s->piece);
}

void
text_sink_put(struct text_sink *s, struct str text)
{
    buf_str(&s->piece, text);
    if (s->piece.n >= PIECE)
        flush(s);
}

void
text_sink_part(struct text_sink *s)
{
    if (s->gzip != NULL)
        flush(s);
}

enum status
text_sink_close(struct text_sink *s)
{
    enum status st;
    bool good;

    if (s == NULL)
        return ST_OK;
    if (s->to != NULL) {
        flush(s);
        good = s->to == stdout ? fflush(stdout) == 0 : fclose(s->to) == 0;
        if (!good && !s->failed)
            log_error("text", "file=%s fault=\"%s\"", s->path,
                      disk_full_text(errno));
        s->failed |= !good;
    }
    st = s->failed ? ST_IO : ST_OK;
    gzip_member_free(s->gzip);
    buf_free(&s->piece);
    buf_free(&s->packed);
    free(s->path);
    free(s);
    return st;
}
