/* crawl_log.h -- DIR/log/crawl.jsonl: one JSON line for every fetched URL.
 *
 * Lines are written before the frontier is told, so after a crash a URL may
 * stand there twice; a URL that is tried again stands there once a try.  The
 * last line of a URL counts.  The field names are documented in
 * crawl_log_line(). */
#ifndef CRAWLER_CRAWL_LOG_H
#define CRAWLER_CRAWL_LOG_H

#include "base/status.h"
#include "frontier/features/frontier_types.h"

struct buf;

#define CRAWL_LOG_FILE "log/crawl.jsonl"

enum crawl_log_kind {
    CRAWL_LOG_PAGE,
    CRAWL_LOG_REDIRECT, /* the URL led elsewhere; its target has its own line */
    CRAWL_LOG_ROBOTS,
    CRAWL_LOG_SITEMAP,
    CRAWL_LOG_OTHER, /* what a newer version may write */
    CRAWL_LOG_KINDS_N
};

/* Numbers that are not known are NAN and left out of the line. */
struct crawl_log_entry {
    uint64_t time_ms; /* wall clock, end of the fetch */
    struct str url, host;
    enum crawl_log_kind kind;
    uint32_t status; /* HTTP, 0: no response */
    enum frontier_outcome outcome;
    enum verdict verdict; /* of an unknown name: VERDICT_END */
    uint64_t bytes;       /* of the body, decoded; without one: received */
    uint64_t received;    /* all that came in for it, as it was sent */
    uint64_t kept_bytes;  /* of clean text; 0 unless kept */
    uint64_t ms;          /* the transfer took */
    uint32_t depth;
    double score, parent_badness;
    double block; /* boilerplate value of the block the link stood in */
    double badness, boilerplate_mean;
    struct str language;
    uint64_t chars;     /* characters of kept blocks */
    uint64_t tokens;    /* words of them */
    uint64_t links;     /* outlinks found */
    struct str id;      /* of the document, "" if there is none */
    struct str of;      /* of a duplicate: id of the kept document; or "" */
    struct str detail;  /* of a rejection: value and limit; of a redirect: where
                           to; of what is no HTML: its type; or "" */
    struct str price;   /* that the server asks with 402, as it says; "" */
    bool explored;      /* fetched by chance, not for its score */
    bool cookies;       /* of a redirect that led here were sent */
    bool home_page;     /* no link leads to it: frontier.home_pages */
    bool truncated;     /* of the body only the beginning is there */
    bool not_contacted; /* it failed before a server was asked: no fetch */
};

const char *crawl_log_kind_name(enum crawl_log_kind kind); /* static */

/* ---- writing: thread-safe ---- */
struct crawl_log; /* opaque; see crawler/report/crawl_log.c */

/* Open or create DIR/log/crawl.jsonl; a last line torn by a crash is ended.
 * ST_IO, ST_FULL: reported. */
enum status crawl_log_open(struct crawl_log **out, const char *dir);
void crawl_log_close(struct crawl_log *log); /* NULL is allowed */

/* All n lines in one write, to DIR/log/crawl.jsonl as it is then: when that was
 * moved away, to a new file.  ST_FULL: the disk is full and nothing was
 * written; call again later.  ST_IO is reported. */
enum status crawl_log_append(struct crawl_log *log,
                             const struct crawl_log_entry *e, size_t n);

/* The line with its line end, appended to `out`. */
void crawl_log_line(const struct crawl_log_entry *e, struct buf *out);

/* ---- reading ---- */
struct crawl_log_counts {
    uint64_t lines;   /* entries given out */
    uint64_t skipped; /* torn or foreign lines */
};

/* Call `take` for every line of the file at `path`, in order; the entry lives
 * during the call.  The file may grow meanwhile; an unfinished last line is
 * left out and not counted, what is damaged is one skipped line.  ST_NONE: no
 * such file; ST_IO: reported. */
enum status crawl_log_read(const char *path,
                           void (*take)(void *self,
                                        const struct crawl_log_entry *e),
                           void *self, struct crawl_log_counts *counts);

/* When the first entry of the file at `path` was made; 0: it has none. */
uint64_t crawl_log_first_ms(const char *path);

/* Likewise of DIR/log/crawl.jsonl and what log rotation has moved away from it
 * (crawl.jsonl.1, crawl.jsonl-20261127), compressed or not, the oldest first.
 */
enum status crawl_log_read_all(const char *dir,
                               void (*take)(void *self,
                                            const struct crawl_log_entry *e),
                               void *self, struct crawl_log_counts *counts);

/* One line without its end; `take` as above.  False: not an entry. */
bool crawl_log_parse(struct str line,
                     void (*take)(void *self, const struct crawl_log_entry *e),
                     void *self);

#endif
