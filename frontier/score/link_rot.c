/* link_rot.c -- see link_rot.h.  Pure; the counts live in the rows of the
 * hosts.
 *
 * How soon a host is given up is learnt, too: after so many dead links and none
 * that was there, the chance of the next one is what it was with the hosts
 * before, no matter how hopeful one may be of hosts nobody has tried.
 *
 * A URL class is believed to be like its host, a host like those before it,
 * each for so many links' worth (HOST_LIKE_OTHERS is little: hosts differ).
 * Only the latest links count, so that a URL class that has been emptied of
 * what is there sinks soon.
 *
 * link_rot_trial() is a Gittins index of one step of foresight (Gittins 1979):
 * try one link, and if it is there, go on with as many as are queued at the
 * chance that is believed then: kept pages over fetches. */
#include "link_rot.h"

#include <math.h>

#include "model.h"

#define URL_CLASS_MOST 4.0      /* links that a URL class says of its host */
#define URL_CLASS_LIKE_HOST 4.0 /* links' worth */
#define HOST_LIKE_OTHERS 0.3    /* links' worth */
#define BELIEVED 0.3            /* of hosts, until so many links have ended */
#define BELIEVED_LINKS 4.0
#define OPTIMISTIC 0.7 /* the same for the worth of trying */
#define OPTIMISTIC_LINKS 3.0
#define RUN_LINKS 10.0 /* worth of what is believed of hosts tried in vain */
#define SEEDS_BELIEVED 0.95
#define SEEDS_WORTH 20.0
#define QUEUED_MOST 20u /* links of a host that a trial may open */

void
link_rot_learn(struct link_rot_crawl *c, const struct outcome_counts *host,
               bool seed, bool dead)
{
    if (seed) {
        c->seeds++;
        c->seeds_working += !dead;
    } else if (host->n[CLASS_LINKS] == host->n[CLASS_LINKS_DEAD]) {
        uint32_t run = host->n[CLASS_LINKS];

        run = run < LINK_ROT_RUNS ? run : LINK_ROT_RUNS - 1;
        c->tried[run]++;
        c->working[run] += !dead;
    }
}

static double
links_working(const struct outcome_counts *url_class)
{
    return (double)url_class->n[CLASS_LINKS] - url_class->n[CLASS_LINKS_DEAD];
}

void
link_rot_add(struct link_rot_host *h, const struct outcome_counts *url_class)
{
    double links = url_class->n[CLASS_LINKS];
    double part = links > URL_CLASS_MOST ? URL_CLASS_MOST / links : 1;

    h->links += part * links;
    h->working += part * links_working(url_class);
    h->dead += url_class->n[CLASS_LINKS_DEAD];
}

static double
shrunk(double working, double links, double believed, double weight)
{
    return (working + weight * believed) / (links + weight);
}

/* Of a host with no link that was there: as it was with others that had been
 * tried in vain as often. */
static double
unproven(const struct link_rot_crawl *c, double dead, double others)
{
    double expected = others * HOST_LIKE_OTHERS / (dead + HOST_LIKE_OTHERS);
    uint32_t run = dead < LINK_ROT_RUNS ? (uint32_t)dead : LINK_ROT_RUNS - 1;

    return run == 0
               ? others
               : shrunk(c->working[run], c->tried[run], expected, RUN_LINKS);
}

/* If `more` further links were there. */
static double
chance(const struct link_rot_crawl *c, const struct link_rot_host *h,
       const struct outcome_counts *url_class, double others, double more)
{
    double host = h->working + more > 0
                      ? shrunk(h->working + more, h->links + more, others,
                               HOST_LIKE_OTHERS)
                      : unproven(c, h->dead, others);

    return shrunk(links_working(url_class) + more,
                  url_class->n[CLASS_LINKS] + more, host, URL_CLASS_LIKE_HOST);
}

double
link_rot_seed(const struct link_rot_crawl *c)
{
    return shrunk(c->seeds_working, c->seeds, SEEDS_BELIEVED, SEEDS_WORTH);
}

double
link_rot_link(const struct link_rot_crawl *c, const struct link_rot_host *h,
              const struct outcome_counts *url_class)
{
    return chance(c, h, url_class,
                  shrunk(c->working[0], c->tried[0], BELIEVED, BELIEVED_LINKS),
                  0);
}

/* Of a host that nobody has tried, as long as hopes may be high. */
static double
hoped(const struct link_rot_crawl *c)
{
    return shrunk(c->working[0], c->tried[0], OPTIMISTIC, OPTIMISTIC_LINKS);
}

double
link_rot_proven(const struct link_rot_crawl *c, const struct link_rot_host *h,
                const struct outcome_counts *url_class)
{
    return chance(c, h, url_class, hoped(c), 1);
}

/* What speaks against a link speaks against those queued behind it, too. */
double
link_rot_trial(const struct link_rot_crawl *c, const struct link_rot_host *h,
               const struct outcome_counts *url_class, uint64_t queued,
               double there)
{
    double now = chance(c, h, url_class, hoped(c), 0),
           then = model_logit(link_rot_proven(c, h, url_class));
    double link = model_chance(model_logit(now) + there);
    double left = (double)(queued < QUEUED_MOST ? queued : QUEUED_MOST);

    return link * (1 + left * model_chance(then + fmin(there, 0))) /
           (1 + left * link);
}
