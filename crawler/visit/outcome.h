/* outcome.h -- what a finished visit means to the frontier: pure decisions.
 *
 * One table of cases for every way a visit can end, for pages and for
 * robots.txt (RFC 9309, section 2.3.1). */
#ifndef CRAWLER_OUTCOME_H
#define CRAWLER_OUTCOME_H

#include "clean/chain/document.h"
#include "clean/scope/scope.h"
#include "crawler/admit/robots.h"
#include "visit.h"

struct outcome {
    enum frontier_outcome what;
    enum verdict verdict;        /* NONE for a document: the chain will say */
    bool document;               /* FETCHED: the body is to be cleaned */
    bool sitemap;                /* FETCHED: the body is a sitemap */
    struct frontier_link target; /* of a redirect, taken or not; or none */
    struct str cookies;          /* ... that the target is to get */
    struct frontier_robots robots;
    struct robots *rules; /* that are robots.body, parsed; the caller's */
    struct frontier_link *sitemaps; /* that a robots.txt names */
    size_t sitemaps_n;
};

/* Strings live in `a` or in the visit, or are static.  The caller ends
 * out->rules with robots_free(), or hands them on. */
void outcome_of(struct outcome *out, const struct visit *v,
                const struct scope *s, const struct opts *o, struct str agent,
                struct arena *a);

/* What the frontier is told of a document for the scores of its links. */
void outcome_signals(struct frontier_done *done, const struct document *d);

/* Did the page fail for good: was this the last try that politeness.retries
 * allows? */
bool outcome_was_last_try(const struct frontier_done *d,
                          const struct frontier_lease *lease,
                          const struct opts *o);

/* Was the page fetched again, and has the text of before? */
bool outcome_is_unchanged(const struct frontier_done *d,
                          const struct frontier_lease *lease);

/* Does this report count for limits.pages?  As frontier/schedule/done.c counts.
 */
bool outcome_is_page(const struct frontier_done *d,
                     const struct frontier_lease *lease, const struct opts *o);

#endif
