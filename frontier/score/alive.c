/* alive.c -- see alive.h.  Pure; the counts live in the rows of the hosts.
 *
 * How soon a host is given up is learnt, too: after so many dead links and none
 * that was there, the chance of the next one is what it was with the hosts
 * before, no matter how hopeful one may be of hosts nobody has tried.
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

#include "model.h"

#define LATEST 64u           /* links of a shelf that count */
#define SHELF_MOST 4.0       /* links that a shelf says of its host */
#define SHELF_LIKE_HOST 4.0  /* links' worth */
#define HOST_LIKE_OTHERS 0.3 /* links' worth */
#define BELIEVED 0.3         /* of hosts, until so many links have ended */
#define BELIEVED_LINKS 4.0
#define HOPED 0.7 /* the same for the worth of trying */
#define HOPED_LINKS 8.0
#define RUN_LINKS 10.0 /* worth of what is believed of hosts tried in vain */
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
    } else if (host->n[CAUSE_LINKS] == host->n[CAUSE_LINKS_DEAD]) {
        uint32_t run = host->n[CAUSE_LINKS];

        run = run < ALIVE_RUNS ? run : ALIVE_RUNS - 1;
        c->tried[run]++;
        c->alive[run] += !dead;
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
    h->dead += shelf->n[CAUSE_LINKS_DEAD];
}

static double
shrunk(double alive, double links, double believed, double worth)
{
    return (alive + worth * believed) / (links + worth);
}

/* Of a host with no link that was there: as it was with others that had been
 * tried in vain as often. */
static double
unproven(const struct alive_crawl *c, double dead, double others)
{
    double expected = others * HOST_LIKE_OTHERS / (dead + HOST_LIKE_OTHERS);
    uint32_t run = dead < ALIVE_RUNS ? (uint32_t)dead : ALIVE_RUNS - 1;

    return run == 0 ? others
                    : shrunk(c->alive[run], c->tried[run], expected, RUN_LINKS);
}

/* If `more` further links were there. */
static double
chance(const struct alive_crawl *c, const struct alive_host *h,
       const struct causes *shelf, double others, double more)
{
    double host = h->alive + more > 0 ? shrunk(h->alive + more, h->links + more,
                                               others, HOST_LIKE_OTHERS)
                                      : unproven(c, h->dead, others);

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
    return chance(c, h, shelf,
                  shrunk(c->alive[0], c->tried[0], BELIEVED, BELIEVED_LINKS),
                  0);
}

double
alive_worth(const struct alive_crawl *c, const struct alive_host *h,
            const struct causes *shelf, uint64_t queued, double there)
{
    double others = shrunk(c->alive[0], c->tried[0], HOPED, HOPED_LINKS);
    double now = chance(c, h, shelf, others, 0),
           then = chance(c, h, shelf, others, 1);
    double link = model_chance(model_logit(now) + there);
    double left = (double)(queued < QUEUED_MOST ? queued : QUEUED_MOST);

    return link * (1 + left * then) / (1 + left * link);
}
