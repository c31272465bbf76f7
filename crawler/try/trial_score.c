/* trial_score.c -- what each scorer would make of the page's links.
 *
 * A scorer is asked where it works: in a frontier, in a scratch folder, whose
 * only seed is this page, leased, fetched and reported with its verdict and its
 * links, as a crawl's first page is.  Nothing waits and nothing is synced. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "crawler/scratch/scratch.h"
#include "crawler/visit/outcome.h"
#include "frontier/frontier.h"
#include "frontier/tools/frontier_tools.h"
#include "trial.h"

#define CRAWLER 1
#define MAP_GIB 1

const char *const trial_scorer_name[TRIAL_SCORERS_N] = {
#define SCORER(name, way) #name,
    FRONTIER_SCORERS(SCORER, SCORER)
#undef SCORER
};

static struct opts
options(const struct opts *o, const char *scorer)
{
    struct opts own = *o;

    own.frontier_scorer = str_c(scorer);
    own.frontier_map_gib = MAP_GIB;
    own.frontier_cache_mib = 1;
    own.frontier_sync = S("none");
    own.frontier_merge_from = UINT64_MAX;
    own.limits_host_pages = own.frontier_page_links_max = 0;
    own.frontier_host_queue_max = own.frontier_domain_queue_max = 0;
    own.output_disk_free_mib = 0;
    own.politeness_robots = false;
    own.sitemaps_use = S("off");
    own.politeness_tdmrep = S("off");
    return own;
}

/* A page without a URL is taken for one of a host of its own (RFC 2606). */
static struct str
seed_url(const struct trial *t)
{
    return t->doc.url.href.n > 0 ? t->doc.url.href : S("http://page.invalid/");
}

/* The page is the seed, and is out. */
static enum status
lease(struct frontier *f, struct trial *t, struct frontier_lease *out)
{
    struct frontier_link seed = {0};
    struct frontier_lease *l;
    uint64_t wake_ms;
    size_t n;
    enum status st;

    outlink_fill(&seed, seed_url(t));
    seed.words = t->words;
    if ((st = frontier_hello(f, CRAWLER, frontier_now(f))) != ST_OK ||
        (st = frontier_seed(f, &seed, 1, frontier_now(f), &n)) != ST_OK ||
        (st = frontier_lease(f, CRAWLER, 1, 1, frontier_now(f), t->arena, &l,
                             &n, &wake_ms)) != ST_OK)
        return st;
    if (n == 0)
        return ST_NONE;
    *out = *l;
    return ST_OK;
}

static enum status
report(struct frontier *f, struct trial *t, const struct frontier_lease *l)
{
    struct frontier_done done = {
        .url = l->url,
        .crawler = CRAWLER,
        .call = l->call,
        .outcome = OUTCOME_FETCHED,
        .verdict = t->doc.reject == VERDICT_NONE ? VERDICT_KEPT : t->doc.reject,
        .address = S("127.0.0.1"),
        .finished_ms = frontier_now(f),
        .contacted = true,
        .fetched_bytes = t->doc.bytes.n,
        .links = t->outlinks.link,
        .links_n = t->outlinks.n};
    size_t fresh, known, refused;

    outcome_signals(&done, &t->doc);
    return frontier_done(f, &done, frontier_now(f), &fresh, &known, &refused);
}

static enum status
look(struct frontier *f, struct trial *t, size_t scorer)
{
    struct frontier_place place;
    enum status st = ST_OK;

    for (size_t i = 0; i < t->links_n && (st == ST_OK || st == ST_NONE); i++) {
        struct trial_link *l = &t->link[i];
        struct buf why = {.arena = t->arena};

        st = frontier_place(f, t->doc.links[l->link_i].url, &place, &why);
        l->priority[scorer] = st == ST_OK ? (float)place.priority : -1;
        l->why[scorer] = buf_keep(&why);
        l->trap = st == ST_OK && place.trap != TRAP_NONE
                      ? trap_meaning(place.trap)
                      : "";
    }
    return st == ST_NONE ? ST_OK : st;
}

static enum status
ask(struct trial *t, size_t scorer, const struct scratch *folder)
{
    const struct opts own = options(t->opts, trial_scorer_name[scorer]);
    struct scratch store = {.path = ""};
    struct frontier_lease l;
    struct frontier *f = NULL;
    enum status st = scratch_folder(folder, trial_scorer_name[scorer], &store);

    if (st == ST_OK)
        st = frontier_open(&f, store.path, &own, clock_wall_ms());
    if (st == ST_OK && (st = frontier_begin(f)) == ST_OK) {
        if ((st = lease(f, t, &l)) == ST_OK)
            st = report(f, t, &l);
        if (st == ST_OK)
            st = look(f, t, scorer);
        frontier_abort(f);
    }
    frontier_close(f);
    return st;
}

/* The first place of each URL that is followed. */
static void
find_links(struct trial *t)
{
    uint32_t i = 0;

    t->link = ARENA_ARRAY(t->arena, struct trial_link, t->outlinks.n);
    t->links_n = t->outlinks.n;
    for (size_t k = 0; k < t->links_n; k++) { /* both in the page's order */
        while (!str_eq(t->doc.links[i].url, t->outlinks.link[k].url) ||
               t->doc.links[i].nofollow)
            i++;
        t->link[k] = (struct trial_link){.link_i = i++, .trap = ""};
    }
}

static size_t
chosen(const struct trial *t)
{
    for (size_t i = 0; i < TRIAL_SCORERS_N; i++)
        if (str_eq(str_c(trial_scorer_name[i]), t->opts->frontier_scorer))
            return i;
    return 0;
}

/* Better ones first, else in the page's order. */
static int
better(const void *a, const void *b, void *scorer)
{
    const struct trial_link *x = a, *y = b;
    const size_t i = *(const size_t *)scorer;

    if (x->priority[i] != y->priority[i])
        return x->priority[i] > y->priority[i] ? -1 : 1;
    return (x->link_i > y->link_i) - (x->link_i < y->link_i);
}

enum status
trial_score(struct trial *t)
{
    struct scratch folder = {.path = ""};
    size_t by = chosen(t);
    enum status st = ST_OK;

    find_links(t);
    if (t->links_n > 0)
        st = scratch_make(&folder);
    for (size_t i = 0; i < TRIAL_SCORERS_N && st == ST_OK && t->links_n > 0;
         i++)
        st = ask(t, i, &folder);
    scratch_remove(&folder);
    if (st == ST_NONE) {
        log_error("try", "the frontier does not lease the page");
        st = ST_STORE;
    }
    if (t->links_n > 0)
        qsort_r(t->link, t->links_n, sizeof *t->link, better, &by);
    return st;
}
