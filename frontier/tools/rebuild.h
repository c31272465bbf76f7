/* rebuild.h -- rows that a damaged store still had become a store in which
 * everything agrees. */
#ifndef FRONTIER_REBUILD_H
#define FRONTIER_REBUILD_H

#include "base/buf.h"
#include "frontier/store/tables.h"

struct rebuild_config {
    const char *dir;  /* of the damaged store, with its discovery log */
    const char *to;   /* where the new discovery log is made */
    uint64_t rest_ms; /* no host is contacted before */
    bool sync;
    bool bare; /* without what the scorer has learnt and other small rows */
};

/* Fill `to` from `from` inside its open transaction, as rewrite.h asks; `self`
 * is a struct rebuild. */
struct rebuild {
    struct rebuild_config config;
    uint64_t rows[TABLE_N]; /* that went into the new store */
    uint64_t links, lost;   /* that wait; rows that could not be used */
    uint64_t log; /* number of the new discovery log; 0: there is none */
};
enum status rebuild(void *self, struct tables *from, struct tables *to);

#endif
