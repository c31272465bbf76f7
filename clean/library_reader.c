/* library_reader.c -- libwinnow's readers: source.h behind winnow/clean.h.
 *
 * An arena holds the page that was given out last.  What reading logs is
 * caught, but for what a caller's function logs, as that may be another reader;
 * the latest SAID_MAX bytes of it stay. */
#include <limits.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/memory.h"
#include "clean/archive/source.h"
#include "clean/charset/sniff.h"
#include "library.h"

#define PAGE_MAX ((size_t)64 << 20)
#define SAID_MAX 4096u

struct winnow_reader {
    struct arena *arena;
    struct source *source;
    struct inflate_source bytes; /* the caller's function; else its read NULL */
    char *path;
    struct buf *heard; /* where what is logged goes */
    struct source_page page;
    struct winnow_capture capture;
    struct buf said; /* ends in NUL when it was asked for */
    bool over;       /* or failed: nothing more is read */
    enum status end;
};

struct reader_opening {
    struct winnow_reader *r;
    size_t page_max;
    struct buf why;
};

static void
hear(struct winnow_reader *r, struct buf *to)
{
    r->heard = to;
    log_capture(to);
}

/* More than n bytes would be none of the buffer's. */
static ptrdiff_t
read_stream(void *self, void *p, size_t n)
{
    struct winnow_reader *r = self;
    ptrdiff_t got;

    log_capture(NULL);
    got = r->bytes.read(r->bytes.self, p, n);
    log_capture(r->heard);
    if (got >= 0 && (size_t)got <= n)
        return got;
    log_error("input", "file=%s read=\"the caller's function failed\"",
              r->path);
    return -1;
}

static enum status
open_reader(void *self)
{
    struct reader_opening *c = self;
    struct winnow_reader *r = c->r;

    r->arena = arena_new();
    return r->bytes.read == NULL
               ? source_open(&r->source, r->path, c->page_max)
               : source_open_stream(&r->source,
                                    (struct inflate_source){r, read_stream},
                                    r->path, c->page_max);
}

static int
open_any(struct winnow_reader **out, struct inflate_source bytes,
         const char *path, size_t page_max, char *error, size_t error_size)
{
    struct reader_opening call = {.r = calloc(1, sizeof *call.r),
                                  .page_max =
                                      page_max > 0 ? page_max : PAGE_MAX};
    enum status st = ST_NOMEM;

    *out = NULL;
    if (call.page_max > INT_MAX)
        call.page_max = INT_MAX;
    if (call.r != NULL && (call.r->path = strdup(path)) != NULL) {
        call.r->bytes = bytes;
        hear(call.r, &call.why);
        st = memory_guarded(open_reader, &call);
        hear(call.r, NULL);
    }
    library_error(st == ST_OK       ? S("")
                  : call.why.n == 0 ? str_c(status_name(st))
                                    : buf_view(&call.why),
                  error, error_size);
    buf_free(&call.why);
    if (st == ST_OK)
        *out = call.r;
    else
        winnow_reader_close(call.r);
    return library_code(st);
}

int
winnow_reader_open(struct winnow_reader **out, const char *path,
                   size_t page_max, char *error, size_t error_size)
{
    return open_any(out, (struct inflate_source){NULL, NULL}, path, page_max,
                    error, error_size);
}

int
winnow_reader_open_stream(struct winnow_reader **out,
                          ptrdiff_t (*read)(void *self, void *to, size_t n),
                          void *self, const char *name, size_t page_max,
                          char *error, size_t error_size)
{
    return open_any(out, (struct inflate_source){self, read}, name, page_max,
                    error, error_size);
}

void
winnow_reader_close(struct winnow_reader *r)
{
    if (r == NULL)
        return;
    source_close(r->source);
    arena_free(r->arena);
    buf_free(&r->said);
    free(r->path);
    free(r);
}

/* Who reads such a file would else meet no page and not know why. */
static void
look_for_pages(const struct winnow_reader *r)
{
    const struct warc_counts *n = source_counts(r->source);
    const char *instead = n ? warc_instead_of_pages(n) : NULL;

    if (instead != NULL)
        log_error("archive", "file=%s no page in it: %s", r->path, instead);
}

static enum status
next(void *self)
{
    struct winnow_reader *r = self;
    struct source_page *p = &r->page;
    struct arena *a = r->arena;
    enum status st;

    arena_reset(a);
    st = source_next(r->source, a, p);
    if (st == ST_NONE)
        look_for_pages(r);
    if (st != ST_OK)
        return st;
    r->capture = (struct winnow_capture){
        .size = sizeof r->capture,
        .body = p->body.p,
        .body_n = p->body.n,
        .url = arena_cstr(a, p->url),
        .content_type = arena_cstr(a, p->content_type),
        .x_robots_tag = arena_cstr(a, p->x_robots_tag),
        .last_modified = arena_cstr(a, p->last_modified),
        .headers = arena_cstr(a, p->headers),
        .ip = arena_cstr(a, p->ip),
        .id = arena_cstr(a, str_c(p->id.z)),
        .date_ms = p->date_ms,
        .status = p->status,
        .is_html = sniff_is_html(p->content_type, p->body),
        .cut = p->cut,
        .file = source_format(r->source) == WARC_FORMAT_NONE
                    ? ""
                    : arena_cstr(a, p->file),
        .offset = p->offset,
        .length = p->length,
        .sitemap_ms = p->sitemap_ms,
        .decompressed = p->decompressed};
    return ST_OK;
}

/* The newest lines stay. */
static void
cut_said(struct buf *said)
{
    size_t over = said->n > SAID_MAX ? said->n - SAID_MAX : 0;

    if (over == 0)
        return;
    over = str_find(buf_view(said), '\n', over);
    over += over < said->n;
    memmove(said->p, said->p + over, said->n - over);
    said->n -= over;
}

int
winnow_reader_next(struct winnow_reader *r, const struct winnow_capture **out)
{
    enum status st = r->end;

    *out = NULL;
    if (!r->over) {
        hear(r, &r->said);
        st = memory_guarded(next, r);
        hear(r, NULL);
        cut_said(&r->said);
    }
    if (st == ST_OK) {
        *out = &r->capture;
        return WINNOW_OK;
    }
    r->over = true;
    r->end = st;
    return st == ST_NONE ? WINNOW_END : library_code(st);
}

size_t
winnow_reader_faults(const struct winnow_reader *r, const char **said)
{
    const struct warc_counts *n = source_counts(r->source);
    struct buf *b = (struct buf *)(uintptr_t)&r->said;

    if (said != NULL) { /* a NUL behind it */
        *said = "";
        if (buf_try_reserve(b, 1) && b->n > 0) {
            b->p[b->n] = '\0';
            *said = b->p;
        }
    }
    return n != NULL ? (size_t)n->faults_all : 0;
}
