/* strip_stack.c -- which elements are open, without building a tree.
 *
 * A stack of open elements with the implied end tags of HTML (13.1.2.4) and
 * lenient end tags: one that matches nothing is ignored, one that matches
 * closes down to its match, but not out of a table cell.  An end tag of a
 * formatting element (a, b, font ...) whose match lies below a block element
 * takes out only that element.  The number of open elements of each tag is
 * kept, so that a search that must fail is never made.  Bound: elements deeper
 * than STRIP_DEPTH_MAX are not distinguished from their ancestor. */
#include "strip.h"

#include "winnow/hash.h"

enum trait {
    BLOCK = 1 << 0,
    EMPTY = 1 << 1,      /* void: has no end tag */
    ENDS_P = 1 << 2,     /* its start tag ends an open <p> */
    FORMATTING = 1 << 3, /* its end tag does not close blocks */
    SCOPE = 1 << 4,      /* end tags inside do not reach out of it */
    PHRASE = 1 << 5      /* inline: its end tag does not pass a block */
};

static const uint8_t traits[TAG_N] = {
    [TAG_A] = FORMATTING,
    [TAG_ABBR] = PHRASE,
    [TAG_ACRONYM] = PHRASE,
    [TAG_ADDRESS] = BLOCK | ENDS_P,
    [TAG_AREA] = BLOCK | EMPTY,
    [TAG_ARTICLE] = BLOCK | ENDS_P,
    [TAG_ASIDE] = BLOCK | ENDS_P,
    [TAG_AUDIO] = BLOCK,
    [TAG_B] = FORMATTING,
    [TAG_BASE] = EMPTY,
    [TAG_BGSOUND] = EMPTY,
    [TAG_BIG] = FORMATTING,
    [TAG_BLOCKQUOTE] = BLOCK | ENDS_P,
    [TAG_BODY] = BLOCK,
    [TAG_BR] = EMPTY,
    [TAG_BUTTON] = BLOCK,
    [TAG_CANVAS] = BLOCK,
    [TAG_CAPTION] = BLOCK | SCOPE,
    [TAG_CENTER] = BLOCK | ENDS_P,
    [TAG_CITE] = PHRASE,
    [TAG_CODE] = FORMATTING,
    [TAG_COL] = EMPTY,
    [TAG_DD] = BLOCK | ENDS_P,
    [TAG_DETAILS] = BLOCK | ENDS_P,
    [TAG_DIALOG] = BLOCK | ENDS_P,
    [TAG_DIR] = BLOCK | ENDS_P,
    [TAG_DIV] = BLOCK | ENDS_P,
    [TAG_DL] = BLOCK | ENDS_P,
    [TAG_DT] = BLOCK | ENDS_P,
    [TAG_EM] = FORMATTING,
    [TAG_EMBED] = EMPTY,
    [TAG_FIELDSET] = BLOCK | ENDS_P,
    [TAG_FIGCAPTION] = BLOCK | ENDS_P,
    [TAG_FIGURE] = BLOCK | ENDS_P,
    [TAG_FONT] = FORMATTING,
    [TAG_FOOTER] = BLOCK | ENDS_P,
    [TAG_FORM] = BLOCK | ENDS_P,
    [TAG_FRAME] = EMPTY,
    [TAG_FRAMESET] = BLOCK,
    [TAG_H1] = BLOCK | ENDS_P,
    [TAG_H2] = BLOCK | ENDS_P,
    [TAG_H3] = BLOCK | ENDS_P,
    [TAG_H4] = BLOCK | ENDS_P,
    [TAG_H5] = BLOCK | ENDS_P,
    [TAG_H6] = BLOCK | ENDS_P,
    [TAG_HEADER] = BLOCK | ENDS_P,
    [TAG_HGROUP] = BLOCK | ENDS_P,
    [TAG_HR] = BLOCK | EMPTY | ENDS_P,
    [TAG_HTML] = BLOCK,
    [TAG_I] = FORMATTING,
    [TAG_IFRAME] = BLOCK,
    [TAG_IMAGE] = EMPTY,
    [TAG_IMG] = EMPTY,
    [TAG_INPUT] = EMPTY,
    [TAG_KEYGEN] = EMPTY,
    [TAG_LABEL] = BLOCK,
    [TAG_LEGEND] = BLOCK,
    [TAG_LI] = BLOCK | ENDS_P,
    [TAG_LINK] = EMPTY,
    [TAG_LISTING] = BLOCK | ENDS_P,
    [TAG_MAIN] = BLOCK | ENDS_P,
    [TAG_MAP] = BLOCK,
    [TAG_MENU] = BLOCK | ENDS_P,
    [TAG_META] = EMPTY,
    [TAG_NAV] = BLOCK | ENDS_P,
    [TAG_NOBR] = FORMATTING,
    [TAG_OBJECT] = BLOCK,
    [TAG_OL] = BLOCK | ENDS_P,
    [TAG_OPTGROUP] = BLOCK,
    [TAG_OPTION] = BLOCK,
    [TAG_P] = BLOCK | ENDS_P,
    [TAG_PARAM] = EMPTY,
    [TAG_PLAINTEXT] = BLOCK | ENDS_P,
    [TAG_PRE] = BLOCK | ENDS_P,
    [TAG_Q] = PHRASE,
    [TAG_S] = FORMATTING,
    [TAG_SEARCH] = BLOCK | ENDS_P,
    [TAG_SECTION] = BLOCK | ENDS_P,
    [TAG_SELECT] = BLOCK,
    [TAG_SMALL] = FORMATTING,
    [TAG_SOURCE] = EMPTY,
    [TAG_SPAN] = PHRASE,
    [TAG_STRIKE] = FORMATTING,
    [TAG_STRONG] = FORMATTING,
    [TAG_SUMMARY] = BLOCK | ENDS_P,
    [TAG_TABLE] = BLOCK | SCOPE | ENDS_P,
    [TAG_TBODY] = BLOCK,
    [TAG_TD] = BLOCK | SCOPE,
    [TAG_TEXTAREA] = BLOCK,
    [TAG_TFOOT] = BLOCK,
    [TAG_TH] = BLOCK | SCOPE,
    [TAG_THEAD] = BLOCK,
    [TAG_TIME] = PHRASE,
    [TAG_TR] = BLOCK,
    [TAG_TRACK] = EMPTY,
    [TAG_TT] = FORMATTING,
    [TAG_U] = FORMATTING,
    [TAG_UL] = BLOCK | ENDS_P,
    [TAG_VIDEO] = BLOCK,
    [TAG_WBR] = EMPTY,
    [TAG_XMP] = BLOCK | ENDS_P,
};

bool
strip_tag_is_block(enum tag tag)
{
    return traits[tag] & BLOCK;
}

bool
strip_tag_is_void(enum tag tag)
{
    return traits[tag] & EMPTY;
}

/* Close elements until `n` are open. */
static void
pop_to(struct strip *s, uint32_t n)
{
    while (s->stack_n > n) {
        enum tag tag = strip_top(s)->tag;

        s->open_n[tag]--;
        if (tag == TAG_A && s->link_depth > 0 && --s->link_depth == 0)
            strip_link_end(s);
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
    memmove(e, e + 1, (s->stack_n - i - 1) * sizeof *e);
    s->stack_n--;
}

static void
push(struct strip *s, const struct element *e)
{
    s->stack[s->stack_n++] = *e;
    s->open_n[e->tag]++;
}

void
strip_stack_reset(struct strip *s)
{
    struct tag_token html = {.tag = TAG_HTML, .name = STR("html")};
    struct tag_token body = {.tag = TAG_BODY, .name = STR("body")};
    struct element e;

    memset(s->open_n, 0, sizeof s->open_n);
    s->stack_n = s->deeper = s->link_depth = 0;
    strip_element(s, &e, &html, NULL);
    push(s, &e);
    strip_element(s, &e, &body, &s->stack[0]);
    push(s, &e);
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
    if (traits[tag] & ENDS_P)
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
    struct element e;

    if (s->stack_n == STRIP_DEPTH_MAX) {
        s->deeper++;
        s->page->depth_exceeded++;
        return;
    }
    strip_element(s, &e, t, strip_top(s));
    push(s, &e);
    if (t->tag == TAG_A)
        s->link_depth++;
}

/* Index of the open element that the end tag closes, 0 for none. */
static uint32_t
match(const struct strip *s, const struct tag_token *t)
{
    uint8_t own = traits[t->tag];
    bool table_part = t->tag == TAG_TABLE || t->tag == TAG_TR ||
                      t->tag == TAG_TBODY || t->tag == TAG_THEAD ||
                      t->tag == TAG_TFOOT;
    uint64_t name = t->tag == TAG_OTHER ? hash64(t->name) : 0;

    for (uint32_t i = s->stack_n; i-- > 2;) {
        const struct element *e = &s->stack[i];

        if (e->tag == t->tag && (t->tag != TAG_OTHER || e->name == name))
            return i;
        if (traits[e->tag] & SCOPE && !(table_part && e->tag != TAG_TABLE))
            return 0;
        if (own & PHRASE && e->block)
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
        if (traits[t->tag] & BLOCK && !strip_top(s)->dropped)
            strip_flush(s);
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
        strip_flush(s);
    if (traits[t->tag] & FORMATTING) {
        for (uint32_t k = i + 1; k < s->stack_n; k++) {
            if (s->stack[k].block) {
                take_out(s, i);
                return;
            }
        }
    }
    pop_to(s, i);
}
