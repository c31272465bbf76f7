/* strip_stack.c -- which elements are open, without building a tree.
 *
 * A stack of open elements with the implied end tags of HTML (13.1.2.4) and
 * lenient end tags: one that matches nothing is ignored, one that matches
 * closes down to its match, but not out of a table cell.  An end tag of a
 * formatting element (a, b, font ...) whose match lies below a block element
 * takes out only that element.  The number of open elements of each tag is
 * kept, so that a search that must fail is never made.  Bound: elements deeper
 * than STRIP_DEPTH_MAX are not distinguished from their ancestor. */
#include "element_traits.h"
#include "strip.h"

#include "base/hash.h"

/* Close elements until `n` are open. */
static void
pop_to(struct strip *s, uint32_t n)
{
    while (s->stack_n > n) {
        enum tag tag = strip_top(s)->tag;

        s->open_n[tag]--;
        if (tag == TAG_RT && s->ruby != 0)
            strip_ruby_end(s);
        if (tag == TAG_A && s->link_depth > 0 && --s->link_depth == 0)
            strip_link_end(s);
        if (strip_top(s)->mark != 0)
            strip_mark_close(s, strip_top(s));
        if (strip_top(s)->class_marks != 0)
            strip_inline_note_close(s, strip_top(s));
        s->stack_n--;
    }
}

/* Take out element i and leave those above it open. */
static void
take_out(struct strip *s, uint32_t i)
{
    struct element *e = &s->stack[i];

    s->open_n[e->tag]--;
    if (e->tag == TAG_A && s->link_depth > 0 && --s->link_depth == 0)
        strip_link_end(s);
    if (e->mark != 0)
        strip_mark_close(s, e);
    memmove(e, e + 1, (s->stack_n - i - 1) * sizeof *e);
    s->stack_n--;
}

/* The element above the innermost open one is open from now on. */
static void
push(struct strip *s)
{
    s->open_n[s->stack[s->stack_n++].tag]++;
}

void
strip_stack_reset(struct strip *s)
{
    struct tag_token html = {.tag = TAG_HTML, .name = STR("html")};
    struct tag_token body = {.tag = TAG_BODY, .name = STR("body")};

    memset(s->open_n, 0, sizeof s->open_n);
    s->stack_n = s->deeper = s->link_depth = 0;
    strip_element(s, &s->stack[0], &html, NULL);
    push(s);
    strip_element(s, &s->stack[1], &body, &s->stack[0]);
    push(s);
}

/* Close the nearest element of a tag in `set`, unless one in `fence` stands
 * before it. */
static void
close_nearest(struct strip *s, const enum tag *set, const enum tag *fence)
{
    for (uint32_t i = s->stack_n; i-- > 2;) {
        enum tag tag = s->stack[i].tag;

        for (const enum tag *t = set; *t != TAG_OTHER; t++) {
            if (tag == *t) {
                pop_to(s, i);
                return;
            }
        }
        for (const enum tag *t = fence; *t != TAG_OTHER; t++)
            if (tag == *t)
                return;
    }
}

static bool
any_open(const struct strip *s, const enum tag *set)
{
    for (; *set != TAG_OTHER; set++)
        if (s->open_n[*set] > 0)
            return true;
    return false;
}

static bool
holds_html(enum tag tag)
{
    switch (tag) {
    case TAG_FOREIGNOBJECT:
    case TAG_DESC:
    case TAG_TITLE:
    case TAG_MI:
    case TAG_MO:
    case TAG_MN:
    case TAG_MS:
    case TAG_MTEXT:
    case TAG_ANNOTATION_XML: return true;
    default: return false;
    }
}

void
strip_leave_foreign(struct strip *s)
{
    uint32_t outermost = s->stack_n;

    for (uint32_t i = s->stack_n; i-- > 2 && !holds_html(s->stack[i].tag);)
        if (s->stack[i].tag == TAG_SVG || s->stack[i].tag == TAG_MATH)
            outermost = i;
    pop_to(s, outermost);
    if (s->math.state != 0)
        strip_math_end(s);
}

#define TAGS(...)                                                              \
    (const enum tag[])                                                         \
    {                                                                          \
        __VA_ARGS__, TAG_OTHER                                                 \
    }

static void
imply(struct strip *s, const enum tag *set, const enum tag *fence)
{
    if (any_open(s, set))
        close_nearest(s, set, fence);
}

bool
strip_leave_select(struct strip *s, enum tag tag)
{
    switch (tag) {
    case TAG_CAPTION:
    case TAG_TABLE:
    case TAG_TBODY:
    case TAG_TFOOT:
    case TAG_THEAD:
    case TAG_TR:
    case TAG_TD:
    case TAG_TH:
        if (s->open_n[TAG_TABLE] == 0)
            return false;
        break;
    case TAG_INPUT:
    case TAG_KEYGEN:
    case TAG_TEXTAREA:
    case TAG_SELECT: break;
    default: return false;
    }
    close_nearest(s, TAGS(TAG_SELECT), TAGS(TAG_TEMPLATE));
    return tag == TAG_SELECT;
}

static void
imply_table(struct strip *s, enum tag tag)
{
    const enum tag *table = TAGS(TAG_TABLE);

    switch (tag) {
    case TAG_TD:
    case TAG_TH:
        imply(s, TAGS(TAG_TD, TAG_TH, TAG_CAPTION), TAGS(TAG_TABLE, TAG_TR));
        break;
    case TAG_TR: imply(s, TAGS(TAG_TR, TAG_CAPTION), table); break;
    case TAG_TBODY:
    case TAG_THEAD:
    case TAG_TFOOT:
        imply(s, TAGS(TAG_TBODY, TAG_THEAD, TAG_TFOOT, TAG_CAPTION), table);
        imply(s, TAGS(TAG_TR), table);
        break;
    default: break;
    }
}

void
strip_imply_end(struct strip *s, enum tag tag)
{
    if (element_traits[tag] & ELEMENT_ENDS_P)
        imply(s, TAGS(TAG_P),
              TAGS(TAG_TABLE, TAG_TD, TAG_TH, TAG_CAPTION, TAG_BUTTON));
    switch (tag) {
    case TAG_LI:
        imply(
            s, TAGS(TAG_LI),
            TAGS(TAG_UL, TAG_OL, TAG_MENU, TAG_TABLE, TAG_TD, TAG_TH, TAG_DL));
        break;
    case TAG_DD:
    case TAG_DT:
        imply(s, TAGS(TAG_DD, TAG_DT),
              TAGS(TAG_DL, TAG_TABLE, TAG_TD, TAG_TH, TAG_UL, TAG_OL));
        break;
    case TAG_RT:
    case TAG_RP: imply(s, TAGS(TAG_RT, TAG_RP), TAGS(TAG_RUBY)); break;
    case TAG_OPTION: imply(s, TAGS(TAG_OPTION), TAGS(TAG_SELECT)); break;
    case TAG_OPTGROUP:
        imply(s, TAGS(TAG_OPTGROUP), TAGS(TAG_SELECT));
        imply(s, TAGS(TAG_OPTION), TAGS(TAG_SELECT));
        break;
    case TAG_H1:
    case TAG_H2:
    case TAG_H3:
    case TAG_H4:
    case TAG_H5:
    case TAG_H6:
        if (strip_top(s)->tag >= TAG_H1 && strip_top(s)->tag <= TAG_H6)
            pop_to(s, s->stack_n - 1);
        break;
    default: imply_table(s, tag); break;
    }
}

void
strip_open(struct strip *s, const struct tag_token *t)
{
    struct element *e = &s->stack[s->stack_n];

    if (s->stack_n == STRIP_DEPTH_MAX) {
        s->deeper++;
        s->page->depth_exceeded++;
        return;
    }
    strip_element(s, e, t, strip_top(s));
    if ((e->mark_kinds | e->mark_words) != 0 && !e->dropped)
        strip_mark_open(s, e, t);
    if (e->class_marks != 0)
        strip_inline_note_open(s, e);
    push(s);
    if (t->tag == TAG_A)
        s->link_depth++;
}

/* Index of the open element that the end tag closes, 0 for none. */
static uint32_t
match(const struct strip *s, const struct tag_token *t)
{
    uint8_t own = element_traits[t->tag];
    bool table_part = t->tag == TAG_TABLE || t->tag == TAG_TR ||
                      t->tag == TAG_TBODY || t->tag == TAG_THEAD ||
                      t->tag == TAG_TFOOT;
    uint64_t name = t->tag == TAG_OTHER ? hash64(t->name) : 0;

    for (uint32_t i = s->stack_n; i-- > 2;) {
        const struct element *e = &s->stack[i];

        if (e->tag == t->tag && (t->tag != TAG_OTHER || e->name == name))
            return i;
        if (element_traits[e->tag] & ELEMENT_SCOPE &&
            !(table_part && e->tag != TAG_TABLE))
            return 0;
        if (own & ELEMENT_PHRASE && e->block)
            return 0;
    }
    return 0;
}

void
strip_close(struct strip *s, const struct tag_token *t)
{
    uint32_t i = 0;

    if (s->deeper > 0) {
        s->deeper--;
        if (t->tag == TAG_A && s->link_depth == 0) /* it is not on the stack */
            strip_link_end(s);
        if (element_traits[t->tag] & ELEMENT_BLOCK && !strip_top(s)->dropped)
            strip_end_block(s, t->tag, strip_top(s));
        return;
    }
    if (s->open_n[t->tag] > 0)
        i = match(s, t);
    if (i == 0) {
        if (t->tag == TAG_P && !strip_top(s)->dropped)
            strip_flush(s); /* stands for an empty paragraph (13.2.6.4.7) */
        return;
    }
    if (s->stack[i].block && !s->stack[i].dropped)
        strip_end_block(s, t->tag, &s->stack[i - 1]);
    if (element_traits[t->tag] & ELEMENT_FORMATTING) {
        for (uint32_t k = i + 1; k < s->stack_n; k++) {
            if (s->stack[k].block) {
                take_out(s, i);
                return;
            }
        }
    }
    pop_to(s, i);
}
