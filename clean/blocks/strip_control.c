/* strip_control.c -- controls among the text: marks behind a heading that link
 * to it (Sphinx, MkDocs, VitePress, rustdoc: a pilcrow, #, a section sign),
 * numbers of lines that link to themselves, what MediaWiki puts into headings
 * and above the text ("[edit]", "Jump to navigation", in the wiki's language),
 * and the like of others. */
#include "strip.h"

#include "char_class.h"

bool
strip_is_control(const struct strip *s, const struct element *e)
{
    return e->class_marks & CLASS_MARK_CONTROL ||
           (e->class_marks & CLASS_MARK_MARKER &&
            s->stack[s->stack_n - 1].form.form == FORM_ITEM);
}

void
strip_self_link_start(struct strip *s, struct str id)
{
    s->power = false;
    s->self_link = (struct strip_self_link){.id = arena_str(s->d->arena, id),
                                            .open = true,
                                            .raised = s->open_n[TAG_SUP] > 0,
                                            .blank = s->blank_pending,
                                            .block_i = s->blocks_n,
                                            .link_bytes = s->now.link_bytes,
                                            .marks_n = s->page->marks_n,
                                            .from = s->text.n,
                                            .lines_from = s->lines.n};
}

static bool
says_nothing(struct str text)
{
    for (size_t at = 0; at < text.n;)
        if (char_class(char_next(text, &at)) & CHAR_WORD)
            return false;
    return true;
}

/* In code marks are part of it, but a number that begins a line is that of the
 * line. */
static bool
numbers_line(const struct strip *s, struct str text)
{
    struct str before =
        str_sub(buf_view(&s->lines), 0, s->self_link.lines_from);

    while (before.n > 0 && before.p[before.n - 1] == ' ')
        before.n--;
    for (size_t i = 0; i < text.n; i++)
        if (!ascii_digit(text.p[i]) && text.p[i] != ' ')
            return false;
    return before.n == 0 || before.p[before.n - 1] == '\n';
}

/* Elements in the link have no text any more. */
static void
empty_marks(struct page_counts *page, uint32_t first, size_t at)
{
    for (uint32_t i = first; i < page->marks_n; i++)
        page->marks[i].from = page->marks[i].to = (uint32_t)at;
}

static void
leave_out(struct strip *s)
{
    const struct strip_self_link *l = &s->self_link;

    s->text.n = l->from;
    if (strip_in_code(s))
        s->lines.n = l->lines_from;
    s->blank_pending |= l->blank;
    s->now.link_bytes = l->link_bytes;
    empty_marks(s->page, l->marks_n, l->from);
}

/* A heading that leads to itself, or to its line in the contents, as those of
 * mdBook and docutils do, is no link to elsewhere.  "#top" is one of every
 * page (HTML 7.4.6.4), and "#" of none. */
static bool
leads_to_place(struct strip *s)
{
    return strip_top(s)->form.form == FORM_HEADING && s->self_link.id.n > 0 &&
           !str_eq_nocase(s->self_link.id, S("top"));
}

static void
link_to_place(struct strip *s)
{
    s->now.place_bytes += s->now.link_bytes - s->self_link.link_bytes;
    s->now.link_bytes = s->self_link.link_bytes;
}

void
strip_self_link_end(struct strip *s)
{
    const struct strip_self_link *l = &s->self_link;
    struct str text = str_sub(buf_view(&s->text), l->from, s->text.n);
    bool code = strip_in_code(s);

    if (l->open && s->ruby == 0 && l->block_i == s->blocks_n && text.n > 0) {
        if (code ? numbers_line(s, text) : says_nothing(text))
            leave_out(s);
        else if (!code && strip_is_note_mark(text))
            strip_note_mark(s);
        else if (leads_to_place(s))
            link_to_place(s);
    }
    s->self_link.open = false;
}
