/* frontier_help.h -- what the frontier's tests share: a folder that goes away,
 * options, links, a transaction that must succeed. */
#ifndef FRONTIER_HELP_H
#define FRONTIER_HELP_H

#include <stdlib.h>
#include <unistd.h>

#include "../../frontier/frontier_lab.h"
#include "../../frontier/intake/intake_inside.h"
#include "../../frontier/parts.h"
#include "../../frontier/schedule/schedule_inside.h"
#include "../../frontier/score/learned.h"
#include "../../frontier/service/frontier_client.h"
#include "../../frontier/service/frontier_service.h"
#include "../../frontier/tools/frontier_tools.h"
#include "base/hash.h"
#include "base/log.h"
#include "folder.h"
#include "test.h"

/* The state of scorer learned. */
static inline struct learner *
help_learner(const struct frontier *f)
{
    return scoring_state(f->sc);
}

/* A new empty folder in a static buffer each. */
static inline const char *
help_folder(void)
{
    static char dirs[16][64];
    static unsigned next;
    char *dir = dirs[next++ % 16];

    snprintf(dir, 64, "/tmp/winnow-frontier-XXXXXX");
    folder_make(dir);
    return dir;
}

static inline struct opts
help_opts(void)
{
    struct opts o;

    opts_init(&o);
    o.frontier_map_gib = 1;
    o.frontier_sync = (struct str)STR("none"); /* no power fails in a test */
    o.output_disk_free_mib = 0;
    o.politeness_robots = false;
    o.frontier_patience = 0; /* tests that wait say so */
    o.frontier_explore = 0;
    o.frontier_scorer = (struct str)STR("paper"); /* it does not learn */
    return o;
}

static inline struct frontier_link
help_link(const char *url)
{
    return (struct frontier_link){.url = str_c(url)};
}

#define HELP_OK(f, call)                                                       \
    do {                                                                       \
        CHECK(frontier_begin(f) == ST_OK);                                     \
        CHECK((call) == ST_OK);                                                \
        CHECK(frontier_commit(f) == ST_OK);                                    \
    } while (0)

static inline void
help_seed(struct frontier *f, const char *url, uint64_t now_ms)
{
    struct frontier_link l = help_link(url);
    size_t fresh;

    HELP_OK(f, frontier_seed(f, &l, 1, now_ms, &fresh));
}

/* One lease; its URL or "" when nothing is due. */
static inline struct frontier_lease
help_lease(struct frontier *f, uint64_t now_ms, struct arena *a,
           uint64_t *wake_ms)
{
    struct frontier_lease *leases;
    uint64_t wake;
    size_t n = 0;

    HELP_OK(f, frontier_lease(f, 1, 0, 1, now_ms, a, &leases, &n,
                              wake_ms ? wake_ms : &wake));
    return n == 1 ? leases[0] : (struct frontier_lease){.url = STR("")};
}

static inline enum verdict
help_verdict(const char *name)
{
    enum verdict v = VERDICT_OTHER;

    CHECK(verdict_find(str_c(name), &v));
    return v;
}

static inline struct frontier_done
help_done(struct str url, enum frontier_outcome outcome, uint64_t finished_ms)
{
    return (struct frontier_done){
        .url = url,
        .crawler = 1, /* as help_lease() */
        .outcome = outcome,
        .verdict = outcome == OUTCOME_FETCHED ? VERDICT_KEPT : VERDICT_OTHER,
        .finished_ms = finished_ms,
        .contacted = true,
        .kind =
            outcome == OUTCOME_ROBOTS_DONE ? FRONTIER_ROBOTS : FRONTIER_PAGE};
}

static inline void
help_report(struct frontier *f, const struct frontier_done *d, uint64_t now_ms)
{
    size_t fresh, known, refused;

    HELP_OK(f, frontier_done(f, d, now_ms, &fresh, &known, &refused));
}

static inline void
help_check(struct frontier *f)
{
    struct buf faults = {0};
    uint64_t n = 0;

    HELP_OK(f, frontier_check(f, &faults, &n));
    CHECK(n == 0);
    if (n > 0)
        fprintf(stderr, "%.*s", STRF(buf_view(&faults)));
    buf_free(&faults);
}

#endif
