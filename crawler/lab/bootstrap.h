/* bootstrap.h -- how far a figure would move had we met other hosts.
 *
 * Hosts, not pages, are drawn anew with replacement, since pages of one host
 * are alike: every host then counts 0, 1, 2 ... times, with all that was
 * fetched, kept or predicted there. */
#ifndef LAB_BOOTSTRAP_H
#define LAB_BOOTSTRAP_H

#include "experiment.h"

#define BOOTSTRAP_DRAWS 1000u

struct bootstrap_interval {
    double low, high; /* 2.5 and 97.5 percent of the draws; NAN: unknown */
};

struct bootstrap; /* the draws: the same for every run, so they compare */

struct bootstrap *bootstrap_new(const struct experiment *e, uint64_t seed);
void bootstrap_free(struct bootstrap *b); /* NULL is allowed */

/* Coverage at these percentages of the reachable pages; the draws go round the
 * arm's runs.  A draw may have a mark behind the run's last fetch: then what
 * the run had at its end counts, which is too little by what it would have
 * found. */
void bootstrap_coverage(const struct bootstrap *b,
                        const struct experiment_arm *arm, const double *percent,
                        size_t n, struct bootstrap_interval *out);

struct bootstrap_counts { /* of a host that links */
    double right, wrong, missed;
};
/* F1 of what was predicted of the links, by the host that links. */
void bootstrap_f1(const struct bootstrap *b,
                  const struct bootstrap_counts *by_host,
                  struct bootstrap_interval *out);

#endif
