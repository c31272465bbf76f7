/* report.h -- what a crawl fetched and kept, from its log.
 *
 * A page is a URL that was fetched, or failed for good, as a page: redirects,
 * robots.txt and tries that will be repeated are none.  The last line of a URL
 * counts.  Yield ratio: kept documents / pages.  A report is read-only. */
#ifndef CRAWLER_REPORT_H
#define CRAWLER_REPORT_H

#include <stdio.h>

#include "crawl_log.h"
#include "crawler/job/job.h"

struct report_host {
    struct str name;
    uint64_t fetched, kept, fetched_bytes, kept_bytes, tokens;
    uint64_t exact, near; /* duplicates */
};

struct report_language {
    struct str code; /* "": told of none */
    uint64_t kept, kept_bytes, tokens;
};

struct report_type { /* of what is no HTML */
    struct str name; /* Content-Type; "": none was said */
    uint64_t pages;
};

/* Two hosts with documents of each other, in either direction. */
struct report_mirror {
    struct str a, b;
    uint64_t shared; /* pages of one that duplicate a document of the other */
    uint64_t of;     /* documents and duplicates of the smaller one */
};

struct report_reason { /* why pages were not kept, or not fetched */
    struct str name;
    enum verdict verdict;
    uint64_t pages, bytes;
};

struct report {
    struct str dir;
    struct job *job; /* NULL: the folder has none */
    uint64_t fetched, kept, errors;
    uint64_t fetched_bytes, kept_bytes; /* of pages */
    uint64_t tokens;                    /* of documents; 0 also of older logs */
    uint64_t replaced; /* of the kept ones, by longer copies that came later */
    uint64_t forgotten; /* of the kept ones, on somebody's wish */
    uint64_t home_pages, home_pages_kept; /* pages that no link led to */
    uint64_t redirects;
    uint64_t robots; /* robots.txt files that were read, or are not there */
    uint64_t disallowed, out_of_scope, retries;
    uint64_t other_bytes; /* of what is no page */
    uint64_t received;    /* bytes that came in for all of it, as sent */
    uint64_t first_ms, last_ms;
    uint64_t lines, skipped, repeated;
    bool log_lost; /* there are documents, but no line of a log */

    struct report_host *hosts; /* most kept first */
    size_t hosts_n;
    struct report_language *languages; /* of kept documents, most first */
    size_t languages_n;
    struct report_type *types; /* most pages first */
    size_t types_n;
    struct report_mirror *mirrors; /* most shared documents first */
    size_t mirrors_n;
    uint64_t exact, near, duplicate_bytes; /* pages that were duplicates */
    uint64_t duplicates_saved; /* pages of the second half that would have been,
                                  had it gone on like the first, and were not */
    struct report_reason *reasons; /* most pages first */
    size_t reasons_n;
    struct report_reason *refused; /* URLs that were not fetched, as well */
    size_t refused_n;

    bool *kept_at;      /* of every page in the order of the log: [fetched] */
    bool *duplicate_at; /* likewise */
    struct arena *memory;
};

/* Read DIR/log/crawl.jsonl.  ST_NONE: DIR is no crawl; ST_IO: unreadable; both
 * reported.  A crawl that has not fetched anything yet gives zeroes; so does
 * one whose log is lost, with a warning. */
enum status report_read(struct report **out, const char *dir);
void report_free(struct report *r); /* NULL is allowed */

/* Was nothing fetched (rather than fetched and not kept)? */
bool report_is_failure(const struct report_reason *reason);

double report_ratio(uint64_t part, uint64_t whole); /* 0 for 0/0 */

struct report_point {
    uint64_t fetched, kept;               /* so far */
    uint64_t window_fetched, window_kept; /* since the point before */
};

/* At most n points, evenly spaced, the last one the end; returns how many. */
size_t report_curve(const struct report *r, struct report_point *out, size_t n);

/* Hosts by yield: those with at least the returned number of pages, best
 * first, into out[hosts_n]; *n of them. */
uint64_t report_hosts_by_yield(const struct report *r,
                               const struct report_host **out, size_t *n);

void report_text(const struct report *r, FILE *to);
void report_json(const struct report *r, FILE *to);

/* Several crawls, as of crawlers that share a frontier: their counts in a table
 * with its sum; all of each as JSON, and the sum.  A URL that two of them have
 * fetched counts for both. */
void report_text_of_all(struct report *const *r, size_t n, FILE *to);
void report_json_of_all(struct report *const *r, size_t n, FILE *to);
/* The counts alone, and the time from the first fetch to the last. */
struct report report_sum(struct report *const *r, size_t n);

void report_svg(const struct report *r, FILE *to);

/* yield.tsv, reasons.tsv, languages.tsv, hosts.tsv, report.svg into `folder`
 * (made if it is missing), each replaced whole.  ST_IO, ST_FULL: reported. */
enum status report_files(const struct report *r, const char *folder);

#endif
