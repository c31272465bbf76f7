/* writer_markdown.c -- a document as Markdown (CommonMark, tables as on
 * GitHub).
 *
 *   ---
 *   title: "..."                      output.markdown_facts, those that are
 * known
 *   ---
 *
 *   ## heading
 *   - item, 1. item, nested by two and more blanks
 *   **term**, and below it ": meaning"
 *   > quotation
 *   *caption*
 *   ``` code ```                      as it stands, with its lines
 *   | cell | cell |                   rows of a table; its first row is the
 * head
 *   <!-- comments -->                 what follows is of readers, up to
 *   <!-- /comments -->                (clean.comments = mark)
 *
 * Characters that would be markup are escaped.  With output.links links of the
 * text are links.  A record ends with an empty line. */
#include "block_text.h"
#include "clean/chain/codepoint.h"
#include "facts.h"
#include "writers.h"

#define DEPTH_MAX 8u
#define FENCE_MIN 3u

/* A list inside which an item was written. */
struct open_list {
    uint32_t depth;  /* of its items on the page */
    uint32_t blanks; /* before its items */
    uint32_t inside; /* before what an item holds, a list or a paragraph */
    uint32_t number; /* of its last item, if it is ordered */
};

struct markdown {
    const struct opts *o;
    const struct document *d;
    struct buf *out;
    struct link_walk links;
    struct open_list open[DEPTH_MAX + 1]; /* from 1: lists that the next item
                                         may go on with */
    uint32_t open_n;
    const struct block *before; /* the block written last */
    bool in_comments;
    bool in_cell;
};

static bool
ascii_alnum(char c)
{
    return ascii_alpha(c) || ascii_digit(c);
}

/* `_` is none inside a word: with letters or digits before and after its run.
 */
static bool
is_underscore_markup(struct str s, size_t i)
{
    size_t first = i, last = i;

    while (first > 0 && s.p[first - 1] == '_')
        first--;
    while (last + 1 < s.n && s.p[last + 1] == '_')
        last++;
    return first == 0 || last + 1 == s.n || !ascii_alnum(s.p[first - 1]) ||
           !ascii_alnum(s.p[last + 1]);
}

/* `~` is some where it could end struck text, behind a word or a link, but not
 * in http://a.example/~user. */
static bool
is_tilde_markup(struct str s, size_t i)
{
    if (i == 0 || i + 1 == s.n)
        return true;
    return s.p[i - 1] != ' ' && (s.p[i - 1] != '/' || !ascii_alnum(s.p[i + 1]));
}

/* A character reference: &name; or &#number; */
static bool
is_reference(struct str s, size_t i)
{
    size_t end = i + 1;

    while (end < s.n && (ascii_alnum(s.p[end]) || s.p[end] == '#'))
        end++;
    return end > i + 1 && end < s.n && s.p[end] == ';';
}

/* Whether c would be markup there. */
static bool
is_markup(const struct markdown *m, struct str s, size_t i)
{
    char c = s.p[i];

    switch (c) {
    case '\\':
    case '*':
    case '`':
    case '[':
    case ']':
    case '<': return true;
    case '|': return m->in_cell;
    case '_': return is_underscore_markup(s, i);
    case '&': return is_reference(s, i);
    case '~': return is_tilde_markup(s, i);
    default: return false;
    }
}

static void
add_escaped(struct markdown *m, struct str s)
{
    size_t from = 0;

    for (size_t i = 0; i < s.n; i++)
        if (is_markup(m, s, i)) {
            buf_str(m->out, str_sub(s, from, i));
            buf_char(m->out, '\\');
            from = i;
        }
    buf_str(m->out, str_sub(s, from, s.n));
}

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

/* At the start of a line "# ", "> ", "- ", "+ ", "1. ", "===" and "---" would
 * be markup, too. */
static void
add_line_start(struct markdown *m, struct str s)
{
    size_t digits = 0;

    if (s.n == 0)
        return;
    while (digits < s.n && digits < 10 && ascii_digit(s.p[digits]))
        digits++;
    if (digits > 0 && digits < s.n &&
        (s.p[digits] == '.' || s.p[digits] == ')')) {
        buf_str(m->out, str_sub(s, 0, digits));
        buf_char(m->out, '\\');
        buf_char(m->out, s.p[digits]);
        s = str_sub(s, digits + 1, s.n);
    } else if (memchr("#>-+=:~|", s.p[0], 8) != NULL) {
        buf_char(m->out, '\\');
        buf_char(m->out, s.p[0]);
        s = str_sub(s, 1, s.n);
    }
    add_escaped(m, s);
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
            add_line_start(m, text);
        else
            add_escaped(m, text);
        return;
    }
    for (size_t at = 0; link_walk_next(&m->links, i, &at, &piece, &link);) {
        if (link != NULL)
            begin_link(m);
        if (start && link == NULL)
            add_line_start(m, piece);
        else
            add_escaped(m, piece);
        if (link != NULL)
            add_target(m, link->url);
        start = false;
    }
}

/* ---- blocks ---- */

static uint32_t
depth_of(const struct block *b)
{
    uint32_t depth = b->form.depth > 0 ? b->form.depth : 1;

    return depth < DEPTH_MAX ? depth : DEPTH_MAX;
}

static void
indent(struct markdown *m, uint32_t blanks)
{
    for (uint32_t k = 0; k < blanks; k++)
        buf_char(m->out, ' ');
}

/* An empty line between blocks, but for items of one list. */
static void
separate(struct markdown *m, const struct block *b)
{
    const struct block *last = m->before;
    bool in_list = b->form.form == FORM_ITEM;

    if (last == NULL)
        return;
    if (!in_list || last->form.form != FORM_ITEM ||
        last->form.part == b->form.part ||
        (last->form.ordered != b->form.ordered &&
         depth_of(last) == depth_of(b)))
        buf_char(m->out, '\n');
    if (!in_list)
        m->open_n = 0;
}

/* The list of an item of that depth: one that is open, or a new one inside
 * the innermost.  A list goes no deeper than lists were written around it:
 * more blanks would make code of it, or text of the item before. */
static struct open_list *
level_of(struct markdown *m, uint32_t depth)
{
    struct open_list *l;

    while (m->open_n > 0 && m->open[m->open_n].depth > depth)
        m->open_n--;
    l = &m->open[m->open_n];
    if (m->open_n == 0 || l->depth < depth) {
        uint32_t blanks = m->open_n > 0 ? l->inside : 0;

        l = &m->open[++m->open_n];
        *l = (struct open_list){.depth = depth, .blanks = blanks};
    }
    return l;
}

static void
add_item(struct markdown *m, uint32_t i)
{
    const struct block *b = &m->d->blocks[i], *last = m->before;
    struct open_list *l = level_of(m, depth_of(b));

    if (last != NULL && last->form.form == FORM_ITEM &&
        last->form.part == b->form.part) {
        indent(m, l->inside);
    } else {
        size_t from = m->out->n, width;

        indent(m, l->blanks);
        if (b->form.ordered)
            buf_printf(m->out, "%u. ", (unsigned)++l->number);
        else
            buf_c(m->out, "- ");
        width = m->out->n - from - l->blanks;
        l->inside = l->blanks + (width < 4 ? 4 : (uint32_t)width);
    }
    add_text(m, i);
    buf_char(m->out, '\n');
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
    for (uint32_t k = 0; k < fence; k++)
        buf_char(m->out, '`');
    buf_char(m->out, '\n');
    for (; i < end; i++)
        if (d->blocks[i].kept) {
            buf_str(m->out, d->blocks[i].text);
            buf_char(m->out, '\n');
        }
    for (uint32_t k = 0; k < fence; k++)
        buf_char(m->out, '`');
    buf_char(m->out, '\n');
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
    if (m->before != NULL)
        buf_char(m->out, '\n');
    buf_c(m->out, comment ? "<!-- comments -->\n" : "<!-- /comments -->\n");
    if (m->before == NULL && comment)
        buf_char(m->out, '\n');
    m->in_comments = comment;
}

/* What begins at kept block i; the first block behind it. */
static uint32_t
add_block(struct markdown *m, uint32_t i)
{
    const struct block *b = &m->d->blocks[i];
    struct table_run t = table_run(m->d, i);

    mark_comments(m, b->comment);
    separate(m, b);
    if (t.columns_n > 0) {
        add_table(m, &t);
        return t.to;
    }
    switch ((enum form_kind)b->form.form) {
    case FORM_HEADING: add_heading(m, i); break;
    case FORM_ITEM: add_item(m, i); break;
    case FORM_TERM: add_marked(m, i, "**", "**"); break;
    case FORM_DEFINITION: add_marked(m, i, ": ", ""); break;
    case FORM_CAPTION: add_marked(m, i, "*", "*"); break;
    case FORM_QUOTE: add_marked(m, i, "> ", ""); break;
    case FORM_CODE: return add_code(m, i);
    case FORM_PARAGRAPH:
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
    struct markdown m = {.o = o, .d = d, .out = out, .links = {.d = d}};

    add_facts(&m);
    for (uint32_t i = 0; i < d->blocks_n;) {
        uint32_t from = i;

        if (!d->blocks[i].kept) {
            i++;
            continue;
        }
        i = add_block(&m, from);
        m.before = &d->blocks[from];
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
