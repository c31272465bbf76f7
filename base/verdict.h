/* verdict.h -- what became of a URL, and why: one word for it from the cleaning
 * chain over the wire, the dedup service, the logs and the report to what the
 * scorers learn.  The rows are in verdict.tbl.h. */
#ifndef BASE_VERDICT_H
#define BASE_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* How a visit ended. */
enum frontier_outcome {
#define OUTCOME(id, number, text) OUTCOME_##id = number,
#include "verdict.tbl.h"
};
enum {
    OUTCOME_N = 0
#define OUTCOME(id, number, text) +1
#include "verdict.tbl.h"
};

/* Why.  VERDICT_NONE: nothing speaks against the URL so far. */
enum verdict {
    VERDICT_NONE = 0,
#define VERDICT(id, number, name, kind, teaches, host, text)                   \
    VERDICT_##id = number,
#include "verdict.tbl.h"
    VERDICT_N,           /* numbers of the table are below it */
    VERDICT_HTTP = 1000, /* and the status: see verdict_http() */
    VERDICT_END = VERDICT_HTTP + 1000
};

enum verdict_kind {
    VERDICT_KIND_NONE, /* it is no verdict */
    VERDICT_KIND_KEPT,
    VERDICT_KIND_REJECTED,    /* a page came, and is not kept */
    VERDICT_KIND_SUBSTITUTED, /* another came in its place: failed */
    VERDICT_KIND_FAILED,      /* for good */
    VERDICT_KIND_RETRY,       /* failed, and may not the next time */
    VERDICT_KIND_REFUSED,     /* the host was not contacted */
    VERDICT_KIND_RETURNED,    /* not tried */
    VERDICT_KIND_NO_PAGE      /* something else came, as it should */
};

/* As what a page that has ended counts for its host and its kind of URL: all
 * that scorers learn from. */
enum outcome_class {
    CLASS_KEPT,
    CLASS_SHORT,
    CLASS_LANGUAGE,
    CLASS_BADNESS,
    CLASS_EXACT,
    CLASS_NEAR,
    CLASS_OTHER, /* it came, and is of no use */
    CLASS_ERROR, /* it is not there */
    CLASS_REFUSED,
    CLASS_REDIRECT,
    CLASS_NONE /* it does not count */
};

/* The verdict on a page that was answered with this status of HTTP, 100 .. 999
 * ("http_404"); anything else is VERDICT_GARBAGE. */
enum verdict verdict_http(unsigned status);

/* Is the number one of the table, or that of an HTTP status? */
bool verdict_is(uint64_t number);

/* Of any other number: "unknown", which is no verdict's name.  All static. */
const char *verdict_name(enum verdict v);
const char *verdict_text(enum verdict v); /* for people: a phrase */

/* The verdict of this name.  False: there is none. */
bool verdict_find(struct str name, enum verdict *out);

/* Of any other number: VERDICT_KIND_NONE, CLASS_NONE, false. */
enum verdict_kind verdict_kind(enum verdict v);
enum outcome_class verdict_teaches(enum verdict v);
bool verdict_holds_host(enum verdict v); /* it wants to be left alone */

/* `v` if it can stand with this outcome, else what the outcome says by itself:
 * of a report that names none or another version's. */
enum verdict verdict_fitting(enum frontier_outcome o, enum verdict v);

/* "FETCHED" ...; of any other number "UNKNOWN".  Static. */
const char *outcome_name(enum frontier_outcome o);
bool outcome_find(struct str name, enum frontier_outcome *out);

#endif
