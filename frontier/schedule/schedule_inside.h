/* schedule_inside.h -- the module's own state, and what its files share.
 *
 * Before the scheduler is looked at schedule_settle() brings it up to date with
 * the hosts that were changed. */
#ifndef FRONTIER_SCHEDULE_INSIDE_H
#define FRONTIER_SCHEDULE_INSIDE_H

#include "address.h"
#include "base/random.h"
#include "frontier/features/pattern_set.h"
#include "hosts_named.h"
#include "schedule.h"
#include "scheduler.h"

#define SCHEDULE_CRAWLERS_MAX 256
#define SCHEDULE_BACKOFF_MAX_MS ((uint64_t)24 * 3600 * 1000)
#define SCHEDULE_ROBOTS_HOPS_MAX 5u /* RFC 9309, 2.3.1.2 */
#define SCHEDULE_ROBOTS_SIZE_MAX ((size_t)500 * 1024)
#define SCHEDULE_TOLD 4096u /* hosts that unmet.c remembers */
#define SCHEDULE_TDMREP_SIZE_MAX ((size_t)64 * 1024)

struct schedule_rules { /* the options that decide */
    uint64_t delay_ms, random_delay_ms, crawl_delay_max_ms, robots_ttl_ms,
        retry_ms, lease_ms;
    uint64_t retries, redirects_max, url_size_max, host_unreported_max;
    uint64_t host_pages; /* see limits.host_pages; 0: off */
    double explore;      /* share of leases that chance decides */
    double patience;     /* see frontier.patience */
    uint64_t patience_ms;
    bool all_patient; /* every scorer waits: frontier_set_patience() */
    bool robots, tdmrep;
    bool home_instead;      /* see frontier.home_instead */
    bool learn_duplicates;  /* see frontier.learn_duplicates */
    double response_factor; /* see politeness.response_factor */
    uint64_t response_delay_max_ms, address_delay_ms;
    bool address_loopback;
    bool traps;
    uint64_t growth_pages, growth_delay_ms;
    uint64_t revisit_ms, revisit_min_ms, revisit_max_ms; /* 0: off */
};

struct crawler {
    uint64_t id, call, committed_call; /* the last lease call */
    uint64_t heard_ms;                 /* when it last called */

    uint64_t idle_slots, idle_since_ms; /* that patience leaves idle */
};

struct rules_some { /* of the rules: rules.c */
    uint32_t *rule; /* their numbers */
    uint32_t n;
    struct pattern_set patterns; /* unless they are of URLs */
};

struct own_delays {      /* of hosts that politeness.delays names */
    struct arena *arena; /* NULL: of none */
    struct pattern_set patterns;
    uint64_t *ms;
};

struct schedule {
    struct url_store *db;
    struct scoring *sc;
    struct random *random;
    struct schedule_rules rules;
    struct own_delays delays;
    struct scheduler *scheduler;
    uint64_t latest_ms; /* of the latest lease call */
    uint64_t opened_ms;
    uint64_t time_lost_ms; /* see frontier_time_lost(); 0: no doubt */
    bool unchecked;        /* dates of before have not been looked at */
    bool later_unchecked, revisit_unchecked; /* ... nor those tables */
    uint64_t later_ms; /* the first row of `later`; SCHEDULER_NEVER: none */
    uint64_t revisit_due_ms;              /* the first row of `due`, likewise */
    uint64_t unreported_n, unreported_ms; /* pages; a deadline, or before it */
    uint64_t budget;                      /* see frontier_set_budget() */
    struct addresses *addresses;
    uint64_t idle_ms;          /* of slots that patience left idle */
    struct control_rule *rule; /* what operators said, in the arena */
    size_t rule_n, unfinished_n;
    size_t returns_n; /* rules under which what is held comes back some day */
    struct arena *rules_arena;
    struct pattern_set all_rules;
    struct rules_some paused_hosts, deleted_hosts, url_rules;
    struct hosts_index names;
    uint64_t asked_ms;           /* an operator's last call */
    uint64_t scanned_ms;         /* ... that moved something */
    unsigned char scan_next[32]; /* where leases go on */
    size_t scan_n;
    bool told_anew; /* hosts that the transaction has not changed, of a rule */
    struct crawler crawlers[SCHEDULE_CRAWLERS_MAX];
    size_t crawlers_n;
    uint32_t told[SCHEDULE_TOLD]; /* by number of the host; 0: none */
};

void schedule_host(struct schedule *sched, uint32_t id,
                   const struct row_host *row);
/* What has to be known of the host before a page of it: its robots.txt, then
 * its tdmrep.json; FRONTIER_PAGE: nothing. */
enum frontier_kind schedule_needs(const struct schedule *sched,
                                  const struct row_host *h, uint64_t now_ms);
/* base * 2^n with jitter of a quarter, capped. */
uint64_t schedule_backoff(struct schedule *sched, uint64_t base_ms, uint64_t n);

enum status schedule_later_add(struct schedule *sched, uint64_t due_ms,
                               struct row_position position,
                               const struct row_queued *q);
enum status schedule_later_remove(struct schedule *sched, uint64_t due_ms,
                                  struct row_position position);
enum status schedule_later_promote(struct schedule *sched, uint64_t now_ms);
enum status schedule_later_peek(struct schedule *sched);

/* The best host: its best URL is judged by what is known now, and may not be
 * the best any more; then the next, at most *left times.  False: nobody is
 * ready. */
bool schedule_best(struct schedule *sched, size_t *left, struct host **out,
                   enum status *st);

/* Ids of the hosts of which something is out; until the transaction's end. */
uint32_t *schedule_hosts_out(struct schedule *sched, size_t *n);

/* ---- clocks.c ---- */
/* Dates that cannot be true are cut to the longest legal ones.  Has something
 * that is stored changed? */
bool schedule_clocks_cut(void *self, struct row_host *h);
/* When it may be asked at the earliest, by what is in doubt. */
uint64_t schedule_time_lost_until(const struct schedule *sched,
                                  const struct row_host *h);
/* Before anything is leased: of all that is due far ahead. */
enum status schedule_clocks_check(struct schedule *sched, uint64_t now_ms);

/* ---- politeness.c ---- */
/* Every address that is known waits, from now. */
enum status schedule_addresses_hold(struct schedule *sched, uint64_t now_ms);
enum status schedule_addresses_load(struct schedule *sched, uint64_t now_ms);
void schedule_contact_begins(struct schedule *sched, const struct host *h,
                             uint64_t now_ms);
enum status schedule_contact_lost(struct schedule *sched, struct host *h,
                                  uint64_t now_ms);
enum status schedule_contact_ended(struct schedule *sched, struct host *h,
                                   const struct frontier_done *d,
                                   uint64_t now_ms);
/* A passing failure: one is the page's, several in a row are the host's.
 * `own`: a mistake (500) says nothing of a host that is not held. */
void schedule_hold_back(struct schedule *sched, struct host *h,
                        const struct frontier_done *d, bool own,
                        uint64_t now_ms);

/* ---- rules.c ---- */
enum status schedule_control_load(struct schedule *sched);
void schedule_control_forget(struct schedule *sched);
/* A rule as the store is to have it, with all of them read anew. */
enum status schedule_rule_set(struct schedule *sched,
                              const struct control_rule *rule);
enum status schedule_rule_drop(struct schedule *sched, struct str pattern);
const struct control_rule *schedule_rule(const struct schedule *sched,
                                         struct str pattern); /* NULL: none */

/* ---- control.c ---- */
/* Look at more rows for a rule that nobody finishes. */
enum status schedule_control_go_on(struct schedule *sched, uint64_t now_ms);

/* ---- control_scan.c ---- */
/* Up to so many rows from c->next on; c->next_n = 0 at the end. */
enum status schedule_control_scan(struct schedule *sched,
                                  struct control_change *c, size_t rows,
                                  uint64_t now_ms);
/* A URL that is about to be leased: held instead? */
enum status schedule_hold_chosen(struct schedule *sched,
                                 struct row_position position, bool *held);

/* ---- revisit.c ---- */
/* It was fetched: when next?  `owner`: of a sitemap. */
enum status schedule_revisit_plan(struct schedule *sched,
                                  struct row_seen_key key,
                                  const struct frontier_done *d, uint32_t owner,
                                  uint64_t now_ms);
/* Its tries are over, and it may be there again one day: if it is followed. */
enum status schedule_revisit_later(struct schedule *sched,
                                   struct row_seen_key key, uint64_t now_ms);
enum status schedule_revisit_drop(struct schedule *sched,
                                  struct row_seen_key key);
enum status schedule_revisit_promote(struct schedule *sched, uint64_t now_ms);
enum status schedule_revisit_peek(struct schedule *sched);

/* ---- prefetch_hosts.c ---- */
/* After a lease of n URLs: what the next one and their reports will need. */
void schedule_prefetch_hosts(struct schedule *sched,
                             const struct frontier_lease *leases, size_t n);

/* ---- lease_row.c ---- */
/* Is it the answer to this lease: from who holds it? */
bool schedule_answers(const struct frontier_done *d, const struct row_lease *l);
void schedule_lease_ended(struct schedule *sched, struct host *h);
struct crawler *schedule_crawler(struct schedule *sched, uint64_t id);

/* ---- lease_describe.c ---- */
/* The lease of a host as its crawler got it. */
struct str schedule_rules_url(struct arena *a, enum frontier_kind kind,
                              struct str authority, bool https);
/* `q`: its row of the queue; NULL: to be read. */
enum status schedule_describe(struct schedule *sched, const struct host *h,
                              const struct row_queued *q, struct arena *a,
                              struct frontier_lease *out);

/* ---- suspect.c ---- */
/* What is out of the host may have killed its crawler: one more try.  *poison:
 * the URL, if that was the last one; then its lease has ended. */
enum status schedule_try_failed(struct schedule *sched, struct host *h,
                                uint64_t now_ms, struct str *poison);
/* As that, of a page that is unreported. */
enum status schedule_unreported_try_failed(struct schedule *sched,
                                           struct host *h,
                                           struct row_position position,
                                           const struct row_lease *l,
                                           uint64_t now_ms, struct str *poison);
/* Has the crawler been silent? */
bool schedule_vanished(struct schedule *sched, uint64_t crawler,
                       uint64_t now_ms);
/* About to be leased.  ST_BUSY: not now. */
enum status schedule_one_suspect(struct schedule *sched, struct host *h,
                                 uint64_t crawler, const struct row_queued *q,
                                 uint64_t now_ms);

/* ---- unreported.c ---- */
typedef enum status schedule_unreported_do(struct schedule *sched,
                                           struct row_position position,
                                           const struct row_lease *l,
                                           void *self);
enum status schedule_unreported_each(struct schedule *sched,
                                     schedule_unreported_do *act, void *self);
/* Its crawler starts anew: its pages go back into the queue. */
enum status schedule_unreported_hello(struct schedule *sched, uint64_t crawler);
/* ... and those whose leases are over. */
enum status schedule_unreported_overdue(struct schedule *sched,
                                        uint64_t now_ms);
enum status schedule_unreported_peek(struct schedule *sched);
/* Will the host be full when what is unreported of it is told? */
enum status schedule_unreported_fill(struct schedule *sched,
                                     const struct host *h, bool *full);
/* Back into the queue. */
enum status schedule_unreported_return(struct schedule *sched,
                                       struct row_position position);
/* It is unreported no more; the caller puts its row elsewhere. */
enum status schedule_unreported_end(struct schedule *sched,
                                    struct row_position position);

/* ---- closed_login.c ---- */
/* Is `target`, to which a page of the host is redirected, one more of its
 * logins that let no visitor through? */
bool schedule_leads_to_closed_login(struct schedule *sched,
                                    const struct host *from, struct str target);

/* ---- home_instead.c ---- */
/* A page of the host has ended as gone and is counted: if it was the first that
 * was asked for, the host's home page is found in its place. */
void schedule_home_instead(struct schedule *sched, const struct host *h,
                           const struct row_queued *gone,
                           struct schedule_found *found);

/* ---- robots.c ---- */
enum status schedule_robots_done(struct schedule *sched, struct host *h,
                                 const struct frontier_done *d, uint64_t now_ms,
                                 struct schedule_found *found);

#endif
