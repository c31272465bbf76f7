/* writer_tarc.c -- the HTML of the documents that are written, as texrex's TARC
 * archive: single records of an ARC file, without a file header, the HTML in
 * one line.
 *
 *   TARC/1.0
 *
 *   URL IP YYYYMMDDhhmmss TYPE BYTES Name: value Name: value ...
 *
 *   <!doctype html><html> ...
 *
 *
 * with two empty lines behind each.  The header is an ARC record's and the
 * server's, in one line and with single blanks; the body begins with the page's
 * first `<`.  Line ends become blanks and NULs are left out; all other bytes
 * are as they came, in the page's own encoding.  A page without a `<` has a
 * first line and nothing else.
 *
 * Where a record stands is known when it is written (tarc_place()), which is
 * before the document's other formats are made if they are to name it. */
#include "tarc.h"

#include "facts.h"
#include "writers.h"

#define FIRST_LINE "TARC/1.0\n\n"

/* Text in one line with single blanks, none at the end.  `blank`: what stands
 * for a blank inside. */
static void
one_line(struct buf *out, struct str text, const char *blank)
{
    bool due = false, begun = false;

    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];

        if (c <= 0x20 || c == 0x7f) {
            due = begun;
            continue;
        }
        if (due)
            buf_c(out, blank);
        due = false;
        begun = true;
        buf_char(out, text.p[i]);
    }
}

static void
column(struct buf *out, struct str text, const char *unknown)
{
    size_t before = out->n;

    one_line(out, text, "%20");
    if (out->n == before)
        buf_c(out, unknown);
    buf_char(out, ' ');
}

static void
add_header(struct buf *out, const struct document *d)
{
    struct str type =
        str_sub(d->content_type, 0, str_find(d->content_type, ';', 0));
    size_t before;

    column(out, d->url_text, "unknown");
    column(out, d->origin.ip, "0.0.0.0");
    before = out->n;
    fact_add(S("texrex-date"), d, out);
    buf_c(out, out->n > before ? " " : "00000000000000 ");
    column(out, type, "no-type");
    buf_printf(out, "%zu", d->bytes.n);
    if (d->origin.headers.n > 0)
        buf_char(out, ' ');
    one_line(out, d->origin.headers, " ");
}

static void
add_body(struct buf *out, struct str html)
{
    for (size_t i = 0; i < html.n; i++) {
        char c = html.p[i];

        if (c == '\n' || c == '\r')
            c = ' ';
        if (c != '\0')
            buf_char(out, c);
    }
}

static void
render(const struct opts *o, const struct document *d, struct buf *out)
{
    size_t from = str_find(d->bytes, '<', 0);

    (void)o;
    buf_c(out, FIRST_LINE);
    if (from >= d->bytes.n)
        return;
    add_header(out, d);
    buf_c(out, "\n\n");
    add_body(out, str_sub(d->bytes, from, d->bytes.n));
    buf_c(out, "\n\n\n");
}

void
tarc_place(struct document *d, struct str record, struct str file,
           uint64_t offset)
{
    struct tarc_place *at = ARENA_NEW(d->arena, struct tarc_place);
    size_t header = strlen(FIRST_LINE), end;

    d->origin.tarc = at;
    at->file = arena_str(d->arena, file);
    if (record.n <= header)
        return;
    end = str_find(record, '\n', header) + 1;
    at->header_offset = offset + header;
    at->header_length = end - header;
    at->body_offset = offset + end + 1;
    at->body_length = record.n - end - 1;
}

const struct writer writer_tarc = {
    .name = "tarc",
    .suffix = "tarc",
    .help = "the HTML of the documents as texrex archives it",
    .render = render,
};
