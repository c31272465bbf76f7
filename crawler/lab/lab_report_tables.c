/* lab_report_tables.c -- which tables there are: what was collected. */
#include "base/memory.h"
#include "lab_report.h"

#include <math.h>
#include <stdlib.h>

#define HOSTS_SHOWN 25u

#define CHANCE                                                                 \
    "Means and ranges over the random seeds; bfs, the oracles and "            \
    "patterns "                                                                \
    "leave nothing to it."

static struct lab_table *
coverage(const struct findings *f, struct arena *a)
{
    struct lab_table *t = table_new(
        a, "coverage", "Coverage by fetches",
        "Share of all documents that can be kept which was collected when 10, "
        "20, 25 and 50 percent of the reachable pages were fetched; late "
        "yield: that of the third quarter of the kept documents over that of "
        "the first. Ceiling and greedy oracle know the web; only the first is "
        "a bound. " CHANCE,
        "scorer runs fetched kept coverage_10 coverage_20 coverage_25 "
        "coverage_50 late_yield");

    for (size_t i = 0; i < f->e->arms_n; i++) {
        const struct finding *g = &f->of[i];

        table_text(t, g->arm->name);
        table_count(t, g->arm->runs_n);
        table_spread(t, &g->fetched, 0);
        table_spread(t, &g->kept, 0);
        for (size_t m = 0; m < FINDINGS_MARKS; m++)
            table_spread(t, &g->coverage[m], 3);
        table_real(t, g->late.mean, 3);
    }
    return t;
}

/* NULL: no time passed. */
static struct lab_table *
by_time(const struct findings *f, struct arena *a)
{
    struct buf columns = {0};
    struct lab_table *t;

    if (f->seconds_n == 0)
        return NULL;
    buf_c(&columns, "scorer");
    for (size_t i = 0; i < f->seconds_n; i++)
        buf_printf(&columns, " coverage_%g_s", f->second[i]);
    buf_char(&columns, '\0');
    t = table_new(a, "coverage_time", "Coverage by virtual time",
                  "The same share after so many seconds of virtual time; a "
                  "crawl that has fetched its pages keeps what it has. " CHANCE,
                  columns.p);
    buf_free(&columns);
    for (size_t i = 0; i < f->e->arms_n; i++) {
        table_text(t, f->of[i].arm->name);
        for (size_t m = 0; m < f->seconds_n; m++)
            table_spread(t, &f->of[i].at_time[m], 3);
    }
    return t;
}

static struct lab_table *
price(const struct findings *f, struct arena *a)
{
    struct lab_table *t = table_new(
        a, "price", "Documents a fetch against documents a second",
        "When a crawl had so large a share of all documents that can be kept "
        "(-: it never had, in the pages it fetches). Front: no scorer with any "
        "patience has more of both; those that know the web do not count. "
        "Idle: transfer slots that patience left idle over the whole crawl, in "
        "slot seconds. " CHANCE,
        "share scorer fetches seconds documents_a_fetch documents_a_second "
        "front idle_slot_seconds");

    for (size_t s = 0; s < FINDINGS_SHARES; s++) {
        for (size_t i = 0; i < f->e->arms_n; i++) {
            const struct finding *g = &f->of[i];
            const struct findings_price *p = &g->price[s];

            table_text(t, arena_printf(a, "%g %%", findings_share[s]));
            table_text(t, g->arm->name);
            table_spread(t, &p->fetches, 0);
            table_spread(t, &p->seconds, 0);
            table_spread(t, &p->per_fetch, 3);
            table_spread(t, &p->per_second, 2);
            table_text(t, p->front ? S("yes") : S("no"));
            table_spread(t, &g->idle, 0);
        }
    }
    return t;
}

static struct lab_table *
intervals(const struct findings *f, struct arena *a)
{
    struct lab_table *t = table_new(
        a, "intervals", "Had we met other hosts",
        "95 percent bootstrap intervals: hosts are drawn anew, with all that "
        "was fetched and predicted there (F1: of the first random seed, by "
        "the linking host). Of coverage when a crawl has fetched its last page "
        "the ends are somewhat low, since many a draw would have gone on: "
        "--pages may let it.",
        "scorer coverage_10 coverage_20 coverage_25 coverage_50 F1_all "
        "F1_cross-host");

    for (size_t i = 0; i < f->e->arms_n; i++) {
        const struct finding *g = &f->of[i];

        table_text(t, g->arm->name);
        for (size_t m = 0; m < FINDINGS_MARKS; m++)
            table_range(t, g->coverage[m].mean, g->coverage_hosts[m].low,
                        g->coverage_hosts[m].high);
        for (int set = 0; set < LINKS_N; set++)
            table_range(t, g->f1[set].mean, g->f1_hosts[set].low,
                        g->f1_hosts[set].high);
    }
    return t;
}

static struct lab_table *
phases(const struct findings *f, struct arena *a)
{
    struct lab_table *t = table_new(
        a, "phases", "Linear fits of the yield in five phases",
        "Slope: change of the yield ratio in a thousand fetched pages. Means "
        "over the random seeds; pages are those of the first.",
        "scorer phase from_page to_page yield_ratio intercept slope "
        "adjusted_R2");

    for (size_t i = 0; i < f->e->arms_n; i++) {
        for (size_t p = 0; p < FINDINGS_PHASES; p++) {
            const struct measure_fit *fit = &f->of[i].fit[p];

            table_text(t, f->of[i].arm->name);
            table_count(t, p + 1);
            table_count(t, fit->from);
            table_count(t, fit->to);
            table_real(t, fit->yield, 4);
            table_real(t, fit->intercept, 4);
            table_real(t, fit->slope, 4);
            table_real(t, fit->adjusted, 3);
        }
    }
    return t;
}

static struct lab_table *
bias(const struct findings *f, struct arena *a)
{
    struct lab_table *t = table_new(
        a, "bias", "Where the kept documents come from",
        "Hosts that gave any; share of the one that gave most; entropy over "
        "hosts in bits; total variation distance from the hosts of all that "
        "can be kept (0 the same, 1 nothing in common). Means.",
        "scorer hosts top_share entropy distance");

    for (size_t i = 0; i < f->e->arms_n; i++) {
        const struct measure_bias *b = &f->of[i].bias;

        table_text(t, f->of[i].arm->name);
        table_real(t, b->hosts, 0);
        table_real(t, b->top, 3);
        table_real(t, b->entropy, 2);
        table_real(t, b->distance, 3);
    }
    return t;
}

/* ---- hosts ---- */

struct host_row {
    const struct experiment *e;
    uint32_t host;
};

static int
by_documents(const void *x, const void *y)
{
    const struct host_row *a = x, *b = y;
    const struct experiment *e = a->e;

    if (e->had[a->host] != e->had[b->host])
        return e->had[a->host] < e->had[b->host] ? 1 : -1;
    if (e->reached[a->host] != e->reached[b->host])
        return e->reached[a->host] < e->reached[b->host] ? 1 : -1;
    return (a->host > b->host) - (a->host < b->host);
}

static size_t
sort_hosts(const struct experiment *e, struct host_row *row)
{
    size_t n = 0;

    for (uint32_t h = 0; h < e->web->hosts.n; h++)
        if (e->reached[h] > 0)
            row[n++] = (struct host_row){e, h};
    qsort(row, n, sizeof *row, by_documents);
    return n;
}

static struct lab_table *
hosts(const struct findings *f, struct arena *a)
{
    const struct experiment *e = f->e;
    struct host_row *row =
        memory_need(calloc(e->web->hosts.n + (size_t)1, sizeof *row));
    size_t n = sort_hosts(e, row);
    struct lab_table *t = table_new(
        a, "hosts", "Hosts",
        "Pages that can be reached and documents that can be kept, by host; "
        "for every scorer how many of them it found (mean), and how many pages "
        "of the whole crawl were fetched when it had the first and half of "
        "them (-: not with every random seed). Hosts with most documents; "
        "all of them are in the TSV file.",
        "host pages kept scorer found first_at half_at");

    t->rows_shown = HOSTS_SHOWN * e->arms_n;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < e->arms_n; k++) {
            const struct found *found = &f->of[k].found[row[i].host];

            table_text(t, e->web->hosts.name[row[i].host]);
            table_count(t, e->reached[row[i].host]);
            table_count(t, e->had[row[i].host]);
            table_text(t, f->of[k].arm->name);
            table_real(t, found->kept,
                       found->kept == floor(found->kept) ? 0 : 1);
            table_real(t, found->first, 0);
            table_real(t, found->half, 0);
        }
    }
    free(row);
    return t;
}

/* ---- curves ---- */

static struct lab_table *
curve(const struct findings *f, enum curve_by by, struct arena *a)
{
    struct lab_table *t =
        by == CURVE_FETCHES
            ? table_new(a, "curve", "Yield over the fetches", "",
                        "scorer fetched kept kept_low kept_high coverage "
                        "yield_ratio")
            : table_new(a, "curve_time", "Yield over virtual time", "",
                        "scorer seconds fetched kept kept_low kept_high "
                        "coverage yield_ratio");

    t->data = true;
    for (size_t i = 0; i < f->e->arms_n; i++) {
        const struct finding *g = &f->of[i];
        size_t n = by == CURVE_FETCHES ? g->curve_n : g->times_n;

        for (size_t k = 0; k < n; k++) {
            const struct curve_point *p =
                by == CURVE_FETCHES ? &g->curve[k] : &g->times[k];

            table_text(t, g->arm->name);
            if (by == CURVE_TIME)
                table_real(t, p->at / 1000, 3);
            table_real(t, p->fetched, 1);
            table_real(t, p->kept, 1);
            table_real(t, p->low, 0);
            table_real(t, p->high, 0);
            table_real(t, p->kept / (double)f->e->kept_total, 5);
            table_real(t, p->fetched > 0 ? p->kept / p->fetched : 0, 5);
        }
    }
    return t;
}

void
lab_report_tables(struct table_list *out, const struct findings *f,
                  struct arena *a)
{
    struct lab_table *t;

    *out = (struct table_list){0};
    table_list_add(out, coverage(f, a));
    if ((t = by_time(f, a)) != NULL) {
        table_list_add(out, t);
        table_list_add(out, price(f, a));
    }
    table_list_add(out, intervals(f, a));
    lab_report_links(out, f, a);
    table_list_add(out, hosts(f, a));
    table_list_add(out, phases(f, a));
    table_list_add(out, bias(f, a));
    table_list_add(out, curve(f, CURVE_FETCHES, a));
    if (f->seconds_n > 0)
        table_list_add(out, curve(f, CURVE_TIME, a));
}
