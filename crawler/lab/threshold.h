/* threshold.h -- from which score on is a link predicted to lead to a
 * kept page?
 *
 * A score is an order rather than a probability, and where few pages are kept
 * hardly any is one half: so a link is predicted "kept" from the cut on that
 * would have been best (by F1) for the links whose pages the crawl had fetched
 * by then.
 * While hardly one of those was kept, scores are taken for probabilities, and
 * the cut is the one that promises the best F1 (Lipton, Elkan & Narayanaswamy,
 * "Optimal Thresholding of Classifiers to Maximize F1 Measure", ECML PKDD
 * 2014).  Never looked at: what becomes of a page after the link to it was
 * found. */
#ifndef LAB_THRESHOLD_H
#define LAB_THRESHOLD_H

#include "sim.h"

/* By link of the run; of those to other hosts only: the rest is false.
 * calloc'ed, to be freed. */
bool *threshold_predict(const struct web *w, const struct sim_run *r,
                        bool cross_only);

/* Does the link lead to another host? */
static inline bool
threshold_is_cross(const struct web *w, const struct sim_link *l)
{
    return w->page[w->link[l->link].to].host != w->page[l->page].host;
}

#endif
