/* home_pages.c -- see home_pages.h. */
#include "home_pages.h"

#include "frontier/features/trap.h"
#include "intake_inside.h"
#include "quota.h"

/* A link of a page: no seed, nothing that a sitemap lists or that a redirect
 * leads to. */
static bool
is_link(const struct candidate *c)
{
    return c->found == FRESH && !c->held && !c->firm &&
           c->q.kind == FRONTIER_PAGE && !c->q.facts.sitemap;
}

/* Are few enough URLs of its domain queued? */
static bool
has_room(const struct intake *in, const struct host *h)
{
    return in->domains == NULL ||
           domains_n(in->domains, row_host_domain(&h->row)) < HOME_PAGES_QUEUED;
}

static bool
is_home_page(const struct candidate *c)
{
    return str_eq(c->q.rest, S("/"));
}

/* Of a host's candidates the one that its home page is queued like; NULL: it is
 * not. */
static const struct candidate *
best_of(struct candidate *const *c, size_t n)
{
    const struct candidate *best = NULL;

    for (size_t i = 0; i < n; i++) {
        if (is_home_page(c[i]))
            return NULL;
        if (is_link(c[i]) && (best == NULL || c[i]->priority > best->priority))
            best = c[i];
    }
    return best;
}

static void
make(struct candidate *home, struct intake *in, const struct candidate *like)
{
    struct row_facts *f = &home->q.facts;
    struct link_signals s;
    struct str url;

    *home = (struct candidate){.authority = like->authority,
                               .domain = like->domain,
                               .q = like->q,
                               .sequence = ++in->db->counters.sequence,
                               .links = 1,
                               .steer = scoring_scorer(in->sc)->defer};
    home->q.rest = S("/");
    f->features.path = LINK_PATH_HOME;
    f->features.anchor_n = f->features.words = f->features.within = 0;
    f->features.language = 0;
    url = row_queued_url(&home->q, home->authority, in->db->scratch);
    home->key = row_seen_key(in->db->keys, home->authority, url);
    s = scoring_signals(in->sc, &home->q, home->authority);
    home->priority = scorer_priority(scoring_score(in->sc, &s, url));
}

void
home_pages_of(struct home_pages *out, struct intake *in,
              struct candidate *const *c, size_t n)
{
    struct buf room = {0};

    *out = (struct home_pages){0};
    for (size_t i = 0, to; i < n; i = to) {
        struct host *h = NULL;
        const struct candidate *like;

        for (to = i; to < n && candidate_same_host(c[i], c[to]); to++)
            if (c[to]->found == FRESH)
                h = c[to]->host;
        if (h == NULL || !h->made)
            continue;
        h->made = false;
        like = has_room(in, h) ? best_of(c + i, to - i) : NULL;
        if (like == NULL)
            continue;
        if (out->c == NULL)
            out->c = arena_raw(in->db->scratch, n * sizeof *out->c);
        out->c[out->n] = ARENA_NEW(in->db->scratch, struct candidate);
        make(out->c[out->n], in, like);
        candidate_prepare(out->c[out->n++], in->db->keys, &room);
    }
    buf_free(&room);
}
