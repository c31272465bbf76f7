/* writer_tei.c -- a document as TEI P5.
 *
 *   <TEI>
 *   <teiHeader> title, author, publisher, id, date, URL, language
 *   <text><body>
 *   <p>, <p rend="caption">           blocks; <ref target> with output.links
 *   <div><head>...</head> ... </div>  what stands under a heading, nested
 *   <div type="comments">, <div>      of readers (clean.comments = mark), and
 *                                     the text behind them
 *   <list rend="bulleted|numbered"><item>, <list type="gloss"><label><item>
 *   <quote><p>, <ab type="code">      code with its lines
 *   <table><row role="label|data"><cell>
 *   </body></text></TEI>
 *
 * Files of winnow clean are one <teiCorpus> (output.xml_header), those of a
 * crawl sequences of records.  tests/cases/formats/tei.rng is the part of TEI's
 * schema that this is. */
#include "base/url/url.h"
#include "block_parts.h"
#include "block_text.h"
#include "facts.h"
#include "writers.h"
#include "xml_text.h"

#define LEVELS 6u
#define NAMESPACE "xmlns=\"http://www.tei-c.org/ns/1.0\""

struct tei {
    const struct document *d;
    struct buf *out;
    struct link_walk links;
    bool with_links, with_comments, in_comments;
    uint8_t level[LEVELS + 1]; /* of the open <div>s; 0: of comments */
    uint32_t divs_n;
    struct part_walk parts;
    struct table_run run; /* the last that was looked at */
    bool gloss, labelled; /* a list of terms is open; it wants an item */
};

/* Attribute target as xs:anyURI takes it: what URLs of the web have and RFC
 * 3986 has not is percent-encoded; brackets are those of an address. */
static void
add_target(struct tei *t, struct str url)
{
    struct buf uri = {.arena = t->d->arena};
    size_t path = str_find(url, '/', str_find(url, '/', 0) + 2);
    size_t fragment = str_find(url, '#', 0);

    for (size_t i = 0; i < url.n; i++) {
        char c = url.p[i];

        if ((c == '%' && str_percent(url, i) < 0) ||
            strchr("|^`{}\\\"<> ", c) != NULL ||
            (i > path && (c == '[' || c == ']')) || (i > fragment && c == '#'))
            buf_printf(&uri, "%%%02X", (unsigned char)c);
        else
            buf_char(&uri, c);
    }
    xml_attribute(t->out, S("target"), buf_view(&uri));
    buf_free(&uri);
}

static void
add_text(struct tei *t, uint32_t i)
{
    struct str piece, text = t->d->blocks[i].text;
    const struct link *link;

    if (!t->with_links) {
        xml_text(t->out, text);
        return;
    }
    for (size_t at = 0; link_walk_next(&t->links, i, &at, &piece, &link);) {
        if (link != NULL) {
            buf_c(t->out, "<ref");
            add_target(t, link->url);
            buf_char(t->out, '>');
        }
        xml_text(t->out, piece);
        if (link != NULL)
            buf_c(t->out, "</ref>");
    }
}

static void
add_element(struct tei *t, const char *start, uint32_t i, const char *end)
{
    buf_c(t->out, start);
    add_text(t, i);
    buf_c(t->out, end);
    buf_char(t->out, '\n');
}

/* ---- what is open ---- */

static void
close_gloss(struct tei *t)
{
    if (t->gloss)
        buf_c(t->out, t->labelled ? "<item/>\n</list>\n" : "</list>\n");
    t->gloss = t->labelled = false;
}

/* The list of item `goes_on` does not end with it. */
static void
close_parts(struct tei *t, uint32_t n, bool goes_on)
{
    for (; t->parts.open_n > n; t->parts.open_n--) {
        if (t->d->parts[t->parts.open[t->parts.open_n - 1]].form == FORM_QUOTE)
            buf_c(t->out, "</quote>\n");
        else
            buf_c(t->out, goes_on && t->parts.open_n == n + 1
                              ? "</item>\n"
                              : "</item>\n</list>\n");
    }
}

/* n: the number where counting does not give it. */
static void
open_item(struct tei *t, const struct page_part *p, uint32_t expected)
{
    if (p->ordered && p->number != expected)
        buf_printf(t->out, "<item n=\"%u\">", (unsigned)p->number);
    else
        buf_c(t->out, "<item>");
}

/* What stands in an item has it begin with its text, without <p>: true. */
static bool
open_parts(struct tei *t, uint32_t part, bool is_text)
{
    struct part_step step = part_step(&t->parts, part);
    bool goes_on = part_step_goes_on(&t->parts, &step, step.same), item = false;
    uint32_t expected = 1;

    if (goes_on)
        expected = t->d->parts[t->parts.open[step.same]].number + 1;
    if (step.same < t->parts.open_n || step.same < step.n)
        close_gloss(t);
    close_parts(t, step.same, goes_on);
    for (uint32_t k = step.same; k < step.n; k++) {
        const struct page_part *p = &t->d->parts[step.around[k]];

        item = p->form == FORM_ITEM;
        if (item && !goes_on)
            buf_printf(t->out, "<list rend=\"%s\">\n",
                       p->ordered ? "numbered" : "bulleted");
        if (item)
            open_item(t, p, expected);
        else
            buf_c(t->out, "<quote>\n");
        if (item && !(is_text && k + 1 == step.n))
            buf_char(t->out, '\n');
        goes_on = false;
        expected = 1;
    }
    part_walk_take(&t->parts, &step);
    return item && is_text;
}

static void
close_divs(struct tei *t, uint8_t level)
{
    for (; t->divs_n > 0 && t->level[t->divs_n - 1] >= level; t->divs_n--)
        buf_c(t->out, "</div>\n");
}

static void
add_heading(struct tei *t, uint32_t i)
{
    uint8_t level = t->d->blocks[i].form.level;

    close_divs(t, level);
    t->level[t->divs_n++] = level;
    add_element(t, "<div>\n<head>", i, "</head>");
}

/* Labels and items in turn, as TEI wants it. */
static void
add_gloss(struct tei *t, uint32_t i)
{
    bool term = t->d->blocks[i].form.form == FORM_TERM;

    if (!t->gloss)
        buf_c(t->out, "<list type=\"gloss\">\n");
    t->gloss = true;
    if (t->labelled == term)
        buf_c(t->out, term ? "<item/>\n" : "<label/>\n");
    t->labelled = term;
    add_element(t, term ? "<label>" : "<item>", i,
                term ? "</label>" : "</item>");
}

/* ---- blocks that are one element together; the first block behind them ----
 */

static uint32_t
end_of_part(const struct document *d, uint32_t i)
{
    const struct block_form *f = &d->blocks[i].form;

    while (i < d->blocks_n && d->blocks[i].form.form == f->form &&
           d->blocks[i].form.part == f->part)
        i++;
    return i;
}

static uint32_t
add_code(struct tei *t, uint32_t i)
{
    uint32_t end = end_of_part(t->d, i), lines = 0;

    buf_c(t->out, "<ab type=\"code\" xml:space=\"preserve\">");
    for (; i < end; i++) {
        struct str text = t->d->blocks[i].text, line;

        while (t->d->blocks[i].kept && str_cut(&text, '\n', &line)) {
            if (lines++ > 0)
                buf_char(t->out, '\n');
            xml_text(t->out, line);
        }
    }
    buf_c(t->out, "</ab>\n");
    return end;
}

static void
add_cell(struct tei *t, uint32_t i)
{
    add_element(t, "<cell>", i, "</cell>");
}

static uint32_t
add_table(struct tei *t, const struct table_run *run)
{
    uint32_t row = 0, column = 0;

    buf_c(t->out, "<table>\n");
    for (uint32_t i = run->from; i < run->to; i++) {
        const struct block_form *f = &t->d->blocks[i].form;

        if (!t->d->blocks[i].kept)
            continue;
        if (row != f->row) {
            for (; row != 0 && column < run->columns_n; column++)
                buf_c(t->out, "<cell/>\n");
            buf_printf(t->out, "%s<row role=\"%s\">\n",
                       row != 0 ? "</row>\n" : "",
                       f->header && row == 0 ? "label" : "data");
            row = f->row;
            column = 0;
        }
        for (; column < run->place[f->column]; column++)
            buf_c(t->out, "<cell/>\n");
        add_cell(t, i);
        column++;
    }
    for (; column < run->columns_n; column++)
        buf_c(t->out, "<cell/>\n");
    buf_c(t->out, "</row>\n</table>\n");
    return run->to;
}

/* Nothing but sections may stand behind a section, so what follows comments is
 * one as well. */
static void
mark_comments(struct tei *t, bool comment)
{
    if (comment == t->in_comments || !t->with_comments)
        return;
    close_gloss(t);
    close_parts(t, 0, false);
    close_divs(t, 0);
    buf_c(t->out, comment ? "<div type=\"comments\">\n" : "<div>\n");
    t->level[t->divs_n++] = 0;
    t->in_comments = comment;
}

/* What begins at kept block i. */
static uint32_t
add_block(struct tei *t, uint32_t i)
{
    const struct block_form *f = &t->d->blocks[i].form;
    bool gloss = f->form == FORM_TERM || f->form == FORM_DEFINITION;
    bool outside, in_item;

    table_run(&t->run, t->d, i);
    outside = t->run.columns_n > 0 || f->form == FORM_HEADING;
    mark_comments(t, t->d->blocks[i].comment);
    if (outside || !gloss)
        close_gloss(t);
    in_item =
        open_parts(t, outside ? 0 : f->part,
                   !gloss && f->form != FORM_CODE && f->form != FORM_CAPTION);
    if (t->run.columns_n > 0)
        return add_table(t, &t->run);
    switch ((enum form_kind)f->form) {
    case FORM_HEADING: add_heading(t, i); break;
    case FORM_TERM:
    case FORM_DEFINITION: add_gloss(t, i); break;
    case FORM_CODE: return add_code(t, i);
    case FORM_CAPTION: add_element(t, "<p rend=\"caption\">", i, "</p>"); break;
    case FORM_PARAGRAPH:
    case FORM_ITEM:
    case FORM_QUOTE:
    case FORM_CELL:
    case FORM_N:
        add_element(t, in_item ? "" : "<p>", i, in_item ? "" : "</p>");
        break;
    }
    return i + 1;
}

static void
add_body(struct tei *t)
{
    const struct document *d = t->d;

    buf_c(t->out, "<body>\n");
    for (uint32_t i = 0; i < d->blocks_n;)
        i = d->blocks[i].kept ? add_block(t, i) : i + 1;
    close_gloss(t);
    close_parts(t, 0, false);
    close_divs(t, 0);
    buf_c(t->out, d->kept_blocks_n == 0 ? "<p/>\n</body>\n" : "</body>\n");
}

/* ---- the header ---- */

static void
add_fact(struct tei *t, const char *fact, const char *start, const char *end)
{
    struct buf value = {.arena = t->d->arena};

    fact_add(str_c(fact), t->d, &value);
    if (value.n > 0) {
        buf_c(t->out, start);
        xml_text(t->out, buf_view(&value));
        buf_printf(t->out, "%s\n", end);
    }
    buf_free(&value);
}

/* A tag that xs:language takes; pages declare anything. */
static bool
is_language(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!ascii_alpha(s.p[i]) &&
            (i == 0 || (!ascii_digit(s.p[i]) && s.p[i] != '-')))
            return false;
    return s.n > 0 && s.n <= 8;
}

/* TEI wants one: of a page without a URL, from standard input or a file, what
 * it calls its site. */
static struct str
publisher(const struct document *d)
{
    if (d->url.host.n > 0)
        return d->url.host;
    return d->meta.site.n > 0 ? d->meta.site : S("unknown");
}

static void
add_header(struct tei *t)
{
    const struct document *d = t->d;
    struct str language = d->language.n > 0 ? d->language : d->meta.language;

    buf_c(t->out, "<teiHeader>\n<fileDesc>\n<titleStmt>\n<title>");
    xml_text(t->out, d->meta.title);
    buf_c(t->out, "</title>\n");
    add_fact(t, "author", "<author>", "</author>");
    buf_c(t->out, "</titleStmt>\n<publicationStmt>\n<publisher>");
    xml_text(t->out, publisher(d));
    buf_c(t->out, "</publisher>\n");
    add_fact(t, "date", "<date>", "</date>");
    add_fact(t, "id", "<idno type=\"id\">", "</idno>");
    buf_c(t->out, "</publicationStmt>\n<sourceDesc>\n<bibl>");
    xml_text(t->out, d->meta.title);
    buf_c(t->out, " <ptr");
    add_target(t, d->url_text);
    buf_c(t->out, "/></bibl>\n</sourceDesc>\n</fileDesc>\n");
    if (is_language(language)) {
        buf_c(t->out, "<profileDesc>\n<langUsage>\n<language");
        xml_attribute(t->out, S("ident"), language);
        buf_c(t->out, "/>\n</langUsage>\n</profileDesc>\n");
    }
    buf_c(t->out, "</teiHeader>\n");
}

static void
render(const struct opts *o, const struct document *d, struct buf *out)
{
    struct tei t = {.d = d,
                    .out = out,
                    .links = {.d = d},
                    .parts = {.d = d},
                    .with_links = o->output_links,
                    .with_comments = writer_marks_comments(o)};

    buf_c(out, "<TEI " NAMESPACE ">\n");
    add_header(&t);
    buf_c(out, "<text>\n");
    add_body(&t);
    buf_c(out, "</text>\n</TEI>\n");
}

static void
head(const struct opts *o, const char *file, struct buf *out)
{
    (void)file;
    if (!o->output_xml_header)
        return;
    buf_c(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<teiCorpus " NAMESPACE ">\n<teiHeader>\n<fileDesc>\n"
               "<titleStmt>\n<title>");
    xml_text(out, o->output_corpus);
    buf_c(out, "</title>\n</titleStmt>\n<publicationStmt>\n<p>Made with "
               "winnow.</p>\n</publicationStmt>\n<sourceDesc>\n<p>Pages of the "
               "Web.</p>\n</sourceDesc>\n</fileDesc>\n</teiHeader>\n");
}

static void
tail(const struct opts *o, struct buf *out)
{
    if (o->output_xml_header)
        buf_c(out, "</teiCorpus>\n");
}

const struct writer writer_tei = {
    .name = "tei",
    .suffix = "tei",
    .help = "TEI P5: sections under their headings, lists, tables, quotations "
            "and code; a <teiCorpus>",
    .head = head,
    .tail = tail,
    .render = render,
};
