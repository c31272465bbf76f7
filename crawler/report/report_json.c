/* report_json.c -- a report, or several, as one JSON object. */
#include "base/buf.h"
#include "base/json.h"
#include "report.h"

#define CURVE_POINTS 20
#define HOSTS_JSON_MAX 1000 /* hosts.tsv has all of them */

static void
json_hosts(const struct report *r, struct json *j)
{
    json_ku64(j, "hosts_n", r->hosts_n);
    json_key(j, "hosts");
    json_array(j);
    for (size_t i = 0; i < r->hosts_n && i < HOSTS_JSON_MAX; i++) {
        const struct report_host *h = &r->hosts[i];

        json_object(j);
        json_kstr(j, "host", h->name);
        json_ku64(j, "fetched", h->fetched);
        json_ku64(j, "kept", h->kept);
        json_kreal(j, "yield_ratio", report_ratio(h->kept, h->fetched));
        json_ku64(j, "fetched_bytes", h->fetched_bytes);
        json_ku64(j, "kept_bytes", h->kept_bytes);
        json_ku64(j, "tokens", h->tokens);
        json_ku64(j, "exact_duplicates", h->exact);
        json_ku64(j, "near_duplicates", h->near);
        json_object_end(j);
    }
    json_array_end(j);
}

static void
json_languages(const struct report *r, struct json *j)
{
    json_key(j, "languages");
    json_array(j);
    for (size_t i = 0; i < r->languages_n; i++) {
        json_object(j);
        json_kstr(j, "language", r->languages[i].code);
        json_ku64(j, "kept", r->languages[i].kept);
        json_ku64(j, "kept_bytes", r->languages[i].kept_bytes);
        json_ku64(j, "tokens", r->languages[i].tokens);
        json_object_end(j);
    }
    json_array_end(j);
}

static void
json_types(const struct report *r, struct json *j)
{
    json_key(j, "types");
    json_array(j);
    for (size_t i = 0; i < r->types_n; i++) {
        json_object(j);
        json_kstr(j, "type", r->types[i].name);
        json_ku64(j, "pages", r->types[i].pages);
        json_object_end(j);
    }
    json_array_end(j);
}

static void
json_mirrors(const struct report *r, struct json *j)
{
    json_ku64(j, "mirrors_n", r->mirrors_n);
    json_key(j, "mirrors");
    json_array(j);
    for (size_t i = 0; i < r->mirrors_n && i < HOSTS_JSON_MAX; i++) {
        const struct report_mirror *m = &r->mirrors[i];

        json_object(j);
        json_kstr(j, "a", m->a);
        json_kstr(j, "b", m->b);
        json_ku64(j, "shared", m->shared);
        json_kreal(j, "share", report_ratio(m->shared, m->of));
        json_object_end(j);
    }
    json_array_end(j);
}

static void
json_curve(const struct report *r, struct json *j)
{
    struct report_point p[CURVE_POINTS];
    size_t n = report_curve(r, p, CURVE_POINTS);

    json_key(j, "curve");
    json_array(j);
    for (size_t i = 0; i < n; i++) {
        json_array(j);
        json_u64(j, p[i].fetched);
        json_u64(j, p[i].kept);
        json_array_end(j);
    }
    json_array_end(j);
}

/* `only_failures`: of those that are in "rejected" anyway. */
static void
json_reasons(const struct report_reason *reason, size_t n, bool only_failures,
             const char *name, struct json *j)
{
    json_key(j, name);
    json_object(j);
    for (size_t i = 0; i < n; i++) {
        if (only_failures && !report_is_failure(&reason[i]))
            continue;
        json_str(j, reason[i].name);
        buf_char(j->out, ':');
        j->comma = false;
        json_u64(j, reason[i].pages);
    }
    json_object_end(j);
}

/* What can be added up. */
static void
json_counts(const struct report *r, struct json *j)
{
    json_ku64(j, "fetched", r->fetched);
    json_ku64(j, "kept", r->kept);
    json_ku64(j, "replaced", r->replaced);
    json_ku64(j, "forgotten", r->forgotten);
    json_kreal(j, "yield_ratio", report_ratio(r->kept, r->fetched));
    json_ku64(j, "fetched_bytes", r->fetched_bytes);
    json_ku64(j, "received_bytes", r->received);
    json_ku64(j, "kept_bytes", r->kept_bytes);
    json_ku64(j, "tokens", r->tokens);
    json_kreal(j, "yield_ratio_bytes",
               report_ratio(r->kept_bytes, r->fetched_bytes));
    json_ku64(j, "errors", r->errors);
    json_ku64(j, "home_pages", r->home_pages);
    json_ku64(j, "home_pages_kept", r->home_pages_kept);
    json_ku64(j, "redirects", r->redirects);
    json_ku64(j, "robots", r->robots);
    json_ku64(j, "disallowed", r->disallowed);
    json_ku64(j, "out_of_scope", r->out_of_scope);
    json_ku64(j, "retries", r->retries);
    json_ku64(j, "other_bytes", r->other_bytes);
    json_ku64(j, "milliseconds", r->last_ms - r->first_ms);
    json_ku64(j, "log_lines", r->lines);
    json_ku64(j, "log_lines_skipped", r->skipped);
    json_ku64(j, "exact_duplicates", r->exact);
    json_ku64(j, "near_duplicates", r->near);
    json_ku64(j, "duplicate_bytes", r->duplicate_bytes);
}

static void
json_crawl(const struct report *r, struct json *j)
{
    json_object(j);
    json_kstr(j, "dir", r->dir);
    if (r->job != NULL) {
        json_key(j, "job");
        job_json(r->job, "", j);
    }
    json_counts(r, j);
    json_reasons(r->reasons, r->reasons_n, false, "rejected", j);
    json_reasons(r->reasons, r->reasons_n, true, "failed", j);
    json_reasons(r->refused, r->refused_n, false, "refused", j);
    json_curve(r, j);
    json_languages(r, j);
    json_types(r, j);
    json_ku64(j, "duplicates_saved", r->duplicates_saved);
    json_mirrors(r, j);
    json_hosts(r, j);
    json_object_end(j);
}

static void
print(struct buf *out, FILE *to)
{
    fprintf(to, "%.*s\n", STRF(buf_view(out)));
    buf_free(out);
}

void
report_json(const struct report *r, FILE *to)
{
    struct buf out = {0};
    struct json j = {.out = &out};

    json_crawl(r, &j);
    print(&out, to);
}

void
report_json_of_all(struct report *const *r, size_t n, FILE *to)
{
    struct report sum = report_sum(r, n);
    struct buf out = {0};
    struct json j = {.out = &out};

    json_object(&j);
    json_key(&j, "crawls");
    json_array(&j);
    for (size_t i = 0; i < n; i++)
        json_crawl(r[i], &j);
    json_array_end(&j);
    json_key(&j, "sum");
    json_object(&j);
    json_counts(&sum, &j);
    json_object_end(&j);
    json_object_end(&j);
    print(&out, to);
}
