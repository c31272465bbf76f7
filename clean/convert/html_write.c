/* html_write.c -- see html_write.h. */
#include "html_write.h"

/* Append with &, <, > and " as references, and without control characters. */
static void
escape(struct buf *out, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];

        switch (c) {
        case '&': buf_c(out, "&amp;"); break;
        case '<': buf_c(out, "&lt;"); break;
        case '>': buf_c(out, "&gt;"); break;
        case '"': buf_c(out, "&quot;"); break;
        default:
            if (c >= ' ' || c == '\t' || c == '\n')
                buf_char(out, (char)c);
        }
    }
}

static void
meta(struct buf *out, const char *name, struct str value)
{
    if (str_trim(value).n == 0)
        return;
    buf_printf(out, "<meta name=\"%s\" content=\"", name);
    escape(out, str_trim(value));
    buf_c(out, "\">\n");
}

/* A title that is a file's name is none ("Microsoft Word - brief3.doc"). */
static bool
is_title(struct str t)
{
    static const struct str endings[] = {
        STR(".doc"), STR(".docx"), STR(".dvi"), STR(".pdf"), STR(".odt"),
        STR(".rtf"), STR(".tex"),  STR(".qxd"), STR(".indd")};

    if (t.n == 0 || str_eq_nocase(t, S("untitled")) ||
        str_starts(t, S("Microsoft Word - ")))
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (t.n >= endings[i].n &&
            str_eq_nocase(str_sub(t, t.n - endings[i].n, t.n), endings[i]))
            return false;
    return true;
}

void
html_begin(struct html_writer *w, struct buf *out, const struct properties *p)
{
    struct str title = str_trim(p->title);

    *w = (struct html_writer){.out = out};
    buf_c(out, "<!DOCTYPE html>\n<html");
    if (str_trim(p->language).n > 0) {
        buf_c(out, " lang=\"");
        escape(out, str_trim(p->language));
        buf_c(out, "\"");
    }
    buf_c(out, "><head><meta charset=\"utf-8\">\n");
    if (is_title(title)) {
        buf_c(out, "<title>");
        escape(out, title);
        buf_c(out, "</title>\n");
        meta(out, "dc.title", title);
    }
    meta(out, "dc.creator", p->author);
    meta(out, "dcterms.created", p->created);
    meta(out, "dcterms.modified", p->modified);
    meta(out, "keywords", p->keywords);
    meta(out, "description", p->description);
    buf_c(out, "</head><body>\n<article>\n");
}

void
html_close(struct html_writer *w)
{
    html_paragraph(w, 0);
    while (w->tables > 0)
        html_table_end(w);
    if (w->in_list)
        buf_c(w->out, "</ul>\n");
    w->in_list = false;
    buf_free(&w->text);
}

void
html_end(struct html_writer *w)
{
    html_close(w);
    buf_c(w->out, "</article>\n</body></html>\n");
}

void
html_text(struct html_writer *w, struct str s)
{
    struct buf *t = &w->text;

    for (size_t i = 0; i < s.n; i++) {
        bool space = ascii_space(s.p[i]);

        if (space &&
            (t->n == 0 || t->p[t->n - 1] == ' ' || t->p[t->n - 1] == '\n'))
            continue;
        buf_char(t, space ? ' ' : s.p[i]);
    }
}

void
html_break(struct html_writer *w)
{
    struct buf *t = &w->text;

    if (t->n > 0 && t->p[t->n - 1] == ' ')
        t->n--;
    if (t->n > 0 && t->p[t->n - 1] != '\n')
        buf_char(t, '\n');
}

/* With <br> for the ends of lines. */
static void
flush(struct html_writer *w)
{
    struct str rest = str_trim(buf_view(&w->text)), line;
    bool first = true;

    while (str_cut(&rest, '\n', &line)) {
        if (!first)
            buf_c(w->out, "<br>\n");
        escape(w->out, line);
        first = false;
    }
    buf_clear(&w->text);
}

static bool
is_blank(const struct html_writer *w)
{
    struct str s = buf_view(&w->text);

    while (s.n > 0) {
        if (ascii_space(s.p[0]))
            s = str_sub(s, 1, s.n);
        else if (str_starts(s, S("\xc2\xa0")))
            s = str_sub(s, 2, s.n);
        else
            return false;
    }
    return true;
}

static void
list(struct html_writer *w, bool in)
{
    if (in && !w->in_list)
        buf_c(w->out, "<ul>\n");
    if (!in && w->in_list)
        buf_c(w->out, "</ul>\n");
    w->in_list = in;
}

void
html_paragraph(struct html_writer *w, unsigned heading)
{
    if (is_blank(w)) {
        buf_clear(&w->text);
        return;
    }
    list(w, false);
    if (heading > 6)
        heading = 6;
    if (heading > 0)
        buf_printf(w->out, "<h%u>", heading);
    else
        buf_c(w->out, "<p>");
    flush(w);
    if (heading > 0)
        buf_printf(w->out, "</h%u>\n", heading);
    else
        buf_c(w->out, "</p>\n");
}

void
html_item(struct html_writer *w)
{
    if (is_blank(w)) {
        buf_clear(&w->text);
        return;
    }
    list(w, true);
    buf_c(w->out, "<li>");
    flush(w);
    buf_c(w->out, "</li>\n");
}

void
html_table_begin(struct html_writer *w)
{
    html_paragraph(w, 0);
    list(w, false);
    if (w->tables++ == 0)
        buf_c(w->out, "<table>\n");
}

void
html_row_begin(struct html_writer *w)
{
    if (w->tables != 1)
        return;
    html_cell_end(w);
    if (w->row)
        buf_c(w->out, "</tr>\n");
    buf_c(w->out, "<tr>");
    w->row = true;
}

void
html_cell_begin(struct html_writer *w)
{
    if (w->tables != 1)
        return;
    if (!w->row)
        html_row_begin(w);
    html_cell_end(w);
    buf_c(w->out, "<td>");
    w->in_cell = true;
}

void
html_cell_end(struct html_writer *w)
{
    if (w->tables != 1 || !w->in_cell)
        return;
    html_paragraph(w, 0);
    list(w, false);
    buf_c(w->out, "</td>");
    w->in_cell = false;
}

void
html_table_end(struct html_writer *w)
{
    if (w->tables == 0)
        return;
    if (w->tables == 1) {
        html_cell_end(w);
        if (w->row)
            buf_c(w->out, "</tr>\n");
        w->row = false;
        html_paragraph(w, 0);
        buf_c(w->out, "</table>\n");
    }
    w->tables--;
}
