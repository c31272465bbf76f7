/* mixture.h -- how much each of several experts is to be believed in this
 * crawl.
 *
 * An expert says of a page, in logits, how likely it is to be kept.  What they
 * say is added with weights (a logarithmic opinion pool).  The weights start at
 * 1 each, which is what the experts were fitted for on other crawls, and are
 * learnt from every page that ends: an expert that is too sure of itself here,
 * or says nothing of these pages, soon counts for little.
 *
 * It is Bayesian logistic regression with a Laplace approximation after each
 * page, the online Newton step (Hazan, Agarwal & Kale 2007): its loss stays
 * within the logarithm of the number of pages of that of the best weights.
 *
 * Pure; a few dozen numbers for a crawl. */
#ifndef FRONTIER_MIXTURE_H
#define FRONTIER_MIXTURE_H

#include <stdbool.h>

#include "base/buf.h"

enum mixture_expert {
    EXPERT_LINK,      /* what the link says, and where it stands */
    EXPERT_HOST,      /* the host's name, and what it has yielded */
    EXPERT_URL_CLASS, /* what pages of its kind have yielded */
    EXPERT_EVEN,      /* says 1 of every page: its weight is the offset */
    EXPERTS
};

struct mixture {
    double weight[EXPERTS];
    double precision[EXPERTS][EXPERTS]; /* of the weights; symmetric */
};

struct mixture mixture_new(void);

/* What they say together. */
double mixture_sum(const struct mixture *m, const double said[EXPERTS]);

/* A page of which they said this was kept or not; it counts for `worth` pages,
 * 0..1. */
void mixture_learn(struct mixture *m, const double said[EXPERTS], bool kept,
                   double worth);

/* As bytes, and back; false: malformed, *m is as new.  No bytes: new. */
void mixture_write(const struct mixture *m, struct buf *out);
bool mixture_read(struct mixture *m, struct str bytes);

#endif
