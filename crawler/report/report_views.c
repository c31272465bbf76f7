/* report_views.c -- see report.h: what tables and plots show of the figures. */
#include "report.h"

#include <stdlib.h>

#define YIELD_PAGES_MIN 5 /* a host with fewer has no yield to speak of */

bool
report_is_failure(const struct report_reason *reason)
{
    enum verdict_kind kind = verdict_kind(reason->verdict);

    return kind == VERDICT_KIND_FAILED || kind == VERDICT_KIND_RETRY ||
           kind == VERDICT_KIND_SUBSTITUTED || reason->verdict >= VERDICT_HTTP;
}

double
report_ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

size_t
report_curve(const struct report *r, struct report_point *out, size_t n)
{
    uint64_t at = 0, kept = 0;

    if (n > r->fetched)
        n = (size_t)r->fetched;
    for (size_t i = 0; i < n; i++) {
        uint64_t end = r->fetched / n * (i + 1) + r->fetched % n * (i + 1) / n;
        uint64_t from = at, kept_before = kept;

        while (at < end)
            kept += r->kept_at[at++];
        out[i] = (struct report_point){at, kept, at - from, kept - kept_before};
    }
    return n;
}

struct report
report_sum(struct report *const *r, size_t n)
{
    struct report sum = {.dir = S("sum")};

    for (size_t i = 0; i < n; i++) {
        const struct report *one = r[i];

        sum.fetched += one->fetched;
        sum.kept += one->kept;
        sum.errors += one->errors;
        sum.fetched_bytes += one->fetched_bytes;
        sum.kept_bytes += one->kept_bytes;
        sum.tokens += one->tokens;
        sum.replaced += one->replaced;
        sum.forgotten += one->forgotten;
        sum.home_pages += one->home_pages;
        sum.home_pages_kept += one->home_pages_kept;
        sum.redirects += one->redirects;
        sum.robots += one->robots;
        sum.disallowed += one->disallowed;
        sum.out_of_scope += one->out_of_scope;
        sum.retries += one->retries;
        sum.other_bytes += one->other_bytes;
        sum.received += one->received;
        sum.lines += one->lines;
        sum.skipped += one->skipped;
        sum.exact += one->exact;
        sum.near += one->near;
        sum.duplicate_bytes += one->duplicate_bytes;
        if (one->last_ms > sum.last_ms)
            sum.last_ms = one->last_ms;
        if (one->first_ms > 0 &&
            (sum.first_ms == 0 || one->first_ms < sum.first_ms))
            sum.first_ms = one->first_ms;
    }
    return sum;
}

static int
by_yield(const void *a, const void *b)
{
    const struct report_host *x = *(const struct report_host *const *)a;
    const struct report_host *y = *(const struct report_host *const *)b;
    double p = report_ratio(x->kept, x->fetched);
    double q = report_ratio(y->kept, y->fetched);

    if (p > q || p < q)
        return p > q ? -1 : 1;
    if (x->fetched != y->fetched) /* among equals the surer one outwards */
        return (x->fetched > y->fetched) == (x->kept > 0) ? -1 : 1;
    return str_cmp(x->name, y->name);
}

uint64_t
report_hosts_by_yield(const struct report *r, const struct report_host **out,
                      size_t *n)
{
    uint64_t least = YIELD_PAGES_MIN;

    for (;; least = 1) {
        *n = 0;
        for (size_t i = 0; i < r->hosts_n; i++)
            if (r->hosts[i].fetched >= least)
                out[(*n)++] = &r->hosts[i];
        if (*n > 0 || least == 1)
            break;
    }
    if (*n > 0)
        qsort(out, *n, sizeof *out, by_yield);
    return least;
}
