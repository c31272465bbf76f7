/* archive.h -- what was fetched, as WARC files in DIR/warc (output.warc).
 *
 * One response record for every answer with a status: pages, errors, redirects
 * and robots.txt.  Its WARC-Record-ID is the visit's id, so that of the
 * document which comes of it.  The body is the decoded one, cut at
 * fetch.body_max; headers that described the body as it was sent are kept under
 * X-Crawler- names (as Common Crawl does), Content-Length is the record's own.
 * With output.warc_bodies = sent the body stays in its content codings, as its
 * Content-Encoding says, and only that of the transfer is undone.
 * Bodies of answers that bring no page (200, 203) are not kept: WARC-Truncated
 * says so. output.warc_records says what else is written; a payload that a page
 * of this run has brought already makes a revisit instead of a response.
 *
 * Records are written before the frontier is told of the page, so a killed
 * crawl loses none; a page that is fetched again because of that stands in the
 * files twice. */
#ifndef CRAWLER_ARCHIVE_H
#define CRAWLER_ARCHIVE_H

#include "base/options/opt.h"
#include "crawler/admit/outlinks.h"
#include "visit.h"

struct archive; /* opaque; see crawler/visit/archive.c */

/* Completes what a crash left.  *out is NULL when output.warc is off.  `id`
 * is the crawler's: files of several crawlers do not collide.  ST_IO, ST_FULL:
 * reported.  Owned by the caller. */
enum status archive_open(struct archive **out, const char *dir, uint64_t id,
                         const struct opts *o);
/* The last file gets its index and its final name; not ST_OK (reported): at the
 * next opening.  NULL is allowed. */
enum status archive_close(struct archive *a);

/* Thread-safe.  NULL and visits without an answer are allowed.  ST_FULL: no
 * space, nothing was written; call again later.  ST_IO: reported. */
enum status archive_put(struct archive *a, struct visit *v);
/* A document as it is noted. */
struct archive_page {
    struct str detail, charset, language, rights, rights_signals;
    struct str text;          /* "" unless archive_wants_text() */
    const char *charset_from; /* NULL: not known */
    double badness, boilerplate_mean;
    uint32_t chars;
    const struct frontier_link *links;
    size_t links_n;
};

bool archive_wants_text(const struct archive *a); /* NULL: no */

/* What became of it: its metadata, and the text when it is kept.  To be called
 * before the frontier is told, after archive_put().  Otherwise as that. */
enum status archive_note(struct archive *a, const struct visit *v,
                         const struct archive_page *p, enum verdict verdict);

/* `head` as a record's, for a body of body_n bytes, decoded or still in its
 * content codings. */
void archive_head(struct buf *out, struct str head, size_t body_n, bool coded);
/* `request`, likewise. */
void archive_request(struct buf *out, struct str request);

#endif
