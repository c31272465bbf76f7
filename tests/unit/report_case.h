/* report_case.h -- a crawl's folder with a made-up log, and its report. */
#ifndef REPORT_CASE_H
#define REPORT_CASE_H

#include "crawler/report/report.h"
#include "folder.h"

static FILE *lines;

static inline void
new_crawl(void)
{
    folder_open();
    folder_put(CRAWL_LOG_FILE, S(""));
    if ((lines = fopen(in_folder(CRAWL_LOG_FILE), "wb")) == NULL)
        abort();
}

static inline void
remove_crawl(void)
{
    if (lines)
        fclose(lines);
    lines = NULL;
    folder_close();
}

static inline enum verdict
verdict_of(const char *name)
{
    enum verdict v = VERDICT_END; /* unknown */

    (void)verdict_find(str_c(name), &v);
    return v;
}

static inline void
fetched(const char *url, const char *host, enum crawl_log_kind kind,
        enum frontier_outcome outcome, const char *verdict, uint64_t bytes,
        uint64_t kept_bytes)
{
    struct crawl_log_entry e = {.time_ms = 1795169730123,
                                .url = str_c(url),
                                .host = str_c(host),
                                .kind = kind,
                                .outcome = outcome,
                                .verdict = verdict_of(verdict),
                                .bytes = bytes,
                                .received = bytes / 2,
                                .kept_bytes = kept_bytes};
    struct buf line = {0};

    crawl_log_line(&e, &line);
    fwrite(line.p, 1, line.n, lines);
    buf_free(&line);
}

static inline void
page(const char *url, const char *host, const char *verdict)
{
    fetched(url, host, CRAWL_LOG_PAGE, OUTCOME_FETCHED, verdict, 1000, 300);
}

static inline struct report *
report(void)
{
    struct report *r = NULL;

    if (lines)
        fflush(lines);
    CHECK(report_read(&r, folder) == ST_OK);
    if (r == NULL)
        abort();
    return r;
}

static inline char *
printed(const struct report *r, void (*print)(const struct report *, FILE *))
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);

    print(r, f);
    fclose(f);
    return text;
}

static inline void
small_crawl(void)
{
    new_crawl();
    fetched("http://a.nl/robots.txt", "a.nl", CRAWL_LOG_ROBOTS,
            OUTCOME_ROBOTS_DONE, "robots", 50, 0);
    page("http://a.nl/1", "a.nl", "kept");
    page("http://a.nl/2", "a.nl", "badness");
    fetched("http://a.nl/3", "a.nl", CRAWL_LOG_REDIRECT, OUTCOME_REDIRECT, "",
            10, 0);
    page("http://a.nl/4", "a.nl", "kept");
    fetched("http://b.nl/1", "b.nl", CRAWL_LOG_PAGE, OUTCOME_FAILED, "timeout",
            0, 0);
    page("http://b.nl/2", "b.nl", "badness");
    fetched("http://b.nl/3", "b.nl", CRAWL_LOG_PAGE, OUTCOME_DISALLOWED,
            "robots", 0, 0);
    fetched("http://b.nl/4", "b.nl", CRAWL_LOG_PAGE, OUTCOME_RETRY, "http_503",
            20, 0);
}

#endif
