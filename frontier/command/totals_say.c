/* totals_say.c -- see totals_say.h: a row for each count, and the two that have
 * several values. */
#include "totals_say.h"

#include "base/json.h"
#include "base/prometheus.h"
#include "frontier/features/trap.h"

#include <stdio.h>

#define AREA "frontier"

static const struct prometheus_count rows[] = {
#define ROW(field, kind, help)                                                 \
    PROMETHEUS_COUNT(frontier_totals, field, kind, help)
    ROW(pages, COUNTER, "Pages fetched, errors included."),
    ROW(kept, COUNTER, "Pages whose document was kept."),
    ROW(fetched_bytes, COUNTER, "Bytes of pages, decoded."),
    ROW(kept_bytes, COUNTER, "Bytes of text of kept documents."),
    ROW(seen, COUNTER, "URLs ever accepted."),
    ROW(queued, GAUGE, "URLs that wait to be fetched."),
    ROW(leased, GAUGE, "URLs that crawlers have now."),
    ROW(done, GAUGE, "URLs that were fetched."),
    ROW(failed, GAUGE, "URLs that were given up."),
    ROW(refused, GAUGE, "URLs that robots.txt, scope or address forbid."),
    ROW(hosts, GAUGE, "Hosts known."),
    ROW(hosts_ready, GAUGE, "Hosts with queued URLs that are due now."),
    ROW(robots, COUNTER, "Answers for robots.txt."),
    ROW(hosts_waiting, GAUGE, "Hosts with queued URLs that are due later."),
    ROW(hosts_full, GAUGE, "Hosts with queued URLs at limits.host_pages."),
    ROW(links_refused, COUNTER, "Links never accepted: too long, no host."),
    ROW(sitemaps, COUNTER, "Sitemaps read."),
    ROW(revisits, COUNTER, "Pages queued again at their due date."),
    ROW(unchanged, COUNTER, "Revisited pages that were unchanged."),
    ROW(deleted, GAUGE, "URLs that an operator has deleted."),
    ROW(links_waiting, GAUGE, "Links accepted and not merged yet."),
    ROW(held, GAUGE, "URLs that an operator's pause keeps back."),
    ROW(late_reports, COUNTER, "Reports that ended no lease."),
    ROW(links_respelled, COUNTER, "Links in another spelling than canonical."),
    ROW(links_dropped, COUNTER, "Links dropped for better ones."),
    ROW(home_pages, COUNTER, "Home pages queued without a link to them."),
#undef ROW
};
#define ROWS_N (sizeof rows / sizeof *rows)

static void
json(struct buf *out, const struct frontier_totals *t, const char *scorer)
{
    struct json j = {.out = out};

    json_object(&j);
    json_kstr(&j, "scorer", str_c(scorer));
    for (size_t i = 0; i < ROWS_N; i++)
        json_ku64(&j, rows[i].is.name, prometheus_count_of(&rows[i], t));
    json_key(&j, "traps");
    json_object(&j);
    for (int i = TRAP_NONE + 1; i < TRAP_N; i++)
        json_ku64(&j, trap_name((enum trap)i), t->traps[i]);
    json_object_end(&j);
    json_key(&j, "queued_by_priority");
    json_array(&j);
    for (size_t i = 0; i < FRONTIER_CLASSES; i++)
        json_u64(&j, t->queued_by_priority[i]);
    json_array_end(&j);
    json_object_end(&j);
    buf_char(out, '\n');
}

static double
least_priority(size_t class)
{
    return (double)(FRONTIER_CLASSES - 1 - class) / FRONTIER_CLASSES;
}

static void
text(struct buf *out, const struct frontier_totals *t, const char *scorer)
{
    buf_printf(out, "%-14s %s\n", "scorer", scorer);
    for (size_t i = 0; i < ROWS_N; i++)
        buf_printf(out, "%-14s %llu\n", rows[i].is.name,
                   (unsigned long long)prometheus_count_of(&rows[i], t));
    buf_c(out, "lowered as traps\n");
    for (int i = TRAP_NONE + 1; i < TRAP_N; i++)
        if (i != TRAP_CAP)
            buf_printf(out, "  %-12s %llu\n", trap_name((enum trap)i),
                       (unsigned long long)t->traps[i]);
    buf_c(out, "queued by priority\n");
    for (size_t i = 0; i < FRONTIER_CLASSES; i++)
        buf_printf(out, "  %.1f .. %.1f   %llu\n", least_priority(i),
                   (double)(FRONTIER_CLASSES - i) / FRONTIER_CLASSES,
                   (unsigned long long)t->queued_by_priority[i]);
}

static void
prometheus(struct buf *out, const struct frontier_totals *t)
{
    static const struct prometheus_metric
        traps = {"traps", PROMETHEUS_COUNTER,
                 "URLs lowered, by what they look like."},
        priorities = {"queued_by_priority", PROMETHEUS_GAUGE,
                      "Queued URLs with at least that priority, and less than "
                      "the next one."};

    for (size_t i = 0; i < ROWS_N; i++)
        prometheus_count(out, AREA, &rows[i], t);
    prometheus_head(out, AREA, &traps);
    for (int i = TRAP_NONE + 1; i < TRAP_N; i++)
        prometheus_value(out, AREA, &traps, "trap", trap_name((enum trap)i),
                         t->traps[i]);
    prometheus_head(out, AREA, &priorities);
    for (size_t i = 0; i < FRONTIER_CLASSES; i++) {
        char least[16];

        snprintf(least, sizeof least, "%.1f", least_priority(i));
        prometheus_value(out, AREA, &priorities, "priority", least,
                         t->queued_by_priority[i]);
    }
}

void
totals_say(struct buf *out, enum totals_form form,
           const struct frontier_totals *t, const char *scorer)
{
    switch (form) {
    case TOTALS_TEXT: text(out, t, scorer); break;
    case TOTALS_JSON: json(out, t, scorer); break;
    case TOTALS_PROMETHEUS: prometheus(out, t); break;
    }
}
