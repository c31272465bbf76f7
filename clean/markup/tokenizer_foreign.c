/* tokenizer_foreign.c -- whether the tokenizer stands inside svg or math.
 *
 * Only the tree knows that exactly; the tokenizer needs it for three things:
 * "<![CDATA[" counts, <style>, <title>, <script> do not switch the state, and
 * NUL becomes U+FFFD.  So a small stack holds the open svg and math elements
 * and the integration points in them (foreignObject, desc, title, mi, ...),
 * inside which HTML is read again (13.2.6.5 and "tree construction
 * dispatcher").  Where it differs from the tree:
 *   - an end tag of an element that only HTML has leaves svg and math at once,
 *     whether or not that element is open: an svg that nobody closes must not
 *     change how the rest of a page is read;
 *   - CDATA counts in an integration point until a start tag is seen in it;
 *   - past FOREIGN_DEPTH_MAX nothing more is stacked. */
#include "tokenizer_impl.h"

static void
push(struct foreign *f, enum tag tag, bool html)
{
    if (f->n < FOREIGN_DEPTH_MAX)
        f->stack[f->n++] = (struct foreign_entry){.tag = tag, .html = html};
}

bool
foreign_inside(const struct foreign *f)
{
    return f->n > 0 && !f->stack[f->n - 1].html;
}

bool
foreign_cdata(const struct foreign *f)
{
    return f->n > 0 && !f->stack[f->n - 1].children;
}

static void
leave(struct foreign *f)
{
    while (foreign_inside(f))
        f->n--;
}

/* The start tags that 13.2.6.5 takes as the end of foreign content. */
static bool
breaks_out(enum tag tag)
{
    switch (tag) {
    case TAG_B:
    case TAG_BIG:
    case TAG_BLOCKQUOTE:
    case TAG_BODY:
    case TAG_BR:
    case TAG_CENTER:
    case TAG_CODE:
    case TAG_DD:
    case TAG_DIV:
    case TAG_DL:
    case TAG_DT:
    case TAG_EM:
    case TAG_EMBED:
    case TAG_H1:
    case TAG_H2:
    case TAG_H3:
    case TAG_H4:
    case TAG_H5:
    case TAG_H6:
    case TAG_HEAD:
    case TAG_HR:
    case TAG_I:
    case TAG_IMG:
    case TAG_LI:
    case TAG_LISTING:
    case TAG_MENU:
    case TAG_META:
    case TAG_NOBR:
    case TAG_OL:
    case TAG_P:
    case TAG_PRE:
    case TAG_RUBY:
    case TAG_S:
    case TAG_SMALL:
    case TAG_SPAN:
    case TAG_STRIKE:
    case TAG_STRONG:
    case TAG_SUB:
    case TAG_SUP:
    case TAG_TABLE:
    case TAG_TT:
    case TAG_U:
    case TAG_UL:
    case TAG_VAR: return true;
    default: return false;
    }
}

/* End tags that cannot be those of an element of svg or math. */
static bool
only_html(enum tag tag)
{
    switch (tag) {
    case TAG_ARTICLE:
    case TAG_ASIDE:
    case TAG_BUTTON:
    case TAG_DETAILS:
    case TAG_FIELDSET:
    case TAG_FIGURE:
    case TAG_FOOTER:
    case TAG_FORM:
    case TAG_HEADER:
    case TAG_HTML:
    case TAG_LABEL:
    case TAG_MAIN:
    case TAG_NAV:
    case TAG_SECTION:
    case TAG_SUMMARY:
    case TAG_TBODY:
    case TAG_TD:
    case TAG_TFOOT:
    case TAG_TH:
    case TAG_THEAD:
    case TAG_TR: return true;
    default: return breaks_out(tag);
    }
}

static const struct attribute *
find(const struct tag_token *tag, struct str name)
{
    for (uint32_t i = 0; i < tag->attributes_n; i++)
        if (str_eq(tag->attributes[i].name, name))
            return &tag->attributes[i];
    return NULL;
}

static bool
font_breaks_out(const struct tag_token *tag)
{
    return find(tag, S("color")) != NULL || find(tag, S("face")) != NULL ||
           find(tag, S("size")) != NULL;
}

bool
tag_token_leaves_foreign(const struct tag_token *t)
{
    return breaks_out(t->tag) || (t->tag == TAG_FONT && font_breaks_out(t));
}

/* Whether this element, inside `root` (svg or math), holds HTML. */
static bool
integration_point(enum tag root, const struct tag_token *tag)
{
    const struct attribute *encoding;

    switch (tag->tag) {
    case TAG_FOREIGNOBJECT:
    case TAG_DESC:
    case TAG_TITLE: return root == TAG_SVG;
    case TAG_MI:
    case TAG_MO:
    case TAG_MN:
    case TAG_MS:
    case TAG_MTEXT: return root == TAG_MATH;
    case TAG_ANNOTATION_XML:
        return root == TAG_MATH &&
               (encoding = find(tag, S("encoding"))) != NULL &&
               (str_eq_nocase(encoding->value, S("text/html")) ||
                str_eq_nocase(encoding->value, S("application/xhtml+xml")));
    default: return false;
    }
}

bool
foreign_start(struct foreign *f, const struct tag_token *tag)
{
    bool root = tag->tag == TAG_SVG || tag->tag == TAG_MATH;

    if (f->n == 0 && !root)
        return true; /* nearly always */
    if (foreign_inside(f) && tag_token_leaves_foreign(tag))
        leave(f);
    if (!foreign_inside(f)) {
        if (f->n > 0)
            f->stack[f->n - 1].children = true;
        if (!root)
            return true;
        if (!tag->self_closing)
            push(f, tag->tag, false);
        return false;
    }
    if (tag->self_closing)
        return false;
    if (root)
        push(f, tag->tag, false);
    else if (integration_point(f->stack[f->n - 1].tag, tag))
        push(f, tag->tag, true);
    return false;
}

void
foreign_end(struct foreign *f, enum tag tag)
{
    if (f->n == 0)
        return;
    for (unsigned i = f->n; i-- > 0;) {
        if (f->stack[i].tag == tag) {
            f->n = i;
            return;
        }
    }
    if (only_html(tag))
        leave(f);
}
