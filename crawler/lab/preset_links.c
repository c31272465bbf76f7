/* preset_links.c -- what of a link predicts that its page is kept?  Crawls go
 * on to the end, so that no order chooses among the links: badness and block
 * value need no crawl, a scorer's scores are those it gave the same links when
 * it found them. */
#include "findings.h"
#include "predict_row.h"
#include "preset.h"

static const char *const set_name[LINKS_N] = {
    [LINKS_ALL] = "all", [LINKS_CROSS] = "cross-host"};

static void
published(struct lab_table *t, const char *by, const char *precision,
          const char *recall, const char *f1)
{
    table_text(t, S("published"));
    table_text(t, str_c(by));
    table_text(t, S("all"));
    for (int i = 0; i < 5; i++)
        table_text(t, S("-"));
    table_text(t, str_c(precision));
    table_text(t, str_c(recall));
    table_text(t, str_c(f1));
    table_text(t, S("-"));
    table_text(t, S("-"));
}

static void
ours(struct lab_table *t, struct str by, int set, const struct predict *p,
     double within)
{
    table_text(t, S("ours"));
    table_text(t, by);
    table_text(t, str_c(set_name[set]));
    predict_row(t, p);
    table_real(t, within, 3);
}

static struct lab_table *
matrices(const struct findings *f, struct arena *a)
{
    static const char *const name[BY_N] = {
        [BY_BADNESS] = "badness of the linking page <= 10",
        [BY_BLOCK] = "value of the linking block <= 0.5",
        [BY_ALWAYS] = "always yes"};
    struct lab_table *t = table_new(
        a, "preset_links", "What predicts that a linked page is kept",
        "Links of crawls to the end; by the score of a scorer: from the cut on "
        "that the links before it that had come out called for. Published: "
        "WAC-9 2014.",
        "figures by links " PREDICT_ROW " AUC_within_hosts");

    published(t, name[BY_BADNESS], "0.225", "0.530", "0.316");
    published(t, name[BY_BLOCK], "0.590", "0.640", "0.614");
    for (int set = 0; set < LINKS_N; set++) {
        for (int by = 0; by < BY_N; by++)
            ours(t, str_c(name[by]), set, &f->plain[set][by], (double)NAN);
        for (size_t i = 0; i < f->e->arms_n; i++)
            ours(t, arena_printf(a, "score of %.*s", STRF(f->of[i].arm->name)),
                 set, &f->of[i].link[set], f->of[i].within[set].mean);
    }
    return t;
}

static enum status
run(struct experiment *e, struct arena *a, struct table_list *out,
    struct buf *plots)
{
    struct findings *f;
    enum status st;

    (void)plots;
    e->pages_max = e->web->urls.n; /* to the end */
    if ((st = experiment_run(e)) != ST_OK)
        return st;
    f = findings_make(e, e->opts->frontier_random_seed);
    table_list_add(out, matrices(f, a));
    findings_free(f);
    return ST_OK;
}

const struct preset preset_links = {
    .name = "links",
    .help = "badness, block value and scores of links as predictors",
    .run = run,
};
