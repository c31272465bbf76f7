/* reporter.h -- visits on their way from the workers to what is durable:
 *
 *   workers --documents--> ship: dedup service --+
 *      +------all others-------------------------+--> tell: crawl log, frontier
 *
 * One thread for each service ships what waits, in as large batches as the load
 * makes them, so that a commit and its syncs are shared and no worker waits for
 * one.  A document is durable before its line in the crawl log is written, and
 * that before the frontier is told: a crash before makes the lease void, the
 * page is fetched again, and the dedup service knows its visit.
 *
 * A batch goes when there are REPORTER_BATCH reports, when the oldest has
 * waited for services.gather_ms (10 ms at most while free slots wait for the
 * hosts of these reports: reporter_hurry()), and at once when nothing else is
 * under way.
 *
 * Bounds: the leaser's, by number and bytes of reports (crawl_state.h).  A
 * service that is away or full is waited for, so leasing stops then. */
#ifndef CRAWLER_REPORTER_H
#define CRAWLER_REPORTER_H

#include "crawl_state.h"
#include "crawler/visit/visit_report.h"

#define REPORTER_BATCH 100

struct reporter; /* opaque; see crawler/loop/reporter.c */

/* Starts its threads.  ST_NOMEM: there can be no more of those. */
enum status reporter_open(struct reporter **out, struct crawl *c);
/* Sends what is left, or lets it go when c->hard; NULL is allowed. */
void reporter_close(struct reporter *p);

/* The visit is not the worker's any longer.  Thread-safe, never waits. */
void reporter_put(struct reporter *p, struct visit_report *r);

/* From the lease thread: are there slots that stay empty until reports have
 * arrived? */
void reporter_hurry(struct reporter *p, bool hurry);

#endif
