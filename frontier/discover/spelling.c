/* spelling.c -- URLs come in under one spelling, whoever sends them.
 *
 * A host's clock, its robots.txt and the key of a page follow from the bytes of
 * a URL: W.x, w.x. and w.x:80 would be three hosts that are asked three times
 * as often as one, and each user:password@ another page, kept with its secret.
 * So what is not canonical (url_canonical()) is brought to it before anything
 * looks at it, and counted; what cannot be is refused like any URL that is
 * none.  Reports name URLs as they were leased.
 *
 * A store of before may hold others: such a URL is refused ("spelling") when
 * its turn comes, and queued again as it should be. */
#include "frontier/inside.h"
#include "winnow/url.h"

static struct str
spelled(struct frontier *f, struct str url)
{
    struct str out;

    return url_canonical(&out, f->db->arena, url) == ST_OK ? out : S("");
}

const struct frontier_link *
frontier_spelled(struct frontier *f, const struct frontier_link *links,
                 size_t n)
{
    struct frontier_link *out = NULL;

    for (size_t i = 0; i < n; i++) {
        struct str url = spelled(f, links[i].url);

        if (url.p == links[i].url.p)
            continue;
        if (out == NULL) {
            out = arena_raw(f->db->arena, n * sizeof *out);
            memcpy(out, links, n * sizeof *out);
        }
        out[i].url = url;
        f->db->counters.totals.links_respelled += url.n > 0;
    }
    return out != NULL ? out : links;
}

/* A port is one scheme's own and means something with the other. */
struct str
frontier_spelled_authority(struct frontier *f, struct str authority)
{
    struct str scheme = str_ends(authority, S(":443")) ? S("http") : S("https");
    struct str url = spelled(f, arena_printf(f->db->arena, "%.*s://%.*s/",
                                             STRF(scheme), STRF(authority)));
    struct row_url parts;

    return row_url_split(&parts, url) ? parts.authority : authority;
}

bool
frontier_is_spelled(struct frontier *f, const struct host *h,
                    const struct row_queued *q)
{
    struct str url = row_queued_url(q, h->row.name, f->db->arena);

    return spelled(f, url).p == url.p;
}

enum status
frontier_respell(struct frontier *f, struct host *h,
                 struct row_position position, const struct row_queued *q,
                 uint64_t now_ms)
{
    struct frontier_parent p = {.facts = q->facts,
                                .priority = position.priority};
    struct frontier_link link = {
        .url = row_queued_url(q, h->row.name, f->db->arena),
        .domain = arena_str(f->db->arena, h->row.domain),
        .kind = q->kind,
        .boilerplate = q->facts.boilerplate,
        .relation = q->facts.relation};
    struct frontier_put counts = {0};
    enum status st;

    p.owner = q->robots_of;
    st = url_store_refuse(f->db, h, position, q, VERDICT_SPELLING, now_ms);
    return st == ST_OK
               ? frontier_put(f, frontier_spelled(f, &link, 1), 1, &p, &counts)
               : st;
}
