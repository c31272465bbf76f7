/* inside.h -- what the files of the frontier above its store share: the handle,
 * moves between the tables.
 *
 * Before the scheduler is looked at frontier_hosts_settle() brings it up to
 * date with the hosts that were changed. */
#ifndef FRONTIER_INSIDE_H
#define FRONTIER_INSIDE_H

#include "frontier/intake/intake.h"
#include "frontier/schedule/address.h"
#include "frontier/schedule/scheduler.h"
#include "frontier/score/scoring.h"
#include "frontier/store/url_store.h"
#include "winnow/frontier.h"
#include "winnow/log.h"

#define FRONTIER_CRAWLERS_MAX 256
#define FRONTIER_BACKOFF_MAX_MS ((uint64_t)24 * 3600 * 1000)
#define FRONTIER_ROBOTS_HOPS_MAX 5u /* RFC 9309, 2.3.1.2 */
#define FRONTIER_ROBOTS_SIZE_MAX ((size_t)500 * 1024)

struct frontier_rules { /* the options that decide */
    uint64_t delay_ms, crawl_delay_max_ms, robots_ttl_ms, retry_ms, lease_ms;
    uint64_t retries, redirects_max, url_size_max;
    double explore;  /* share of leases that chance decides */
    double patience; /* see frontier.patience */
    uint64_t patience_ms;
    bool all_patient; /* every scorer waits: frontier_set_patience() */
    bool robots;
    double response_factor; /* see politeness.response_factor */
    uint64_t response_delay_max_ms, address_delay_ms;
    bool address_loopback;
    bool traps;
    uint64_t growth_pages, growth_delay_ms;
    uint64_t revisit_ms, revisit_min_ms, revisit_max_ms; /* 0: off */
};

/* Of a host: its server's address is not known yet, or has no clock. */
#define ADDRESS_UNKNOWN 0u
#define ADDRESS_EXEMPT 1u

struct crawler {
    uint64_t id, call, committed_call; /* the last lease call */
    uint64_t heard_ms;                 /* when it last called */

    uint64_t idle_slots, idle_since_ms; /* that patience leaves idle */
};

struct frontier {
    struct url_store *db;
    struct scoring *sc;
    struct intake *in;
    struct scheduler *scheduler;
    struct frontier_rules rules;
    struct random random;
    uint64_t latest_ms; /* of the latest lease call */
    uint64_t opened_ms;
    uint64_t time_lost_ms; /* see frontier_time_lost(); 0: no doubt */
    bool unchecked;        /* dates of before have not been looked at */
    bool later_unchecked, revisit_unchecked; /* ... nor those tables */
    uint64_t later_ms; /* the first row of `later`; SCHEDULER_NEVER: none */
    uint64_t revisit_due_ms; /* the first row of `due`, likewise */
    uint64_t budget;         /* see frontier_set_budget() */
    struct addresses *addresses;
    uint64_t idle_ms;          /* of slots that patience left idle */
    struct control_rule *rule; /* what operators said */
    size_t rule_n, unfinished_n;
    size_t pauses_n, holds_n, deletes_n; /* of hosts; of URLs */
    uint64_t scanned_ms;                 /* an operator's last call */
    unsigned char scan_next[32];         /* where leases go on */
    size_t scan_n;
    struct crawler crawlers[FRONTIER_CRAWLERS_MAX];
    size_t crawlers_n;
    bool broken, begun;
};

/* As frontier_open(), with a map of this many bytes. */
enum status frontier_open_sized(struct frontier **out, const char *dir,
                                const struct opts *o, size_t map_size);

/* A store that load.c is still filling, which nobody else may open. */
enum status frontier_open_loading(struct frontier **out, const char *dir,
                                  const struct opts *o);

/* The scheduler as the tables say. */
enum status frontier_schedule_load(struct frontier *f, bool first);

void frontier_host_schedule(struct frontier *f, uint32_t id,
                            const struct row_host *row);
void frontier_hosts_settle(struct frontier *f);
enum status frontier_hosts_rollback(struct frontier *f);
uint64_t frontier_delay(const struct frontier *f, const struct row_host *h);
/* When it may next be asked for something, were nothing of it out. */
uint64_t frontier_due(const struct frontier *f, const struct row_host *h);
bool frontier_needs_robots(const struct frontier *f, const struct row_host *h,
                           uint64_t now_ms);
/* base * 2^n with jitter of a quarter, capped. */
uint64_t frontier_backoff(struct frontier *f, uint64_t base_ms, uint64_t n);

enum status frontier_later_add(struct frontier *f, uint64_t due_ms,
                               struct row_position position,
                               const struct row_queued *q);
enum status frontier_later_remove(struct frontier *f, uint64_t due_ms,
                                  struct row_position position);
enum status frontier_later_promote(struct frontier *f, uint64_t now_ms);
enum status frontier_later_peek(struct frontier *f);

/* The best host: its best URL is judged by what is known now, and may not be
 * the best any more; then the next, at most *left times.  False: nobody is
 * ready. */
bool frontier_best(struct frontier *f, size_t *left, struct host **out,
                   enum status *st);

/* ---- clocks.c ---- */
/* Dates that cannot be true are cut to the longest legal ones.  Has something
 * that is stored changed? */
bool frontier_clocks_cut(void *self, struct row_host *h);
/* When it may be asked at the earliest, by what is in doubt. */
uint64_t frontier_time_lost_until(const struct frontier *f,
                                  const struct row_host *h);
/* Before anything is leased: of all that is due far ahead. */
enum status frontier_clocks_check(struct frontier *f, uint64_t now_ms);

/* ---- politeness.c ---- */
uint64_t frontier_address(const struct frontier *f, struct str address);
enum status frontier_addresses_load(struct frontier *f, uint64_t now_ms);
enum status frontier_addresses_tidy(struct frontier *f, uint64_t now_ms);
void frontier_contact_begins(struct frontier *f, const struct host *h,
                             uint64_t now_ms);
enum status frontier_contact_lost(struct frontier *f, struct host *h,
                                  uint64_t now_ms);
enum status frontier_contact_ended(struct frontier *f, struct host *h,
                                   const struct frontier_done *d,
                                   uint64_t now_ms);
/* A passing failure: one is the page's, several in a row are the host's. */
void frontier_hold_back(struct frontier *f, struct host *h,
                        const struct frontier_done *d, uint64_t now_ms);

/* ---- growth.c ---- */
/* A page of h has led to these links: is the host one that makes URLs without
 * end?  Then it is left alone for long. */
void frontier_growth(struct frontier *f, struct host *h,
                     const struct row_link_counts *links,
                     enum outcome_class class, uint64_t now_ms);
bool frontier_grows(const struct frontier *f, const struct row_host *h);

/* ---- rules.c ---- */
enum status frontier_control_load(struct frontier *f);
void frontier_control_forget(struct frontier *f);
/* The rule that keeps a host from being asked, a URL from being leased, a URL
 * from being queued; NULL: none. */
const struct control_rule *frontier_paused(const struct frontier *f,
                                           struct str authority);
const struct control_rule *frontier_held_by(const struct frontier *f,
                                            struct str url);
const struct control_rule *frontier_deleted(const struct frontier *f,
                                            struct str url);
/* A rule as the store is to have it, with all of them read anew. */
enum status frontier_rule_set(struct frontier *f, enum control_action action,
                              struct str pattern, uint64_t since_ms,
                              bool unfinished);
enum status frontier_rule_drop(struct frontier *f, struct str pattern);
/* The intake asks these of links to come. */
bool frontier_has_url_rules(const void *self);
bool frontier_is_deleted(const void *self, struct str url);
bool frontier_is_held(const void *self, struct str url);
const struct control_rule *frontier_rule(const struct frontier *f,
                                         struct str pattern); /* NULL: none */

/* ---- control.c ---- */
/* Look at more rows for a rule that nobody finishes. */
enum status frontier_control_go_on(struct frontier *f, uint64_t now_ms);

/* ---- control_scan.c ---- */
/* Up to so many rows from c->next on; c->next_n = 0 at the end. */
enum status frontier_control_scan(struct frontier *f, struct control_change *c,
                                  size_t rows, uint64_t now_ms);
/* A URL that is about to be leased: held instead? */
enum status frontier_hold_chosen(struct frontier *f,
                                 struct row_position position, bool *held);

/* ---- revisit.c ---- */
/* It was fetched: when next?  `owner`: of a sitemap. */
enum status frontier_revisit_plan(struct frontier *f, struct row_seen_key key,
                                  const struct frontier_done *d, uint32_t owner,
                                  uint64_t now_ms);
/* A sitemap says when it changed. */
enum status frontier_revisit_listed(void *self, struct row_seen_key key,
                                    uint64_t lastmod_ms, uint64_t now_ms);
enum status frontier_revisit_drop(struct frontier *f, struct row_seen_key key);
enum status frontier_revisit_promote(struct frontier *f, uint64_t now_ms);
enum status frontier_revisit_peek(struct frontier *f);

/* ---- prefetch_hosts.c ---- */
/* After a lease of n URLs: what the next one and their reports will need. */
void frontier_prefetch_hosts(struct frontier *f,
                             const struct frontier_lease *leases, size_t n);

/* ---- lease.c ---- */
/* Is it the answer to this lease: from who holds it? */
bool frontier_answers(const struct frontier_done *d, const struct row_lease *l);
void frontier_lease_end(struct frontier *f, struct host *h);
struct crawler *frontier_crawler(struct frontier *f, uint64_t id);

/* The lease of a host as its crawler got it. */
enum status frontier_lease_describe(struct frontier *f, const struct host *h,
                                    struct arena *a,
                                    struct frontier_lease *out);

/* ---- suspect.c ---- */
/* What is out of the host may have killed its crawler: one more try.  *poison:
 * the URL, if that was the last one; then its lease has ended. */
enum status frontier_try_failed(struct frontier *f, struct host *h,
                                uint64_t now_ms, struct str *poison);
/* Has the crawler that has something of the host been silent? */
bool frontier_vanished(struct frontier *f, const struct host *h,
                       uint64_t now_ms);
/* About to be leased.  ST_BUSY: not now. */
enum status frontier_one_suspect(struct frontier *f, struct host *h,
                                 uint64_t crawler, const struct row_queued *q,
                                 uint64_t now_ms);

/* ---- robots.c ---- */
enum status frontier_robots_done(struct frontier *f, struct host *h,
                                 const struct frontier_done *d,
                                 uint64_t now_ms);

#endif
