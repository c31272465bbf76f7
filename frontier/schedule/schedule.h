/* schedule.h -- whose turn it is: hosts that are due, their clocks and those of
 * their addresses, leases and how they end, what operators say, pages that are
 * fetched again.
 *
 * Calls stand inside a transaction of the store but for open and close; who
 * owns the transaction calls schedule_settle() before it is written, then
 * schedule_committed(), or schedule_aborted() and schedule_rollback(). */
#ifndef FRONTIER_SCHEDULE_H
#define FRONTIER_SCHEDULE_H

#include "control.h"
#include "frontier/score/scoring.h"

struct schedule; /* opaque; see frontier/schedule/schedule_inside.h */
struct opts;
struct random;

/* Of a host: its server's address is not known yet, or has no clock. */
#define ADDRESS_UNKNOWN 0u
#define ADDRESS_EXEMPT 1u

#define SCHEDULE_NEVER UINT64_MAX

enum status schedule_open(struct schedule **out, struct url_store *db,
                          struct scoring *sc, struct random *random,
                          const struct opts *o);
void schedule_close(struct schedule *sched); /* NULL is allowed */
/* Everything as the tables say. */
enum status schedule_load(struct schedule *sched, uint64_t now_ms);
/* As it was before. */
void schedule_clear(struct schedule *sched);
/* Rows of addresses that nobody has met for long go. */
enum status schedule_addresses_tidy(struct schedule *sched, uint64_t now_ms);
/* See frontier_time_lost(). */
enum status schedule_time_lost(struct schedule *sched, uint64_t now_ms);

/* ---- transactions ---- */
void schedule_settle(struct schedule *sched); /* hosts that were changed */
enum status schedule_rollback(struct schedule *sched);
void schedule_aborted(struct schedule *sched);
void schedule_committed(struct schedule *sched);

/* ---- leases: a call, in the order of these ---- */
struct schedule_call {
    uint64_t crawler, call, now_ms;
    size_t max;
    struct arena *arena; /* of what is leased */
    struct frontier_lease *leases;
    size_t n;
    uint64_t wake_ms;
    bool repeated; /* the answer was lost: the same again */
    bool hungry;   /* less was given than was asked for, for want of links */
    bool patient;  /* ... or what is due is not worth it */
    bool over;     /* ... or nothing is wanted any more */
    size_t holds;  /* paused URLs that may still be taken out; 0: too many */
};
enum status schedule_lease_begin(struct schedule *sched,
                                 struct schedule_call *q);
enum status schedule_lease_repeat(struct schedule *sched,
                                  struct schedule_call *q);
enum status schedule_lease_choose(struct schedule *sched,
                                  struct schedule_call *q);
void schedule_lease_end(struct schedule *sched, struct schedule_call *q);

/* See frontier/frontier.h. */
enum status schedule_hello(struct schedule *sched, uint64_t crawler,
                           uint64_t now_ms);
enum status schedule_suspects(struct schedule *sched, uint64_t crawler,
                              const uint64_t *hashes, size_t n, uint64_t now_ms,
                              struct arena *a, struct str **poison,
                              size_t *poison_n);
void schedule_set_budget(struct schedule *sched, uint64_t pages);
void schedule_set_patience(struct schedule *sched, double share);

/* ---- reports ---- */
/* What a report brings for the intake. */
struct schedule_found {
    enum {
        SCHEDULE_NOTHING,
        SCHEDULE_PAGE,
        SCHEDULE_REDIRECT,
        SCHEDULE_HOME, /* the host's home page, in place of a page gone */
        SCHEDULE_ROBOTS
    } by;
    struct host *host; /* whose page it was; whose robots.txt */
    const struct frontier_link *links;
    size_t links_n;
    struct frontier_link target; /* of a redirect; the home page */
    struct row_parent parent;
    enum outcome_class class; /* of a page */
    enum trap trap;           /* what its URL looks like */
};
/* A URL has ended: its lease, what is learnt of it, its row.  The links are
 * canonical. */
enum status schedule_done(struct schedule *sched, const struct frontier_done *d,
                          uint64_t now_ms, struct schedule_found *found);
/* The request of a page that is leased has ended well, its report will follow:
 * the host may be asked again.  Of *d the URL, the call, the crawler, when it
 * ended and what it took. */
enum status schedule_request_ended(struct schedule *sched,
                                   const struct frontier_done *d,
                                   uint64_t now_ms);
/* This page has led to these links: is its host one that makes URLs without
 * end?  Then it is left alone for long. */
void schedule_growth(struct schedule *sched, const struct schedule_found *page,
                     const struct row_link_counts *links, uint64_t now_ms);
/* A page that has ended, with this verdict, is to be fetched once more. */
enum status schedule_revisit_another(struct schedule *sched,
                                     struct row_seen_key key, struct str url,
                                     enum verdict verdict, uint64_t now_ms);
/* A sitemap says when a page was changed.  `self`: a struct schedule. */
enum status schedule_revisit_listed(void *self, struct row_seen_key key,
                                    uint64_t lastmod_ms, uint64_t now_ms);
enum status schedule_robots(struct schedule *sched, struct str authority,
                            struct arena *a, struct frontier_robots *out,
                            uint64_t *version);

/* After a lease: names of hosts that are likely to be next and whose addresses
 * nobody knows, into out[SCHEDULE_UNMET_MAX], in `a`.  Each is told once. */
#define SCHEDULE_UNMET_MAX 32u
enum status schedule_unmet(struct schedule *sched, struct arena *a,
                           struct str *out, size_t *n);

/* ---- what operators say ---- */
enum status schedule_control(struct schedule *sched, struct control_change *c,
                             uint64_t now_ms);
size_t schedule_control_rules(const struct schedule *sched,
                              const struct control_rule **out);
/* The rule that keeps a host from being asked, a URL from being leased, a URL
 * from being queued; NULL: none. */
const struct control_rule *schedule_paused(const struct schedule *sched,
                                           struct str authority);
const struct control_rule *schedule_held_by(const struct schedule *sched,
                                            struct str url);
const struct control_rule *schedule_deleted(const struct schedule *sched,
                                            struct str url);
/* The intake asks these of links to come.  `self`: a struct schedule. */
bool schedule_has_url_rules(const void *self);
bool schedule_is_deleted(const void *self, struct str url);
bool schedule_is_held(const void *self, struct str url);

/* ---- for people, and for checks ---- */
void schedule_totals(const struct schedule *sched, struct frontier_totals *out,
                     uint64_t now_ms);
struct schedule_settings {
    bool traps, robots, revisits;
};
struct schedule_settings schedule_settings(const struct schedule *sched);
uint64_t schedule_delay(const struct schedule *sched, const struct row_host *h);
/* ... as the job says, whatever the host says and does. */
uint64_t schedule_own_delay(const struct schedule *sched,
                            const struct row_host *h);
/* When it may next be asked for something, were nothing of it out. */
uint64_t schedule_due(const struct schedule *sched, const struct row_host *h);
uint64_t schedule_address_due(const struct schedule *sched, uint64_t address);
/* How many of its pages may still be fetched (limits.host_pages); UINT64_MAX:
 * all, or what others ask of it is next. */
uint64_t schedule_pages_left(const struct schedule *sched,
                             const struct row_host *h);
bool schedule_grows(const struct schedule *sched, const struct row_host *h);
/* The hosts of which something is out, into ids[max]; returns how many. */
size_t schedule_out(const struct schedule *sched, uint32_t *ids, size_t max);
size_t schedule_hosts(const struct schedule *sched); /* with a clock */

#endif
