/* outlinks.c -- one pass over the document's links with a hash set of URLs.
 *
 * The links are canonical already, so host and authority are cut out instead
 * of being parsed again. */
#include "outlinks.h"

#include "winnow/hash.h"
#include "winnow/host.h"

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
    link->authority = outlink_authority(url);
    link->domain = host_registered_domain(outlink_host(url));
}

struct set {
    uint32_t *slot; /* index into out->link, plus one */
    uint32_t mask;
};

static struct set
set_new(struct arena *a, size_t n)
{
    struct set s = {.mask = 15};

    while (s.mask < n * 2)
        s.mask = s.mask * 2 + 1;
    s.slot = ARENA_ARRAY(a, uint32_t, (size_t)s.mask + 1);
    return s;
}

/* The link's place: an equal one's slot, or the empty one for it. */
static uint32_t *
set_place(const struct set *s, const struct outlinks *out, struct str url)
{
    uint32_t i = (uint32_t)hash64(url) & s->mask;

    while (s->slot[i] != 0 && !str_eq(out->link[s->slot[i] - 1].url, url))
        i = (i + 1) & s->mask;
    return &s->slot[i];
}

static void
add(struct outlinks *out, const struct set *set, const struct document *d,
    const struct link *l)
{
    float boilerplate = l->block_i < d->blocks_n
                            ? d->blocks[l->block_i].boilerplate
                            : 1; /* no text follows it */
    uint32_t *slot = set_place(set, out, l->url);
    struct frontier_link *to;

    if (boilerplate < 0)
        boilerplate = 1;
    if (*slot != 0) {
        out->repeated++;
        to = &out->link[*slot - 1];
        if (boilerplate >= to->boilerplate)
            return;
    } else if (out->n == OUTLINKS_MAX) {
        out->over++;
        return;
    } else {
        to = &out->link[out->n++];
        *slot = (uint32_t)out->n;
        outlink_fill(to, l->url);
    }
    to->boilerplate = boilerplate;
    to->relation = l->relation;
    to->anchor = l->anchor;
    to->path = l->path;
    to->language = l->language;
    to->within = l->within;
}

void
outlinks_of(struct outlinks *out, const struct document *d,
            const struct scope *s, const struct opts *o, uint32_t depth)
{
    size_t room = d->links_n < OUTLINKS_MAX ? d->links_n : OUTLINKS_MAX;
    struct set set = set_new(d->arena, room);

    *out = (struct outlinks){.found = (size_t)d->links_n + d->links_dropped};
    out->link = ARENA_ARRAY(d->arena, struct frontier_link, room);
    if (o->limits_depth > 0 && depth >= o->limits_depth) {
        out->too_deep = d->links_n;
        return;
    }
    for (uint32_t i = 0; i < d->links_n; i++) {
        const struct link *l = &d->links[i];

        if (d->meta.nofollow || l->nofollow)
            out->nofollow++;
        else if (l->url.n > o->frontier_url_size_max)
            out->too_long++;
        else if (!scope_admits(s, l->url, outlink_host(l->url)))
            out->out_of_scope++;
        else
            add(out, &set, d, l);
    }
}
