/* status_line.h -- how the crawl is doing, on stderr while it runs.
 *
 * On a terminal a few lines are redrawn in place, and log lines scroll by
 * above them; otherwise one log line every log.status_seconds.  Time comes in
 * as now_ms (steady clock).  One status line a process; update and close from
 * one thread, log lines may come from any. */
#ifndef CRAWLER_STATUS_LINE_H
#define CRAWLER_STATUS_LINE_H

#include "base/buf.h"
#include "frontier/features/frontier_types.h"

#define CRAWL_WINDOW 1000 /* pages of the yield ratio of late */

/* Which of the last CRAWL_WINDOW pages were kept; starts as {0}. */
struct crawl_window {
    bool kept_at[CRAWL_WINDOW];
    uint32_t next, pages, kept;
};

void crawl_window_add(struct crawl_window *w, bool kept);

/* A snapshot of this run's counters. */
struct crawl_stats {
    uint64_t fetched; /* pages: errors are, redirects and robots not */
    uint64_t kept;    /* documents */
    uint64_t errors;  /* pages that gave no document for want of one */
    uint64_t retries; /* transfers that will be tried again */
    uint64_t redirects;
    uint64_t robots;        /* robots.txt files fetched */
    uint64_t disallowed;    /* URLs robots.txt forbids */
    uint64_t refused;       /* URLs out of scope, or of private addresses */
    uint64_t fetched_bytes; /* all transfers, as received */
    uint64_t kept_bytes;    /* clean text */
    uint64_t page_limit;    /* limits.pages, 0: none */
    uint32_t in_flight;     /* transfers */
    uint32_t cleaning;      /* pages fetched and not yet acknowledged */
    uint32_t window_pages, window_kept; /* of struct crawl_window */
    uint64_t waits;                     /* pauses so far */
    const char *pause; /* why the crawl stands still now, or NULL */
};

struct status_line; /* opaque; see crawler/report/status_line.c */

struct status_line_setup {
    int fd;            /* usually stderr */
    bool live;         /* redraw in place; see live_can() of base/live.h */
    uint32_t columns;  /* 0: ask the terminal at each drawing */
    uint64_t every_ms; /* between two plain lines */
};

/* NULL when out of memory; the other calls then do nothing. */
struct status_line *status_line_open(const struct status_line_setup *setup,
                                     uint64_t now_ms);

/* Call as often as convenient: draws at most four times a second, or a plain
 * line when one is due.  totals may be NULL. */
void status_line_update(struct status_line *s, const struct crawl_stats *stats,
                        const struct frontier_totals *totals, uint64_t now_ms);

/* Takes the live lines away; NULL is allowed. */
void status_line_close(struct status_line *s);

/* ---- the texts, for tests ---- */
struct status_rates {
    double pages, bytes; /* a second, of late */
    uint64_t elapsed_ms;
};

/* Lines of at most `columns` characters, without the last line end. */
void status_line_live(const struct crawl_stats *s,
                      const struct frontier_totals *t,
                      const struct status_rates *r, uint32_t columns,
                      struct buf *out);

/* key=value, for a log line. */
void status_line_plain(const struct crawl_stats *s,
                       const struct frontier_totals *t,
                       const struct status_rates *r, struct buf *out);

#endif
