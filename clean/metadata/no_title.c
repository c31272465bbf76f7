/* no_title.c -- candidates of titles that name something else than the page:
 * the site, or the page by its place in the URL. */
#include "title_cut.h"
#include "titles.h"

void
no_title_of_site(struct guesses *c, struct str site)
{
    struct guess *of = c->of[META_TITLE];
    uint32_t n = 0, letters_n;
    uint64_t key = candidate_key(site, &letters_n);

    if (site.n == 0)
        return;
    for (uint32_t i = 0; i < c->n[META_TITLE]; i++)
        if (of[i].key != key && (of[i].sources != 1u << META_FROM_TITLE ||
                                 !title_has_at_end(of[i].value, site)))
            of[n++] = of[i];
    if (n > 0)
        c->n[META_TITLE] = n;
}

/* Lower case in one word, as DokuWiki's ids: kurs:erste-schritte. */
static bool
is_identifier(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == ' ' || (s.p[i] >= 'A' && s.p[i] <= 'Z'))
            return false;
    return s.n > 0 && ascii_alpha(s.p[0]);
}

/* Does it stand in the URL, as a part of the path or a value? */
static bool
stands_in_url(struct str url, struct str s)
{
    for (size_t i = 1; i + s.n <= url.n; i++) {
        struct str end = str_sub(url, i + s.n, url.n);

        if ((url.p[i - 1] == '/' || url.p[i - 1] == '=') &&
            (end.n == 0 || memchr("/&?.", end.p[0], 4) != NULL) &&
            str_starts(str_sub(url, i, url.n), s))
            return true;
    }
    return false;
}

static bool
has_other_h1(const struct guesses *c)
{
    for (uint32_t i = 0; i < c->n[META_TITLE]; i++)
        if (c->of[META_TITLE][i].sources & 1u << META_FROM_H1 &&
            !(c->of[META_TITLE][i].parts & PART_IS_SITE))
            return true;
    return false;
}

/* The first candidate that is no heading and stands in the URL; or "". */
static struct str
name_in_url(const struct guesses *c)
{
    const uint32_t headed = 1u << META_FROM_H1 | 1u << META_FROM_HEADING;

    for (uint32_t i = 0; i < c->n[META_TITLE]; i++) {
        const struct guess *k = &c->of[META_TITLE][i];

        if (!(k->sources & headed) && is_identifier(k->value) &&
            stands_in_url(c->d->url.target, k->value))
            return k->value;
    }
    return (struct str)STR("");
}

void
no_title_in_url(struct guesses *c)
{
    struct guess *of = c->of[META_TITLE];
    struct str name = has_other_h1(c) ? name_in_url(c) : (struct str)STR("");
    uint32_t n = 0;

    if (name.n == 0)
        return;
    for (uint32_t i = 0; i < c->n[META_TITLE]; i++)
        if (!str_eq(of[i].value, name) && !(of[i].parts & PART_IS_SITE) &&
            (of[i].sources != 1u << META_FROM_TITLE ||
             !(str_starts(of[i].value, name) || str_ends(of[i].value, name))))
            of[n++] = of[i];
    c->n[META_TITLE] = n;
}
