/* strip_link.c -- anchors to links.
 *
 * Targets are kept as they stand while the page is read, since <base> may
 * come late, and resolved at the end.  Duplicates stay: the frontier knows
 * better.  Bounds: STRIP_LINKS_MAX links, each at most s->url_max bytes as it
 * stands resolved, which is looked at before it takes memory: a base as long as
 * the page would else come once a link.  A base over that bound is none, and
 * nothing that is relative can be told then. */
#include "strip.h"

#include "base/hash.h"
#include "base/url/host.h"

/* Whether rel holds nofollow, ugc or sponsored. */
static bool
is_nofollow(struct str rel)
{
    struct str word;

    while (str_word(&rel, &word))
        if (str_eq_nocase(word, S("nofollow")) ||
            str_eq_nocase(word, S("ugc")) ||
            str_eq_nocase(word, S("sponsored")))
            return true;
    return false;
}

/* Whether rel says that the target is the page before or behind this one. */
static bool
is_neighbour(struct str rel)
{
    struct str word;

    while (str_word(&rel, &word))
        if (str_eq_nocase(word, S("next")) || str_eq_nocase(word, S("prev")) ||
            str_eq_nocase(word, S("previous")))
            return true;
    return false;
}

/* False: over a bound; counted. */
static bool
add(struct strip *s, struct str href, bool nofollow)
{
    struct arena *a = s->d->arena;

    if (s->links_n == STRIP_LINKS_MAX || href.n > STRIP_HREF_BYTES) {
        s->d->links_dropped++;
        return false;
    }
    if (s->links_n == s->links_cap) {
        uint32_t cap = s->links_cap ? 2 * s->links_cap : 128;

        s->links = arena_grow(a, s->links, s->links_n * sizeof *s->links,
                              cap * sizeof *s->links);
        s->links_cap = cap;
    }
    s->links[s->links_n++] = (struct raw_link){.href = arena_str(a, href),
                                               .anchor = STR(""),
                                               .path = STR(""),
                                               .language = STR(""),
                                               .block_i = s->blocks_n,
                                               .block_at = (uint32_t)s->text.n,
                                               .nofollow = nofollow};
    return true;
}

void
strip_link_end(struct strip *s)
{
    strip_self_link_end(s);
    if (!s->link_open)
        return;
    s->link_open = false;
    s->links[s->links_n - 1].anchor =
        arena_str(s->d->arena, buf_view(&s->anchor));
}

/* A target without a scheme, or with one that is fetched; quick, since most
 * other links are of a few known kinds, and parsing decides the rest. */
static bool
may_be_http(struct str href)
{
    size_t colon = str_find(href, ':', 0);
    struct str scheme = str_sub(href, 0, colon);

    if (colon == href.n || href.p[0] == '/' || href.p[0] == '?')
        return true;
    for (size_t i = 0; i < scheme.n; i++)
        if (!ascii_alpha(scheme.p[i]))
            return true;
    return str_eq_nocase(scheme, S("http")) ||
           str_eq_nocase(scheme, S("https"));
}

void
strip_link_start(struct strip *s, const struct tag_token *t)
{
    struct str href = strip_attribute(t, S("href"));
    struct str rel = strip_attribute(t, S("rel"));

    if (t->tag == TAG_FRAME)
        href = strip_attribute(t, S("src"));
    strip_link_end(s);
    href = str_trim(href);
    s->now.neighbours |= is_neighbour(rel);
    if (t->tag == TAG_A && href.n > 0 && href.p[0] == '#')
        strip_self_link_start(s, str_sub(href, 1, href.n));
    if (href.n == 0 || href.p[0] == '#' || !may_be_http(href))
        return;
    if (!add(s, href, is_nofollow(rel)))
        return;
    s->links[s->links_n - 1].language = strip_link_language(s, t);
    if (t->tag == TAG_A) {
        s->link_open = true;
        buf_clear(&s->anchor);
        s->anchor_blank = false;
    } else {
        bool blank = false;

        strip_link_place(s);
        buf_clear(&s->anchor);
        strip_collapse(&s->anchor, &blank, strip_attribute(t, S("alt")),
                       STRIP_ANCHOR_BYTES);
        s->links[s->links_n - 1].anchor =
            arena_str(s->d->arena, buf_view(&s->anchor));
    }
}

void
strip_link_text(struct strip *s, struct str text)
{
    strip_collapse(&s->anchor, &s->anchor_blank, text, STRIP_ANCHOR_BYTES);
}

/* "5; url='https://example.org/'": HTML 4.2.5.3, leniently; of a <meta> or of
 * that HTTP header, which browsers obey alike. */
void
strip_link_refresh(struct strip *s, struct str content)
{
    size_t i = 0;

    while (i < content.n && content.p[i] != ';' && content.p[i] != ',')
        i++;
    content = str_trim(str_sub(content, i + 1, content.n));
    if (str_starts_nocase(content, S("url"))) {
        struct str rest = str_trim(str_sub(content, 3, content.n));

        if (rest.n > 0 && rest.p[0] == '=')
            content = str_trim(str_sub(rest, 1, rest.n));
    }
    if (content.n > 1 && (content.p[0] == '"' || content.p[0] == '\''))
        content = str_sub(content, 1, str_find(content, content.p[0], 1));
    if (content.n > 0) {
        strip_link_end(s);
        add(s, content, false);
    }
}

#define RELATED_SLOTS 32u /* hosts of a page; a power of two */

struct relater {
    struct str host, domain; /* of the page */
    struct {                 /* hosts met; the latest of a slot stays */
        struct str host;
        enum link_relation relation;
    } slot[RELATED_SLOTS];
};

/* Whether the registered domain of `host` can be `domain`: it ends its hosts,
 * but for a dot behind it.  Most links are told apart by this alone. */
static bool
may_be_of(struct str host, struct str domain)
{
    if (str_ends(host, S(".")))
        host.n--;
    return domain.n > 0 && str_ends(host, domain);
}

static enum link_relation
relate(struct relater *r, struct str host)
{
    size_t at = hash64(host) % RELATED_SLOTS;

    if (str_eq(host, r->host))
        return LINK_SAME_HOST;
    if (!str_eq(host, r->slot[at].host)) {
        r->slot[at].host = host;
        r->slot[at].relation =
            may_be_of(host, r->domain) &&
                    str_eq(host_registered_domain(host), r->domain)
                ? LINK_SAME_DOMAIN
                : LINK_EXTERNAL;
    }
    return r->slot[at].relation;
}

struct str
strip_link_base(struct strip *s, struct str href)
{
    href = str_trim(href);
    return href.n > STRIP_HREF_BYTES ? str_n(NULL, 0)
                                     : arena_str(s->d->arena, href);
}

/* The document's base URL (HTML 2.4.3): empty when there is none. */
static void
find_base(struct strip *s)
{
    struct document *d = s->d;
    enum status st;

    d->base = d->url;
    if (!s->base_seen)
        return;
    st = s->base_href.p == NULL
             ? ST_LIMIT
             : url_parse_max(&d->base, d->arena, s->base_href,
                             d->url.href.n > 0 ? &d->url : NULL, s->url_max);
    if (st == ST_LIMIT)
        d->base = (struct url){0};
    else if (st != ST_OK)
        d->base = d->url;
}

void
strip_links_finish(struct strip *s)
{
    struct document *d = s->d;
    const struct url *base;
    struct relater r = {.host = d->url.host};

    strip_link_end(s);
    find_base(s);
    base = d->base.href.n > 0 ? &d->base : NULL;
    if (r.host.n > 0)
        r.domain = host_registered_domain(r.host);
    d->links = arena_raw(d->arena, s->links_n * sizeof *d->links);
    for (uint32_t i = 0; i < s->links_n; i++) {
        const struct raw_link *raw = &s->links[i];
        struct link *link = &d->links[d->links_n];
        struct url u;

        if (url_parse_plain_max(&u, d->arena, raw->href, base, s->url_max) !=
            ST_OK) {
            d->links_dropped++;
            continue;
        }
        *link = (struct link){.url = u.href,
                              .anchor = raw->anchor,
                              .path = raw->path,
                              .language = raw->language,
                              .block_i = raw->block_i,
                              .block_at = raw->block_at,
                              .relation = relate(&r, u.host),
                              .within = raw->within,
                              .nofollow = raw->nofollow};
        d->links_n++;
    }
    strip_link_languages(s);
}
