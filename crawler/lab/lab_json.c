/* lab_json.c -- the experiment as one JSON object; see lab.h. */
#include "lab.h"

#include "measure.h"
#include "predict.h"
#include "winnow/json.h"

#include <stdlib.h>

static double
link_f1(const struct sim_run *r, bool cross_only)
{
    struct predict_case *c = calloc(r->links_n + 1, sizeof *c);
    struct predict p;
    size_t n = 0;

    if (c == NULL)
        abort();
    for (size_t i = 0; i < r->links_n; i++)
        if (r->link[i].cross || !cross_only)
            c[n++] = (struct predict_case){r->link[i].score,
                                           r->would[r->link[i].to]};
    predict_measure(&p, c, n, LAB_LINK_CUT);
    free(c);
    return p.f1;
}

static void
scorer(struct json *j, const struct experiment *e, size_t i, struct arena *a)
{
    const struct sim_run *r = &e->run[i];

    json_key(j, arena_cstr(a, e->scorer[i]));
    json_object(j);
    json_ku64(j, "fetched", r->fetches_n);
    json_ku64(j, "kept", r->kept);
    json_key(j, "coverage");
    json_object(j);
    json_kreal(j, "10", measure_coverage(e, r, 10));
    json_kreal(j, "20", measure_coverage(e, r, 20));
    json_kreal(j, "25", measure_coverage(e, r, 25));
    json_kreal(j, "50", measure_coverage(e, r, 50));
    json_object_end(j);
    json_kreal(j, "yield_ratio", measure_yield(r));
    json_kreal(j, "link_f1_all", link_f1(r, false));
    json_kreal(j, "link_f1_cross", link_f1(r, true));
    json_kreal(j, "seconds", (double)r->ms / 1000);
    json_object_end(j);
}

void
lab_json(const struct experiment *e, struct buf *out)
{
    struct json j = {.out = out};
    struct arena *a = arena_new();

    json_object(&j);
    json_ku64(&j, "pages", e->pages);
    json_ku64(&j, "kept_total", e->kept_total);
    json_key(&j, "scorers");
    json_object(&j);
    for (size_t i = 0; i < e->scorers_n; i++)
        scorer(&j, e, i, a);
    json_object_end(&j);
    json_object_end(&j);
    buf_char(out, '\n');
    arena_free(a);
}
