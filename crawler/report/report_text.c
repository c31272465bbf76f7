/* report_text.c -- a report for people. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/clock.h"
#include "report.h"

#define CURVE_POINTS 20
#define BAR_WIDTH 30
#define HOSTS_SHOWN 10
#define TYPES_SHOWN 10

static void
size(FILE *to, const char *what, uint64_t bytes)
{
    fprintf(to, "%s%" PRIu64 " bytes", what, bytes);
    if (bytes >= 1000000)
        fprintf(to, " (%.1f MB)", (double)bytes / 1e6);
    fputc('\n', to);
}

/* Why there is nothing, in a line. */
static void
main_reason(const struct report *r, FILE *to)
{
    const struct report_reason *most = r->reasons;

    if (r->kept > 0 || r->lines == 0)
        return;
    if (r->fetched == 0)
        most = r->refused;
    if (r->fetched == 0 ? r->refused_n == 0 : r->reasons_n == 0)
        return;
    fprintf(to, "%s  most for %.*s: %s\n",
            r->fetched == 0 ? "nothing fetched" : "nothing kept",
            STRF(most->name), verdict_text(most->verdict));
}

static void
time_span(const struct report *r, FILE *to)
{
    char from[21], until[21];

    if (r->last_ms == 0)
        return;
    clock_iso(r->first_ms, from);
    clock_iso(r->last_ms, until);
    fprintf(to, "time           %s to %s (%.0f s)\n", from, until,
            (double)(r->last_ms - r->first_ms) / 1000);
}

static void
pages_fetched(const struct report *r, FILE *to)
{
    fprintf(to, "pages fetched  %" PRIu64 " from %zu hosts", r->fetched,
            r->hosts_n);
    if (r->last_ms > r->first_ms)
        fprintf(to, ", %.1f pages/s",
                (double)r->fetched * 1000 / (double)(r->last_ms - r->first_ms));
}

static void
totals(const struct report *r, FILE *to)
{
    fprintf(to, "Crawl %.*s\n\n", STRF(r->dir));
    if (r->job != NULL)
        job_text(r->job, to);
    if (r->lines == 0)
        fprintf(to, "%s\n\n",
                r->log_lost ? "The log is lost: nothing is known of what was "
                              "fetched."
                            : "Nothing was fetched yet.");
    time_span(r, to);
    pages_fetched(r, to);
    fprintf(to, "\ndocuments kept %" PRIu64 "\n", r->kept);
    if (r->replaced > 0)
        fprintf(to,
                "replaced       %" PRIu64 " of them, by longer copies that "
                "came later (tecl -b 'DIR/replaced/*')\n",
                r->replaced);
    if (r->forgotten > 0)
        fprintf(to,
                "forgotten      %" PRIu64 " of them (DIR/forgotten.jsonl)\n",
                r->forgotten);
    main_reason(r, to);
    fprintf(to, "yield ratio    %.4f\n", report_ratio(r->kept, r->fetched));
    if (r->home_pages > 0)
        fprintf(to,
                "home pages     %" PRIu64 " that no link led to, %" PRIu64
                " kept\n",
                r->home_pages, r->home_pages_kept);
    size(to, "fetched        ", r->fetched_bytes);
    if (r->received > 0) /* logs of older versions do not say */
        size(to, "received       ", r->received);
    size(to, "kept text      ", r->kept_bytes);
    if (r->tokens > 0)
        fprintf(to, "tokens         %" PRIu64 " in it\n", r->tokens);
    fprintf(to, "yield in bytes %.4f\n",
            report_ratio(r->kept_bytes, r->fetched_bytes));
    fprintf(to,
            "besides        %" PRIu64 " redirects, %" PRIu64
            " robots.txt, %" PRIu64 " forbidden by robots.txt, %" PRIu64
            " out of scope, %" PRIu64 " tries repeated\n",
            r->redirects, r->robots, r->disallowed, r->out_of_scope,
            r->retries);
    if (r->skipped > 0)
        fprintf(to, "unreadable     %" PRIu64 " lines of the log\n",
                r->skipped);
}

static void
curve(const struct report *r, FILE *to)
{
    struct report_point p[CURVE_POINTS];
    size_t n = report_curve(r, p, CURVE_POINTS);

    if (n == 0)
        return;
    fprintf(to, "\nYield curve (of the pages so far, of those since the line "
                "above)\n   fetched       kept  so far  window\n");
    for (size_t i = 0; i < n; i++) {
        double window = report_ratio(p[i].window_kept, p[i].window_fetched);

        fprintf(to, "%10" PRIu64 " %10" PRIu64 "  %.4f  %.4f ", p[i].fetched,
                p[i].kept, report_ratio(p[i].kept, p[i].fetched), window);
        for (int k = 0; k < (int)(window * BAR_WIDTH + 0.5); k++)
            fputc('#', to);
        fputc('\n', to);
    }
}

static void
languages(const struct report *r, FILE *to)
{
    if (r->languages_n > 1)
        fprintf(to, "\nKept, by language\n documents   share       bytes      "
                    "tokens\n");
    for (size_t i = 0; r->languages_n > 1 && i < r->languages_n; i++)
        fprintf(to, "%10" PRIu64 "  %.4f  %10" PRIu64 "  %10" PRIu64 "  %.*s\n",
                r->languages[i].kept,
                report_ratio(r->languages[i].kept, r->kept),
                r->languages[i].kept_bytes, r->languages[i].tokens,
                STRF(r->languages[i].code.n > 0 ? r->languages[i].code
                                                : S("(none)")));
}

enum reason_list { NOT_KEPT, FAILED };

static void
reasons(const struct report *r, enum reason_list which, const char *title,
        FILE *to)
{
    bool any = false;

    for (size_t i = 0; i < r->reasons_n; i++) {
        const struct report_reason *reason = &r->reasons[i];

        if (report_is_failure(reason) != (which == FAILED))
            continue;
        if (!any)
            fprintf(to, "\n%s, by reason\n     pages   share  reason\n", title);
        any = true;
        fprintf(to, "%10" PRIu64 "  %.4f  %.*s: %s\n", reason->pages,
                report_ratio(reason->pages, r->fetched), STRF(reason->name),
                verdict_text(reason->verdict));
    }
}

/* Some of them could be documents: convert.types. */
static void
types(const struct report *r, FILE *to)
{
    if (r->types_n > 0)
        fprintf(to, "\nNot HTML, by Content-Type\n     pages  type\n");
    for (size_t i = 0; i < r->types_n && i < TYPES_SHOWN; i++)
        fprintf(to, "%10" PRIu64 "  %.*s\n", r->types[i].pages,
                STRF(r->types[i].name.n > 0 ? r->types[i].name : S("(none)")));
}

static void
refused(const struct report *r, FILE *to)
{
    if (r->refused_n > 0)
        fprintf(to, "\nNot fetched, by reason\n      URLs  reason\n");
    for (size_t i = 0; i < r->refused_n; i++)
        fprintf(to, "%10" PRIu64 "  %.*s: %s\n", r->refused[i].pages,
                STRF(r->refused[i].name), verdict_text(r->refused[i].verdict));
}

static void
host_lines(const struct report_host *const *host, size_t from, size_t until,
           FILE *to)
{
    for (size_t i = from; i < until; i++)
        fprintf(to, "%10" PRIu64 " %10" PRIu64 "  %.4f  %.*s\n",
                host[i]->fetched, host[i]->kept,
                report_ratio(host[i]->kept, host[i]->fetched),
                STRF(host[i]->name));
}

static void
hosts(const struct report *r, FILE *to)
{
    const struct report_host **host = calloc(r->hosts_n + 1, sizeof *host);
    size_t n, top;
    uint64_t least;

    if (host == NULL)
        return;
    least = report_hosts_by_yield(r, host, &n);
    top = n <= 2 * HOSTS_SHOWN ? n : HOSTS_SHOWN;
    if (n > 0)
        fprintf(to,
                "\nHosts by yield (%zu with at least %" PRIu64
                " pages)\n   fetched       kept   yield  host\n",
                n, least);
    host_lines(host, 0, top, to);
    if (top < n) {
        fprintf(to, "       ...\n");
        host_lines(host, n - HOSTS_SHOWN, n, to);
    }
    free(host);
}

static int
by_duplicates(const void *a, const void *b)
{
    const struct report_host *x = *(const struct report_host *const *)a;
    const struct report_host *y = *(const struct report_host *const *)b;
    uint64_t n = x->exact + x->near, m = y->exact + y->near;

    if (n != m)
        return n > m ? -1 : 1;
    return str_cmp(x->name, y->name);
}

static void
duplicate_hosts(const struct report *r, FILE *to)
{
    const struct report_host **host = calloc(r->hosts_n + 1, sizeof *host);

    if (host == NULL)
        return;
    for (size_t i = 0; i < r->hosts_n; i++)
        host[i] = &r->hosts[i];
    qsort(host, r->hosts_n, sizeof *host, by_duplicates);
    fprintf(to, "     exact       near   share  host\n");
    for (size_t i = 0; i < r->hosts_n && i < HOSTS_SHOWN; i++)
        if (host[i]->exact + host[i]->near > 0)
            fprintf(
                to, "%10" PRIu64 " %10" PRIu64 "  %.4f  %.*s\n", host[i]->exact,
                host[i]->near,
                report_ratio(host[i]->exact + host[i]->near, host[i]->fetched),
                STRF(host[i]->name));
    free(host);
}

static void
duplicates(const struct report *r, FILE *to)
{
    uint64_t n = r->exact + r->near;

    if (n == 0)
        return;
    fprintf(to,
            "\nDuplicates: %" PRIu64 " exact, %" PRIu64
            " near, %.4f of the pages, %" PRIu64 " bytes fetched\n",
            r->exact, r->near, report_ratio(n, r->fetched), r->duplicate_bytes);
    if (r->duplicates_saved > 0)
        fprintf(to,
                "Saved: about %" PRIu64
                " duplicates in the second half, against the share of the "
                "first\n",
                r->duplicates_saved);
    duplicate_hosts(r, to);
    if (r->mirrors_n > 0)
        fprintf(to, "Mirrors (pages of one host that duplicate the other's)\n"
                    "     pages   share  hosts\n");
    for (size_t i = 0; i < r->mirrors_n && i < HOSTS_SHOWN; i++)
        fprintf(to, "%10" PRIu64 "  %.4f  %.*s %.*s\n", r->mirrors[i].shared,
                report_ratio(r->mirrors[i].shared, r->mirrors[i].of),
                STRF(r->mirrors[i].a), STRF(r->mirrors[i].b));
}

void
report_text(const struct report *r, FILE *to)
{
    totals(r, to);
    curve(r, to);
    languages(r, to);
    reasons(r, NOT_KEPT, "Not kept", to);
    reasons(r, FAILED, "Failed", to);
    types(r, to);
    refused(r, to);
    duplicates(r, to);
    hosts(r, to);
}

static void
line_of(const struct report *r, FILE *to)
{
    fprintf(to,
            "%10" PRIu64 " %10" PRIu64 "  %.4f %8" PRIu64 " %12.1f %12.1f"
            "  %.*s\n",
            r->fetched, r->kept, report_ratio(r->kept, r->fetched), r->errors,
            (double)r->received / 1e6, (double)r->kept_bytes / 1e6,
            STRF(r->dir));
}

void
report_text_of_all(struct report *const *r, size_t n, FILE *to)
{
    struct report sum = report_sum(r, n);

    fprintf(to, "%zu crawls\n\n", n);
    time_span(&sum, to);
    fprintf(to, "   fetched       kept   yield   errors  received MB"
                "      text MB  crawl\n");
    for (size_t i = 0; i < n; i++)
        line_of(r[i], to);
    line_of(&sum, to);
}
