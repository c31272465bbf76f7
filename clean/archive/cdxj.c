/* cdxj.c -- see cdxj.h: lines are made from records as they are written, and
 * from a file that a crash has left.
 *
 * Bounds: of a record that is read, BLOCK_MAX bytes (its HTTP header stands
 * there); the lines of a file are in memory when they are sorted. */
#include "cdxj.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/date.h"
#include "base/fd_io.h"
#include "base/json.h"
#include "http_payload.h"
#include "surt.h"
#include "warc.h"

#define BLOCK_MAX ((size_t)256 << 10)

struct str
cdxj_mime(struct str head)
{
    static const struct str name = STR("Content-Type:");
    struct str line, type = S("");

    while (str_cut(&head, '\n', &line) && str_trim(line).n > 0)
        if (str_starts_nocase(line, name))
            type = str_sub(line, name.n, line.n);
    return str_trim(str_sub(type, 0, str_find(type, ';', 0)));
}

static void
stamp(struct buf *out, uint64_t date_ms)
{
    char iso[21];

    clock_iso(date_ms, iso);
    for (const char *c = iso; *c; c++)
        if (ascii_digit(*c))
            buf_char(out, *c);
}

/* Numbers are strings here: that is what other tools write and expect. */
static void
number(struct json *j, const char *key, uint64_t value)
{
    char text[24];

    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    json_kstr(j, key, str_c(text));
}

void
cdxj_begin(struct buf *out, const struct cdxj_entry *e)
{
    struct json j = {.out = out};

    surt_key(out, e->url);
    buf_char(out, ' ');
    stamp(out, e->date_ms);
    buf_char(out, ' ');
    json_object(&j);
    json_kstr(&j, "url", e->url);
    if (e->revisit)
        json_kstr(&j, "mime", S("warc/revisit"));
    else if (e->mime.n > 0)
        json_kstr(&j, "mime", e->mime);
    if (e->status > 0)
        number(&j, "status", e->status);
    if (e->digest.n > 0)
        json_kstr(&j, "digest", e->digest);
}

void
cdxj_end(struct buf *out, struct str file, uint64_t offset, uint64_t length)
{
    struct json j = {.out = out, .comma = true};

    number(&j, "length", length);
    number(&j, "offset", offset);
    json_kstr(&j, "filename", file);
    json_object_end(&j);
    buf_char(out, '\n');
}

static int
by_bytes(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

void
cdxj_sort(struct buf *lines)
{
    struct str rest = buf_view(lines), *line;
    struct buf out = {0};
    size_t n = 0, i = 0;

    for (size_t k = 0; k < rest.n; k++)
        n += rest.p[k] == '\n';
    line = calloc(n + 1, sizeof *line);
    if (line == NULL)
        return; /* it is an index, and still one */
    while (i < n && str_cut(&rest, '\n', &line[i]))
        i++;
    qsort(line, i, sizeof *line, by_bytes);
    buf_reserve(&out, lines->n);
    for (size_t k = 0; k < i; k++) {
        buf_str(&out, line[k]);
        buf_char(&out, '\n');
    }
    free(line);
    buf_free(lines);
    *lines = out;
}

/* ---- of a file ---- */

static ptrdiff_t
read_fd(void *self, void *p, size_t n)
{
    return fd_read(*(int *)self, p, n);
}

static void
add_record(struct buf *lines, const struct warc_record *r, struct str file,
           struct arena *a)
{
    struct http_payload http = {0};
    struct cdxj_entry e = {.url = r->url,
                           .date_ms = date_read_ms(r->date),
                           .digest = r->payload_digest,
                           .revisit = r->type == WARC_REVISIT};

    if (r->type != WARC_RESPONSE && r->type != WARC_RESOURCE && !e.revisit)
        return;
    if (r->url.n == 0 || r->segment > 1)
        return;
    if (str_starts(r->content_type, S("application/http"))) {
        http_payload_parse(&http, r->block, 0, a);
        e.status = http.status;
        e.mime = cdxj_mime(r->block);
    } else {
        e.mime = str_trim(
            str_sub(r->content_type, 0, str_find(r->content_type, ';', 0)));
    }
    cdxj_begin(lines, &e);
    cdxj_end(lines, file, r->offset, r->length);
}

enum status
cdxj_of_warc(struct buf *lines, uint64_t *end, int fd, const char *path,
             struct str file)
{
    struct inflate_stream *in;
    struct arena *a;
    struct warc_record r;
    struct warc *reader;
    uint64_t at;
    enum status st;

    *end = 0;
    if ((st = inflate_stream_open(
             &in, (struct inflate_source){&fd, read_fd})) != ST_OK)
        return st;
    a = arena_new();
    (void)inflate_stream_peek(in, 1);
    if (!inflate_stream_boundary(in, &at)) /* behind a dictionary */
        at = 0;
    reader = warc_new(in, WARC_FORMAT_WARC, path, BLOCK_MAX);
    while ((st = warc_next(reader, &r)) == ST_OK && !r.unfinished &&
           !r.decompressed && r.offset == at) {
        add_record(lines, &r, file, a);
        arena_reset(a);
        *end = at = r.offset + r.length;
    }
    warc_free(reader);
    arena_free(a);
    inflate_stream_close(in);
    return st == ST_IO ? ST_IO : ST_OK;
}
