/* strip_code_language.c -- which programming language code is in, as the page
 * says it by a class: language-x, lang-x of the <code>, the <pre> or what they
 * stand in (the HTML standard's own way), highlight-x, highlight-source-x,
 * "sourceCode x", "brush: x".
 *
 * A word right before the code that is nothing but that name is a label of it.
 */
#include "strip.h"

#define AROUND 2 /* elements around the <pre> that may say it */
#define NAME_BYTES 20u

static bool
is_name(struct str name)
{
    /* that it is in none, or not known */
    static const struct str none[] = {
        STR("none"), STR("default"), STR("plain"),     STR("plaintext"),
        STR("text"), STR("txt"),     STR("undefined"), STR("unknown")};

    if (name.n == 0 || name.n > NAME_BYTES)
        return false;
    for (size_t i = 0; i < name.n; i++)
        if (!ascii_alpha(name.p[i]) && !ascii_digit(name.p[i]) &&
            memchr("+#-_.", name.p[i], 5) == NULL)
            return false;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (str_eq_nocase(name, none[i]))
            return false;
    return true;
}

/* What a word of a class, behind another one, says; "": nothing. */
static struct str
named_by(struct str before, struct str word)
{
    static const struct str prefixes[] = {STR("language-"), STR("lang-"),
                                          STR("highlight-source-"),
                                          STR("highlight-")};

    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (str_starts(word, prefixes[i]))
            return str_sub(word, prefixes[i].n, word.n);
    if (str_eq(before, S("sourceCode")) || str_eq(before, S("brush:")))
        return str_sub(word, 0, str_find(word, ';', 0));
    return str_n(NULL, 0);
}

static struct str
language_of(struct str class_value)
{
    struct str before = STR(""), word;

    for (; str_word(&class_value, &word); before = word) {
        struct str name = named_by(before, word);

        if (is_name(name))
            return name;
    }
    return str_n(NULL, 0);
}

/* The last block is the label of code that begins. */
static bool
is_label(const struct strip *s, struct str name)
{
    const struct page_counts *page = s->page;
    const struct block *b;

    if (s->blocks_n == 0)
        return false;
    b = &s->blocks[s->blocks_n - 1];
    return str_eq_nocase(b->text, name) && b->counts->links == 0 &&
           b->form.form == FORM_PARAGRAPH &&
           (page->marks_n == 0 ||
            page->marks[page->marks_n - 1].end_i + 1 < s->blocks_n);
}

static void
set(struct strip *s, uint32_t part, struct str name)
{
    if (part == 0 || s->parts[part].language.n > 0 || s->text.n > 0)
        return;
    s->parts[part].language = arena_str(s->d->arena, name);
    if (is_label(s, name))
        s->blocks_n--;
}

void
strip_code_language(struct strip *s, struct element *e, struct str class_value)
{
    struct str name = STR("");

    if (e->class_marks & CLASS_MARK_LANGUAGE &&
        (e->tag == TAG_PRE || e->tag == TAG_CODE || e->tag == TAG_DIV ||
         e->tag == TAG_FIGURE))
        name = language_of(class_value);
    if (name.n > 0)
        e->language = arena_str(s->d->arena, name);
}

void
strip_code_named(struct strip *s, const struct element *e)
{
    if (e->form.form != FORM_CODE || (e->tag != TAG_PRE && e->tag != TAG_CODE))
        return;
    if (e->language.n > 0)
        set(s, e->form.part, e->language);
    for (uint32_t i = 1; e->tag == TAG_PRE && i <= AROUND && i < s->stack_n;
         i++)
        if (s->stack[s->stack_n - i].language.n > 0)
            set(s, e->form.part, s->stack[s->stack_n - i].language);
}
