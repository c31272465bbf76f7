/* lab_report_json.c -- the experiment as one JSON object; scripts rely on
 * pages, kept_total and, by scorer, coverage, yield_ratio, link_f1_all and
 * link_f1_cross. */
#include "lab_report.h"

#include "base/json.h"

#include <math.h>

static void
key(struct json *j, double percent)
{
    char text[32];

    snprintf(text, sizeof text, "%g", percent);
    json_key(j, text);
}

/* A whole number as one. */
static void
number(struct json *j, const char *name, double x)
{
    if (x >= 0 && x < 1e15 && x == floor(x))
        json_ku64(j, name, (uint64_t)x);
    else
        json_kreal(j, name, x);
}

static void
spread(struct json *j, const char *name, const struct spread *s)
{
    number(j, name, s->mean);
}

static void
ends(struct json *j, double low, double high)
{
    json_array(j);
    json_real(j, low);
    json_real(j, high);
    json_array_end(j);
}

static void
coverage(struct json *j, const struct finding *f)
{
    json_key(j, "coverage");
    json_object(j);
    for (size_t m = 0; m < FINDINGS_MARKS; m++) {
        key(j, findings_mark[m]);
        json_real(j, f->coverage[m].mean);
    }
    json_object_end(j);
    json_key(j, "coverage_range"); /* over the random seeds */
    json_object(j);
    for (size_t m = 0; m < FINDINGS_MARKS; m++) {
        key(j, findings_mark[m]);
        ends(j, f->coverage[m].low, f->coverage[m].high);
    }
    json_object_end(j);
    json_key(j, "coverage_interval"); /* over hosts */
    json_object(j);
    for (size_t m = 0; m < FINDINGS_MARKS; m++) {
        key(j, findings_mark[m]);
        ends(j, f->coverage_hosts[m].low, f->coverage_hosts[m].high);
    }
    json_object_end(j);
}

static void
coverage_time(struct json *j, const struct findings *all,
              const struct finding *f)
{
    json_key(j, "coverage_time");
    json_object(j);
    for (size_t i = 0; i < all->seconds_n; i++) {
        key(j, all->second[i]);
        json_real(j, f->at_time[i].mean);
    }
    json_object_end(j);
}

static void
matrix(struct json *j, const struct predict *p)
{
    json_ku64(j, "n", p->n);
    json_ku64(j, "true_positive", p->true_positive);
    json_ku64(j, "false_positive", p->false_positive);
    json_ku64(j, "false_negative", p->false_negative);
    json_ku64(j, "true_negative", p->true_negative);
    json_kreal(j, "precision", p->precision);
    json_kreal(j, "recall", p->recall);
    json_kreal(j, "f1", p->f1);
    json_kreal(j, "auc", p->auc);
    json_kreal(j, "best_f1", p->best_f1);
    json_kreal(j, "best_cut", p->best_cut);
}

static void
links(struct json *j, const struct finding *f, enum findings_set set,
      const char *name)
{
    json_key(j, name);
    json_object(j);
    matrix(j, &f->link[set]);
    json_kreal(j, "auc_within_hosts", f->within[set].mean);
    json_key(j, "f1_range");
    ends(j, f->f1[set].low, f->f1[set].high);
    json_key(j, "f1_interval");
    ends(j, f->f1_hosts[set].low, f->f1_hosts[set].high);
    json_object_end(j);
}

static void
bias(struct json *j, const struct measure_bias *b)
{
    json_key(j, "bias");
    json_object(j);
    number(j, "hosts", b->hosts);
    json_kreal(j, "top_share", b->top);
    json_kreal(j, "entropy", b->entropy);
    json_kreal(j, "distance", b->distance);
    json_object_end(j);
}

static double
mean_of(const struct experiment_arm *arm, size_t field)
{
    double sum = 0;

    for (size_t i = 0; i < arm->runs_n; i++)
        sum += (double)*(const uint64_t *)((const char *)&arm->run[i] + field);
    return sum / (double)arm->runs_n;
}

static void
counts(struct json *j, const struct finding *f)
{
#define COUNT(field)                                                           \
    number(j, #field, mean_of(f->arm, offsetof(struct sim_run, field)))
    COUNT(fetched_bytes);
    COUNT(kept_bytes);
    COUNT(redirects);
    COUNT(robots);
    COUNT(disallowed);
    COUNT(not_recorded);
#undef COUNT
}

/* By the share of all documents that a crawl has then. */
static void
price(struct json *j, const struct finding *f)
{
    json_key(j, "price");
    json_object(j);
    for (size_t i = 0; i < FINDINGS_SHARES; i++) {
        const struct findings_price *p = &f->price[i];

        key(j, findings_share[i]);
        json_object(j);
        json_kreal(j, "fetches", p->fetches.mean);
        json_kreal(j, "seconds", p->seconds.mean);
        json_kreal(j, "documents_a_fetch", p->per_fetch.mean);
        json_kreal(j, "documents_a_second", p->per_second.mean);
        json_kbool(j, "front", p->front);
        json_object_end(j);
    }
    json_object_end(j);
}

/* The first patience has the scorer's name, the others name@patience. */
static void
arm_key(struct json *j, const struct findings *all, const struct finding *f)
{
    char name[96];

    if (f->arm->patience == all->e->patience[0])
        snprintf(name, sizeof name, "%.*s", STRF(f->arm->scorer));
    else
        snprintf(name, sizeof name, "%.*s@%g", STRF(f->arm->scorer),
                 f->arm->patience);
    json_key(j, name);
}

static void
scorer(struct json *j, const struct findings *all, const struct finding *f)
{
    arm_key(j, all, f);
    json_object(j);
    json_ku64(j, "runs", f->arm->runs_n);
    json_kreal(j, "patience", f->arm->patience);
    spread(j, "fetched", &f->fetched);
    spread(j, "kept", &f->kept);
    coverage(j, f);
    coverage_time(j, all, f);
    spread(j, "yield_ratio", &f->yield);
    price(j, f);
    spread(j, "late_yield", &f->late);
    json_kreal(j, "link_f1_all", f->link[LINKS_ALL].f1);
    json_kreal(j, "link_f1_cross", f->link[LINKS_CROSS].f1);
    links(j, f, LINKS_ALL, "links_all");
    links(j, f, LINKS_CROSS, "links_cross");
    json_kreal(j, "calibration_error", f->calibration_error);
    bias(j, &f->bias);
    counts(j, f);
    spread(j, "virtual_seconds", &f->seconds);
    spread(j, "idle_slot_seconds", &f->idle);
    json_object_end(j);
}

static void
plain(struct json *j, const struct findings *f)
{
    static const char *const name[BY_N] = {[BY_BADNESS] = "badness",
                                           [BY_BLOCK] = "block",
                                           [BY_ALWAYS] = "always_yes"};
    static const char *const set_name[LINKS_N] = {
        [LINKS_ALL] = "links_all", [LINKS_CROSS] = "links_cross"};

    json_key(j, "without_scorer");
    json_object(j);
    for (int by = 0; by < BY_N; by++) {
        json_key(j, name[by]);
        json_object(j);
        for (int set = 0; set < LINKS_N; set++) {
            json_key(j, set_name[set]);
            json_object(j);
            matrix(j, &f->plain[set][by]);
            json_object_end(j);
        }
        json_object_end(j);
    }
    json_object_end(j);
}

void
lab_report_json(const struct findings *f, struct buf *out)
{
    struct json j = {.out = out};

    json_object(&j);
    lab_report_job(f->e, &j);
    json_ku64(&j, "pages", f->e->pages);
    json_ku64(&j, "kept_total", f->e->kept_total);
    json_ku64(&j, "pages_max", f->e->pages_max);
    json_kreal(&j, "delay_ms", (double)f->e->opts->politeness_delay_ms);
    json_kreal(&j, "rate", f->e->rate);
    json_ku64(&j, "seed", f->e->opts->frontier_random_seed);
    json_ku64(&j, "chances", f->e->chances_n);
    json_ku64(&j, "links", f->links);
    json_ku64(&j, "links_some", f->links_some);
    plain(&j, f);
    json_key(&j, "scorers");
    json_object(&j);
    for (size_t i = 0; i < f->e->arms_n; i++)
        scorer(&j, f, &f->of[i]);
    json_object_end(&j);
    json_object_end(&j);
    buf_char(out, '\n');
}
