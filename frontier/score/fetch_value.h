/* fetch_value.h -- what fetching a link is worth to a crawl: kept pages over
 * fetches, of the page itself or of it with what it opens, whichever is more.
 *
 * A page that is not kept may be the only way to many that are: the archive of
 * a month, the first page of a host in the wanted language.  Three things can
 * come of a fetch, each an index of one step of foresight (Gittins 1979):
 *
 *   the page        the chance that it is there and kept
 *   what it links   pages of its URL class have led to so many new ones of
 *                   their host, of which so many were kept; pages of another
 *                   language lead to pages of that language, and a page that
 *                   is hardly ever kept is not believed to lead to what the
 *                   host has until pages of its class have
 *   what it proves  if a host or URL class of which nothing was kept yet gives
 *                   one, what else is queued there is likely to be as good
 *
 * So a host sinks by what it has cost, and never to nothing: what it may prove
 * falls no lower than it was with hosts that were tried in vain as often. */
#ifndef FRONTIER_FETCH_VALUE_H
#define FRONTIER_FETCH_VALUE_H

#include "scorer.h"

struct fetch_chances {
    double good;   /* of a page that is there, to be kept */
    double works;  /* that it is there */
    double tried;  /* what trying it is worth so far (link_rot_trial()) */
    double proven; /* that the next link of its host is there, if it is */
};

double fetch_value(const struct scorer_yields *y,
                   const struct fetch_chances *c);

/* What the chance of a page that is there may be more than it is believed to
 * be, as long as nothing of its host or URL class was kept; of a link that says
 * so much for it (logits): what is known of a host in vain does not tell its
 * links apart. */
double exploration_bonus(const struct scorer_yields *y, double link);

#endif
