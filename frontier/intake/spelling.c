/* spelling.c -- URLs come in under one spelling, whoever sends them.
 *
 * A host's clock, its robots.txt and the key of a page follow from the bytes of
 * a URL: W.x, w.x. and w.x:80 would be three hosts that are asked three times
 * as often as one, and each user:password@ another page, kept with its secret.
 * So what is not canonical (url_canonical()) is brought to it before anything
 * looks at it, and counted; what cannot be is refused like any URL that is
 * none.  Reports name URLs as they were leased. */
#include "base/url/url.h"
#include "intake_inside.h"

static struct str
spelled(struct intake *in, struct str url)
{
    struct str out;

    return url_canonical(&out, in->db->arena, url) == ST_OK ? out : S("");
}

const struct frontier_link *
intake_spelled(struct intake *in, const struct frontier_link *links, size_t n)
{
    struct frontier_link *out = NULL;

    for (size_t i = 0; i < n; i++) {
        struct str url = spelled(in, links[i].url);

        if (url.p == links[i].url.p)
            continue;
        if (out == NULL) {
            out = arena_raw(in->db->arena, n * sizeof *out);
            memcpy(out, links, n * sizeof *out);
        }
        out[i].url = url;
        in->db->counters.totals.links_respelled += url.n > 0;
    }
    return out != NULL ? out : links;
}

/* A port is one scheme's own and means something with the other. */
struct str
intake_spelled_authority(struct intake *in, struct str authority)
{
    struct str scheme = str_ends(authority, S(":443")) ? S("http") : S("https");
    struct str url = spelled(in, arena_printf(in->db->arena, "%.*s://%.*s/",
                                              STRF(scheme), STRF(authority)));
    struct row_url parts;

    return row_url_split(&parts, url) ? parts.authority : authority;
}
