/* document.c -- what everybody asks of a finished document: its clean text. */
#include "document.h"

#include <inttypes.h>

#include "base/buf.h"

const char *
form_name(uint8_t form)
{
    static const char *const names[FORM_N] = {
        "paragraph", "heading", "item", "term", "definition",
        "caption",   "quote",   "code", "cell"};

    return names[form < FORM_N ? form : FORM_PARAGRAPH];
}

const char *
page_kind_name(int kind)
{
    static const char *const names[PAGE_KINDS_N] = {
#define PAGE_KIND(id, name) name,
#include "page_kind.tbl.h"
#undef PAGE_KIND
    };

    return names[kind];
}

/* TABs before the first text of a row: empty cells stand before it, and others
 * with text follow.  What was left out there is no empty cell. */
static uint32_t
lead(const struct document *d, uint32_t i)
{
    const struct block_form *f = &d->blocks[i].form;

    if (f->row == 0 || (i > 0 && d->blocks[i - 1].form.row == f->row))
        return 0;
    for (uint32_t k = i + 1; k < d->blocks_n; k++) {
        if (d->blocks[k].form.row != f->row)
            return 0;
        if (d->blocks[k].kept)
            return f->column;
    }
    return 0;
}

static uint32_t
tabs_between(const struct block *before, const struct block *b)
{
    if (before == NULL || b->form.row == 0 || b->form.row != before->form.row)
        return 0;
    return b->form.column > before->form.column
               ? (uint32_t)b->form.column - before->form.column
               : 1;
}

struct piece { /* what stands before a kept block */
    bool line_end;
    uint32_t tabs;
};

static struct piece
piece_of(const struct document *d, uint32_t i, const struct block *before)
{
    uint32_t tabs = tabs_between(before, &d->blocks[i]);

    return tabs > 0 ? (struct piece){false, tabs}
                    : (struct piece){before != NULL, lead(d, i)};
}

void
document_text(const struct document *d, struct buf *out)
{
    const struct block *before = NULL;

    for (uint32_t i = 0; i < d->blocks_n; i++) {
        struct piece p;

        if (!d->blocks[i].kept)
            continue;
        p = piece_of(d, i, before);
        if (p.line_end)
            buf_char(out, '\n');
        while (p.tabs-- > 0)
            buf_char(out, '\t');
        before = &d->blocks[i];
        buf_str(out, before->text);
    }
    if (before != NULL)
        buf_char(out, '\n');
}

static bool
is_heading(const struct block *b)
{
    return b->form.form == FORM_HEADING;
}

static bool
is_comment(const struct block *b)
{
    return b->comment;
}

/* The lines that a block has; cells share one, code has several. */
static void
list_lines(const struct document *d, bool (*listed)(const struct block *b),
           struct buf *out)
{
    const struct block *before = NULL;
    uint64_t line = 0, next = 0; /* next: no line before is listed again */

    for (uint32_t i = 0; i < d->blocks_n; i++) {
        const struct block *b = &d->blocks[i];

        if (!b->kept)
            continue;
        line += piece_of(d, i, before).line_end;
        before = b;
        for (size_t at = 0;; at++, line++) {
            if (listed(b) && line >= next) {
                buf_printf(out, "%s%" PRIu64, out->n > 0 ? " " : "", line);
                next = line + 1;
            }
            if ((at = str_find(b->text, '\n', at)) >= b->text.n)
                break;
        }
    }
}

void
document_headings(const struct document *d, struct buf *out)
{
    list_lines(d, is_heading, out);
}

void
document_comments(const struct document *d, struct buf *out)
{
    list_lines(d, is_comment, out);
}

size_t
document_text_bytes(const struct document *d)
{
    const struct block *before = NULL;
    size_t n = 0;

    for (uint32_t i = 0; i < d->blocks_n; i++) {
        struct piece p;

        if (!d->blocks[i].kept)
            continue;
        p = piece_of(d, i, before);
        before = &d->blocks[i];
        n += p.line_end + p.tabs + before->text.n;
    }
    return n + (before != NULL);
}

const char *
meta_field_name(enum meta_field f)
{
    static const char *const names[] = {
#define META_FIELD(id, name) name,
#include "metadata.tbl.h"
#undef META_FIELD
    };

    return names[f];
}

const char *
meta_source_name(enum meta_source s)
{
    static const char *const names[] = {
#define META_SOURCE(id, name) name,
#include "metadata.tbl.h"
#undef META_SOURCE
    };

    return names[s];
}

struct str
document_header(const struct document *d, struct str name)
{
    struct str lines = d->origin.headers, line;

    while (str_cut(&lines, '\n', &line)) {
        size_t colon = str_find(line, ':', 0);

        if (str_eq_nocase(str_trim(str_sub(line, 0, colon)), name))
            return str_trim(str_sub(line, colon + 1, line.n));
    }
    return S("");
}
