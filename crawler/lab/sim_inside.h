/* sim_inside.h -- what the files of the simulation share. */
#ifndef LAB_SIM_INSIDE_H
#define LAB_SIM_INSIDE_H

#include "../../shingle/index/index.h"
#include "base/buf.h"
#include "crawler/admit/robots.h"
#include "sim.h"

#define SIM_CRAWLER 1u

struct flight { /* a fetch that is under way, or was refused at once */
    struct frontier_lease lease; /* its strings are not valid any more */
    struct buf url;
    uint32_t page; /* WEB_NONE: a robots.txt, or not recorded */
    uint32_t host;
    bool recorded;      /* the record says what is there */
    enum verdict fault; /* before anything was sent */
    uint64_t end_ms;
};

struct sim {
    const struct sim_setup *setup;
    const struct web *web;
    struct sim_run *run;
    struct frontier *frontier;
    struct index *index;
    struct robots **robots; /* by host; NULL: not parsed yet */
    bool *recorded;         /* by host: a page of it is */
    struct arena *arena;    /* of one step */
    struct str agent;
    char scheme[FINGERPRINT_SCHEME_BYTES]; /* of the fingerprints */

    uint64_t start_ms, now_ms, idle_ms; /* idle: since nothing was under way */
    double slot_ms;                     /* when the next fetch may start */
    struct flight *flight; /* a ring: fetches end in the order they began */
    size_t flights_n, flight_at, flights_max;
    size_t since_commit, fetches_cap, links_cap;

    /* The page whose links the frontier is hearing of, and they. */
    const struct web_page *source; /* NULL: seeds */
    const struct frontier_link *links;
    const uint32_t *links_number; /* in the web */
    size_t links_n;
};

/* ---- sim_watch.c ---- */
double sim_oracle(void *sim, struct str url);
void sim_scored(void *sim, const struct frontier_link *link, double score);
void sim_note(struct sim *s, const struct flight *f,
              const struct frontier_done *d, enum verdict reject,
              bool document);

/* ---- sim_answer.c ---- */
bool sim_robots_allow(struct sim *s, const struct flight *f);
/* The verdict on a page now; remembers what is kept. */
enum status sim_verdict(struct sim *s, uint32_t page, enum verdict *out);
enum status sim_finish(struct sim *s, const struct flight *f);

#endif
