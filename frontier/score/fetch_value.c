/* fetch_value.c -- see fetch_value.h.  Pure.
 *
 * Numbers are those of crawls of recorded webs (tests/real/steering.py): how
 * often the next page of a host was kept after so many that were there and were
 * not, and that about half of what followed the first one was kept, however
 * late it came. */
#include "fetch_value.h"

#include <math.h>

#define LINKS_BELIEVED 4.0  /* new ones of its host, on any page ... */
#define LINKS_HOST 2.0      /* pages' worth of that ... */
#define LINKS_URL_CLASS 3.0 /* ... and of what the host's pages link */
/* Links' worth of what the host's pages gave, as far as a URL class is not of
 * another language: pages' worth of doubt that it is. */
#define OUTLINKS_URL_CLASS 6.0
#define LANGUAGE_URL_CLASS 2.0
/* The chance of a page that is half believed to be unlike those of its host:
 * what a link says of its own page it says of the pages behind it. */
#define UNLIKE 0.02
#define LIKE_LINK 4.0       /* pages' worth of the link that is looked at */
#define PROVEN 0.5          /* kept of what is there, after the first */
#define PROOF_URL_CLASS 2.0 /* pages' worth of the host, for a URL class */
#define QUEUED_MOST 50.0    /* that a proof opens */
/* Of hosts that gave nothing in 0, in 1 or in more pages (divided by their
 * number: .0025 in 8, .0003 in 64), the next one was kept. */
#define VAIN_NONE 0.06
#define VAIN_ONE 0.022
#define BONUS_SHARE 0.25  /* of the chance that is known of such hosts */
#define BONUS_LINK (-1.0) /* what their links said in the mean, in logits */
#define BONUS_LEAST 2.0   /* logits that a link may say against it ... */
#define BONUS_MOST 1.0    /* ... and for it */

double
exploration_bonus(const struct scorer_yields *y, double link)
{
    bool host = y->host->n[CLASS_KEPT] == 0;
    uint64_t pages = outcomes_there(host ? y->host : y->url_class);
    double vain = pages == 0 ? VAIN_NONE : VAIN_ONE / (double)pages;

    if (y->url_class->n[CLASS_KEPT] > 0)
        return 0;
    /* Among its URL classes those that were tried least. */
    return BONUS_SHARE * vain *
           (host ? 2 / sqrt(1 + (double)outcomes_pages(y->url_class)) : 1) *
           exp(fmax(-BONUS_LEAST, fmin(link - BONUS_LINK, BONUS_MOST)));
}

/* After one success with chance `own`, `queued` more with chance `then`. */
static double
opened(double own, double queued, double then)
{
    return own * (1 + queued * then) / (1 + queued * own);
}

static double
by_links(const struct scorer_yields *y, const struct fetch_chances *c,
         double host)
{
    const uint32_t *s = y->url_class->n;
    double of_class = (double)outcomes_there(y->url_class);
    double of_host = (y->host->n[CLASS_OPENED] + LINKS_HOST * LINKS_BELIEVED) /
                     ((double)outcomes_there(y->host) + LINKS_HOST);
    double links = (s[CLASS_OPENED] + LINKS_URL_CLASS * of_host) /
                   (of_class + LINKS_URL_CLASS);
    double wanted = 1 - s[CLASS_LANGUAGE] / (of_class + LANGUAGE_URL_CLASS);
    double like = c->good / (c->good + UNLIKE);
    double kept =
        (s[CLASS_OUTLINKS_KEPT] + OUTLINKS_URL_CLASS * host * wanted * like) /
        (s[CLASS_OUTLINKS] + OUTLINKS_URL_CLASS);

    return c->works * (c->good + links * kept) / (1 + c->works * links);
}

static double
by_proof(const struct scorer_yields *y, const struct fetch_chances *c,
         double host)
{
    bool unproven = y->host->n[CLASS_KEPT] == 0;
    double queued = (double)(unproven ? y->queued : y->url_class_queued);
    double then =
        unproven
            ? PROVEN * c->proven
            : (y->url_class->n[CLASS_KEPT] + 1 + PROOF_URL_CLASS * host) /
                  ((double)outcomes_pages(y->url_class) + 1 + PROOF_URL_CLASS);

    return opened(c->good * c->works, fmin(queued, QUEUED_MOST), then);
}

double
fetch_value(const struct scorer_yields *y, const struct fetch_chances *c)
{
    double host = (y->host->n[CLASS_KEPT] + LIKE_LINK * c->good * c->works) /
                  ((double)outcomes_pages(y->host) + LIKE_LINK);

    return fmax(c->good * c->tried,
                fmax(by_links(y, c, host), by_proof(y, c, host)));
}
