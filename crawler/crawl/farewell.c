/* farewell.c -- see farewell.h.  Reasons are those of this run; the report has
 * them of all runs. */
#include "farewell.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/options/command.h"

#define REASONS_SHOWN 8

/* The verdict of this kind that most have; VERDICT_END: none.  Those in `said`
 * do not count. */
static enum verdict
most_of(const uint64_t of[VERDICT_END], bool (*wanted)(enum verdict v),
        const bool said[VERDICT_END])
{
    enum verdict best = VERDICT_END;

    for (int v = 0; v < VERDICT_END; v++)
        if (of[v] > 0 && !said[v] && wanted((enum verdict)v) &&
            (best == VERDICT_END || of[v] > of[best]))
            best = (enum verdict)v;
    return best;
}

static bool
is_failure(enum verdict v)
{
    enum verdict_kind kind = verdict_kind(v);

    return kind == VERDICT_KIND_FAILED || kind == VERDICT_KIND_RETRY ||
           kind == VERDICT_KIND_SUBSTITUTED || v >= VERDICT_HTTP;
}

static bool
is_rejection(enum verdict v)
{
    return verdict_kind(v) == VERDICT_KIND_REJECTED;
}

static bool
is_refusal(enum verdict v)
{
    return verdict_kind(v) == VERDICT_KIND_REFUSED;
}

static bool
is_any(enum verdict v)
{
    return is_failure(v) || is_rejection(v) || is_refusal(v);
}

/* "failed: connect=5 http_404=3", most first. */
static void
say_list(const char *what, const uint64_t of[VERDICT_END],
         bool (*wanted)(enum verdict v))
{
    bool said[VERDICT_END] = {false};
    struct buf out = {0};
    uint64_t rest = 0;
    size_t n = 0;

    for (enum verdict v; (v = most_of(of, wanted, said)) != VERDICT_END; n++) {
        said[v] = true;
        if (n < REASONS_SHOWN)
            buf_printf(&out, " %s=%llu", verdict_name(v),
                       (unsigned long long)of[v]);
        else
            rest += of[v];
    }
    if (rest > 0)
        buf_printf(&out, " others=%llu", (unsigned long long)rest);
    if (n > 0)
        log_info("crawl", "%s:%.*s", what, STRF(buf_view(&out)));
    buf_free(&out);
}

/* What most of them met; of hosts whose robots.txt is out of reach nothing else
 * was tried. */
static void
say_main_reason(const struct crawl *c, const char *what)
{
    const bool none[VERDICT_END] = {false};
    enum verdict page = most_of(c->page_verdicts, is_any, none),
                 robots = most_of(c->robots_verdicts, is_failure, none);

    if (page != VERDICT_END)
        log_warn("crawl", "%s: %s, %s (%llu URLs); %s/log/crawl.jsonl has all",
                 what, verdict_name(page), verdict_text(page),
                 (unsigned long long)c->page_verdicts[page], c->dir);
    else if (robots != VERDICT_END)
        log_warn("crawl",
                 "%s: robots.txt cannot be had, so nothing may be fetched: "
                 "%s, %s (%llu times); %s/log/crawl.jsonl has all",
                 what, verdict_name(robots), verdict_text(robots),
                 (unsigned long long)c->robots_verdicts[robots], c->dir);
}

static void
say_reasons(const struct crawl *c)
{
    const struct crawl_stats *s = &c->stats;

    say_list("failed", c->page_verdicts, is_failure);
    say_list("rejected", c->page_verdicts, is_rejection);
    say_list("refused", c->page_verdicts, is_refusal);
    if (s->fetched == 0)
        say_main_reason(c, "no page was fetched");
    else if (s->kept == 0)
        say_main_reason(c, "no document was kept");
}

static unsigned long long
waiting(const struct crawl *c)
{
    return c->totals.queued + c->totals.leased;
}

static void
say_limit(const struct crawl *c, const char *key, uint64_t limit,
          const char *with)
{
    log_info("crawl",
             "done: limits.%s=%llu is reached, pages=%llu; about %llu URLs "
             "wait; the same command%s goes on",
             key, (unsigned long long)limit, (unsigned long long)crawl_pages(c),
             waiting(c), with);
}

static void
say_empty(const struct crawl *c)
{
    if (c->totals.hosts_full == 0)
        log_info("crawl", "done: nothing is left");
    else
        log_info("crawl",
                 "done: limits.host_pages is reached by %llu of %llu hosts, "
                 "nothing else is left; about %llu URLs wait; the same command "
                 "with a higher limit goes on",
                 (unsigned long long)c->totals.hosts_full,
                 (unsigned long long)c->totals.hosts, waiting(c));
}

static void
say_waiting(const struct crawl *c)
{
    char full[96] = "";

    if (waiting(c) == 0 && c->opts->recrawl_interval_seconds > 0) {
        log_info("crawl",
                 "done for now: nothing is left but pages to fetch again "
                 "(recrawl), none of which is due within "
                 "limits.wait_seconds=%llu; the same command goes on",
                 (unsigned long long)c->opts->limits_wait_seconds);
        return;
    }
    if (c->totals.hosts_full > 0)
        snprintf(full, sizeof full,
                 " (limits.host_pages is reached by %llu of %llu hosts)",
                 (unsigned long long)c->totals.hosts_full,
                 (unsigned long long)c->totals.hosts);
    log_info("crawl",
             "done for now: about %llu URLs wait, none is due within "
             "limits.wait_seconds=%llu%s; the same command goes on",
             waiting(c), (unsigned long long)c->opts->limits_wait_seconds,
             full);
}

int
crawl_farewell(const struct crawl *c)
{
    const struct crawl_stats *s = &c->stats;
    bool own = crawl_is_own(c->opts->dedup_url);

    log_info("crawl",
             "fetched=%llu kept=%llu yield=%.3f errors=%llu redirects=%llu "
             "robots=%llu disallowed=%llu refused=%llu seconds=%.1f "
             "%s=%s%s",
             (unsigned long long)s->fetched, (unsigned long long)s->kept,
             s->fetched ? (double)s->kept / (double)s->fetched : 0.0,
             (unsigned long long)s->errors, (unsigned long long)s->redirects,
             (unsigned long long)s->robots, (unsigned long long)s->disallowed,
             (unsigned long long)s->refused,
             (double)(clock_steady_ms() - c->start_ms) / 1000,
             own ? "corpus" : "dedup", own ? c->dir : c->opts->dedup_url.p,
             own ? "/corpus" : "");
    say_reasons(c);
    switch (c->end) {
    case CRAWL_EMPTY: say_empty(c); break;
    case CRAWL_WAITING: say_waiting(c); break;
    case CRAWL_PAGES:
        say_limit(c, "pages", c->opts->limits_pages, " with a higher limit");
        break;
    case CRAWL_DOCUMENTS:
        say_limit(c, "documents", c->opts->limits_documents,
                  " with a higher limit");
        break;
    case CRAWL_BYTES:
        say_limit(c, "bytes", c->opts->limits_bytes, " with a higher limit");
        break;
    case CRAWL_SECONDS: /* of this run */
        say_limit(c, "seconds", c->opts->limits_seconds, "");
        break;
    case CRAWL_RUNNING:
    case CRAWL_STOPPED:
        log_info("crawl", "interrupted; the same command goes on");
        return EXIT_INTERRUPTED;
    case CRAWL_FAILED:
        log_error("crawl",
                  "stopped by the failure told above; what it met is not "
                  "marked done: once that is mended, the same command goes on");
        return EXIT_FAILED;
    }
    return EXIT_DONE;
}
