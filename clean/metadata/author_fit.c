/* author_fit.c -- see author_fit.h.
 *
 * Bylines, class words, dates and links to profiles bring what is near a name:
 * where to share the page, its section, the way to it, headings.  A name of the
 * site is none of these, as many pages have no other author. */
#include "author_fit.h"

#include <pthread.h>
#include <stdlib.h>

#define WORDS_MAX 640u
#define SOURCE(id) (1u << META_FROM_##id)
#define IN_TEXT (SOURCE(TEXT) | SOURCE(LINK) | SOURCE(BYLINE))
#define SHOWN (IN_TEXT | SOURCE(CLASS) | SOURCE(REL))

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint64_t keys[WORDS_MAX]; /* sorted */
static uint32_t keys_n;

static int
by_key(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

static void
build(void)
{
    static const struct str words[] = {
#define NO_AUTHOR(word) STR(word),
#include "no_author.tbl.h"
#undef NO_AUTHOR
    };
    uint32_t n;

    _Static_assert(sizeof words / sizeof *words <= WORDS_MAX, "few");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        keys[keys_n++] = candidate_key(words[i], &n);
    qsort(keys, keys_n, sizeof *keys, by_key);
}

void
author_fit_init(void)
{
    pthread_once(&once, build);
}

/* All names are words of the table; one that is the site's may be meant. */
static bool
is_word(const struct guesses *c, const struct guess *k)
{
    for (uint32_t i = 0; i < k->names_n; i++) {
        uint32_t n;
        uint64_t key = candidate_key(k->names[i], &n);

        if (bsearch(&key, keys, keys_n, sizeof *keys, by_key) == NULL)
            return false;
    }
    return !is_site_name(c, k->value);
}

/* Marks of a way through the site, of rights or of a topic. */
static bool
is_marked(struct str s)
{
    static const struct str marks[] = {STR(">"), STR("›"), STR("→"), STR("←"),
                                       STR("©")};

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (str_has(s, marks[i]))
            return true;
    return s.p[0] == '#' || (str_has(s, S("»")) && !str_has(s, S("«")));
}

/* The rest of a sentence: "by and large", "Authors and Citation". */
static bool
goes_on(struct str s)
{
    static const struct str lower[] = {
        STR("and "), STR("& "),   STR("or "),    STR("to "),  STR("of "),
        STR("in "),  STR("on "),  STR("with "),  STR("und "), STR("oder "),
        STR("et "),  STR("ou "),  STR("y "),     STR("o "),   STR("e "),
        STR("en "),  STR("och "), STR("eller "), STR("og "),  STR("oraz ")};
    static const struct str any[] = {
        STR("about "),   STR("collected by"), STR("copyright "),
        STR("for "),     STR("from "),        STR("how "),
        STR("in this "), STR("share "),       STR("site by "),
        STR("these "),   STR("this "),        STR("using "),
        STR("what "),    STR("when "),        STR("why "),
        STR("written "), STR("your ")};

    for (size_t i = 0; i < sizeof lower / sizeof *lower; i++)
        if (str_starts(s, lower[i]))
            return true;
    for (size_t i = 0; i < sizeof any / sizeof *any; i++)
        if (str_starts_nocase(s, any[i]))
            return true;
    return false;
}

/* It stands in a menu or in the way to the page, and nowhere else. */
static bool
leads_on(const struct document *d, const struct guess *k)
{
    return (k->sources & ~IN_TEXT) == 0 && k->block_i < d->blocks_n &&
           (k->within & LINK_IN_NAV ||
            d->blocks[k->block_i].counts->hint[HINT_CRUMB] != 0);
}

static bool
is_section(const struct guesses *c, const struct guess *k)
{
    uint32_t n;
    uint64_t key;

    if (c->n[META_SECTION] == 0 || (k->sources & ~SHOWN) != 0)
        return false;
    key = candidate_key(k->value, &n);
    for (uint32_t i = 0; i < c->n[META_SECTION]; i++)
        if (c->of[META_SECTION][i].key == key)
            return true;
    return false;
}

/* A heading that a date stands beside and nothing else says to be an author. */
static bool
is_heading(const struct document *d, const struct guess *k)
{
    enum tag tag;

    if (k->sources != SOURCE(TEXT) || k->block_i >= d->blocks_n)
        return false;
    tag = d->blocks[k->block_i].counts->tag;
    return tag >= TAG_H1 && tag <= TAG_H6;
}

static uint32_t
headings(const struct guesses *c)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->n[META_AUTHOR]; i++)
        n += is_heading(c->d, &c->of[META_AUTHOR][i]);
    return n;
}

static bool
fits(const struct guesses *c, const struct guess *k)
{
    return !is_word(c, k) && !is_marked(k->value) && !goes_on(k->value) &&
           !leads_on(c->d, k) && !is_section(c, k);
}

void
author_fit(struct guesses *c, uint32_t heading_i)
{
    struct guess *of = c->of[META_AUTHOR];
    bool listed = headings(c) > 1; /* posts, with their dates */
    uint32_t fit = 0;

    c->bylines_n = c->n[META_AUTHOR];
    for (uint32_t i = 0; i < c->bylines_n; i++) {
        struct guess k = of[i];

        if (!fits(c, &k) ||
            (is_heading(c->d, &k) && (listed || k.block_i == heading_i)))
            continue;
        memmove(of + fit + 1, of + fit, (i - fit) * sizeof *of);
        of[fit++] = k;
    }
    c->n[META_AUTHOR] = fit;
}
