/* strip_code.c -- code is one block with the lines that the page shows.
 *
 * Highlighters put each line into an element of its own, in a <pre> or in
 * elements with its looks: a line ends where such an element begins or ends,
 * the block where the code does.  Numbers beside the lines are none of them:
 * they are known by their class, or as links to themselves. */
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
    if (holds_line(tag) && strip_in_code(s) && outer->form.form == FORM_CODE &&
        outer->form.part == strip_top(s)->form.part)
        end_line(s);
    else
        strip_flush(s);
}

/* Classes of <div>s that code and its lines stand in without a <pre>. */
static const struct {
    struct str code, line;
} div_of_code[] = {{STR("fragment"), STR("line")},
                   {STR("ltx_listing"), STR("ltx_listingline")}};

static bool
has_word(struct str list, struct str wanted)
{
    struct str word;

    while (str_word(&list, &word))
        if (str_eq(word, wanted))
            return true;
    return false;
}

void
strip_code_div(struct strip *s, struct element *e, struct str class_value,
               struct element *parent)
{
    if (parent->code_kind != 0 && parent->form.form != FORM_CODE &&
        has_word(class_value, div_of_code[parent->code_kind - 1].line))
        strip_form_code(s, &parent->form);
    for (size_t i = 0; i < sizeof div_of_code / sizeof *div_of_code; i++)
        if (has_word(class_value, div_of_code[i].code))
            e->code_kind = (uint8_t)(i + 1);
}

/* Elements of code, or of the column beside it. */
static bool
may_hold_numbers(enum tag tag)
{
    return tag == TAG_SPAN || tag == TAG_TD || tag == TAG_TH || tag == TAG_A ||
           tag == TAG_DIV || tag == TAG_LI;
}

bool
strip_is_line_number(const struct strip *s, enum tag tag,
                     struct str class_value)
{
    static const struct str everywhere[] = {STR("linenos"),
                                            STR("lineno"),
                                            STR("linenodiv"),
                                            STR("linenr"),
                                            STR("linenumber"),
                                            STR("linenumbers"),
                                            STR("line-numbers-rows"),
                                            STR("line-numbers-wrapper"),
                                            STR("lnt"),
                                            STR("blob-num"),
                                            STR("crayon-num"),
                                            STR("hljs-ln-numbers"),
                                            STR("ltx_tag_listingline")};
    /* With another meaning around a page's code, or far from any. */
    static const struct str in_code[] = {STR("ln"), STR("line-number"),
                                         STR("line-numbers")};
    struct str word;

    if (!may_hold_numbers(tag))
        return false;
    while (str_word(&class_value, &word)) {
        for (size_t i = 0; i < sizeof everywhere / sizeof *everywhere; i++)
            if (str_eq(word, everywhere[i]))
                return true;
        for (size_t i = 0; i < sizeof in_code / sizeof *in_code; i++)
            if (strip_in_code(s) && str_eq(word, in_code[i]))
                return true;
        if (tag == TAG_TD && str_eq(word, S("gutter")))
            return true;
    }
    return false;
}
