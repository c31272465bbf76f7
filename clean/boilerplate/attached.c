/* attached.c -- see attached.h. */
#include "attached.h"

#include "clean/blocks/block.h"

#define DOUBTFUL_MAX 0.9f
#define FOOTNOTE_MAX 0.99f /* of what the page calls one */
#define GAP_MAX 2u         /* blocks that are not kept, between code and text */
#define AMID_MAX 200u      /* blocks amid text in a row: all code, for one */
#define CELLS_MIN 4u       /* of a table of data */

/* Code, and notes, tips and warnings that are called so: in no way like the
 * text around them. */
static bool
is_amid(const struct block *b)
{
    return b->form.form == FORM_CODE ||
           (b->counts != NULL && b->counts->admonition);
}

/* The nearest block of text that is no code, at most GAP_MAX others and
 * AMID_MAX that may be amid text away; NULL: there is none. */
static const struct block *
text_near(const struct document *d, uint32_t i, int step, float limit)
{
    uint32_t gap = 0, amid = 0;

    for (i += (uint32_t)step; i < d->blocks_n; i += (uint32_t)step) {
        const struct block *b = &d->blocks[i];

        if (b->form.form != FORM_CODE && b->boilerplate <= limit)
            return b;
        if (is_amid(b) ? ++amid > AMID_MAX : ++gap > GAP_MAX)
            break;
    }
    return NULL;
}

static bool
is_doubtful(const struct block *b, float limit, float most)
{
    return b->boilerplate > limit && b->boilerplate <= most;
}

/* Where all of a page's code is left out, it may be no part of the text. */
static bool
has_code(const struct document *d, float limit)
{
    for (uint32_t i = 0; i < d->blocks_n; i++)
        if (d->blocks[i].form.form == FORM_CODE &&
            d->blocks[i].boilerplate <= limit)
            return true;
    return false;
}

/* A formula of its own: \[ ... \], $$ ... $$ */
static bool
is_formula(struct str s)
{
    return s.n > 4 && ((str_starts(s, S("\\[")) && str_ends(s, S("\\]"))) ||
                       (str_starts(s, S("$$")) && str_ends(s, S("$$"))));
}

/* Of a heading, but in an element of its own, and so no heading to the
 * classifier: <h2><div>. */
static bool
is_in_heading(const struct block *b)
{
    return b->form.form == FORM_HEADING && b->counts != NULL &&
           b->counts->tag == TAG_DIV && 2 * b->counts->link_bytes < b->text.n;
}

/* May it be text where there is text before and behind it? */
static bool
belongs_amid(const struct block *b, bool code)
{
    return b->form.form == FORM_CODE
               ? code
               : is_amid(b) || is_formula(b->text) || is_in_heading(b);
}

/* The higher value of the text before `first` and behind `last`; over the
 * limit where there is none on one side. */
static float
value_amid(const struct document *d, uint32_t first, uint32_t last, float limit)
{
    const struct block *before = text_near(d, first, -1, limit);
    const struct block *after = text_near(d, last, 1, limit);

    if (before == NULL || after == NULL)
        return 1;
    return before->boilerplate > after->boilerplate ? before->boilerplate
                                                    : after->boilerplate;
}

/* Code, formulas, admonitions and headings that look like none amid text. */
static void
attach_amid(struct document *d, float limit)
{
    bool code = has_code(d, limit);

    for (uint32_t i = 0; i < d->blocks_n; i++) {
        struct block *b = &d->blocks[i];
        float value;

        if (!is_doubtful(b, limit, DOUBTFUL_MAX) || !belongs_amid(b, code))
            continue;
        value = value_amid(d, i, i, limit);
        if (value <= limit)
            b->boilerplate = value;
    }
}

/* Cells with a block each. */
struct cell_counts {
    uint32_t cells, rows, kept, doubtful, bytes, link_bytes;
    bool full; /* all rows have as many */
};

static struct cell_counts
count_cells(const struct document *d, uint32_t first, uint32_t end, float limit)
{
    struct cell_counts n = {.full = true};
    uint32_t row = 0, width = 0;

    for (uint32_t i = first; i < end; i++) {
        const struct block *b = &d->blocks[i];

        if (b->form.row == 0)
            continue;
        if (b->form.row != row) {
            if (n.rows == 1)
                width = n.cells;
            n.full &= n.cells == n.rows++ * width;
            row = b->form.row;
        }
        n.cells++;
        n.kept += b->boilerplate <= limit;
        n.doubtful += b->boilerplate <= DOUBTFUL_MAX;
        n.bytes += (uint32_t)b->text.n;
        n.link_bytes += b->counts != NULL ? b->counts->link_bytes : 0;
    }
    n.full &= n.cells == n.rows * width;
    return n;
}

/* Rows and columns of which half are text, or none is surely not, no cell is
 * missing and little of it is links. */
static bool
is_text_table(const struct document *d, uint32_t first, uint32_t end,
              float limit)
{
    struct cell_counts n = count_cells(d, first, end, limit);

    if (n.cells < CELLS_MIN || n.rows < 2 || n.rows == n.cells)
        return false;
    return 2 * n.kept >= n.cells ||
           (n.full && n.doubtful == n.cells && 5 * n.link_bytes < n.bytes);
}

static uint32_t
table_end(const struct document *d, uint32_t first)
{
    uint32_t i = first + 1;

    while (i < d->blocks_n &&
           d->blocks[i].form.table == d->blocks[first].form.table)
        i++;
    return i;
}

/* Tables of data amid text: half of one is of no use, and cells have too few
 * words to tell much by. */
static void
attach_tables(struct document *d, float limit)
{
    for (uint32_t i = 0, end; i < d->blocks_n; i = end) {
        float value;

        end = i + 1;
        if (d->blocks[i].form.row == 0)
            continue;
        end = table_end(d, i);
        if (!is_text_table(d, i, end, limit))
            continue;
        value = value_amid(d, i, end - 1, limit);
        for (; value <= limit && i < end; i++)
            if (d->blocks[i].form.row != 0 &&
                is_doubtful(&d->blocks[i], limit, DOUBTFUL_MAX))
                d->blocks[i].boilerplate = value;
    }
}

static void
attach_notes(struct document *d, float limit)
{
    for (uint32_t i = 0; i < d->blocks_n; i++) {
        struct block *b = &d->blocks[i];
        const struct block *text;

        if (b->counts == NULL || b->counts->note == 0 ||
            !is_doubtful(b, limit,
                         b->counts->footnote ? FOOTNOTE_MAX : DOUBTFUL_MAX))
            continue;
        text = &d->blocks[b->counts->note - 1];
        if (text->boilerplate <= limit)
            b->boilerplate = text->boilerplate;
    }
}

void
attached_keep(struct document *d, float limit)
{
    attach_tables(d, limit);
    attach_amid(d, limit);
    attach_notes(d, limit);
}
