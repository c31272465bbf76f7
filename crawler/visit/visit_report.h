/* visit_report.h -- what a visit has come to, on its way from the worker that
 * found it out to the corpus, the crawl log and the frontier (reporter.h).
 *
 * It lives in the visit's arena, with all that it points to: the page itself
 * and what cleaning needed memory for are gone by then.  It belongs to whoever
 * holds it. */
#ifndef CRAWLER_VISIT_REPORT_H
#define CRAWLER_VISIT_REPORT_H

#include "archive.h"
#include "crawler/report/crawl_log.h"
#include "outcome.h"
#include "shingle/message/dedup.h"

struct visit_report {
    struct visit_report *next; /* in a queue of the reporter */
    struct visit *v;
    struct outcome outcome;
    char address[64];

    /* Of a document. */
    enum verdict reject;       /* of cleaning or of the dedup service */
    struct document_id id, of; /* it is stored under; of what it duplicates */
    bool kept;
    bool ships; /* `document` goes to the dedup service */
    struct dedup_document document;
    bool noted; /* `page` goes to the WARC files */
    struct archive_page page;

    struct frontier_done done;
    struct crawl_log_entry log; /* but for what is known at the end only */
    size_t bytes;               /* of memory, about */
    uint64_t since_ms;          /* it is ready, steady clock */
    enum status status;         /* not ST_OK: the crawl ends */
};

/* Of a visit whose transfer has ended; done and log say so.  Belongs to the
 * visit. */
struct visit_report *visit_report_new(struct visit *v, const struct opts *o,
                                      const struct scope *s, struct str agent);

/* Takes from a document and its links what is told of them; with its text for
 * the WARC files. */
void visit_report_document(struct visit_report *r, const struct document *d,
                           const struct outlinks *links, bool text);

/* The page stood in place of the one asked for. */
void visit_report_substituted(struct visit_report *r, const struct document *d);

/* It goes back into the queue, as the document cannot be stored: `st`. */
void visit_report_returned(struct visit_report *r, enum status st);

/* The dedup service has answered: ST_OK, ST_LIMIT (of a message), ST_INVALID
 * (it refuses what we send) or ST_USAGE (it is another one: both back into the
 * queue, and the crawl ends), or ST_STOPPED. */
void visit_report_shipped(struct visit_report *r, enum status st,
                          const struct dedup_answer *answer);

/* The page is read: its bytes are given up, unless the frontier is to have
 * them. */
void visit_report_read(struct visit_report *r);

/* The line of the crawl log. */
struct crawl_log_entry visit_report_line(const struct visit_report *r,
                                         const struct opts *o);

#endif
