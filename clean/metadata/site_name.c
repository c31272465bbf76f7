/* site_name.c -- what the site is called, by its domain, its titles and the
 * link that leads home. */
#include "title_cut.h"
#include "titles.h"

#include "base/url/host.h"
#include "clean/blocks/char_class.h"

#define NAME_BYTES_MAX 60u /* bytes: longer parts of titles are no name */

static const struct guess_at in_title = {.source = META_FROM_TITLE, .rank = 7};

/* Letters and digits of `s`, lower case, into `out`; how many bytes. */
static size_t
letters(struct str s, char *out, size_t max)
{
    size_t n = 0;

    for (size_t i = 0; i < s.n && n < max; i++)
        if (ascii_alpha(s.p[i]) || ascii_digit(s.p[i]) ||
            (unsigned char)s.p[i] >= 0x80)
            out[n++] = ascii_lower(s.p[i]);
    return n;
}

/* "The New York Times" and nytimes.com are not found, "Daily News" and
 * dailynews.co.uk are; so is "Example" in example-online.de. */
static bool
is_domain(const struct guesses *c, struct str s)
{
    const char *a = c->domain_letters;
    char b[sizeof c->domain_letters];
    size_t an = c->domain_letters_n, bn;

    if (an < 3)
        return false;
    if (str_starts_nocase(s, S("the ")))
        s = str_sub(s, 4, s.n);
    if (str_starts_nocase(s, S("www.")))
        s = str_sub(s, 4, s.n);
    for (int k = 0; k < 2; k++) { /* "Example.com" is one as well */
        bn = letters(s, b, sizeof b);
        if (an == bn && memcmp(a, b, an) == 0)
            return true;
        s = str_sub(s, 0, str_find(s, '.', 0));
    }
    return an >= 4 && bn >= 4 && (an > bn ? bn * 2 >= an : an * 3 >= bn) &&
           memcmp(a, b, an < bn ? an : bn) == 0;
}

bool
is_site_name(const struct guesses *c, struct str s)
{
    uint32_t n;
    uint64_t key = candidate_key(s, &n);

    if (n == 0)
        return false;
    for (uint32_t i = 0; i < c->n[META_SITE]; i++)
        if (c->of[META_SITE][i].key == key)
            return true;
    return is_domain(c, s);
}

/* A part of the title that is the domain's name is the site's. */
static void
domain_in(struct guesses *c, struct str title)
{
    for (size_t from = 0; from < title.n;) {
        struct title_cut cut;
        bool more = title_cut_next(title, from > 0 ? from : 1, &cut);
        struct str s = str_trim(str_sub(title, from, more ? cut.at : title.n));

        if (s.n <= NAME_BYTES_MAX && is_domain(c, s))
            (void)candidate_add(c, META_SITE, s, &in_title);
        from = more ? cut.end : title.n;
    }
}

/* Is it the page at the top of the site of `page`? */
static bool
is_home(const struct url *page, struct str url)
{
    size_t host_end = (size_t)(page->host.p + page->host.n - page->href.p);
    size_t path = str_find(page->href, '/', host_end);

    return url.n == path + 1 && str_starts(page->href, url);
}

/* A part of the title that leads home, as the name above every page does; not
 * an entry of a menu, such as "Home"; or "". */
static struct str
name_that_leads_home(const struct document *d, struct str title)
{
    struct str none = STR("");

    if (d->url.href.n == 0 || is_home(&d->url, d->url.href))
        return none;
    for (uint32_t i = 0; i < d->links_n; i++) {
        const struct link *l = &d->links[i];

        if (is_home(&d->url, l->url) && l->anchor.n > 0 &&
            !(l->within & (LINK_IN_NAV | LINK_IN_ITEM | LINK_IN_FOOTER)) &&
            title_has_at_end(title, l->anchor))
            return l->anchor;
    }
    return none;
}

struct str
site_names_in_titles(struct guesses *c, uint32_t titles)
{
    const struct guess *of = c->of[META_TITLE];
    struct str home = STR("");

    c->domain_letters_n =
        letters(c->domain, c->domain_letters, sizeof c->domain_letters);
    for (uint32_t i = 0; i < titles; i++)
        if (title_of_head(&of[i]))
            domain_in(c, of[i].value);
    for (uint32_t i = 0; i < titles && home.n == 0; i++)
        if (title_of_head(&of[i]))
            home = name_that_leads_home(c->d, of[i].value);
    (void)candidate_add(c, META_SITE, home, &in_title);
    return home;
}

/* "Word [Site]" with the site's name in an <h1>, too. */
static void
name_in_brackets(struct guesses *c, struct str title)
{
    struct str front, back;
    uint64_t key;
    uint32_t n;

    if (!title_bracketed(title, &front, &back))
        return;
    key = candidate_key(back, &n);
    for (uint32_t i = 0; i < c->n[META_TITLE]; i++)
        if (c->of[META_TITLE][i].key == key &&
            c->of[META_TITLE][i].sources & 1u << META_FROM_H1)
            (void)candidate_add(c, META_SITE, back, &in_title);
}

/* Is it an <h1> above the page, in its <header>, or else one of the page? */
static bool
is_h1(const struct guesses *c, struct str s, bool above)
{
    uint32_t n;
    uint64_t key = candidate_key(s, &n);

    for (uint32_t i = 0; i < c->n[META_TITLE]; i++) {
        const struct guess *k = &c->of[META_TITLE][i];

        if (k->key == key && k->sources & 1u << META_FROM_H1)
            return above ==
                   (k->within & LINK_IN_HEADER && !(k->within & LINK_IN_MAIN));
    }
    return false;
}

/* The half of the title that is an <h1> above the page where the other half is
 * one of the page, as Maven's sites have it; or "". */
static struct str
name_above(const struct guesses *c, struct str title)
{
    struct title_cut cut;
    uint32_t n = 0;

    for (size_t i = 1; n < TITLE_CUTS_MAX && title_cut_next(title, i, &cut);
         i = cut.end, n++) {
        if (is_h1(c, cut.front, true) && is_h1(c, cut.back, false))
            return cut.front;
        if (is_h1(c, cut.back, true) && is_h1(c, cut.front, false))
            return cut.back;
    }
    return (struct str)STR("");
}

struct str
site_names_in_headings(struct guesses *c, uint32_t titles)
{
    struct str above = STR("");

    for (uint32_t i = 0; i < titles; i++) {
        struct str title = c->of[META_TITLE][i].value;

        if (!title_of_head(&c->of[META_TITLE][i]))
            continue;
        name_in_brackets(c, title);
        if (above.n == 0)
            above = name_above(c, title);
    }
    (void)candidate_add(c, META_SITE, above, &in_title);
    return above;
}

/* "Page 2" */
static bool
ends_in_number(struct str s)
{
    size_t at = s.n;

    while (at > 0 && ascii_digit(s.p[at - 1]))
        at--;
    return at < s.n && (at == 0 || s.p[at - 1] == ' ');
}

/* The one part that `title` is short of, of a few words; not behind a colon or
 * an arrow, which part titles and sections; no number of a page. */
static struct str
left_off(struct str whole, const struct guess *title)
{
    struct str none = STR(""), off = none;
    struct title_cut cut;
    uint32_t cuts = 0, n;

    for (size_t i = 1; cuts < TITLE_CUTS_MAX && title_cut_next(whole, i, &cut);
         i = cut.end, cuts++) {
        if (cut.colon || cut.arrow)
            continue;
        if (candidate_key(cut.front, &n) == title->key)
            off = cut.back;
        else if (candidate_key(cut.back, &n) == title->key)
            off = cut.front;
    }
    if (title_cut_next(off, 1, &cut) || !title_is_short(off) ||
        ends_in_number(off))
        return none;
    return off;
}

void
sources_site(struct guesses *c, const struct guess *title)
{
    const uint32_t seen = 1u << META_FROM_H1 | 1u << META_FROM_HEADING |
                          1u << META_FROM_OPEN_GRAPH | 1u << META_FROM_JSON_LD;
    const struct guess_at at = {.source = META_FROM_TITLE_PART, .rank = 9};

    if (c->n[META_SITE] > 0 || !(title->sources & 1u << META_FROM_TITLE_PART) ||
        !(title->sources & seen))
        return;
    for (uint32_t i = 0; i < c->n[META_TITLE] && c->n[META_SITE] == 0; i++)
        if (c->of[META_TITLE][i].sources & 1u << META_FROM_TITLE)
            (void)candidate_add(
                c, META_SITE, left_off(c->of[META_TITLE][i].value, title), &at);
}
