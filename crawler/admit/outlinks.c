/* outlinks.c -- one pass over the document's links with a hash set of URLs.
 *
 * The links are canonical already, so host and authority are cut out instead
 * of being parsed again. */
#include "outlinks.h"

#include "base/hash.h"
#include "base/hashmap.h"
#include "base/url/host.h"
#include "frontier/features/listing_order.h"
#include "frontier/features/return_url.h"

struct str
outlink_authority(struct str url)
{
    size_t from = str_find(url, ':', 0) + 3, at = from, to;

    for (to = from; to < url.n; to++) {
        if (url.p[to] == '/' || url.p[to] == '?')
            break;
        if (url.p[to] == '@')
            at = to + 1;
    }
    return str_sub(url, at, to);
}

struct str
outlink_host(struct str url)
{
    struct str a = outlink_authority(url);
    size_t colon = a.n;

    while (colon > 0 && ascii_digit(a.p[colon - 1]))
        colon--;
    return colon > 0 && a.p[colon - 1] == ':' ? str_sub(a, 0, colon - 1) : a;
}

void
outlink_fill(struct frontier_link *link, struct str url)
{
    link->url = url;
    link->domain = host_registered_domain(outlink_host(url));
}

static bool
is_link(const void *outlinks, const void *slot, const void *url)
{
    const struct outlinks *out = outlinks;

    return str_eq(out->link[*(const uint32_t *)slot - 1].url,
                  *(const struct str *)url);
}

/* URLs: the numbers of their links, from 1. */
static const struct hashmap_kind urls_kind = {
    sizeof(uint32_t), hashmap_numbered, is_link, NULL, NULL};

static void
add(struct outlinks *out, struct hashmap *urls, const struct document *d,
    const struct link *l)
{
    float boilerplate = l->block_i < d->blocks_n
                            ? d->blocks[l->block_i].boilerplate
                            : 1; /* no text follows it */
    uint64_t hash = hash64(l->url);
    uint32_t *number = hashmap_find(urls, &urls_kind, out, hash, &l->url);
    struct frontier_link *to;

    if (boilerplate < 0)
        boilerplate = 1;
    if (*number != 0) {
        out->repeated++;
        to = &out->link[*number - 1];
        if (boilerplate >= to->boilerplate)
            return;
    } else if (out->n == OUTLINKS_MAX) {
        out->over++;
        return;
    } else {
        to = &out->link[out->n++];
        number = hashmap_put(urls, &urls_kind, out, hash, &l->url);
        *number = (uint32_t)out->n;
        outlink_fill(to, l->url);
    }
    to->boilerplate = boilerplate;
    to->relation = l->relation;
    to->anchor = l->anchor;
    to->path = l->path;
    to->language = l->language;
    to->within = l->within;
}

/* A login's link is asked for without the address that it leads back to: each
 * page has another.  Redirects keep theirs, which may lead on to a page.  The
 * listing of a folder is asked for in one order. */
static struct link
asked_for(const struct document *d, const struct link *l)
{
    struct buf plain = {.arena = d->arena};
    struct link out = *l;

    if (return_url_without(&plain, l->url))
        out.url = buf_keep(&plain);
    (void)listing_order_without(&out.url, out.url);
    return out;
}

static void
take(struct outlinks *out, struct hashmap *urls, const struct document *d,
     const struct scope *s, const struct opts *o, const struct link *l)
{
    if ((d->meta.nofollow && o->clean_nofollow) || l->nofollow)
        out->nofollow++;
    else if (l->url.n > o->frontier_url_size_max)
        out->too_long++;
    else if (!scope_admits(s, l->url, outlink_host(l->url)))
        out->out_of_scope++;
    else
        add(out, urls, d, l);
}

/* ---- links of the head ---- */

static enum link_relation
relation_of(const struct document *d, struct str url)
{
    struct str host = outlink_host(url);

    if (str_eq(host, d->url.host))
        return LINK_SAME_HOST;
    return str_eq(host_registered_domain(host),
                  host_registered_domain(d->url.host))
               ? LINK_SAME_DOMAIN
               : LINK_EXTERNAL;
}

static bool
is_followed(const struct opts *o, const struct link *l)
{
    static const struct str names[] = {[LINK_SAME_HOST] = STR("same_host"),
                                       [LINK_SAME_DOMAIN] = STR("same_domain"),
                                       [LINK_EXTERNAL] = STR("external")};

    return opt_list_has(&o->clean_links, names[l->relation]);
}

/* A language of the crawl, or any if it has none; "pt-br" and "pt_br" are "pt".
 */
static bool
is_wanted(const struct opts *o, struct str language)
{
    size_t dash = str_find(language, '-', 0), line = str_find(language, '_', 0);
    struct str primary = str_sub(language, 0, dash < line ? dash : line);

    return o->clean_language.n == 0 ||
           opt_list_has(&o->clean_language, language) ||
           opt_list_has(&o->clean_language, primary);
}

/* Those that the frontier hears of: this page in a wanted language, and the one
 * that has the text of this one, or more of it: a window of a thread may name a
 * page of it that nothing else leads to.  How many. */
static uint32_t
links_of_head(const struct document *d, const struct opts *o, struct link *out)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < d->alternates_n; i++) {
        out[n] = d->alternates[i];
        out[n].block_i = d->blocks_n;
        out[n].relation = relation_of(d, out[n].url);
        n += is_wanted(o, out[n].language) && is_followed(o, &out[n]);
    }
    if (d->canonical_other.n > 0) {
        out[n] = (struct link){.url = d->canonical_other,
                               .anchor = d->meta.title,
                               .block_i = d->blocks_n,
                               .relation = relation_of(d, d->canonical_other)};
        n += is_followed(o, &out[n]);
    }
    return n;
}

/* ---- all of them ---- */

static uint32_t
most(const struct document *d)
{
    return d->links_n + d->alternates_n + 1;
}

void
outlinks_as_asked_for(struct document *d, const struct opts *o)
{
    struct link *links = ARENA_ARRAY(d->arena, struct link, most(d));

    for (uint32_t i = 0; i < d->links_n; i++)
        links[i] = asked_for(d, &d->links[i]);
    d->links_n += links_of_head(d, o, links + d->links_n);
    d->links = links;
}

void
outlinks_of(struct outlinks *out, const struct document *d,
            const struct scope *s, const struct link_words_model *words,
            const struct opts *o, uint32_t depth)
{
    size_t room = most(d) < OUTLINKS_MAX ? most(d) : OUTLINKS_MAX;
    struct link *head =
        ARENA_ARRAY(d->arena, struct link, (size_t)d->alternates_n + 1);
    uint32_t head_n = links_of_head(d, o, head);
    struct hashmap urls;

    *out = (struct outlinks){.found = (size_t)d->links_n + d->links_dropped};
    hashmap_init(&urls, &urls_kind, d->arena, room);
    out->link = ARENA_ARRAY(d->arena, struct frontier_link, room);
    if (o->limits_depth > 0 && depth >= o->limits_depth) {
        out->too_deep = d->links_n;
        return;
    }
    for (uint32_t i = 0; i < d->links_n; i++) {
        struct link l = asked_for(d, &d->links[i]);

        take(out, &urls, d, s, o, &l);
    }
    for (uint32_t i = 0; i < head_n; i++)
        take(out, &urls, d, s, o, &head[i]);
    for (size_t i = 0; i < out->n; i++) {
        struct frontier_link *l = &out->link[i];

        l->words = link_words_of(words, l->anchor, l->url);
    }
}
