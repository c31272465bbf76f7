/* strip_element.c -- an open element: what its attributes say of it. */
#include "element_traits.h"
#include "strip.h"

#include "base/hash.h"

/* A <template> that a shadow root is made of when the page is read: what is
 * shown of the element around it. */
static bool
is_shadow_root(const struct tag_token *t)
{
    struct str mode = strip_attribute(t, S("shadowrootmode"));

    return str_eq_nocase(mode, S("open")) || str_eq_nocase(mode, S("closed"));
}

/* Elements whose text is no part of the page. */
bool
strip_drops(const struct strip *s, const struct tag_token *t)
{
    switch (t->tag) {
    case TAG_TEMPLATE: return !is_shadow_root(t);
    case TAG_SCRIPT:
    case TAG_STYLE:
    case TAG_SVG:
    case TAG_IFRAME:
    case TAG_OBJECT:
    case TAG_CANVAS:
    case TAG_TEXTAREA:
    case TAG_SELECT:
    case TAG_MATH:
    case TAG_AUDIO:
    case TAG_VIDEO:
    case TAG_TITLE:
    case TAG_NOFRAMES:
    case TAG_NOEMBED:
    case TAG_DATALIST: return true;
    case TAG_NOSCRIPT: return !s->keep_noscript;
    case TAG_BUTTON: return strip_in_code(s); /* copies it, or runs it */
    default: return false;
    }
}

static uint32_t
ancestor_of(enum tag tag)
{
    switch (tag) {
    case TAG_ARTICLE: return 1u << ANCESTOR_ARTICLE;
    case TAG_MAIN: return 1u << ANCESTOR_MAIN;
    case TAG_NAV: return 1u << ANCESTOR_NAV;
    case TAG_ASIDE: return 1u << ANCESTOR_ASIDE;
    case TAG_FOOTER: return 1u << ANCESTOR_FOOTER;
    case TAG_HEADER: return 1u << ANCESTOR_HEADER;
    case TAG_FORM: return 1u << ANCESTOR_FORM;
    case TAG_FIGURE: return 1u << ANCESTOR_FIGURE;
    case TAG_TABLE: return 1u << ANCESTOR_TABLE;
    case TAG_BLOCKQUOTE: return 1u << ANCESTOR_BLOCKQUOTE;
    case TAG_SECTION: return 1u << ANCESTOR_SECTION;
    default: return 0;
    }
}

/* The first word without digits: what records of a list have in common, where
 * the rest says which one it is ("post-17 odd last"). */
static uint64_t
kind_of(struct str value)
{
    uint64_t h = 0;
    struct str word;

    if (!str_word(&value, &word))
        return 0;
    for (size_t i = 0; i < word.n; i++)
        if (word.p[i] < '0' || word.p[i] > '9')
            h = hash_mix(h * 31 + (uint8_t)word.p[i]);
    return h;
}

static const struct hint_cache_slot *
hints_of(struct strip *s, struct str class_value, struct str id_value,
         uint64_t key)
{
    struct hint_cache_slot *slot = &s->hint_cache[key % HINT_CACHE_SLOTS];

    if (slot->key != key) {
        slot->key = key;
        slot->hints = hint_find(class_value, id_value);
        slot->words = (uint16_t)(slot->hints >> HINT_N);
        slot->marks = class_marks(class_value);
        slot->hints &= (1u << HINT_N) - 1;
        slot->kind = kind_of(class_value.n > 0 ? class_value : id_value);
    }
    return slot;
}

/* name ":" "none" in a style, with white space anywhere between; name begins
 * with a letter in lower case. */
static bool
is_none(struct str style, struct str name)
{
    static const struct str none = STR("none");

    for (size_t i = 0; i + name.n + none.n < style.n; i++) {
        struct str rest;

        if (ascii_lower(style.p[i]) != name.p[0])
            continue;
        rest = str_sub(style, i, style.n);
        if (!str_starts_nocase(rest, name))
            continue;
        rest = str_trim(str_sub(rest, name.n, rest.n));
        if (rest.n == 0 || rest.p[0] != ':')
            continue;
        rest = str_trim(str_sub(rest, 1, rest.n));
        if (str_starts_nocase(rest, none))
            return true;
    }
    return false;
}

static void
read_role(struct element *e, struct str role)
{
    static const struct str nav[] = {STR("navigation"),  STR("banner"),
                                     STR("contentinfo"), STR("complementary"),
                                     STR("search"),      STR("dialog"),
                                     STR("menu"),        STR("menubar")};

    if (str_eq_nocase(role, S("main")) || str_eq_nocase(role, S("article")))
        e->ancestors |= 1u << ANCESTOR_MAIN_ROLE;
    for (size_t i = 0; i < sizeof nav / sizeof *nav; i++)
        if (str_eq_nocase(role, nav[i]))
            e->nav_role = true;
}

static bool
has_nocase(struct str s, struct str part)
{
    for (size_t i = 0; i + part.n <= s.n; i++)
        if (str_eq_nocase(str_sub(s, i, i + part.n), part))
            return true;
    return false;
}

static void
read_rel(struct element *e, struct str rel)
{
    struct str word;

    while (str_word(&rel, &word)) {
        if (str_eq_nocase(word, S("author")))
            e->mark_kinds |= MARK_AUTHOR;
        if (str_eq_nocase(word, S("license")))
            e->mark_kinds |= MARK_LICENCE;
    }
}

static void
read_attribute(struct element *e, const struct attribute *a)
{
    struct str v = a->value;

    switch (a->name.p[0]) {
    case 'h':
        if (str_eq(a->name, S("hidden")))
            e->hidden = true;
        break;
    case 'a':
        if (str_eq(a->name, S("aria-hidden")) && str_eq_nocase(v, S("true")))
            e->hidden = true;
        break;
    case 's':
        if (str_eq(a->name, S("style")) && is_none(v, S("display")))
            e->hidden = true;
        break;
    case 'r':
        if (str_eq(a->name, S("role")))
            read_role(e, v);
        if (str_eq(a->name, S("rel")))
            read_rel(e, v);
        break;
    case 'd':
        if (str_eq(a->name, S("datetime")))
            e->mark_kinds |= MARK_TIME;
        break;
    case 'p':
        if (str_eq(a->name, S("property")))
            e->mark_kinds |= MARK_PROPERTY;
        if (str_eq(a->name, S("pubdate")))
            e->mark_kinds |= MARK_PUBDATE;
        break;
    case 't':
        if (str_eq(a->name, S("typeof")))
            e->mark_kinds |= MARK_ITEM;
        break;
    case 'i':
        if (str_eq(a->name, S("itemscope")) || str_eq(a->name, S("itemtype")))
            e->mark_kinds |= MARK_ITEM;
        if (str_eq(a->name, S("itemprop")))
            e->mark_kinds |= MARK_PROPERTY;
        if (str_eq(a->name, S("itemprop")) &&
            (has_nocase(v, S("articlebody")) ||
             has_nocase(v, S("reviewbody")) ||
             str_eq_nocase(v, S("description")) || str_eq_nocase(v, S("text"))))
            e->ancestors |= 1u << ANCESTOR_BODY_PROPERTY;
        break;
    default: break;
    }
}

/* It draws the formula that has just been read (strip_math.c). */
static bool
draws_formula(const struct strip *s, const struct element *e)
{
    return e->class_marks & CLASS_MARK_DRAWN && s->math.to > 0 &&
           s->math.block_i == s->blocks_n && s->math.to == s->text.n;
}

static void
read_attributes(struct strip *s, struct element *e, const struct tag_token *t,
                struct element *parent)
{
    struct str class_value = STR(""), id_value = STR("");

    for (uint32_t i = 0; i < t->attributes_n; i++) {
        const struct attribute *a = &t->attributes[i];

        if (a->name.n == 0)
            continue;
        if (a->name.n == 5 && memcmp(a->name.p, "class", 5) == 0)
            class_value = a->value;
        else if (a->name.n == 2 && memcmp(a->name.p, "id", 2) == 0)
            id_value = a->value;
        else if (t->tag == TAG_A && str_eq(a->name, S("name")))
            strip_note_begin(s, e, a->value);
        else
            read_attribute(e, a);
        if (str_eq(a->name, S("style")) && strip_in_code(s))
            e->control = is_none(a->value, S("user-select"));
    }
    strip_note_begin(s, e, id_value);
    if (class_value.n + id_value.n > 0) {
        const struct hint_cache_slot *slot;
        uint64_t key = hash64(class_value);

        if (id_value.n > 0)
            key = hash64_seed(id_value, key);
        slot = hints_of(s, class_value, id_value, key);
        e->hints |= slot->hints;
        e->mark_words |= (uint8_t)slot->words;
        e->kind = hash_mix(slot->kind + (uint64_t)t->tag);
        e->shape = hash_mix(key + (uint64_t)t->tag);
        e->class_marks = slot->marks;
    }
    e->dropped |= e->control;
    if (e->class_marks == 0)
        return;
    strip_code_language(s, e, class_value);
    if (t->tag == TAG_DIV && parent != NULL)
        strip_code_div(s, e, parent);
    e->control |= strip_is_control(s, e) || strip_is_line_number(s, e);
    e->dropped |= e->control || draws_formula(s, e);
}

/* LINK_IN_x of what stands in e, by its tag and role alone. */
static uint8_t
within(const struct element *e)
{
    switch (e->tag) {
    case TAG_NAV: return LINK_IN_NAV;
    case TAG_HEADER: return LINK_IN_HEADER;
    case TAG_FOOTER: return LINK_IN_FOOTER;
    case TAG_ASIDE: return LINK_IN_ASIDE;
    case TAG_MAIN:
    case TAG_ARTICLE: return LINK_IN_MAIN;
    case TAG_TABLE: return LINK_IN_TABLE;
    case TAG_FORM: return LINK_IN_FORM;
    default: break;
    }
    return e->ancestors & 1u << ANCESTOR_MAIN_ROLE ? LINK_IN_MAIN : 0;
}

/* What is not said of every element anyway.  Clearing all of it would be a
 * fifth of the work: there are some 300 elements to a page. */
static void
clear(struct element *e)
{
    e->hints = e->container = e->mark = e->note = 0;
    e->hidden = e->nav_role = e->control = e->aside = false;
    e->footnote = e->admonition = false;
    e->class_marks = 0;
    e->language = str_n(NULL, 0);
    e->columns = 0;
    e->mark_words = 0;
}

void
strip_element(struct strip *s, struct element *e, const struct tag_token *t,
              struct element *parent)
{
    enum tag tag = t->tag;

    clear(e);
    e->tag = tag;
    e->name = tag == TAG_OTHER ? hash64(t->name) : 0;
    e->shape = hash_mix((uint64_t)tag + 1);
    e->path = e->kind = e->shape;
    e->block = element_traits[tag] & ELEMENT_BLOCK;
    e->ancestors = ancestor_of(tag);
    e->dropped = strip_drops(s, t);
    e->in_item = tag == TAG_LI;
    e->lists = tag == TAG_UL || tag == TAG_OL;
    e->tables = tag == TAG_TABLE;
    e->divs = tag == TAG_DIV;
    e->mark_kinds = tag == TAG_TIME ? MARK_TIME : 0;
    read_attributes(s, e, t, parent);
    e->within = within(e);
    e->form = parent != NULL ? parent->form : (struct block_form){0};
    if (parent == NULL)
        return;
    if (element_traits[tag] & ELEMENT_FORM && !strip_code_form(s, tag))
        strip_form(s, e, t, parent);
    strip_code_named(s, e);
    e->within |= parent->within;
    e->path = hash_mix(parent->path * 31 + (uint64_t)tag + 1);
    e->dropped |= parent->dropped;
    e->control |= parent->control;
    e->aside = parent->aside;
    e->footnote = parent->footnote || e->class_marks & CLASS_MARK_FOOTNOTE;
    e->admonition =
        parent->admonition || e->class_marks & CLASS_MARK_ADMONITION;
    if (e->note == 0)
        e->note = parent->note;
    e->hidden |= parent->hidden;
    e->in_item |= parent->in_item;
    e->nav_role |= parent->nav_role;
    e->lists = (uint16_t)(e->lists + parent->lists);
    e->tables = (uint16_t)(e->tables + parent->tables);
    e->divs = (uint16_t)(e->divs + parent->divs);
}

void
strip_element_merge(struct strip *s, struct element *e,
                    const struct tag_token *t)
{
    uint8_t above = 0;

    read_attributes(s, e, t, NULL);
    for (uint32_t i = 0; i < s->stack_n; i++)
        above = s->stack[i].within |= (uint8_t)(within(&s->stack[i]) | above);
}
