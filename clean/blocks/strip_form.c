/* strip_form.c -- what a block is by the elements around it (block_form.h).
 *
 * Elements inherit the form of the one around them and change what they are
 * about.  A table that is there for layout has cells with several blocks, or
 * other tables: rows like that are no lines of the text, and their blocks are
 * told of no row. */
#include "strip.h"

#define COLSPAN_MAX 64u
#define NUMBER_MAX 999999999u /* of an item */

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
    *f = (struct block_form){.table = ++s->tables_n};
}

static void
open_cell(struct strip *s, struct block_form *f, const struct tag_token *t,
          struct element *parent)
{
    *f = (struct block_form){.form = FORM_CELL,
                             .header = t->tag == TAG_TH,
                             .table = f->table,
                             .row = f->row,
                             .cell = ++s->cells_n};
    if (parent->tag != TAG_TR)
        return;
    f->column = parent->columns;
    if (parent->columns < UINT16_MAX - COLSPAN_MAX)
        parent->columns = (uint16_t)(parent->columns + columns_of(t));
}

/* The id of a new part, or when there are too many that of the one around it.
 */
static uint32_t
add_part(struct strip *s, struct page_part part)
{
    if (s->parts_n == STRIP_PARTS_MAX)
        return part.parent;
    if (s->parts_n + 1 >= s->parts_cap) {
        uint32_t cap = s->parts_cap ? 2 * s->parts_cap : 128;

        s->parts =
            arena_grow(s->d->arena, s->parts, s->parts_cap * sizeof *s->parts,
                       cap * sizeof *s->parts);
        s->parts_cap = cap;
    }
    s->parts[++s->parts_n] = part;
    return s->parts_n;
}

static void
open_part(struct strip *s, struct block_form *f, enum form_kind form)
{
    f->form = (uint8_t)form;
    f->part = add_part(
        s, (struct page_part){.form = (uint8_t)form, .parent = f->part});
}

void
strip_form_code(struct strip *s, struct block_form *f)
{
    open_part(s, f, FORM_CODE);
}

static bool
is_list(enum tag tag)
{
    return tag == TAG_UL || tag == TAG_OL || tag == TAG_MENU || tag == TAG_DIR;
}

/* A number that Markdown can write, too. */
static bool
read_number(const struct tag_token *t, struct str name, uint32_t *number)
{
    uint64_t n;

    if (!str_u64(str_trim(strip_attribute(t, name)), &n) || n > NUMBER_MAX)
        return false;
    *number = (uint32_t)n;
    return true;
}

/* A list right inside of another belongs to the item before it, as browsers
 * show it. */
static void
open_list(struct strip *s, struct element *e, const struct tag_token *t,
          const struct element *parent)
{
    e->list = (struct open_list){.id = ++s->lists_n, .next = 1};
    if (t->tag == TAG_OL) {
        e->list.down = strip_attribute(t, S("reversed")).p != NULL;
        e->list.from_end =
            !read_number(t, S("start"), &e->list.next) && e->list.down;
    }
    if (is_list(parent->tag) && parent->list.item != 0)
        e->form.part = parent->list.item;
}

static struct open_list *
list_around(struct strip *s, bool *ordered)
{
    for (uint32_t i = s->stack_n; i-- > 2 && s->stack[i].tag != TAG_TABLE;)
        if (is_list(s->stack[i].tag)) {
            *ordered = s->stack[i].tag == TAG_OL;
            return &s->stack[i].list;
        }
    return NULL;
}

/* The number of an item, and that of the next. */
static void
count_item(struct strip *s, struct open_list *l, const struct tag_token *t,
           struct page_part *item)
{
    if (read_number(t, S("value"), &l->next))
        l->from_end = false;
    item->number = l->next;
    item->from_end = l->from_end;
    s->from_end |= l->from_end;
    if (l->down && !l->from_end)
        l->next -= l->next > 0;
    else
        l->next += l->next < NUMBER_MAX;
}

static void
open_item(struct strip *s, struct block_form *f, const struct tag_token *t)
{
    struct page_part item = {.form = FORM_ITEM, .parent = f->part};
    struct open_list *l = list_around(s, &item.ordered);

    if (l != NULL) {
        item.list = l->id;
        count_item(s, l, t, &item);
    }
    f->form = FORM_ITEM;
    f->part = add_part(s, item);
    if (l != NULL)
        l->item = f->part;
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
    case TAG_DIR: open_list(s, e, t, parent); break;
    case TAG_LI: open_item(s, f, t); break;
    case TAG_DT: f->form = FORM_TERM; break;
    case TAG_DD: f->form = FORM_DEFINITION; break;
    case TAG_CAPTION:
    case TAG_FIGCAPTION: f->form = FORM_CAPTION; break;
    case TAG_BLOCKQUOTE: open_part(s, f, FORM_QUOTE); break;
    case TAG_PRE:
    case TAG_LISTING:
    case TAG_XMP:
    case TAG_PLAINTEXT: strip_form_code(s, f); break;
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

/* Items of lists that count down to 1 know their numbers once the list has been
 * read. */
static void
number_from_end(struct strip *s)
{
    uint32_t *items = ARENA_ARRAY(s->d->arena, uint32_t, s->lists_n + 1);

    for (uint32_t i = 1; i <= s->parts_n; i++)
        items[s->parts[i].list]++;
    for (uint32_t i = 1; i <= s->parts_n; i++)
        if (s->parts[i].from_end)
            s->parts[i].number =
                items[s->parts[i].list] + 1 - s->parts[i].number;
}

void
strip_forms_finish(struct strip *s)
{
    bool *layout;

    if (s->from_end)
        number_from_end(s);

    if (s->rows_n == 0)
        return;
    layout = ARENA_ARRAY(s->d->arena, bool, s->rows_n + 1);
    find_layout(s, layout);
    for (uint32_t i = 0; i < s->blocks_n; i++)
        if (layout[s->blocks[i].form.row])
            s->blocks[i].form.row = 0;
}

/* Blanks that do not break stand for indentation where there is no <pre>. */
static void
add_line(struct buf *out, struct str line)
{
    size_t at = 0, from = 0;

    while ((at = str_find(line, '\xc2', at)) < line.n) {
        if (str_starts(str_sub(line, at, line.n), S("\xc2\xa0"))) {
            buf_str(out, str_sub(line, from, at));
            buf_char(out, ' ');
            from = at + 2;
        }
        at++;
    }
    buf_str(out, str_sub(line, from, line.n));
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
        add_line(&out, line);
        if (line.n > 0)
            end = out.n;
        buf_char(&out, '\n');
    }
    out.n = end;
    return buf_keep(&out);
}
