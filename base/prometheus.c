/* prometheus.c -- see prometheus.h. */
#include "prometheus.h"

#include <string.h>

static void
name(struct buf *out, const char *area, const struct prometheus_metric *m)
{
    buf_printf(out, "winnow_%s_%s%s", area, m->name,
               m->kind == PROMETHEUS_COUNTER ? "_total" : "");
}

void
prometheus_head(struct buf *out, const char *area,
                const struct prometheus_metric *m)
{
    buf_c(out, "# HELP ");
    name(out, area, m);
    buf_printf(out, " %s\n# TYPE ", m->help);
    name(out, area, m);
    buf_c(out, m->kind == PROMETHEUS_COUNTER ? " counter\n" : " gauge\n");
}

void
prometheus_value(struct buf *out, const char *area,
                 const struct prometheus_metric *m, const char *label,
                 const char *value, uint64_t n)
{
    name(out, area, m);
    if (label != NULL)
        buf_printf(out, "{%s=\"%s\"}", label, value);
    buf_printf(out, " %llu\n", (unsigned long long)n);
}

uint64_t
prometheus_count_of(const struct prometheus_count *c, const void *counts)
{
    uint64_t n;

    memcpy(&n, (const char *)counts + c->offset, sizeof n);
    return n;
}

void
prometheus_count(struct buf *out, const char *area,
                 const struct prometheus_count *c, const void *counts)
{
    prometheus_head(out, area, &c->is);
    prometheus_value(out, area, &c->is, NULL, NULL,
                     prometheus_count_of(c, counts));
}
