/* strip_code.c -- code is one block with the lines that the page shows.
 *
 * Highlighters put each line into an element of its own, in a <pre> or in
 * elements with its looks: a line ends where such an element begins or ends,
 * the block where the code does.  Numbers beside the lines are none of them:
 * they are known by their class, as links to themselves, or as what cannot be
 * selected. */
#include "strip.h"

#include "element_traits.h"

/* What lines of code stand in, and is no more than that there. */
static bool
holds_line(enum tag tag)
{
    return tag == TAG_DIV || tag == TAG_OL || tag == TAG_UL || tag == TAG_LI;
}

bool
strip_code_form(const struct strip *s, enum tag tag)
{
    return strip_in_code(s) && holds_line(tag) && tag != TAG_DIV;
}

/* Unless a line begins here anyway. */
static void
end_line(struct strip *s)
{
    if (s->lines.n == 0 || s->lines.p[s->lines.n - 1] == '\n')
        return;
    buf_char(&s->lines, '\n');
    s->blank_pending = s->text.n > 0;
}

void
strip_end_block(struct strip *s, enum tag tag, const struct element *outer)
{
    bool ends_p = element_traits[tag] & ELEMENT_ENDS_P && s->open_n[TAG_P] > 0;

    if (outer->aside && !ends_p)
        strip_inline_note_text(s, S(" "));
    else if (holds_line(tag) && strip_in_code(s) &&
             outer->form.form == FORM_CODE &&
             outer->form.part == strip_top(s)->form.part)
        end_line(s);
    else
        strip_flush(s);
}

void
strip_code_div(struct strip *s, const struct element *e, struct element *parent)
{
    uint16_t inner = e->class_marks, outer = parent->class_marks;

    if (parent->form.form != FORM_CODE &&
        ((outer & CLASS_MARK_FRAGMENT && inner & CLASS_MARK_FRAGMENT_LINE) ||
         (outer & CLASS_MARK_LISTING && inner & CLASS_MARK_LISTING_LINE)))
        strip_form_code(s, &parent->form);
}

bool
strip_code_is_between_lines(const struct strip *s)
{
    const struct element *top = &s->stack[s->stack_n - 1];

    return top->tag == TAG_DIV && strip_in_code(s) &&
           top->class_marks & (CLASS_MARK_FRAGMENT | CLASS_MARK_LISTING);
}

/* Elements of code, or of the column beside it. */
static bool
may_hold_numbers(enum tag tag)
{
    return tag == TAG_SPAN || tag == TAG_TD || tag == TAG_TH || tag == TAG_A ||
           tag == TAG_DIV || tag == TAG_LI;
}

bool
strip_is_line_number(const struct strip *s, const struct element *e)
{
    uint16_t marks = e->class_marks;

    if (!may_hold_numbers(e->tag))
        return false;
    return marks & CLASS_MARK_NUMBER ||
           (marks & CLASS_MARK_NUMBER_IN_CODE && strip_in_code(s)) ||
           (marks & CLASS_MARK_NUMBER_COLUMN && e->tag == TAG_TD);
}
