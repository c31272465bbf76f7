/* trial_json.c -- a trial as one JSON object: the fields of format `page`
 * (clean/write/page_json.h), how the page came, and for each link that a crawl
 * would follow "priority", an object of the scorers, and "why". */
#include "clean/write/page_json.h"
#include "trial.h"

struct link_numbers {
    const struct trial *t;
    const struct trial_link **of; /* the document's links; NULL: not followed */
};

static void
add_link(void *self, struct json *j, uint32_t link_i)
{
    const struct link_numbers *n = self;
    const struct trial_link *l = n->of[link_i];

    json_kbool(j, "followed", l != NULL);
    if (l == NULL)
        return;
    json_key(j, "priority");
    json_object(j);
    for (size_t i = 0; i < TRIAL_SCORERS_N; i++) {
        json_key(j, trial_scorer_name[i]);
        if (l->priority[i] < 0)
            json_null(j);
        else
            json_real(j, (double)l->priority[i]);
    }
    json_object_end(j);
    json_key(j, "why");
    json_object(j);
    for (size_t i = 0; i < TRIAL_SCORERS_N; i++)
        if (l->why[i].n > 0)
            json_kstr(j, trial_scorer_name[i], l->why[i]);
    json_object_end(j);
    json_kstr(j, "trap", str_c(l->trap));
}

static void
add_origin(const struct trial *t, struct json *j)
{
    json_ku64(j, "status", t->status);
    json_ku64(j, "bytes", t->doc.bytes.n);
    json_kbool(j, "cut", t->doc.origin.cut);
    json_ku64(j, "received", t->received);
    json_ku64(j, "ms", t->ms);
    json_ku64(j, "redirects", t->redirects);
    json_kstr(j, "ip", t->address);
    json_kbool(j, "language_found", t->language_found);
}

void
trial_json(const struct trial *t, struct buf *out)
{
    struct link_numbers n = {
        t, ARENA_ARRAY(t->arena, const struct trial_link *, t->doc.links_n)};
    struct json j = {.out = out};

    for (size_t k = 0; k < t->links_n; k++)
        n.of[t->link[k].link_i] = &t->link[k];
    json_object(&j);
    add_origin(t, &j);
    page_json(t->opts, &t->doc, &j, add_link, &n);
    json_object_end(&j);
    buf_char(out, '\n');
}
