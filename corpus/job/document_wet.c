/* document_wet.c -- see document_wet.h. */
#include "document_wet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unicode/uloc.h>
#include <unistd.h>

#include "base/date.h"
#include "base/document_id.h"
#include "base/fd_io.h"
#include "base/log.h"
#include "base/memory.h"
#include "clean/archive/warc.h"
#include "clean/tools/text_lines.h"

struct document_wet {
    const char *path; /* for messages */
    int fd;
    struct inflate_stream *in;
    struct warc *warc;
    struct warc_record first; /* that was looked at */
    bool has_first;
    char timestamp[DATE_ISO_N], language[ULOC_LANG_CAPACITY];
};

static ptrdiff_t
read_fd(void *self, void *p, size_t n)
{
    struct document_wet *w = self;
    ptrdiff_t got = fd_read(w->fd, p, n);

    if (got < 0)
        log_error("job", "file=%s fault=\"%s\"", w->path, strerror(errno));
    return got;
}

static enum status
open_file(struct document_wet *w, const char *path)
{
    enum status st;

    w->path = path != NULL ? path : "stdin";
    w->fd = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    if (w->fd < 0) {
        log_error("job", "file=%s fault=\"%s\"", path, strerror(errno));
        return ST_IO;
    }
    st = inflate_stream_open(&w->in, (struct inflate_source){w, read_fd});
    if (st == ST_OK)
        w->warc = warc_new(w->in, WARC_FORMAT_WARC, w->path, TEXT_LINE_MAX);
    return st;
}

enum status
document_wet_open(struct document_wet **out, const char *path)
{
    struct document_wet *w = memory_need(calloc(1, sizeof *w));
    enum status st = open_file(w, path);

    while (st == ST_OK && (st = warc_next(w->warc, &w->first)) == ST_OK &&
           w->first.type == WARC_WARCINFO)
        continue;
    if (st == ST_OK && w->first.type != WARC_CONVERSION)
        st = ST_NONE;
    w->has_first = st == ST_OK;
    *out = w;
    if (st != ST_OK) {
        document_wet_close(w);
        *out = NULL;
    }
    return st;
}

void
document_wet_close(struct document_wet *w)
{
    if (w == NULL)
        return;
    warc_free(w->warc);
    inflate_stream_close(w->in);
    if (w->fd > STDIN_FILENO)
        close(w->fd);
    free(w);
}

/* The first of "spa,eng", which is the page's, as "es". */
static struct str
language_of(struct document_wet *w, struct str list)
{
    UErrorCode error = U_ZERO_ERROR;
    struct str code = str_trim(str_sub(list, 0, str_find(list, ',', 0)));
    char name[ULOC_LANG_CAPACITY];
    int32_t n;

    if (code.n == 0 || code.n >= sizeof name)
        return S("");
    memcpy(name, code.p, code.n);
    name[code.n] = '\0';
    n = uloc_getLanguage(name, w->language, sizeof w->language, &error);
    return U_SUCCESS(error) && n > 0 ? str_n(w->language, (size_t)n) : code;
}

static void
take(struct document_wet *w, const struct warc_record *r,
     struct raw_document *out)
{
    int64_t ms;

    w->timestamp[0] = '\0';
    if (date_read(r->date, &ms))
        date_iso(ms, w->timestamp);
    out->url = r->url;
    out->text = r->block;
    out->timestamp = str_c(w->timestamp);
    out->language = language_of(w, r->content_languages);
    out->id = document_id_bare(r->refers_to.n > 0 ? r->refers_to : r->id);
}

enum status
document_wet_next(struct document_wet *w, struct raw_document *out,
                  const char **why)
{
    struct warc_record r = w->first;
    enum status st = ST_OK;

    if (!w->has_first)
        do
            st = warc_next(w->warc, &r);
        while (st == ST_OK && r.type != WARC_CONVERSION);
    w->has_first = false;
    *why = "too long";
    if (st != ST_OK)
        return st;
    if (r.block_n > r.block.n && !r.unfinished)
        return ST_INVALID;
    take(w, &r, out);
    return ST_OK;
}

bool
document_wet_damaged(const struct document_wet *w)
{
    return warc_counts(w->warc)->faults_all > 0;
}
