/* parts.h -- the frontier's modules side by side, for its own tools.
 *
 *   url_store  tables, rows, the transaction in memory
 *   scoring    the scorer, its state
 *   intake     links on their way in
 *   schedule   hosts, clocks, leases, operators
 *
 * frontier.c owns the transaction and puts calls that need several of them in
 * order. */
#ifndef FRONTIER_PARTS_H
#define FRONTIER_PARTS_H

#include "base/random.h"
#include "frontier/frontier.h"
#include "frontier/intake/intake.h"
#include "frontier/schedule/schedule.h"
#include "frontier/score/scoring.h"
#include "frontier/store/url_store.h"

struct frontier {
    struct url_store *db;
    struct scoring *sc;
    struct intake *in;
    struct schedule *sched;
    struct random random; /* of all chance in it */
    bool broken, begun;
};

/* As frontier_open(), with a map of this many bytes. */
enum status frontier_open_sized(struct frontier **out, const char *dir,
                                const struct opts *o, size_t map_size);

/* A store that load.c is still filling, which nobody else may open. */
enum status frontier_open_loading(struct frontier **out, const char *dir,
                                  const struct opts *o);

#endif
