/* pdf_paragraphs.c -- lines in reading order become paragraphs.
 *
 * A line begins a paragraph when it is indented, when the gap above it is wider
 * than usual, when it is of another size, or when its first word would have had
 * room on the line before: who sets text fills lines.  At the top of a column
 * there is no line before it on the page, so there the text has to say that it
 * goes on: the last line was filled and ended no sentence.  Notes wait until
 * the paragraph that goes on over them has ended. */
#include <math.h>
#include <stdlib.h>

#include "clean/chain/codepoint.h"
#include "hyphens.h"
#include "pdf.h"

#define SIZE_DIFFERS 0.12 /* of the height */
#define GAP_DIFFERS 1.2   /* times the usual distance of lines */
#define INDENT 0.9        /* of the height */
#define HEADING_SIZE 1.13 /* times the body's */
#define TITLE_SIZE 1.6
#define EARLY_END 0.2 /* of the width */
#define HEADING_LINES 4
#define HEADING_BYTES 240

struct making {
    struct pdf *pdf;
    struct html_writer html;
    struct hyphens hyphens;
    struct buf text;
    const struct pdf_line *last; /* of the paragraph; NULL: none is open */
    size_t lines_n;              /* of it */
    double heights;
    bool item, note;
    double step;               /* from a line to the next */
    struct pdf_line **waiting; /* notes */
    size_t waiting_n;
    uint32_t table, row, cell;
};

/* ---- what is usual ---- */

static int
by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double
usual_step(const struct pdf *p)
{
    double *steps = ARENA_ARRAY(p->arena, double, p->order_n + 1);
    size_t n = 0;

    for (size_t i = 1; i < p->order_n; i++) {
        const struct pdf_line *a = p->order[i - 1], *b = p->order[i];
        double step = b->y0 - a->y0;

        if (a->column == b->column && b->table == 0 && step > 0.5 * b->height &&
            step < 3 * b->height &&
            fabs(b->height - p->body) < SIZE_DIFFERS * p->body)
            steps[n++] = step;
    }
    if (n == 0)
        return 1.2 * p->body;
    qsort(steps, n, sizeof *steps, by_value);
    return steps[n / 2];
}

/* ---- the end of a paragraph ---- */

static unsigned
heading_level(const struct making *m)
{
    double height = m->lines_n > 0 ? m->heights / (double)m->lines_n : 0;

    if (m->note || m->item || m->lines_n > HEADING_LINES ||
        m->text.n > HEADING_BYTES || height < HEADING_SIZE * m->pdf->body)
        return 0;
    return height > TITLE_SIZE * m->pdf->body ? 1 : 2;
}

static void
end_one(struct making *m)
{
    unsigned level = heading_level(m);

    html_text(&m->html, buf_view(&m->text));
    if (m->item)
        html_item(&m->html);
    else
        html_paragraph(&m->html, level);
    buf_clear(&m->text);
    m->last = NULL;
    m->lines_n = 0;
    m->heights = 0;
    m->item = m->note = false;
}

static void add(struct making *m, const struct pdf_line *l);

static void
end_paragraph(struct making *m)
{
    size_t n = m->waiting_n;

    end_one(m);
    m->waiting_n = 0;
    for (size_t i = 0; i < n; i++) {
        add(m, m->waiting[i]);
        m->note = true;
    }
    if (n > 0)
        end_one(m);
}

/* ---- where one begins ---- */

static bool
ends_sentence(struct str s)
{
    static const struct str marks[] = {STR("."),
                                       STR("!"),
                                       STR("?"),
                                       STR(":"),
                                       STR(".\""),
                                       STR(".)"),
                                       STR(".\xe2\x80\x9d"),
                                       STR("?\xe2\x80\x9d"),
                                       STR("!\xe2\x80\x9d"),
                                       STR(".\xc2\xbb"),
                                       STR(".\xe2\x80\x9c"),
                                       STR("\xe3\x80\x82")};

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (str_ends(s, marks[i]))
            return true;
    return false;
}

static bool
is_indented(const struct pdf_line *l)
{
    return l->x0 > l->left + INDENT * l->height;
}

/* Did `l` end before the next word had to go on a line of its own?  A little
 * early is early only at the end of a sentence: not all lines are filled as
 * well as can be. */
static bool
had_room(const struct pdf_line *l, const struct pdf_line *next)
{
    double width = l->right - l->left,
           left_over = l->right - l->x1 - 0.3 * l->height - next->first_width;

    return left_over > EARLY_END * width ||
           (left_over > 0.015 * width && ends_sentence(l->text));
}

static bool
same_size(const struct pdf_line *a, const struct pdf_line *b)
{
    return fabs(a->height - b->height) <=
           SIZE_DIFFERS * fmax(a->height, b->height);
}

static size_t
bullet_n(struct str s)
{
    static const struct str bullets[] = {STR("\xe2\x80\xa2 "),
                                         STR("\xe2\x96\xaa "),
                                         STR("\xe2\x97\xa6 "),
                                         STR("\xe2\x80\xa3 "),
                                         STR("\xe2\x97\x8f "),
                                         STR("\xe2\x80\x93 "),
                                         STR("\xef\x82\xb7 "),
                                         STR("\xc2\xb7 "),
                                         STR("\xe2\x96\xa0 "),
                                         STR("- "),
                                         STR("* ")};

    for (size_t i = 0; i < sizeof bullets / sizeof *bullets; i++)
        if (str_starts(s, bullets[i]))
            return bullets[i].n;
    return 0;
}

/* In the next column, or on the next page. */
static bool
goes_on_there(const struct pdf_line *a, const struct pdf_line *b)
{
    if (hyphens_end(a->text) && hyphens_lower(b->text))
        return true;
    if (a->table > 0 || is_indented(b) || had_room(a, b))
        return false;
    return !ends_sentence(a->text) || hyphens_lower(b->text);
}

static bool
is_heading_line(const struct making *m, const struct pdf_line *l)
{
    return l->height >= HEADING_SIZE * m->pdf->body;
}

static bool
begins_paragraph(const struct making *m, const struct pdf_line *l)
{
    const struct pdf_line *a = m->last;
    double step, usual;

    if (a == NULL || bullet_n(l->text) > 0 || !same_size(a, l))
        return true;
    if (a->column != l->column || l->y0 < a->y0 - l->height)
        return is_heading_line(m, l) || !goes_on_there(a, l);
    step = l->y0 - a->y0;
    usual = m->step * fmax(l->height / m->pdf->body, 0.5);
    if (step > GAP_DIFFERS * usual)
        return true;
    if (is_heading_line(m, l)) /* often centred: filled or not */
        return false;
    if (is_indented(l) && !is_indented(a) && !m->item)
        return true;
    return had_room(a, l) && !hyphens_end(a->text) &&
           !(m->item && is_indented(l));
}

static void
add(struct making *m, const struct pdf_line *l)
{
    struct str text = l->text;

    if (m->last != NULL && begins_paragraph(m, l))
        end_paragraph(m);
    if (m->last == NULL) {
        size_t bullet = bullet_n(text);

        m->item = bullet > 0;
        text = str_sub(text, bullet, text.n);
    }
    hyphens_append(&m->hyphens, &m->text, text);
    m->last = l;
    m->lines_n++;
    m->heights += l->height;
}

/* ---- tables ---- */

static void
add_cell(struct making *m, const struct pdf_line *l)
{
    if (m->table != l->table) {
        if (m->last != NULL)
            end_paragraph(m);
        if (m->table > 0)
            html_table_end(&m->html);
        html_table_begin(&m->html);
        html_row_begin(&m->html);
        html_cell_begin(&m->html);
    } else if (m->row != l->row) {
        html_row_begin(&m->html);
        html_cell_begin(&m->html);
    } else if (m->cell != l->cell) {
        html_cell_begin(&m->html);
    } else {
        html_text(&m->html, S(" "));
    }
    m->table = l->table;
    m->row = l->row;
    m->cell = l->cell;
    html_text(&m->html, l->text);
}

void
pdf_write(struct pdf *p, struct buf *html)
{
    struct making m = {.pdf = p, .text = {.arena = p->arena}};

    hyphens_init(&m.hyphens, p->arena);
    for (size_t i = 0; i < p->order_n; i++)
        hyphens_learn(&m.hyphens, p->order[i]->text);
    m.step = usual_step(p);
    m.waiting = ARENA_ARRAY(p->arena, struct pdf_line *, p->order_n + 1);
    html_begin(&m.html, html, &p->about);
    for (size_t i = 0; i < p->order_n; i++) {
        struct pdf_line *l = p->order[i];

        if (l->table > 0) {
            add_cell(&m, l);
            continue;
        }
        if (m.table > 0)
            html_table_end(&m.html);
        m.table = 0;
        if (l->note)
            m.waiting[m.waiting_n++] = l;
        else
            add(&m, l);
    }
    if (m.table > 0)
        html_table_end(&m.html);
    end_paragraph(&m);
    html_end(&m.html);
}
