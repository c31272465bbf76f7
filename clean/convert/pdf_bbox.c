/* pdf_bbox.c -- reads the XHTML of `pdftotext -bbox-layout`: pages, lines and
 * words with their boxes.
 *
 * Its blocks and flows are not used: a line is what can be relied upon, and
 * what belongs together is for us to find.  pdftotext writes control characters
 * as they stand in the PDF, which no XML may have; they become blanks first. */
#include <math.h>
#include <stdlib.h>

#include "clean/charset/utf8.h"
#include "pdf.h"
#include "xml_read.h"

#define LINES_MAX 2000000u
#define PAGES_MAX 20000u
#define COORDINATE_MAX 1e6

struct bbox {
    struct pdf *pdf;
    struct buf text; /* of the line */
    struct buf *to;  /* where text goes; NULL: nowhere */
    struct buf title;
    struct pdf_line line;
    size_t words_n;
    double heights;
    bool seen; /* it is pdftotext's */
};

static double
number(const char *const *attributes, const char *name)
{
    const char *value = xml_read_attribute(attributes, name);
    double v;

    if (value == NULL || !str_real(str_c(value), &v) || !isfinite(v) ||
        fabs(v) > COORDINATE_MAX)
        return 0;
    return v;
}

static void
begin_page(struct bbox *b, const char *const *attributes)
{
    struct pdf *p = b->pdf;

    if (p->pages_n == PAGES_MAX)
        return;
    if (p->pages_n == p->pages_room) {
        size_t room = p->pages_room > 0 ? 2 * p->pages_room : 64;

        p->pages =
            arena_grow(p->arena, p->pages, p->pages_room * sizeof *p->pages,
                       room * sizeof *p->pages);
        p->pages_room = room;
    }
    p->pages[p->pages_n++] =
        (struct pdf_page){.width = number(attributes, "width"),
                          .height = number(attributes, "height"),
                          .first = p->lines_n};
    b->seen = true;
}

static void
begin_word(struct bbox *b, const char *const *attributes)
{
    double x0 = number(attributes, "xMin"), x1 = number(attributes, "xMax"),
           y0 = number(attributes, "yMin"), y1 = number(attributes, "yMax");
    struct pdf_line *l = &b->line;

    if (b->words_n == 0) {
        *l = (struct pdf_line){.x0 = x0, .x1 = x1, .y0 = y0, .y1 = y1};
        l->first_width = x1 - x0;
    } else {
        buf_char(&b->text, ' ');
        l->x0 = fmin(l->x0, x0);
        l->x1 = fmax(l->x1, x1);
        l->y0 = fmin(l->y0, y0);
        l->y1 = fmax(l->y1, y1);
    }
    b->heights += y1 - y0;
    b->words_n++;
    b->to = &b->text;
}

static void
end_line(struct bbox *b)
{
    struct pdf *p = b->pdf;
    struct str text = str_trim(buf_view(&b->text));

    if (text.n > 0 && p->pages_n > 0 && p->lines_n < LINES_MAX) {
        if (p->lines_n == p->lines_room) {
            size_t room = p->lines_room > 0 ? 2 * p->lines_room : 256;

            p->lines =
                arena_grow(p->arena, p->lines, p->lines_room * sizeof *p->lines,
                           room * sizeof *p->lines);
            p->lines_room = room;
        }
        b->line.text = arena_str(p->arena, text);
        b->line.height = b->heights / (double)b->words_n;
        b->line.page = (uint32_t)p->pages_n - 1;
        p->lines[p->lines_n++] = b->line;
        p->pages[p->pages_n - 1].n++;
    }
    buf_clear(&b->text);
    b->words_n = 0;
    b->heights = 0;
}

static void
meta(struct bbox *b, const char *const *attributes)
{
    const char *name = xml_read_attribute(attributes, "name"),
               *content = xml_read_attribute(attributes, "content");
    struct properties *about = &b->pdf->about;
    struct str value;

    if (name == NULL || content == NULL)
        return;
    value = arena_str(b->pdf->arena, str_c(content));
    if (strcmp(name, "Author") == 0)
        about->author = value;
    else if (strcmp(name, "CreationDate") == 0)
        about->created = value;
    else if (strcmp(name, "ModDate") == 0)
        about->modified = value;
    else if (strcmp(name, "Keywords") == 0)
        about->keywords = value;
    else if (strcmp(name, "Subject") == 0)
        about->description = value;
}

static void
begin(void *self, const char *name, const char *const *attributes)
{
    struct bbox *b = self;

    if (strcmp(name, "page") == 0)
        begin_page(b, attributes);
    else if (strcmp(name, "word") == 0)
        begin_word(b, attributes);
    else if (strcmp(name, "title") == 0)
        b->to = &b->title;
    else if (strcmp(name, "meta") == 0)
        meta(b, attributes);
}

static void
end(void *self, const char *name)
{
    struct bbox *b = self;

    b->to = NULL;
    if (strcmp(name, "line") == 0)
        end_line(b);
    else if (strcmp(name, "doc") == 0)
        b->seen = true;
}

static void
text(void *self, struct str s)
{
    struct bbox *b = self;

    if (b->to != NULL && b->to->n < 1 << 20)
        buf_str(b->to, s);
}

/* Without what keeps it from being XML. */
static struct str
amended(struct arena *a, struct str s)
{
    char *p = arena_cstr(a, s);

    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)p[i] < ' ' && p[i] != '\n' && p[i] != '\t')
            p[i] = ' ';
    return utf8_repair(a, str_n(p, s.n));
}

enum status
pdf_read_bbox(struct pdf *p, struct str bbox, const char **why)
{
    struct bbox b = {.pdf = p};
    const struct xml_handler h = {&b, begin, end, text};
    enum status st = xml_read(amended(p->arena, bbox), &h, why);

    p->about.title = arena_str(p->arena, str_trim(buf_view(&b.title)));
    buf_free(&b.text);
    buf_free(&b.title);
    if (st == ST_OK && !b.seen) {
        *why = "pdftotext wrote no pages";
        st = ST_INVALID;
    }
    return st;
}
