/* strip_place.c -- where a link stands in the tree of elements, and which
 * language its target is said to be in.
 *
 * A path is short and the same for all links of a list, so equal ones are
 * stored once as they come.  A path and a language are signals for whoever
 * orders links; a page is free to lie in them. */
#include "base/language_tag.h"
#include "strip.h"

void
strip_link_place(struct strip *s)
{
    struct raw_link *l = &s->links[s->links_n - 1];
    struct element *top = strip_top(s);
    char path[2 * LINK_PATH_STEPS];
    uint32_t from =
        s->stack_n > LINK_PATH_STEPS ? s->stack_n - LINK_PATH_STEPS : 0;
    size_t n = 0;

    l->within = (uint8_t)(top->within | (top->nav_role ? LINK_IN_NAV : 0) |
                          (top->in_item ? LINK_IN_ITEM : 0));
    for (uint32_t i = from; i < s->stack_n; i++) {
        path[n++] = (char)(s->stack[i].kind >> 8);
        path[n++] = (char)s->stack[i].kind;
    }
    if (s->links_n > 1 && str_eq(l[-1].path, str_n(path, n)))
        l->path = l[-1].path;
    else
        l->path = arena_str(s->d->arena, str_n(path, n));
}

struct str
strip_link_language(struct strip *s, const struct tag_token *t)
{
    struct str of =
        language_tag(s->d->arena, strip_attribute(t, S("hreflang")));

    return of.n > 0 ? of
                    : language_tag(s->d->arena, strip_attribute(t, S("lang")));
}

void
strip_alternate(struct strip *s, const struct tag_token *t)
{
    struct str href = str_trim(strip_attribute(t, S("href")));
    struct str of =
        language_tag(s->d->arena, strip_attribute(t, S("hreflang")));

    if (of.n == 0 || href.n == 0 || href.n > STRIP_HREF_BYTES ||
        s->alternates_n == STRIP_ALTERNATES_MAX)
        return;
    s->alternate[s->alternates_n++] =
        (struct alternate){arena_str(s->d->arena, href), of};
}

/* Its links get the alternate's language.  Are there any? */
static bool
mark_links(struct document *d, struct str url, struct str language)
{
    bool any = false;

    for (uint32_t i = 0; i < d->links_n; i++) {
        struct link *l = &d->links[i];

        if (!str_eq(l->url, url))
            continue;
        any = true;
        if (l->language.n == 0)
            l->language = language;
    }
    return any;
}

void
strip_link_languages(struct strip *s)
{
    struct document *d = s->d;
    const struct url *base = d->base.href.n > 0 ? &d->base : NULL;

    d->alternates = ARENA_ARRAY(d->arena, struct link, s->alternates_n);
    for (uint32_t k = 0; k < s->alternates_n; k++) {
        const struct alternate *a = &s->alternate[k];
        struct url u;

        if (url_parse_plain_max(&u, d->arena, a->href, base, s->url_max) ==
                ST_OK &&
            !mark_links(d, u.href, a->language) && !str_eq(u.href, d->url.href))
            d->alternates[d->alternates_n++] =
                (struct link){.url = u.href, .language = a->language};
    }
}
