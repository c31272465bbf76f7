/* preset_links.c -- what of a link foretells that its page is kept?  All links
 * of breadth-first crawls to the end, so that no order chooses among them; then
 * every scorer's own scores in its own crawl. */
#include "findings.h"
#include "predict_row.h"
#include "preset.h"

static void
published(struct table *t, const char *by, const char *precision,
          const char *recall, const char *f1)
{
    table_text(t, S("published"));
    table_text(t, str_c(by));
    for (int i = 0; i < 5; i++)
        table_text(t, S("-"));
    table_text(t, str_c(precision));
    table_text(t, str_c(recall));
    table_text(t, str_c(f1));
    table_text(t, S("-"));
}

static struct table *
matrices(const struct findings *f, enum findings_set set, const char *name,
         const char *title, struct arena *a)
{
    struct table *t = table_new(
        a, name, title,
        "badness: of the linking page 10 or less; block: boilerplate value of "
        "the linking block 0.5 or less; a scorer: from the cut on that the "
        "scores so far call for.  Published: WAC-9 2014.",
        "figures by " PREDICT_ROW);

    published(t, "badness", "0.225", "0.530", "0.316");
    published(t, "block", "0.590", "0.640", "0.614");
    table_text(t, S("ours"));
    table_text(t, S("badness"));
    predict_row(t, &f->of[0].link[set][BY_BADNESS]);
    table_text(t, S("ours"));
    table_text(t, S("block"));
    predict_row(t, &f->of[0].link[set][BY_BLOCK]);
    for (size_t i = 0; i < f->e->scorers_n; i++) {
        table_text(t, S("ours"));
        table_text(t, f->of[i].scorer);
        predict_row(t, &f->of[i].link[set][BY_SCORE]);
    }
    return t;
}

static enum status
run(struct experiment *e, struct arena *a, struct table_list *out)
{
    struct findings *f;
    enum status st;

    for (size_t i = e->scorers_n; i-- > 0;) /* bfs is the first */
        if (str_eq(e->scorer[i], S("bfs"))) {
            e->scorer[i] = e->scorer[0];
            e->scorer[0] = S("bfs");
        }
    if (!str_eq(e->scorer[0], S("bfs")) &&
        e->scorers_n < EXPERIMENT_SCORERS_MAX) {
        e->scorer[e->scorers_n++] = e->scorer[0];
        e->scorer[0] = S("bfs");
    }
    e->pages_max = e->web->urls.n; /* to the end */
    if ((st = experiment_run(e)) != ST_OK)
        return st;
    f = findings_make(e, e->opts->frontier_random_seed);
    table_list_add(out, matrices(f, LINKS_CROSS, "preset_links_cross",
                                 "Links to other hosts", a));
    table_list_add(out,
                   matrices(f, LINKS_ALL, "preset_links_all", "All links", a));
    findings_free(f);
    return ST_OK;
}

const struct preset preset_links = {
    .name = "links",
    .help = "badness, block value and scores of links as predictors",
    .run = run,
};
