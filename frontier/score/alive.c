/* alive.c -- see alive.h.  Pure; the counts live in the rows of the hosts.
 *
 * A shelf is believed to be like its host, a host like those before it, each
 * for so many links' worth (HOST_LIKE_OTHERS is little: hosts differ).  Only
 * the latest links count, so that a shelf that has been emptied of what is
 * there sinks soon.
 *
 * alive_worth() is a Gittins index of one step of foresight (Gittins 1979): try
 * one link, and if it is there, go on with as many as are queued at the chance
 * that is believed then: kept pages over fetches. */
#include "alive.h"

#define LATEST 64u           /* links of a shelf that count */
#define FIRST 2u             /* links of a host that tell of others */
#define SHELF_MOST 4.0       /* links that a shelf says of its host */
#define SHELF_LIKE_HOST 4.0  /* links' worth */
#define HOST_LIKE_OTHERS 0.3 /* links' worth */
#define BELIEVED 0.3         /* of hosts, until so many links have ended */
#define BELIEVED_LINKS 4.0
#define HOPED 0.7 /* the same for the worth of trying */
#define HOPED_LINKS 20.0
#define SEEDS_BELIEVED 0.95
#define SEEDS_WORTH 20.0
#define QUEUED_MOST 20u /* links of a host that a trial may open */

void
alive_count(struct causes *shelf, struct causes *host, bool dead)
{
    if (shelf->n[CAUSE_LINKS] >= LATEST) {
        uint32_t links = shelf->n[CAUSE_LINKS] / 2,
                 gone = shelf->n[CAUSE_LINKS_DEAD] / 2;

        shelf->n[CAUSE_LINKS] -= links;
        shelf->n[CAUSE_LINKS_DEAD] -= gone;
        host->n[CAUSE_LINKS] -= links;
        host->n[CAUSE_LINKS_DEAD] -= gone;
    }
    shelf->n[CAUSE_LINKS]++;
    host->n[CAUSE_LINKS]++;
    shelf->n[CAUSE_LINKS_DEAD] += dead;
    host->n[CAUSE_LINKS_DEAD] += dead;
}

void
alive_learn(struct alive_crawl *c, const struct causes *host, bool seed,
            bool dead)
{
    if (seed) {
        c->seeds++;
        c->seeds_alive += !dead;
    } else if (host->n[CAUSE_LINKS] < FIRST) {
        c->hosts++;
        c->hosts_alive += !dead;
    }
}

static double
alive_of(const struct causes *shelf)
{
    return (double)shelf->n[CAUSE_LINKS] - shelf->n[CAUSE_LINKS_DEAD];
}

void
alive_add(struct alive_host *h, const struct causes *shelf)
{
    double links = shelf->n[CAUSE_LINKS];
    double part = links > SHELF_MOST ? SHELF_MOST / links : 1;

    h->links += part * links;
    h->alive += part * alive_of(shelf);
}

static double
shrunk(double alive, double links, double believed, double worth)
{
    return (alive + worth * believed) / (links + worth);
}

/* If `more` further links were there. */
static double
chance(const struct alive_host *h, const struct causes *shelf, double others,
       double more)
{
    double host =
        shrunk(h->alive + more, h->links + more, others, HOST_LIKE_OTHERS);

    return shrunk(alive_of(shelf) + more, shelf->n[CAUSE_LINKS] + more, host,
                  SHELF_LIKE_HOST);
}

double
alive_seed(const struct alive_crawl *c)
{
    return shrunk(c->seeds_alive, c->seeds, SEEDS_BELIEVED, SEEDS_WORTH);
}

double
alive_link(const struct alive_crawl *c, const struct alive_host *h,
           const struct causes *shelf)
{
    return chance(h, shelf,
                  shrunk(c->hosts_alive, c->hosts, BELIEVED, BELIEVED_LINKS),
                  0);
}

double
alive_worth(const struct alive_crawl *c, const struct alive_host *h,
            const struct causes *shelf, uint64_t queued)
{
    double others = shrunk(c->hosts_alive, c->hosts, HOPED, HOPED_LINKS);
    double now = chance(h, shelf, others, 0),
           then = chance(h, shelf, others, 1);
    double left = (double)(queued < QUEUED_MOST ? queued : QUEUED_MOST);

    return now * (1 + left * then) / (1 + left * now);
}
