/* findings.h -- every measure of an experiment, ready to be written. */
#ifndef LAB_FINDINGS_H
#define LAB_FINDINGS_H

#include "bootstrap.h"
#include "measure.h"
#include "predict.h"

/* Badness and block value foretell "kept" from here on (as scores 0..1). */
#define FINDINGS_CUT 0.5
/* "Focused Web Corpus Crawling" (WAC-9, 2014) cut badness here. */
#define FINDINGS_BADNESS_CUT 10.0

#define FINDINGS_MARKS 4u
#define FINDINGS_CURVE 200u
#define FINDINGS_PHASES 5u
extern const double findings_mark[FINDINGS_MARKS]; /* percent of the pages */

enum findings_set { LINKS_ALL, LINKS_CROSS, LINKS_N }; /* to other hosts */
enum findings_by { BY_SCORE, BY_BADNESS, BY_BLOCK, BY_N };

struct finding { /* of one scorer */
    struct str scorer;
    const struct sim_run *run;
    double coverage[FINDINGS_MARKS];
    struct bootstrap_interval coverage_range[FINDINGS_MARKS];
    double yield, late;
    struct measure_point curve[FINDINGS_CURVE];
    size_t curve_n;
    struct measure_fit fit[FINDINGS_PHASES];
    struct predict link[LINKS_N][BY_N];
    struct bootstrap_interval f1_range[LINKS_N];  /* of BY_SCORE */
    struct predict_bin reliability[PREDICT_BINS]; /* of BY_SCORE, LINKS_ALL */
    double calibration_error;
    struct measure_bias bias;
};

struct findings {
    const struct experiment *e;
    struct finding *of; /* scorers_n of them */
};

/* The experiment is borrowed.  Never fails. */
struct findings *findings_make(const struct experiment *e, uint64_t seed);
void findings_free(struct findings *f); /* NULL is allowed */

#endif
