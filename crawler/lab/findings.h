/* findings.h -- every measure of an experiment, ready to be written. */
#ifndef LAB_FINDINGS_H
#define LAB_FINDINGS_H

#include "bootstrap.h"
#include "curve.h"
#include "found.h"
#include "measure.h"
#include "predict.h"
#include "spread.h"

/* Block value predicts "kept" from here on (as a score 0..1). */
#define FINDINGS_CUT 0.5
/* "Focused Web Corpus Crawling" (WAC-9, 2014) cut badness here. */
#define FINDINGS_BADNESS_CUT 10.0

#define FINDINGS_MARKS 4u
#define FINDINGS_CURVE 200u
#define FINDINGS_PHASES 5u
#define FINDINGS_TIMES 8u
extern const double findings_mark[FINDINGS_MARKS]; /* percent of the pages */

/* What documents cost, by the share of all that can be kept.  Of a crawl that
 * goes on when there is hardly anything left to find, the mean price says
 * little: two crawls are compared when they have the same number of documents.
 */
#define FINDINGS_SHARES 2u
extern const double findings_share[FINDINGS_SHARES]; /* percent */
struct findings_price {
    struct spread fetches, seconds; /* NAN: no run got so far */
    struct spread per_fetch, per_second;
    size_t runs_n; /* that got so far */
    bool front;    /* nobody has more documents a fetch and a second */
};

enum findings_set { LINKS_ALL, LINKS_CROSS, LINKS_N };      /* to other hosts */
enum findings_by { BY_BADNESS, BY_BLOCK, BY_ALWAYS, BY_N }; /* without scorer */

struct finding { /* of one arm: means over its runs */
    const struct experiment_arm *arm;
    struct spread fetched, kept, yield, late, seconds, idle;
    struct spread coverage[FINDINGS_MARKS];
    struct bootstrap_interval coverage_hosts[FINDINGS_MARKS];
    struct spread at_time[FINDINGS_TIMES]; /* coverage at findings.second[] */
    struct findings_price price[FINDINGS_SHARES];
    struct curve_point curve[FINDINGS_CURVE], times[FINDINGS_CURVE];
    size_t curve_n, times_n;
    struct measure_fit fit[FINDINGS_PHASES];
    struct predict link[LINKS_N];
    struct spread f1[LINKS_N], auc[LINKS_N], within[LINKS_N];
    struct bootstrap_interval f1_hosts[LINKS_N];  /* of the first run */
    struct predict_bin reliability[PREDICT_BINS]; /* of LINKS_ALL, all runs */
    double calibration_error;
    struct measure_bias bias;
    struct found *found; /* by host */
};

struct findings {
    const struct experiment *e;
    struct finding *of;                  /* arms_n of them */
    struct predict plain[LINKS_N][BY_N]; /* on the same links */
    size_t links, links_some; /* of the common set; scored by anybody */
    double second[FINDINGS_TIMES];
    size_t seconds_n; /* 0: no time passed */
};

/* The experiment is borrowed.  Never fails. */
struct findings *findings_make(const struct experiment *e, uint64_t seed);
void findings_free(struct findings *f); /* NULL is allowed */

/* ---- parts, each in a file of its own ---- */
/* Link predictions of all arms on their common set of links. */
void findings_links(struct findings *f, const struct bootstrap *b);

#endif
