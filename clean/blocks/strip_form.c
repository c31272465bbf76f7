/* strip_form.c -- what a block is by the elements around it (block_form.h).
 *
 * Elements inherit the form of the one around them and change what they are
 * about.  A table that is there for layout has cells with several blocks, or
 * other tables: rows like that are no lines of the text, and their blocks are
 * told of no row. */
#include "strip.h"

#define COLSPAN_MAX 64u

static uint16_t
columns_of(const struct tag_token *t)
{
    uint64_t n;

    if (!str_u64(str_trim(strip_attribute(t, S("colspan"))), &n) || n < 1)
        return 1;
    return (uint16_t)(n < COLSPAN_MAX ? n : COLSPAN_MAX);
}

static void
open_table(struct strip *s, struct block_form *f)
{
    *f = (struct block_form){.quoted = f->quoted, .table = ++s->tables_n};
}

static void
open_cell(struct strip *s, struct block_form *f, const struct tag_token *t,
          struct element *parent)
{
    *f = (struct block_form){.form = FORM_CELL,
                             .quoted = f->quoted,
                             .header = t->tag == TAG_TH,
                             .table = f->table,
                             .row = f->row,
                             .cell = ++s->parts_n};
    if (parent->tag != TAG_TR)
        return;
    f->column = parent->columns;
    if (parent->columns < UINT16_MAX - COLSPAN_MAX)
        parent->columns = (uint16_t)(parent->columns + columns_of(t));
}

static void
part(struct strip *s, struct block_form *f, enum form_kind form)
{
    f->form = (uint8_t)form;
    f->part = ++s->parts_n;
}

void
strip_form(struct strip *s, struct element *e, const struct tag_token *t,
           struct element *parent)
{
    struct block_form *f = &e->form;

    switch (t->tag) {
    case TAG_H1:
    case TAG_H2:
    case TAG_H3:
    case TAG_H4:
    case TAG_H5:
    case TAG_H6:
        f->form = FORM_HEADING;
        f->level = (uint8_t)(1 + t->tag - TAG_H1);
        break;
    case TAG_UL:
    case TAG_OL:
    case TAG_MENU:
    case TAG_DIR:
        f->depth = (uint8_t)(f->depth < UINT8_MAX ? f->depth + 1 : f->depth);
        f->ordered = t->tag == TAG_OL;
        break;
    case TAG_LI: part(s, f, FORM_ITEM); break;
    case TAG_DT: part(s, f, FORM_TERM); break;
    case TAG_DD: part(s, f, FORM_DEFINITION); break;
    case TAG_CAPTION:
    case TAG_FIGCAPTION: part(s, f, FORM_CAPTION); break;
    case TAG_BLOCKQUOTE:
        part(s, f, FORM_QUOTE);
        f->quoted = true;
        break;
    case TAG_PRE:
    case TAG_LISTING:
    case TAG_XMP:
    case TAG_PLAINTEXT: part(s, f, FORM_CODE); break;
    case TAG_TABLE: open_table(s, f); break;
    case TAG_TR:
        if (f->table != 0)
            f->row = ++s->rows_n;
        break;
    case TAG_TD:
    case TAG_TH: open_cell(s, f, t, parent); break;
    default: break;
    }
}

/* Rows whose blocks are not one a cell, or not behind each other. */
static void
find_layout(const struct strip *s, bool *layout)
{
    uint32_t latest = 0, cell = 0;

    for (uint32_t i = 0; i < s->blocks_n; i++) {
        const struct block_form *f = &s->blocks[i].form;

        if (f->row < latest && f->row != 0)
            layout[f->row] = true; /* goes on behind a row inside of it */
        if (f->row == 0 || f->form == FORM_CODE || f->cell == 0 ||
            (f->row == latest && f->cell == cell))
            layout[f->row] = true;
        latest = f->row > latest ? f->row : latest;
        cell = f->cell;
    }
}

void
strip_forms_finish(struct strip *s)
{
    bool *layout;

    if (s->rows_n == 0)
        return;
    layout = ARENA_ARRAY(s->d->arena, bool, s->rows_n + 1);
    find_layout(s, layout);
    for (uint32_t i = 0; i < s->blocks_n; i++)
        if (layout[s->blocks[i].form.row])
            s->blocks[i].form.row = 0;
}

/* Up to the end of the last line that has text in it, from the start of the
 * first; without blanks at the ends of lines. */
struct str
strip_form_lines(struct arena *a, struct str text)
{
    struct buf out = {.arena = a};
    struct str line;
    size_t end = 0;

    while (str_cut(&text, '\n', &line)) {
        while (line.n > 0 && ascii_space(line.p[line.n - 1]))
            line.n--;
        if (out.n == 0 && line.n == 0)
            continue;
        buf_str(&out, line);
        if (line.n > 0)
            end = out.n;
        buf_char(&out, '\n');
    }
    out.n = end;
    return buf_keep(&out);
}
