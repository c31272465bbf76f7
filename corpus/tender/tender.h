/* tender.h -- near-duplicates among the fingerprints of a corpus, offline.
 *
 * Two ways to compare documents:
 * by count    how many hashes they share (texrex's): `limit` of them make a
 *             near-duplicate; a hash of `max` documents or more says nothing
 * by near     of fingerprints (format shingles): the estimated resemblance,
 *             from `near` on
 *
 * and two rules for what is removed:
 * stars       a document for which a better one is kept; better is the larger
 *             one, of equal sizes the one with the smaller id.  Its own
 * estimate against the kept one reaches the threshold: chains remove nothing
 *             but what is next to what stays
 * pairs       the lesser document of every pair (texrex's)
 *
 * Documents of an earlier corpus are better than all others, and none of them
 * is removed; by fingerprints only.
 *
 * The result depends on neither the order of the input nor the threads.
 *
 * Stages: read, pairs, scores, choice.  What they make stands in a folder,
 * PREFIX.tender, with a file `state`; a run that was killed goes on after the
 * last stage that was finished. */
#ifndef TENDER_TENDER_H
#define TENDER_TENDER_H

#include "base/status.h"
#include "corpus/lines/paths.h"

enum tender_rule { TENDER_STARS, TENDER_PAIRS };

struct tender_options {
    struct paths inputs, blacklists;
    size_t earlier_n; /* the last so many inputs are of an earlier corpus */
    const char *prefix;
    size_t threads;    /* 1 or more */
    uint64_t memory;   /* bytes for sorting, over all threads */
    uint64_t size_max; /* hashes and pairs sorted at once, 0: as memory says */
    uint64_t ddsize_max;
    uint32_t limit; /* by count; 0: by near */
    uint32_t max;
    double near; /* 0: as the input says */
    enum tender_rule rule;
    bool presorted, gzip, full, restart;
};

struct tender_counts {
    uint64_t documents, hashes, rejected_lines, blacklisted; /* read */
    uint64_t overfull, pairs, scored;
    uint64_t removed, revoked;
};

/* ST_USAGE: what the options ask cannot be had of this input; ST_INVALID,
 * ST_IO, ST_FULL: all reported. */
enum status tender_run(const struct tender_options *o,
                       struct tender_counts *out);

#endif
