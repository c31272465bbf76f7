/* intake_inside.h -- the module's own state. */
#ifndef FRONTIER_INTAKE_INSIDE_H
#define FRONTIER_INTAKE_INSIDE_H

#include "base/bloom.h"
#include "intake.h"

struct intake_rules { /* the options that decide */
    uint64_t url_size_max;
    uint64_t merge_from, merge_bytes, merge_ms;
    uint64_t page_links, host_queue, domain_queue; /* 0: no bound */
    uint64_t sitemap_urls, sitemap_depth;
    uint64_t revisit_ms; /* 0: off */
    bool sync, traps;
    bool home_pages; /* queued with the first link to a host */
};

/* How much a transaction may do of what could wait for the next one. */
struct intake_slice {
    uint64_t until_ms; /* of clock_steady_ms(); 0: no bound */
    size_t rows;       /* changed ones */
    bool leases;       /* nothing that can wait */
};

struct intake {
    struct url_store *db;
    struct scoring *sc;
    struct intake_rules rules;
    struct intake_asks ask;
    struct known *known;   /* cache of what `seen` says */
    struct bloom *filter;  /* of all keys of `seen`; NULL: none */
    struct bloom *filling; /* one that lacks the keys behind filter_last */
    struct row_seen_key filter_last;
    bool filter_begun;       /* filter_last means something */
    struct pending *pending; /* links that wait to be merged */
    struct domains *domains; /* what is queued of each; NULL: not counted */
    struct intake_slice slice;
    int year; /* the present one */
};

/* ---- seen_filter.c, quota.c: what the store tells ---- */
void intake_seen(void *self, const struct row_seen_key *key,
                 const struct row_seen *row, bool fresh);
void intake_queued(void *self, const struct row_host *h, int64_t by);
/* Have the filter, or more of it, if the store is large. */
enum status intake_filter_begin(struct intake *in);

#endif
