/* tag_path.c -- see tag_path.h.  A host's tag paths stand in a table of
 * siblings under its name, all its links there under path 0. */
#include "tag_path.h"

#include "base/hash.h"
#include "model.h"

#define ALL 0u
#define SHRINK 3.0 /* links' worth of what is believed of ... */
#define KEPT 0.25  /* ... any host's links that are there; of any, there */
#define THERE 0.6

static uint32_t
owner(struct str host)
{
    return (uint32_t)hash64(host);
}

void
tag_path_count(struct siblings *s, struct str host, uint16_t path, bool dead,
               bool kept)
{
    if (path == 0)
        return;
    siblings_count(s, owner(host), ALL, dead, kept);
    siblings_count(s, owner(host), path, dead, kept);
}

struct tag_path_counts
tag_path_of(const struct siblings *s, struct str host, uint16_t path)
{
    struct tag_path_counts n = {0};

    if (path == 0)
        return n;
    n.path = siblings_of(s, owner(host), path);
    if (n.path.ended > 0)
        n.all = siblings_of(s, owner(host), ALL);
    return n;
}

static double
logit_of(double yes, double of, double believed)
{
    return model_logit((yes + SHRINK * believed) / (of + SHRINK));
}

/* What the path's links have more than those of the host, as far as there are
 * enough of them; of a path that has them all it is nothing. */
static double
over(double yes, double of, double all_yes, double all, double believed)
{
    return of / (of + SHRINK) *
           (logit_of(yes, of, believed) - logit_of(all_yes, all, believed));
}

struct tag_path_logits
tag_path_logits(const struct tag_path_counts *n)
{
    double there = n->path.ended - n->path.dead,
           all_there = n->all.ended - n->all.dead;

    return (struct tag_path_logits){
        .kept = over(n->path.kept, there, n->all.kept, all_there, KEPT),
        .there = over(there, n->path.ended, all_there, n->all.ended, THERE)};
}
