/* docx.c -- DOCX (ECMA-376): the paragraphs of word/document.xml, then those of
 * the notes.
 *
 * Headers and footers are files of their own and are not read; a table of
 * contents is known by the styles of its paragraphs ("toc 1"), a heading by
 * "heading 1", which every language of Word calls so in styles.xml; what was
 * deleted with changes tracked is left out. */
#include <stdlib.h>

#include "base/memory.h"
#include "html_write.h"
#include "properties_read.h"
#include "reader.h"
#include "xml_read.h"
#include "zip_read.h"

enum style_kind { STYLE_TEXT, STYLE_HEADING, STYLE_CONTENTS, STYLE_LIST };

struct docx_style {
    struct str id;
    enum style_kind kind;
    unsigned level;
};

struct docx {
    struct html_writer html;
    struct buf main; /* path of the document in the archive */

    struct docx_style *styles;
    size_t styles_n, styles_room;
    bool in_style;

    unsigned skip; /* elements of which nothing is taken, inside each other */
    unsigned in_text, in_paragraph;
    struct docx_style style; /* of the paragraph */
    bool item;
};

/* ---- which part is the document ---- */

static void
on_relation(void *self, const char *name, const char *const *attributes)
{
    struct docx *d = self;
    const char *type = xml_read_attribute(attributes, "Type"),
               *target = xml_read_attribute(attributes, "Target");

    if (strcmp(name, "Relationship") != 0 || type == NULL || target == NULL ||
        !str_ends(str_c(type), S("/officeDocument")))
        return;
    buf_clear(&d->main);
    buf_c(&d->main, *target == '/' ? target + 1 : target);
    buf_char(&d->main, '\0');
}

/* ---- styles ---- */

static struct docx_style *
new_style(struct docx *d, struct str id)
{
    if (d->styles_n == d->styles_room) {
        d->styles_room = d->styles_room > 0 ? 2 * d->styles_room : 64;
        d->styles =
            memory_need(realloc(d->styles, d->styles_room * sizeof *d->styles));
    }
    d->styles[d->styles_n] =
        (struct docx_style){.id = {memory_need(strndup(id.p, id.n)), id.n}};
    return &d->styles[d->styles_n++];
}

static void
classify(struct docx_style *s, struct str name)
{
    uint64_t level;

    s->kind = STYLE_TEXT;
    if (str_eq_nocase(name, S("title"))) {
        s->kind = STYLE_HEADING;
        s->level = 1;
    } else if (str_starts_nocase(name, S("heading ")) &&
               str_u64(str_sub(name, 8, name.n), &level) && level > 0) {
        s->kind = STYLE_HEADING;
        s->level = level < 6 ? (unsigned)level : 6;
    } else if (str_starts_nocase(name, S("toc ")) ||
               str_starts_nocase(name, S("index ")) ||
               str_eq_nocase(name, S("table of figures"))) {
        s->kind = STYLE_CONTENTS;
    } else if (str_starts_nocase(name, S("list"))) {
        s->kind = STYLE_LIST;
    }
}

static void
on_style(void *self, const char *name, const char *const *attributes)
{
    struct docx *d = self;
    const char *id = xml_read_attribute(attributes, "styleId"),
               *value = xml_read_attribute(attributes, "val");

    if (strcmp(name, "style") == 0) {
        d->in_style = id != NULL && d->styles_n < 10000;
        if (d->in_style)
            (void)new_style(d, str_c(id));
    } else if (d->in_style && strcmp(name, "name") == 0 && value != NULL) {
        classify(&d->styles[d->styles_n - 1], str_c(value));
    }
}

static struct docx_style
style_of(const struct docx *d, struct str id)
{
    struct docx_style own = {.id = id};

    for (size_t i = 0; i < d->styles_n; i++)
        if (str_eq(d->styles[i].id, id))
            return d->styles[i];
    if (str_starts(id, S("Heading")) && id.n == 8 && ascii_digit(id.p[7])) {
        own.kind = STYLE_HEADING;
        own.level = (unsigned)(id.p[7] - '0');
    }
    return own;
}

/* ---- text ---- */

static bool
is_skipped(const char *name)
{
    static const char *const names[] = {"del",       "moveFrom",  "Fallback",
                                        "instrText", "pPrChange", "rPrChange"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static void
end_paragraph(struct docx *d)
{
    if (d->style.kind == STYLE_CONTENTS)
        buf_clear(&d->html.text);
    else if (d->style.kind == STYLE_HEADING && d->style.level > 0)
        html_paragraph(&d->html, d->style.level);
    else if (d->item || d->style.kind == STYLE_LIST)
        html_item(&d->html);
    else
        html_paragraph(&d->html, 0);
}

static void
begin_paragraph(struct docx *d)
{
    if (d->in_paragraph++ > 0) /* a text box inside of a paragraph */
        end_paragraph(d);
    d->style = (struct docx_style){.kind = STYLE_TEXT};
    d->item = false;
}

/* Inside of a paragraph. */
static void
begin_inside(struct docx *d, const char *name, const char *value)
{
    uint64_t level;

    if (strcmp(name, "t") == 0) {
        d->in_text++;
    } else if (strcmp(name, "tab") == 0) {
        html_text(&d->html, S(" "));
    } else if (strcmp(name, "br") == 0 || strcmp(name, "cr") == 0) {
        html_break(&d->html);
    } else if (strcmp(name, "noBreakHyphen") == 0) {
        html_text(&d->html, S("-"));
    } else if (strcmp(name, "pStyle") == 0 && value != NULL) {
        d->style = style_of(d, str_c(value));
        d->style.id = S("");
    } else if (strcmp(name, "numId") == 0) {
        d->item = value == NULL || strcmp(value, "0") != 0;
    } else if (strcmp(name, "outlineLvl") == 0 && value != NULL &&
               str_u64(str_c(value), &level) && level < 6) {
        d->style.kind = STYLE_HEADING;
        d->style.level = (unsigned)level + 1;
    }
}

static void
begin(void *self, const char *name, const char *const *attributes)
{
    struct docx *d = self;

    if (d->skip > 0 || is_skipped(name)) {
        d->skip++;
        return;
    }
    if (strcmp(name, "p") == 0)
        begin_paragraph(d);
    else if (strcmp(name, "tbl") == 0)
        html_table_begin(&d->html);
    else if (strcmp(name, "tr") == 0)
        html_row_begin(&d->html);
    else if (strcmp(name, "tc") == 0)
        html_cell_begin(&d->html);
    else if (d->in_paragraph > 0)
        begin_inside(d, name, xml_read_attribute(attributes, "val"));
}

static void
end(void *self, const char *name)
{
    struct docx *d = self;

    if (d->skip > 0) {
        d->skip--;
        return;
    }
    if (strcmp(name, "p") == 0 && d->in_paragraph > 0) {
        d->in_paragraph--;
        end_paragraph(d);
    } else if (strcmp(name, "t") == 0 && d->in_text > 0) {
        d->in_text--;
    } else if (strcmp(name, "tc") == 0) {
        html_cell_end(&d->html);
    } else if (strcmp(name, "tbl") == 0) {
        html_table_end(&d->html);
    }
}

static void
text(void *self, struct str s)
{
    struct docx *d = self;

    if (d->skip == 0 && d->in_text > 0 && d->in_paragraph > 0)
        html_text(&d->html, s);
}

/* ---- the parts ---- */

static void
read_part(struct zip_read *z, const char *name, const struct xml_handler *h,
          struct buf *scratch)
{
    const char *why;

    if (zip_read_file(z, name, scratch, &why) == ST_OK)
        (void)xml_read(buf_view(scratch), h, &why);
}

static void
read_notes(struct docx *d, struct zip_read *z, struct buf *scratch)
{
    static const char *const parts[] = {"word/footnotes.xml",
                                        "word/endnotes.xml"};
    const struct xml_handler h = {d, begin, end, text};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        d->skip = d->in_text = d->in_paragraph = 0;
        read_part(z, parts[i], &h, scratch);
    }
}

static enum status
read_all(struct docx *d, struct zip_read *z, struct buf *html, const char **why)
{
    const struct xml_handler relations = {d, on_relation, NULL, NULL},
                             styles = {d, on_style, NULL, NULL},
                             body = {d, begin, end, text};
    struct properties_read p = {0};
    struct properties about;
    struct buf scratch = {0};
    enum status st;

    buf_add(&d->main, "word/document.xml", sizeof "word/document.xml");
    read_part(z, "_rels/.rels", &relations, &scratch);
    read_part(z, "word/styles.xml", &styles, &scratch);
    if (zip_read_file(z, "docProps/core.xml", &scratch, why) == ST_OK)
        properties_read_xml(&p, buf_view(&scratch));
    about = properties_view(&p);
    html_begin(&d->html, html, &about);
    st = zip_read_file(z, d->main.p, &scratch, why);
    if (st == ST_OK)
        st = xml_read(buf_view(&scratch), &body, why);
    else if (st == ST_NONE)
        *why = "no document in the archive";
    if (st == ST_OK)
        read_notes(d, z, &scratch);
    html_end(&d->html);
    properties_free(&p);
    buf_free(&scratch);
    return st == ST_OK ? ST_OK : ST_INVALID;
}

enum status
convert_read_docx(struct str zip, struct buf *html, const char **why)
{
    struct docx d = {0};
    struct zip_read *z;
    enum status st = zip_read_open(&z, zip, why);

    if (st != ST_OK)
        return st;
    st = read_all(&d, z, html, why);
    zip_read_close(z);
    for (size_t i = 0; i < d.styles_n; i++)
        free((void *)d.styles[i].id.p);
    free(d.styles);
    buf_free(&d.main);
    return st;
}
