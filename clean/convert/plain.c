/* plain.c -- text without markup: TXT files, and what antiword writes.
 *
 * Where lines are filled up to a width, paragraphs are what blank lines or
 * indents part, and their lines are put together again; where a line is as long
 * as its paragraph, each is one.  A line far short of that width is meant to
 * end there (verse, addresses). */
#include <stdlib.h>

#include "base/memory.h"
#include "clean/charset/charset.h"
#include "html_write.h"
#include "hyphens.h"
#include "reader.h"

#define LINE_IS_PARAGRAPH 160u /* bytes: nobody wraps lines so late */
#define SHORT_SHARE 0.55

struct plain {
    struct html_writer html;
    struct arena *arena;
    struct str *lines; /* without white space at their ends */
    uint8_t *indent;
    size_t n;
    size_t width; /* of filled lines; 0: lines are paragraphs */
    struct hyphens hyphens;
    struct buf text;
    bool item;
};

static void
split(struct plain *p, struct str s)
{
    size_t room = 1, at = 0;

    for (size_t i = 0; i < s.n; i++)
        room += s.p[i] == '\n' || s.p[i] == '\r' || s.p[i] == '\f';
    p->lines = ARENA_ARRAY(p->arena, struct str, room);
    p->indent = ARENA_ARRAY(p->arena, uint8_t, room);
    while (at < s.n) {
        size_t end = at, indent = 0;

        while (end < s.n && s.p[end] != '\n' && s.p[end] != '\r' &&
               s.p[end] != '\f')
            end++;
        for (size_t i = at; i < end && ascii_space(s.p[i]); i++)
            indent += s.p[i] == '\t' ? 8 : 1;
        p->indent[p->n] = (uint8_t)(indent < 255 ? indent : 255);
        p->lines[p->n++] = str_trim(str_sub(s, at, end));
        if (end + 1 < s.n && s.p[end] == '\r' && s.p[end + 1] == '\n')
            end++;
        at = end + 1;
    }
}

static int
by_size(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return (x > y) - (x < y);
}

/* Nine of ten lines are no longer than that. */
static size_t
filled_width(const struct plain *p)
{
    size_t *sizes = ARENA_ARRAY(p->arena, size_t, p->n + 1), n = 0, joined = 0;

    for (size_t i = 0; i < p->n; i++) {
        if (p->lines[i].n == 0)
            continue;
        sizes[n++] = p->lines[i].n;
        joined += i > 0 && p->lines[i - 1].n > 0;
    }
    if (n == 0)
        return 0;
    qsort(sizes, n, sizeof *sizes, by_size);
    /* A blank line behind each line: nothing to join. */
    return sizes[n * 9 / 10] > LINE_IS_PARAGRAPH || joined == 0
               ? 0
               : sizes[n * 9 / 10];
}

/* "- one", "* two", bullets. */
static size_t
bullet_n(struct str s)
{
    static const struct str bullets[] = {STR("- "),
                                         STR("* "),
                                         STR("\xe2\x80\xa2 "),
                                         STR("\xe2\x80\xa2\t"),
                                         STR("\xe2\x80\x93 "),
                                         STR("\xc2\xb7 ")};

    for (size_t i = 0; i < sizeof bullets / sizeof *bullets; i++)
        if (str_starts(s, bullets[i]))
            return bullets[i].n;
    return 0;
}

static void
end_paragraph(struct plain *p)
{
    struct str rest = buf_view(&p->text), line;
    bool first = true;

    while (str_cut(&rest, '\n', &line)) {
        if (!first)
            html_break(&p->html);
        html_text(&p->html, line);
        first = false;
    }
    if (p->item)
        html_item(&p->html);
    else
        html_paragraph(&p->html, 0);
    buf_clear(&p->text);
    p->item = false;
}

static void
add_line(struct plain *p, size_t i)
{
    struct str s = p->lines[i], last = buf_view(&p->text);
    size_t bullet = bullet_n(s);
    bool ended_early;

    if (bullet > 0 ||
        (p->text.n > 0 && i > 0 && p->indent[i] >= 2 && p->indent[i - 1] == 0))
        end_paragraph(p);
    if (bullet > 0) {
        p->item = true;
        s = str_trim(str_sub(s, bullet, s.n));
    }
    ended_early = p->text.n > 0 && i > 0 && !hyphens_end(last) &&
                  (double)p->lines[i - 1].n < SHORT_SHARE * (double)p->width;
    if (ended_early) {
        buf_char(&p->text, '\n');
        buf_str(&p->text, s);
    } else {
        hyphens_append(&p->hyphens, &p->text, s);
    }
}

static void
filled(struct plain *p)
{
    for (size_t i = 0; i < p->n; i++)
        hyphens_learn(&p->hyphens, p->lines[i]);
    for (size_t i = 0; i < p->n; i++) {
        if (p->lines[i].n == 0)
            end_paragraph(p);
        else
            add_line(p, i);
    }
    end_paragraph(p);
}

/* |cells|of|a row|, as antiword writes tables. */
static void
table_row(struct plain *p, struct str s)
{
    struct str cell;

    s = str_sub(s, 1, s.n - 1);
    html_row_begin(&p->html);
    while (str_cut(&s, '|', &cell)) {
        html_cell_begin(&p->html);
        html_text(&p->html, cell);
        html_cell_end(&p->html);
    }
}

static void
each_line(struct plain *p)
{
    for (size_t i = 0; i < p->n; i++) {
        struct str s = p->lines[i];
        bool row = s.n > 2 && s.p[0] == '|' && s.p[s.n - 1] == '|';

        if (row != (p->html.tables > 0)) {
            if (row)
                html_table_begin(&p->html);
            else
                html_table_end(&p->html);
        }
        if (row) {
            table_row(p, s);
            continue;
        }
        if (str_eq(s, S("[pic]")))
            continue;
        p->item = bullet_n(s) > 0;
        buf_str(&p->text, str_sub(s, bullet_n(s), s.n));
        end_paragraph(p);
    }
}

static enum status
read_text(struct str utf8, struct buf *html, bool may_be_filled)
{
    struct plain p = {.arena = arena_new()};
    const struct properties none = {S(""), S(""), S(""), S(""),
                                    S(""), S(""), S("")};

    html_begin(&p.html, html, &none);
    split(&p, utf8);
    hyphens_init(&p.hyphens, p.arena);
    p.width = may_be_filled ? filled_width(&p) : 0;
    if (p.width > 0)
        filled(&p);
    else
        each_line(&p);
    html_end(&p.html);
    buf_free(&p.text);
    arena_free(p.arena);
    return ST_OK;
}

enum status
convert_read_txt(struct str bytes, struct buf *html, const char **why)
{
    struct arena *a = arena_new();
    struct charset_result r;
    enum status st = charset_decode(&r, a, CHARSET_WHATWG, bytes, S(""));

    if (st == ST_OK)
        st = read_text(r.utf8, html, true);
    else
        *why = "its bytes are no text";
    arena_free(a);
    return st;
}

enum status
convert_read_lines(struct str text, struct buf *html, const char **why)
{
    struct arena *a = arena_new();
    struct charset_result r;
    enum status st = charset_decode(&r, a, CHARSET_WHATWG, text,
                                    S("text/plain; charset=utf-8"));

    if (st == ST_OK)
        st = read_text(r.utf8, html, false);
    else
        *why = "its bytes are no text";
    arena_free(a);
    return st;
}
