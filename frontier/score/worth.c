/* worth.c -- see worth.h.  Pure.
 *
 * Numbers are those of crawls of recorded webs (tests/real/steering.py): how
 * often the next page of a host was kept after so many that were there and were
 * not, and that about half of what followed the first one was kept, however
 * late it came. */
#include "worth.h"

#include <math.h>

#define LINKS_BELIEVED 4.0 /* new ones of its host, on any page ... */
#define LINKS_HOST 2.0     /* pages' worth of that ... */
#define LINKS_SHELF 3.0    /* ... and of what the host's pages link */
#define HEIRS_SHELF 6.0    /* links' worth of what the host's pages gave */
#define LIKE_LINK 4.0      /* pages' worth of the link that is looked at */
#define PROVEN 0.5         /* kept of what is there, after the first */
#define PROOF_SHELF 2.0    /* pages' worth of the host, for a shelf */
#define QUEUED_MOST 50.0   /* that a proof opens */
#define HOPE_SHARE 0.25    /* of the chance that is known of such hosts */
#define HOPE_LINK (-1.0)   /* what their links said in the mean, in logits */
#define HOPE_LEAST 2.0     /* logits that a link may say against it ... */
#define HOPE_MOST 1.0      /* ... and for it */

double
worth_hope(const struct scorer_yields *y, double link)
{
    /* Of hosts that gave nothing in so many pages, the next one was kept. */
    static const struct {
        uint64_t pages;
        double chance;
    } vain[] = {{0, .06},   {1, .022},   {2, .014},   {4, .006},
                {8, .0025}, {16, .0013}, {32, .0007}, {64, .0003}};
    bool host = y->host->n[CAUSE_KEPT] == 0;
    uint64_t pages = causes_there(host ? y->host : y->shelf);
    size_t i = 0;

    if (y->shelf->n[CAUSE_KEPT] > 0)
        return 0;
    while (i + 1 < sizeof vain / sizeof *vain && pages >= vain[i + 1].pages)
        i++;
    /* Among its shelves those that were tried least. */
    return HOPE_SHARE * vain[i].chance *
           (host ? 2 / sqrt(1 + (double)causes_pages(y->shelf)) : 1) *
           exp(fmax(-HOPE_LEAST, fmin(link - HOPE_LINK, HOPE_MOST)));
}

/* After one success with chance `own`, `queued` more with chance `then`. */
static double
opened(double own, double queued, double then)
{
    return own * (1 + queued * then) / (1 + queued * own);
}

static double
by_links(const struct scorer_yields *y, double good, double alive, double host)
{
    const uint32_t *s = y->shelf->n;
    double of_host = (y->host->n[CAUSE_OPENED] + LINKS_HOST * LINKS_BELIEVED) /
                     ((double)causes_there(y->host) + LINKS_HOST);
    double links = (s[CAUSE_OPENED] + LINKS_SHELF * of_host) /
                   ((double)causes_there(y->shelf) + LINKS_SHELF);
    double kept = (s[CAUSE_HEIRS_KEPT] + HEIRS_SHELF * host) /
                  (s[CAUSE_HEIRS] + HEIRS_SHELF);

    return alive * (good + links * kept) / (1 + alive * links);
}

static double
by_proof(const struct scorer_yields *y, double own, double alive, double host)
{
    bool unproven = y->host->n[CAUSE_KEPT] == 0;
    double queued = (double)(unproven ? y->queued : y->shelf_queued);
    double then = unproven
                      ? PROVEN * alive
                      : (y->shelf->n[CAUSE_KEPT] + 1 + PROOF_SHELF * host) /
                            ((double)causes_pages(y->shelf) + 1 + PROOF_SHELF);

    return opened(own, fmin(queued, QUEUED_MOST), then);
}

double
worth(const struct scorer_yields *y, double good, double alive, double tried)
{
    double own = good * alive;
    double host = (y->host->n[CAUSE_KEPT] + LIKE_LINK * own) /
                  ((double)causes_pages(y->host) + LIKE_LINK);

    return fmax(good * tried, fmax(by_links(y, good, alive, host),
                                   by_proof(y, own, alive, host)));
}
