/* prometheus.h -- numbers in Prometheus' text format, version 0.0.4. */
#ifndef BASE_PROMETHEUS_H
#define BASE_PROMETHEUS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum prometheus_kind {
    PROMETHEUS_COUNTER, /* only grows; its name gets _total */
    PROMETHEUS_GAUGE
};

struct prometheus_metric {
    const char *name; /* a-z and _ */
    enum prometheus_kind kind;
    const char *help; /* one line, without \ */
};

/* The lines before a metric's values.  All its names begin winnow_AREA_. */
void prometheus_head(struct buf *out, const char *area,
                     const struct prometheus_metric *m);

/* A value of it; `value` of the label has no quote.  No label: NULL, NULL. */
void prometheus_value(struct buf *out, const char *area,
                      const struct prometheus_metric *m, const char *label,
                      const char *value, uint64_t n);

/* A metric of one value: a uint64_t in a struct of counts. */
struct prometheus_count {
    struct prometheus_metric is;
    size_t offset;
};
#define PROMETHEUS_COUNT(type, field, kind, help)                              \
    {                                                                          \
        {#field, PROMETHEUS_##kind, help}, offsetof(struct type, field)        \
    }
uint64_t prometheus_count_of(const struct prometheus_count *c,
                             const void *counts);
void prometheus_count(struct buf *out, const char *area,
                      const struct prometheus_count *c, const void *counts);

#endif
