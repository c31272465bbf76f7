/* source.c -- one input file as an iterator over pages.
 *
 * Bounds: page_max bytes of a page are kept, and HEADER_MAX more of an archived
 * record for its HTTP header. */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/date.h"
#include "base/fd_io.h"
#include "base/log.h"
#include "base/path.h"
#include "http_payload.h"
#include "unpacker.h"
#include "wacz_read.h"

#define SNIFF ((size_t)8192)
#define HEADER_MAX ((size_t)256 << 10)
#define ZIP_BEGINS "PK\x03\x04"

struct source {
    const char *path;
    int fd; /* -1: of a stream */
    struct inflate_source bytes;
    struct unpacker by; /* whose pipe fd is, if any */
    bool by_program;
    struct wacz_read *wacz; /* whose archives are read; NULL: fd itself */
    size_t page_max;
    struct inflate_stream *in;
    enum warc_format format;
    struct warc *warc; /* NULL for a single page */
    bool done, revisits;
    int stop; /* -1: none */
    bool stopped;
};

/* False: we are to stop, and there is nothing to read. */
static bool
await_bytes(struct source *s)
{
    struct pollfd at[] = {{.fd = s->fd, .events = POLLIN},
                          {.fd = s->stop, .events = POLLIN}};

    if (s->stop < 0)
        return true;
    while (poll(at, 2, -1) < 0 && errno == EINTR)
        continue;
    s->stopped = at[0].revents == 0 && at[1].revents != 0;
    return !s->stopped;
}

static ptrdiff_t
read_fd(void *self, void *p, size_t n)
{
    struct source *s = self;
    ptrdiff_t got;

    if (s->wacz != NULL)
        return wacz_read_bytes(s->wacz, p, n);
    do {
        if (!await_bytes(s))
            return -1;
        got = fd_read(s->fd, p, n);
    } while (got < 0 && errno == EAGAIN && s->stop >= 0);
    if (got < 0)
        log_error("input", "file=%s read=\"%s\"", s->path, strerror(errno));
    return got;
}

/* Where in the file a byte stands that read_fd() gave. */
static uint64_t
place(void *self, uint64_t offset)
{
    const struct source *s = self;

    return wacz_read_place(s->wacz, offset);
}

static bool
named_like(const char *path, const char *part)
{
    return strcasestr(path_base(str_c(path)).p, part) != NULL;
}

/* Archives that must be unpacked first.  Anything else is a page. */
static bool
unsupported(const char *path, struct str start)
{
    static const struct {
        struct str magic;
        const char *name;
    } kinds[] = {{STR(ZIP_BEGINS), "zip"},
                 {STR("\x04\x22\x4d\x18"), "lz4"},
                 {STR("BZh"), "bzip2"},
                 {STR("\xfd"
                      "7zXZ"),
                  "xz"}};

    if (!named_like(path, ".warc") && !named_like(path, ".wacz") &&
        !named_like(path, ".arc"))
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (str_starts(start, kinds[i].magic)) {
            log_error("input", "file=%s is=%s cannot be read: unpack it first",
                      path, kinds[i].name);
            return true;
        }
    return false;
}

static enum warc_format
format_of(struct source *s, struct str start)
{
    enum warc_format f = warc_sniff(start);

    if (f != WARC_FORMAT_NONE)
        return f;
    if (named_like(s->path, ".warc"))
        return WARC_FORMAT_WARC;
    return named_like(s->path, ".arc.") || str_ends(str_c(s->path), S(".arc"))
               ? WARC_FORMAT_ARC
               : WARC_FORMAT_NONE;
}

/* Read what the program makes of it instead. */
static enum status
unpack(struct source *s, const char *program)
{
    enum status st;

    if (program == NULL || s->fd == STDIN_FILENO || !unpacker_is_gzip(s->fd))
        return ST_OK;
    if ((st = unpacker_open(&s->by, program, s->path)) != ST_OK)
        return st;
    close(s->fd);
    s->fd = s->by.fd;
    s->by_program = true;
    return ST_OK;
}

static enum status
open_stream(struct source *s, struct str *start)
{
    enum status st = inflate_stream_open(&s->in, s->bytes);

    if (st != ST_OK)
        return st;
    if (s->wacz != NULL)
        inflate_stream_set_place(s->in, place);
    *start = inflate_stream_peek(s->in, SNIFF);
    if (s->stopped)
        return ST_STOPPED;
    return inflate_stream_state(s->in) == INFLATE_FAILED ? ST_IO : ST_OK;
}

/* Of a WACZ file the archives in it are read; its directory is at its end, to
 * which a pipe does not lead. */
static enum status
open_wacz(struct source *s, struct str *start)
{
    struct stat sb;
    enum status st;

    if (!named_like(s->path, ".wacz") || !str_starts(*start, S(ZIP_BEGINS)))
        return ST_OK;
    if (fstat(s->fd, &sb) != 0 || !S_ISREG(sb.st_mode)) {
        log_error(
            "input",
            "file=%s cannot be read from a stream: what is in a WACZ file "
            "stands at its end",
            s->path);
        return ST_INVALID;
    }
    if ((st = wacz_read_open(&s->wacz, s->fd, s->path)) != ST_OK)
        return st;
    inflate_stream_close(s->in);
    s->in = NULL;
    return open_stream(s, start);
}

/* The end of the input, whole or not. */
static enum status
ended(struct source *s, enum status st)
{
    if (s->stopped)
        return ST_STOPPED;
    if (st == ST_NONE && s->by.pid != 0) {
        s->fd = -1;
        if (unpacker_close(&s->by, s->path, true) != ST_OK)
            return ST_IO;
    }
    return st;
}

/* What its first bytes say it is. */
static enum status
begin(struct source *s)
{
    struct str start;
    enum status st;

    if ((st = open_stream(s, &start)) != ST_OK ||
        (st = open_wacz(s, &start)) != ST_OK)
        return st;
    if (unsupported(s->path, start))
        return ST_INVALID;
    s->format = format_of(s, start);
    if (s->format != WARC_FORMAT_NONE)
        s->warc = warc_new(s->in, s->format, s->path, s->page_max + HEADER_MAX);
    return ST_OK;
}

enum status
source_open(struct source **out, const char *path, size_t page_max)
{
    return source_open_by(out, path, page_max, NULL, -1);
}

enum status
source_open_by(struct source **out, const char *path, size_t page_max,
               const char *program, int stop)
{
    struct source *s = calloc(1, sizeof *s);
    int how = O_RDONLY | O_CLOEXEC | (stop >= 0 ? O_NONBLOCK : 0);
    enum status st = ST_IO;

    if (s == NULL)
        return ST_NOMEM;
    s->path = path;
    s->page_max = page_max;
    s->stop = stop;
    s->bytes = (struct inflate_source){s, read_fd};
    s->fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, how);
    if (s->fd < 0) {
        log_error("input", "file=%s open=\"%s\"", path, strerror(errno));
        goto fail;
    }
    if ((st = unpack(s, program)) != ST_OK || (st = begin(s)) != ST_OK)
        goto fail;
    *out = s;
    return ST_OK;

fail:
    source_close(s);
    return st;
}

enum status
source_open_stream(struct source **out, struct inflate_source bytes,
                   const char *name, size_t page_max)
{
    struct source *s = calloc(1, sizeof *s);
    enum status st;

    if (s == NULL)
        return ST_NOMEM;
    *s = (struct source){.path = name,
                         .fd = -1,
                         .bytes = bytes,
                         .page_max = page_max,
                         .stop = -1};
    st = begin(s);
    if (st == ST_OK)
        *out = s;
    else
        source_close(s);
    return st;
}

void
source_close(struct source *s)
{
    if (s == NULL)
        return;
    warc_free(s->warc);
    inflate_stream_close(s->in);
    wacz_read_close(s->wacz);
    if (s->by.pid != 0)
        (void)unpacker_close(&s->by, s->path, false); /* stopped early */
    else if (s->fd > STDIN_FILENO)
        close(s->fd);
    free(s);
}

/* The whole input is one page. */
static enum status
whole(struct source *s, struct arena *a, struct source_page *p)
{
    char *body = NULL;
    size_t n = 0, room = 0;
    struct str ahead;
    struct stat sb;

    if (s->done)
        return ST_NONE;
    s->done = true;
    if (fstat(s->fd, &sb) != 0 || !S_ISREG(sb.st_mode))
        sb = (struct stat){0};
    room = (size_t)sb.st_size < s->page_max ? (size_t)sb.st_size : s->page_max;
    body = arena_raw(a, room);
    while (n < s->page_max && (ahead = inflate_stream_peek(s->in, 1)).n > 0) {
        size_t take = ahead.n < s->page_max - n ? ahead.n : s->page_max - n;

        if (n + take > room) {
            room = 2 * room > n + take ? 2 * room : n + take;
            body = arena_grow(a, body, n, room);
        }
        memcpy(body + n, ahead.p, take);
        n += take;
        inflate_stream_skip(s->in, take);
    }
    p->cut = inflate_stream_peek(s->in, 1).n > 0;
    if (inflate_stream_state(s->in) == INFLATE_FAILED)
        return ST_IO;
    if (sb.st_mtime > 0)
        p->date_ms = (uint64_t)sb.st_mtime * 1000;
    p->body = str_n(body, n);
    if (p->cut)
        return ST_OK;
    p->damaged = inflate_stream_state(s->in) != INFLATE_END;
    if (p->damaged)
        log_error("input",
                  "file=%s bytes=%zu: damaged compression, nothing is read "
                  "behind that",
                  s->path, n);
    if (ended(s, ST_NONE) == ST_IO) /* it says why itself */
        p->damaged = true;
    p->cut = p->damaged;
    return ST_OK;
}

static bool
is_http(const struct warc_record *r)
{
    return str_starts_nocase(r->content_type, S("application/http"));
}

/* The type of a page without an HTTP header.  That of a record which was to
 * have one is the record's, not the page's. */
static struct str
type_alone(const struct warc_record *r)
{
    return is_http(r) ? S("") : r->content_type;
}

/* A page is in a response (its HTTP header is in the block), or alone: text
 * about HTTP may begin as such a header does.  Of one in segments the first is
 * read. */
static void
take_payload(const struct warc_record *r, size_t page_max, struct arena *a,
             struct source_page *p)
{
    struct http_payload http;

    if (r->type == WARC_RESPONSE || r->type == WARC_REVISIT || is_http(r))
        http_payload_parse(&http, r->block, page_max, a);
    else
        http_payload_alone(&http, r->block, page_max);
    p->status = http.status;
    p->cut = r->cut || r->segment == 1 || http.cut || http.damaged;
    p->content_type = arena_str(a, http.content_type);
    p->x_robots_tag = arena_str(a, http.x_robots_tag);
    p->last_modified = arena_str(a, http.last_modified);
    p->location = arena_str(a, http.location);
    p->headers = arena_str(a, http.headers);
    p->body = http.body;
    /* The block is the reader's; decoded bodies are in the arena already. */
    if (http.body.p >= r->block.p && http.body.p <= r->block.p + r->block.n)
        p->body = arena_str(a, http.body);
    if (http.status == 0)
        p->content_type = arena_str(a, type_alone(r));
}

static bool
is_page(const struct source *s, const struct warc_record *r)
{
    return (r->type == WARC_RESPONSE || r->type == WARC_RESOURCE ||
            (s->revisits && r->type == WARC_REVISIT)) &&
           r->segment <= 1 && !str_starts_nocase(r->url, S("dns:"));
}

static void
name_payload(const struct warc_record *r, struct arena *a,
             struct source_page *p)
{
    bool revisit = r->type == WARC_REVISIT;
    struct source_payload *own = &p->payload;
    uint64_t date_ms = revisit ? date_read_ms(r->refers_to_date) : p->date_ms;

    p->revisit = revisit;
    (void)document_id_read_urn(revisit ? r->refers_to : r->id, &own->record);
    if (date_ms > 0)
        own->place =
            document_id_make(revisit ? r->refers_to_url : r->url, date_ms);
    own->digest = arena_str(a, r->payload_digest);
}

void
source_give_revisits(struct source *s)
{
    s->revisits = true;
}

enum status
source_next(struct source *s, struct arena *a, struct source_page *p)
{
    struct warc_record r;
    enum status st;

    *p = (struct source_page){.url = S(""),
                              .content_type = S(""),
                              .x_robots_tag = S(""),
                              .last_modified = S(""),
                              .location = S(""),
                              .headers = S(""),
                              .body = S(""),
                              .file = str_c(s->path),
                              .ip = S(""),
                              .payload.digest = S("")};
    if (s->warc == NULL)
        return ended(s, whole(s, a, p));
    do
        st = warc_next(s->warc, &r);
    while (st == ST_OK && !is_page(s, &r));
    if (st != ST_OK || s->stopped)
        return ended(s, st);
    p->url = arena_str(a, r.url);
    p->date_ms = date_read_ms(r.date);
    if (!document_id_read_urn(r.id, &p->id) && p->date_ms > 0)
        p->id = document_id_make(p->url, p->date_ms);
    p->ip = arena_str(a, r.ip);
    p->sitemap_ms = date_read_ms(r.sitemap_lastmod);
    p->offset = inflate_stream_place(s->in, r.offset);
    p->length = r.length;
    p->decompressed = r.decompressed || s->by_program;
    take_payload(&r, s->page_max, a, p);
    if (s->revisits)
        name_payload(&r, a, p);
    return ST_OK;
}

enum warc_format
source_format(const struct source *s)
{
    return s->format;
}

const struct warc_counts *
source_counts(const struct source *s)
{
    return s->warc ? warc_counts(s->warc) : NULL;
}
