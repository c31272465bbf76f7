/* writer_markdown.c -- a document as Markdown (CommonMark, tables as on
 * GitHub).
 *
 *   ---
 *   title: "..."                      output.markdown_facts, those that are
 * known
 *   ---
 *
 *   ## heading
 *   - item, 1. item, by its number on the page; "*" and "1)" where a list
 *                   stands right behind another, or does not count up
 *   **term**, and below it ": meaning"
 *   > quotation
 *   *caption*
 *   ```c code ```                     as it stands, with its lines, and the
 *                                     language that the page names
 *   | cell | cell |                   rows of a table; its first row is the
 * head
 *   <!-- comments -->                 what follows is of readers, up to
 *   <!-- /comments -->                (clean.comments = mark)
 *
 * Items and quotes hold lists, quotes, code and paragraphs; headings and tables
 * stand outside.  Characters that would be markup are escaped but in TeX, bare
 * URLs with such are in <>.  With output.links links of the text are links.  A
 * record ends with an empty line.
 */
#include "block_parts.h"
#include "block_text.h"
#include "clean/chain/codepoint.h"
#include "facts.h"
#include "markdown_escape.h"
#include "writers.h"

#define FENCE_MIN 3u
#define INDENT_MIN 4u

struct markdown {
    const struct opts *o;
    const struct document *d;
    struct buf *out;
    struct link_walk links;
    struct part_walk parts;
    struct table_run run;           /* the last that was looked at */
    uint32_t width[OPEN_PARTS_MAX]; /* of an open item: before what it holds */
    bool second[OPEN_PARTS_MAX]; /* its list has the other marker, as it stands
                                    right behind one of its kind */
    bool any, in_comments;       /* any: something has been written */
    bool in_cell;
};

static void
escape_last(struct markdown *m)
{
    char c = m->out->p[--m->out->n];

    buf_char(m->out, '\\');
    buf_char(m->out, c);
}

/* A link behind "!" would be an image. */
static void
begin_link(struct markdown *m)
{
    if (m->out->n > 0 && m->out->p[m->out->n - 1] == '!')
        escape_last(m);
    buf_char(m->out, '[');
}

/* <...>: what would end it is percent-encoded in a canonical URL anyway. */
static void
add_target(struct markdown *m, struct str url)
{
    buf_c(m->out, "](<");
    for (size_t i = 0; i < url.n; i++)
        if (url.p[i] == '<' || url.p[i] == '>' || url.p[i] == '\\')
            buf_printf(m->out, "%%%02X", (unsigned)(unsigned char)url.p[i]);
        else
            buf_char(m->out, url.p[i]);
    buf_c(m->out, ">)");
}

static void
add_text(struct markdown *m, uint32_t i)
{
    struct str piece, text = m->d->blocks[i].text;
    const struct link *link;
    bool start = !m->in_cell;

    if (!m->o->output_links) {
        if (start)
            markdown_escape_start(m->out, &text);
        markdown_escape(m->out, text, m->in_cell, false);
        return;
    }
    for (size_t at = 0; link_walk_next(&m->links, i, &at, &piece, &link);) {
        if (link != NULL)
            begin_link(m);
        if (start && link == NULL)
            markdown_escape_start(m->out, &piece);
        markdown_escape(m->out, piece, m->in_cell, link != NULL);
        if (link != NULL)
            add_target(m, link->url);
        start = false;
    }
}

/* ---- blocks ---- */

static void
indent(struct markdown *m, uint32_t blanks)
{
    while (blanks-- > 0)
        buf_char(m->out, ' ');
}

/* What stands before each line in the first n of the open parts. */
static void
begin_line(struct markdown *m, uint32_t n, bool empty)
{
    size_t from = m->out->n;

    for (uint32_t k = 0; k < n; k++) {
        if (m->d->parts[m->parts.open[k]].form == FORM_QUOTE)
            buf_c(m->out, "> ");
        else
            indent(m, m->width[k]);
    }
    while (empty && m->out->n > from && m->out->p[m->out->n - 1] == ' ')
        m->out->n--;
}

/* In a tight line there is text behind the marker, else what goes on in lines
 * below, or has a marker of its own: that has to begin where they do. */
static void
begin_item(struct markdown *m, uint32_t k, bool tight)
{
    const struct page_part *p = &m->d->parts[m->parts.open[k]];
    size_t from = m->out->n;
    uint32_t width;

    if (p->ordered)
        buf_printf(m->out, "%u%s", (unsigned)p->number,
                   m->second[k] ? ") " : ". ");
    else
        buf_c(m->out, m->second[k] ? "* " : "- ");
    width = (uint32_t)(m->out->n - from);
    m->width[k] = width < INDENT_MIN ? INDENT_MIN : width;
    if (!tight)
        indent(m, m->width[k] - width);
}

/* Whether item k of the step is of the list that the text before is in.  Only
 * the first number of a list is read, the others count up: an item with another
 * one, as those between are left out or the page says so, begins a list. */
static bool
goes_on(const struct markdown *m, const struct part_step *step, uint32_t k)
{
    const struct page_part *before, *p;

    if (!part_step_goes_on(&m->parts, step, k))
        return false;
    before = &m->d->parts[m->parts.open[k]];
    p = &m->d->parts[step->around[k]];
    return !p->ordered || p->number == before->number + 1;
}

/* No empty line before an item of the list that the text before is in, and
 * before a list in an item, unless its number makes it text of the item. */
static bool
is_separate(const struct markdown *m, const struct part_step *step)
{
    const struct page_part *p, *outer;

    if (step->same == step->n)
        return true;
    p = &m->d->parts[step->around[step->same]];
    if (goes_on(m, step, step->same))
        return false;
    if (step->same == 0 || step->same < m->parts.open_n ||
        p->form != FORM_ITEM || (p->ordered && p->number != 1))
        return true;
    outer = &m->d->parts[step->around[step->same - 1]];
    return outer->form != FORM_ITEM;
}

/* Whether the list that begins or goes on with part `same` has the second
 * marker. */
static bool
has_second_marker(const struct markdown *m, const struct part_step *step)
{
    uint32_t k = step->same;
    const struct page_part *ended, *p;

    if (k >= step->n || k >= m->parts.open_n)
        return false;
    ended = &m->d->parts[m->parts.open[k]];
    p = &m->d->parts[step->around[k]];
    if (ended->form != FORM_ITEM || p->form != FORM_ITEM ||
        ended->ordered != p->ordered)
        return false;
    return m->second[k] == goes_on(m, step, k);
}

/* Before the text of block b: an empty line, and the parts that begin. */
static void
begin_block(struct markdown *m, const struct block *b, bool is_table)
{
    bool outside = is_table || b->form.form == FORM_HEADING;
    struct part_step step = part_step(&m->parts, outside ? 0 : b->form.part);
    bool second = has_second_marker(m, &step);

    if (m->any && is_separate(m, &step)) {
        begin_line(m, step.same, true);
        buf_char(m->out, '\n');
    }
    m->any = true;
    part_walk_take(&m->parts, &step);
    begin_line(m, step.same, false);
    for (uint32_t k = step.same; k < step.n; k++) {
        m->second[k] = k == step.same && second;
        if (m->d->parts[step.around[k]].form == FORM_QUOTE)
            buf_c(m->out, "> ");
        else
            begin_item(m, k, k + 1 == step.n && b->form.form != FORM_CODE);
    }
}

static uint32_t
fence_of(struct str s)
{
    uint32_t run = 0, most = FENCE_MIN - 1;

    for (size_t i = 0; i < s.n; i++) {
        run = s.p[i] == '`' ? run + 1 : 0;
        most = run > most ? run : most;
    }
    return most + 1;
}

static void
add_fence(struct markdown *m, uint32_t n, struct str language)
{
    while (n-- > 0)
        buf_char(m->out, '`');
    buf_str(m->out, language);
    buf_char(m->out, '\n');
}

static void
add_code_lines(struct markdown *m, struct str text)
{
    struct str line;

    while (str_cut(&text, '\n', &line)) {
        begin_line(m, m->parts.open_n, line.n == 0);
        buf_str(m->out, line);
        buf_char(m->out, '\n');
    }
}

/* Blocks of one <pre> are one. */
static uint32_t
add_code(struct markdown *m, uint32_t i)
{
    const struct document *d = m->d;
    uint32_t part = d->blocks[i].form.part, end = i, fence = FENCE_MIN;

    for (; end < d->blocks_n && d->blocks[end].form.form == FORM_CODE &&
           d->blocks[end].form.part == part;
         end++) {
        uint32_t needed = fence_of(d->blocks[end].text);

        fence = needed > fence ? needed : fence;
    }
    add_fence(m, fence, d->parts[part].language);
    for (; i < end; i++)
        if (d->blocks[i].kept)
            add_code_lines(m, d->blocks[i].text);
    begin_line(m, m->parts.open_n, false);
    add_fence(m, fence, S(""));
    return end;
}

static void
end_row(struct markdown *m, const struct table_run *t, uint32_t column,
        bool first)
{
    for (; column < t->columns_n; column++)
        buf_c(m->out, "|  ");
    buf_c(m->out, "|\n");
    for (uint32_t c = 0; first && c < t->columns_n; c++)
        buf_c(m->out, "| --- ");
    if (first)
        buf_c(m->out, "|\n");
}

static void
add_table(struct markdown *m, const struct table_run *t)
{
    uint32_t row = 0, column = 0;
    bool first = true;

    m->in_cell = true;
    for (uint32_t i = t->from; i < t->to; i++) {
        const struct block *b = &m->d->blocks[i];

        if (!b->kept)
            continue;
        if (row != 0 && row != b->form.row) {
            end_row(m, t, column, first);
            first = false;
            column = 0;
        }
        row = b->form.row;
        for (; column < t->place[b->form.column]; column++)
            buf_c(m->out, "|  ");
        buf_c(m->out, "| ");
        add_text(m, i);
        buf_char(m->out, ' ');
        column++;
    }
    end_row(m, t, column, first);
    m->in_cell = false;
}

static void
add_marked(struct markdown *m, uint32_t i, const char *before,
           const char *after)
{
    buf_c(m->out, before);
    add_text(m, i);
    buf_c(m->out, after);
    buf_char(m->out, '\n');
}

/* "#" at the end of a heading, behind a blank, would be left out as markup. */
static void
add_heading(struct markdown *m, uint32_t i)
{
    static const char *const hashes[] = {"# ",    "# ",     "## ",    "### ",
                                         "#### ", "##### ", "###### "};
    size_t end;

    buf_c(m->out, hashes[m->d->blocks[i].form.level % 7]);
    add_text(m, i);
    end = m->out->n;
    while (m->out->p[end - 1] == '#')
        end--;
    if (end < m->out->n && m->out->p[end - 1] == ' ')
        escape_last(m);
    buf_char(m->out, '\n');
}

/* What begins and ends readers' comments is a block of its own. */
static void
mark_comments(struct markdown *m, bool comment)
{
    if (comment == m->in_comments || !writer_marks_comments(m->o))
        return;
    if (m->any)
        buf_char(m->out, '\n');
    buf_c(m->out, comment ? "<!-- comments -->\n" : "<!-- /comments -->\n");
    m->any = true;
    m->parts.open_n = 0;
    m->in_comments = comment;
}

/* What begins at kept block i; the first block behind it. */
static uint32_t
add_block(struct markdown *m, uint32_t i)
{
    const struct block *b = &m->d->blocks[i];

    table_run(&m->run, m->d, i);
    mark_comments(m, b->comment);
    begin_block(m, b, m->run.columns_n > 0);
    if (m->run.columns_n > 0) {
        add_table(m, &m->run);
        return m->run.to;
    }
    switch ((enum form_kind)b->form.form) {
    case FORM_HEADING: add_heading(m, i); break;
    case FORM_TERM: add_marked(m, i, "**", "**"); break;
    case FORM_DEFINITION: add_marked(m, i, ": ", ""); break;
    case FORM_CAPTION: add_marked(m, i, "*", "*"); break;
    case FORM_CODE: return add_code(m, i);
    case FORM_PARAGRAPH:
    case FORM_ITEM:
    case FORM_QUOTE:
    case FORM_CELL:
    case FORM_N: add_marked(m, i, "", ""); break;
    }
    return i + 1;
}

/* What YAML does not allow as it stands (5.1), or its older readers take for
 * the end of a line. */
static bool
is_escaped_in_yaml(uint32_t cp)
{
    return (cp >= 0x7f && cp < 0xa0) || cp == 0x2028 || cp == 0x2029 ||
           cp == 0xfffe || cp == 0xffff;
}

/* YAML: a double-quoted text. */
static void
add_yaml(struct markdown *m, struct str value)
{
    buf_char(m->out, '"');
    for (size_t at = 0, from = 0; from < value.n; from = at) {
        uint32_t cp = codepoint_next(value, &at);

        if (cp == '"' || cp == '\\')
            buf_char(m->out, '\\');
        if (is_escaped_in_yaml(cp))
            buf_printf(m->out, "\\u%04X", (unsigned)cp);
        else if (cp < 0x20)
            buf_char(m->out, ' ');
        else
            buf_str(m->out, str_sub(value, from, at));
    }
    buf_c(m->out, "\"\n");
}

static void
add_facts(struct markdown *m)
{
    const struct opt_list *list = &m->o->output_markdown_facts;
    struct buf value = {.arena = m->d->arena};
    bool any = false;

    for (size_t i = 0; i < list->n; i++) {
        buf_clear(&value);
        fact_add(list->item[i], m->d, &value);
        if (value.n == 0)
            continue;
        if (!any)
            buf_c(m->out, "---\n");
        any = true;
        buf_printf(m->out, "%.*s: ", STRF(list->item[i]));
        add_yaml(m, buf_view(&value));
    }
    if (any)
        buf_c(m->out, "---\n\n");
}

static void
render(const struct opts *o, const struct document *d, struct buf *out)
{
    struct markdown m = {
        .o = o, .d = d, .out = out, .links = {.d = d}, .parts = {.d = d}};

    add_facts(&m);
    for (uint32_t i = 0; i < d->blocks_n;) {
        i = d->blocks[i].kept ? add_block(&m, i) : i + 1;
    }
    mark_comments(&m, false);
    buf_char(out, '\n');
}

const struct writer writer_markdown = {
    .name = "markdown",
    .suffix = "md",
    .help = "headings, lists, tables, quotes and code as Markdown, behind the "
            "facts of output.markdown_facts",
    .render = render,
};
