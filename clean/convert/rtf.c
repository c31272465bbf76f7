/* rtf.c -- what unrtf makes of RTF: HTML of fonts and <br>.
 *
 * A <br> there is the end of a paragraph.  Of the tags only those of tables and
 * lists are kept, of the head title and author; the rest are fonts.  A heading
 * is a paragraph that is bold from end to end and short. */
#include "html_write.h"
#include "reader.h"

#define HEADING_MAX 120

struct rtf {
    struct html_writer html;
    bool item, begun;
    unsigned bold;
    size_t bold_n; /* bytes of the paragraph that are bold */
    struct properties about;
};

static struct str
tag_name(struct str tag)
{
    size_t i = 0;

    if (str_starts(tag, S("/")))
        i = 1;
    while (i < tag.n && !ascii_space(tag.p[i]) && tag.p[i] != '/')
        i++;
    return str_sub(tag, 0, i);
}

/* Its references go on as they are, but for the blanks. */
static void
text(struct rtf *r, struct str s)
{
    static const struct str blank = STR("&nbsp;");
    size_t before = r->html.text.n;

    while (s.n > 0) {
        const char *at = memmem(s.p, s.n, blank.p, blank.n);
        size_t n = at != NULL ? (size_t)(at - s.p) : s.n;

        html_text(&r->html, str_sub(s, 0, n));
        if (at != NULL)
            html_text(&r->html, S(" "));
        s = str_sub(s, n + blank.n, s.n);
    }
    if (r->bold > 0)
        r->bold_n += r->html.text.n - before;
}

static void
end_paragraph(struct rtf *r)
{
    size_t n = str_trim(buf_view(&r->html.text)).n;
    bool heading = n > 0 && n <= HEADING_MAX && r->bold_n >= n;

    r->bold_n = 0;
    if (r->item)
        html_item(&r->html);
    else
        html_paragraph(&r->html, heading ? 2 : 0);
}

static void
table_tag(struct rtf *r, struct str name)
{
    if (str_eq(name, S("table")))
        html_table_begin(&r->html);
    else if (str_eq(name, S("tr")))
        html_row_begin(&r->html);
    else if (str_eq(name, S("td")))
        html_cell_begin(&r->html);
    else if (str_eq(name, S("/td")))
        html_cell_end(&r->html);
    else if (str_eq(name, S("/table")))
        html_table_end(&r->html);
}

static bool
is_block(struct str name)
{
    static const struct str blocks[] = {
        STR("br"),   STR("p"),   STR("/p"),     STR("div"),
        STR("/div"), STR("li"),  STR("/li"),    STR("hr"),
        STR("ul"),   STR("/ul"), STR("center"), STR("/center")};

    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (str_eq(name, blocks[i]))
            return true;
    return false;
}

static void
tag(struct rtf *r, struct str t)
{
    struct str name = tag_name(t);

    if (is_block(name)) {
        end_paragraph(r);
        if (str_eq(name, S("li")) || str_eq(name, S("/li")))
            r->item = name.p[0] != '/';
    } else if (str_eq(name, S("b"))) {
        r->bold++;
    } else if (str_eq(name, S("/b"))) {
        r->bold -= r->bold > 0;
    } else {
        if (name.n > 1 && (name.p[0] == 't' || name.p[1] == 't') &&
            !str_eq(name, S("td")) && !str_eq(name, S("tr")))
            end_paragraph(r);
        table_tag(r, name);
    }
}

static struct str
between(struct str s, struct str from, struct str to)
{
    const char *at = memmem(s.p, s.n, from.p, from.n), *end;

    if (at == NULL)
        return S("");
    s = str_sub(s, (size_t)(at - s.p) + from.n, s.n);
    end = memmem(s.p, s.n, to.p, to.n);
    return end != NULL ? str_sub(s, 0, (size_t)(end - s.p)) : S("");
}

static void
body(struct rtf *r, struct str s)
{
    while (s.n > 0) {
        size_t at = str_find(s, '<', 0), end;

        text(r, str_sub(s, 0, at));
        s = str_sub(s, at, s.n);
        if (str_starts(s, S("<!--"))) {
            const char *over = memmem(s.p, s.n, "-->", 3);

            s = over != NULL ? str_sub(s, (size_t)(over - s.p) + 3, s.n)
                             : S("");
            continue;
        }
        end = str_find(s, '>', 0);
        if (s.n > 0)
            tag(r, str_sub(s, 1, end));
        s = str_sub(s, end + 1, s.n);
    }
}

enum status
convert_read_rtf(struct str unrtf, struct buf *html, const char **why)
{
    struct str head = between(unrtf, S("<head>"), S("</head>"));
    const char *at = memmem(unrtf.p, unrtf.n, "<body", 5);
    struct rtf r = {0};

    if (at == NULL) {
        *why = "unrtf wrote no page";
        return ST_INVALID;
    }
    r.about.title = between(head, S("<title>"), S("</title>"));
    r.about.author = between(head, S("name=\"author\" content=\""), S("\">"));
    r.about.created = between(head, S("creation date: "), S("-->"));
    html_begin(&r.html, html, &r.about);
    r.html.raw = true;
    unrtf = str_sub(unrtf, (size_t)(at - unrtf.p), unrtf.n);
    unrtf = str_sub(unrtf, str_find(unrtf, '>', 0) + 1, unrtf.n);
    body(&r, unrtf);
    end_paragraph(&r);
    html_end(&r.html);
    return ST_OK;
}
