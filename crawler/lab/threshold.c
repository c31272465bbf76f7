/* threshold.c -- see threshold.h.  One pass over the links as they were found;
 * beside it goes one over the links whose pages have been fetched meanwhile.
 * The cut is looked for anew whenever there are a fiftieth more of either. */
#include "threshold.h"

#include "base/memory.h"

#include <stdlib.h>

#define CLASSES 1000u
#define FIRST_CUT 0.5 /* before anything was scored */
#define AGAIN 50u     /* part of the links that are new when it is sought */
#define LEAST_KEPT 20 /* links to kept pages that a cut is learnt from */

struct link_tally { /* of links by their scores, in classes of equal width */
    double links[CLASSES + 1], kept[CLASSES + 1]; /* kept: or the chances */
    double kept_n;
    size_t n;
};

struct chooser {
    struct link_tally promised, out; /* all links so far; those that came out */
    size_t next;
    size_t cut; /* a class */
};

static size_t
class_of(double score)
{
    return !(score > 0) ? 0 : score >= 1 ? CLASSES : (size_t)(score * CLASSES);
}

static void
count(struct link_tally *t, double score, double kept)
{
    t->links[class_of(score)]++;
    t->kept[class_of(score)] += kept;
    t->kept_n += kept;
    t->n++;
}

/* The class from which on F1 is best. */
static size_t
best_cut(const struct link_tally *t)
{
    double told = 0, right = 0, best = 0;
    size_t cut = CLASSES;

    for (size_t i = CLASSES + 1; i-- > 0;) {
        told += t->links[i];
        right += t->kept[i];
        if (told > 0 && 2 * right / (told + t->kept_n) > best) {
            best = 2 * right / (told + t->kept_n);
            cut = i;
        }
    }
    return cut;
}

static bool
predicted(struct chooser *c, double score)
{
    bool told;
    size_t n = c->promised.n + c->out.n;

    if (n >= c->next && n > 0) {
        c->cut = best_cut(c->out.kept_n >= LEAST_KEPT ? &c->out : &c->promised);
        c->next = n + 1 + n / AGAIN;
    }
    told = class_of(score) >= c->cut;
    count(&c->promised, score, score > 1 ? 1 : score > 0 ? score : 0);
    return told;
}

/* ---- when links come out ---- */

struct outs {
    uint32_t *at;    /* by page: fetches when it was fetched, it included */
    bool *kept;      /* by page, of this crawl */
    uint32_t *first; /* links by the fetch that they come out with: those of
                        fetch t stand from first[t] on in ... */
    uint32_t *link;  /* ... numbers in the run */
};

/* A link comes out when its page is fetched, or at once. */
static uint32_t
out_at(const struct outs *o, const struct web *w, const struct sim_link *l)
{
    uint32_t at = o->at[w->link[l->link].to];

    return at == 0 ? 0 : at > l->at ? at : l->at;
}

static void
sort_outs(struct outs *o, const struct web *w, const struct sim_run *r)
{
    size_t fetches = r->fetches_n;

    o->at = memory_need(calloc(w->urls.n + (size_t)1, sizeof *o->at));
    o->kept = memory_need(calloc(w->urls.n + (size_t)1, sizeof *o->kept));
    o->first = memory_need(calloc(fetches + 3, sizeof *o->first));
    o->link = memory_need(calloc(r->links_n + 1, sizeof *o->link));
    for (size_t i = 0; i < fetches; i++) {
        o->at[r->fetch[i].page] = (uint32_t)i + 1;
        o->kept[r->fetch[i].page] = r->fetch[i].kept;
    }
    for (size_t i = 0; i < r->links_n; i++)
        o->first[out_at(o, w, &r->link[i]) + 2]++;
    for (size_t t = 2; t < fetches + 3; t++)
        o->first[t] += o->first[t - 1];
    for (size_t i = 0; i < r->links_n; i++)
        o->link[o->first[out_at(o, w, &r->link[i]) + 1]++] = (uint32_t)i;
}

bool *
threshold_predict(const struct web *w, const struct sim_run *r, bool cross_only)
{
    struct chooser *c = memory_need(calloc(1, sizeof *c));
    bool *told = memory_need(calloc(r->links_n + 1, sizeof *told));
    struct outs o;
    size_t next;

    sort_outs(&o, w, r);
    next = o.first[0 + 1]; /* behind those that never come out */
    c->cut = class_of(FIRST_CUT);
    for (size_t i = 0; i < r->links_n; i++) {
        const struct sim_link *l = &r->link[i];

        /* What was known when the page with this link had been fetched. */
        for (;
             next < r->links_n && out_at(&o, w, &r->link[o.link[next]]) < l->at;
             next++) {
            const struct sim_link *out = &r->link[o.link[next]];

            if (!cross_only || threshold_is_cross(w, out))
                count(&c->out, (double)out->score,
                      o.kept[w->link[out->link].to]);
        }
        if (!cross_only || threshold_is_cross(w, l))
            told[i] = predicted(c, (double)l->score);
    }
    free(o.at);
    free(o.kept);
    free(o.first);
    free(o.link);
    free(c);
    return told;
}
