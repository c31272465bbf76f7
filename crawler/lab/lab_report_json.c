/* lab_report_json.c -- the experiment as one JSON object; scripts rely on
 * pages, kept_total and, by scorer, coverage, yield_ratio, link_f1_all and
 * link_f1_cross. */
#include "lab_report.h"

#include "winnow/json.h"

static void
key(struct json *j, double percent)
{
    char text[32];

    snprintf(text, sizeof text, "%g", percent);
    json_key(j, text);
}

static void
range(struct json *j, const struct bootstrap_interval *i)
{
    json_array(j);
    json_real(j, i->low);
    json_real(j, i->high);
    json_array_end(j);
}

static void
coverage(struct json *j, const struct finding *f)
{
    json_key(j, "coverage");
    json_object(j);
    for (size_t m = 0; m < FINDINGS_MARKS; m++) {
        key(j, findings_mark[m]);
        json_real(j, f->coverage[m]);
    }
    json_object_end(j);
    json_key(j, "coverage_interval");
    json_object(j);
    for (size_t m = 0; m < FINDINGS_MARKS; m++) {
        key(j, findings_mark[m]);
        range(j, &f->coverage_range[m]);
    }
    json_object_end(j);
}

static void
links(struct json *j, const struct finding *f, enum findings_set set,
      const char *name)
{
    const struct predict *p = &f->link[set][BY_SCORE];

    json_key(j, name);
    json_object(j);
    json_ku64(j, "n", p->n);
    json_ku64(j, "true_positive", p->true_positive);
    json_ku64(j, "false_positive", p->false_positive);
    json_ku64(j, "false_negative", p->false_negative);
    json_ku64(j, "true_negative", p->true_negative);
    json_kreal(j, "precision", p->precision);
    json_kreal(j, "recall", p->recall);
    json_kreal(j, "f1", p->f1);
    json_key(j, "f1_interval");
    range(j, &f->f1_range[set]);
    json_kreal(j, "auc", p->auc);
    json_kreal(j, "best_f1", p->best_f1);
    json_kreal(j, "best_cut", p->best_cut);
    json_object_end(j);
}

static void
scorer(struct json *j, const struct finding *f)
{
    char name[64];

    snprintf(name, sizeof name, "%.*s", STRF(f->scorer));
    json_key(j, name);
    json_object(j);
    json_ku64(j, "fetched", f->run->fetches_n);
    json_ku64(j, "kept", f->run->kept);
    coverage(j, f);
    json_kreal(j, "yield_ratio", f->yield);
    json_kreal(j, "late_yield", f->late);
    json_kreal(j, "link_f1_all", f->link[LINKS_ALL][BY_SCORE].f1);
    json_kreal(j, "link_f1_cross", f->link[LINKS_CROSS][BY_SCORE].f1);
    links(j, f, LINKS_ALL, "links_all");
    links(j, f, LINKS_CROSS, "links_cross");
    json_kreal(j, "calibration_error", f->calibration_error);
    json_key(j, "bias");
    json_object(j);
    json_ku64(j, "hosts", f->bias.hosts);
    json_kreal(j, "top_share", f->bias.top);
    json_kreal(j, "entropy", f->bias.entropy);
    json_kreal(j, "distance", f->bias.distance);
    json_object_end(j);
    json_ku64(j, "fetched_bytes", f->run->fetched_bytes);
    json_ku64(j, "kept_bytes", f->run->kept_bytes);
    json_ku64(j, "redirects", f->run->redirects);
    json_ku64(j, "robots", f->run->robots);
    json_ku64(j, "disallowed", f->run->disallowed);
    json_ku64(j, "not_recorded", f->run->not_recorded);
    json_kreal(j, "virtual_seconds", (double)f->run->ms / 1000);
    json_object_end(j);
}

void
lab_report_json(const struct findings *f, struct buf *out)
{
    struct json j = {.out = out};

    json_object(&j);
    json_ku64(&j, "pages", f->e->pages);
    json_ku64(&j, "kept_total", f->e->kept_total);
    json_ku64(&j, "pages_max", f->e->pages_max);
    json_kreal(&j, "delay_ms", (double)f->e->opts->politeness_delay_ms);
    json_kreal(&j, "rate", f->e->rate);
    json_ku64(&j, "seed", f->e->opts->frontier_random_seed);
    json_key(&j, "scorers");
    json_object(&j);
    for (size_t i = 0; i < f->e->scorers_n; i++)
        scorer(&j, &f->of[i]);
    json_object_end(&j);
    json_object_end(&j);
    buf_char(out, '\n');
}
