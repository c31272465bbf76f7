/* foretell.h -- which links does a crawl expect to lead to kept pages?
 *
 * Scores are chances.  Where few pages are kept, hardly a link has a chance of
 * one half, and yet some are much better than others: the cut that promises the
 * best F1 lies at half of that F1 (Lipton, Elkan & Narayanaswamy, "Optimal
 * Thresholding of Classifiers to Maximize F1 Measure", ECML PKDD 2014).  Each
 * link is held against the cut that the chances of the links before it call
 * for; what became of any page is not looked at. */
#ifndef LAB_FORETELL_H
#define LAB_FORETELL_H

#include "sim.h"

/* By link of the run; of those to other hosts only: the rest is false.
 * calloc'ed, to be freed. */
bool *foretell(const struct sim_run *r, bool cross_only);

#endif
