/* prometheus.h -- numbers in Prometheus' text format, version 0.0.4. */
#ifndef BASE_PROMETHEUS_H
#define BASE_PROMETHEUS_H

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

/* A metric of one value. */
void prometheus_single(struct buf *out, const char *area,
                       const struct prometheus_metric *m, uint64_t n);

#endif
