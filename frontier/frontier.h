/* frontier.h -- URLs not yet fetched: best host first, politely spaced,
 * durable.
 *
 * One LMDB environment in DIR.  One thread owns the handle (the service's);
 * other processes may read it meanwhile (--stat, --why, --dump). frontier_begin
 * .. frontier_commit is one transaction: several calls between them are durable
 * together when commit returns ST_OK, otherwise nothing changed.  Time comes in
 * as now_ms (wall clock, or virtual in the laboratory).
 *
 * Host-first: every host has its own queue by priority; a host's best URL
 * competes when the host is due; one URL per host is out at a time.  A host's
 * delay runs from the end of its last request.  Politeness unit: authority.
 *
 * Links are accepted when the commit of their report returns.  A store below
 * frontier.merge_from URLs has them in its queues then; a larger one has them
 * in its log (links_waiting in the totals) and merges them in bulk: when they
 * are wanted, at the latest frontier.merge_seconds + 5 s after they came, as
 * far as the disk can.  Each transaction does its share; who owns the handle
 * calls frontier_maintain() for times when there are none.  The service does.
 *
 * What is on disk after kill -9, after power loss: frontier/store/tables.c.
 *
 * A host's queue is split into URL classes, kinds of pages told apart by their
 * URLs; what has come of the pages of a URL class moves all that is queued in
 * it.
 *
 * URLs are brought to one spelling when they come in: lower-case hosts without
 * a dot behind them, no port that the scheme implies, no user:password@
 * (base/url/url.h, url_canonical()); what cannot be is refused.
 *
 * Units: *_ms milliseconds; score 0..1, 1 is fetched first.
 * Errors: ST_STORE, ST_FULL (disk or map) from any call. */
#ifndef FRONTIER_FRONTIER_H
#define FRONTIER_FRONTIER_H

#include "base/arena.h"
#include "base/status.h"
#include "frontier/features/frontier_types.h"
#include "frontier/schedule/control.h"

struct frontier; /* opaque; see frontier/parts.h */
struct opts;

/* Open or create DIR.  ST_USAGE: locked by another process, not a frontier, or
 * of a newer version (reported, with what to do).  Owned by the caller. */
enum status frontier_open(struct frontier **out, const char *dir,
                          const struct opts *o, uint64_t now_ms);
void frontier_close(struct frontier *f); /* NULL is allowed */

/* From now on commits write into a log, and into the store some seconds later
 * (tables_save_later()): for who makes many.  When frontier_maintain() is
 * called as often as frontier_maintain_due() says, a reader sees what is no
 * older than that. */
enum status frontier_save_later(struct frontier *f, const struct opts *o);
/* The thread that has made the calls leaves them to another one, which may
 * close the frontier then: LMDB's transactions are their thread's. */
void frontier_save_now(struct frontier *f);
/* After the next commit a reader sees all that was committed. */
void frontier_save_soon(struct frontier *f);

/* The present, by the clock that its service keeps (timekeeper.h). */
uint64_t frontier_now(const struct frontier *f);

/* After opening: nobody knows how much time has passed since the store was
 * used, so every host and address that was ever asked waits one full delay. */
enum status frontier_time_lost(struct frontier *f, uint64_t now_ms);

/* Open DIR for looking only, beside the process that writes: totals, why, dump,
 * robots and check.  frontier_begin() takes a snapshot; keep it short, the
 * store grows meanwhile.  ST_USAGE: there is no frontier (reported). */
enum status frontier_open_reader(struct frontier **out, const char *dir,
                                 const struct opts *o);

/* Every other call stands between begin and commit (or abort).  After an error
 * only frontier_abort() makes sense: then nothing has changed, in memory too.
 */
enum status frontier_begin(struct frontier *f);
enum status frontier_commit(struct frontier *f); /* failed: it was aborted */
void frontier_abort(struct frontier *f); /* allowed outside of one, too */

/* Bring links that wait into the queues, a slice of them: a transaction of its
 * own, made when none is open.  *again_ms: so long a call may wait if no
 * transaction comes before; UINT64_MAX: nothing waits. */
enum status frontier_maintain(struct frontier *f, uint64_t now_ms,
                              uint64_t *again_ms);
uint64_t frontier_maintain_due(const struct frontier *f, uint64_t now_ms);

/* For a service, before each transaction: links that wait are merged by it only
 * until so many ms have passed or so many rows have changed, with `leases` none
 * at all; ms = 0: no bound, as at first. */
void frontier_set_slice(struct frontier *f, uint64_t ms, size_t rows,
                        bool leases);
/* The open transaction has come so far: let what can wait do so. */
bool frontier_slice_over(const struct frontier *f);
/* False: the store or the disk is nearly full, and new links are refused with
 * ST_FULL; leases and outcomes still have some room.  As of the open
 * transaction, or the last one. */
bool frontier_has_room(const struct frontier *f);
/* Links come in faster than they are merged: take no more for now. */
bool frontier_behind(const struct frontier *f);

/* A crawler has this job (base/facts.h).  Where it differs from that of the
 * crawlers before it, `differences` gets the lines, and it is not taken, unless
 * `change`, or it is the `first` since the frontier was opened and no page was
 * fetched yet. */
enum status frontier_job(struct frontier *f, struct str facts, bool change,
                         bool first, struct buf *differences);

/* A crawler starts: what it had leased returns to the queue, its hosts are held
 * back one delay. */
enum status frontier_hello(struct frontier *f, uint64_t crawler,
                           uint64_t now_ms);

/* Before that: the crawler was reading these pages when it died, by hash64() of
 * their URLs.  Of those that it had leased this is one try more; the third ends
 * a URL as failed ("poison").  Which did: in `a`. */
enum status frontier_suspects(struct frontier *f, uint64_t crawler,
                              const uint64_t *hashes, size_t n, uint64_t now_ms,
                              struct arena *a, struct str **poison,
                              size_t *poison_n);

/* Add seeds: depth 0, the scorer sets their score.  Texts are copied.  *fresh:
 * how many were not known. */
enum status frontier_seed(struct frontier *f, const struct frontier_link *links,
                          size_t n, uint64_t now_ms, size_t *fresh);

/* Those of these pages that have ended, however they did, are queued once more;
 * not what an operator has paused or deleted.  *queued: how many. */
enum status frontier_again(struct frontier *f,
                           const struct frontier_link *links, size_t n,
                           uint64_t now_ms, size_t *queued);

/* Up to max URLs of max different due hosts, best first.  Strings live in `a`.
 * *wake_ms says in how many ms something may be due again (a host, a retry, the
 * end of a lease), 0 when nothing is queued, leased or waiting at all.
 * A host whose robots.txt is not known is leased that first.  `call`: a number
 * the crawler raises with every call; the same one again gives the same URLs
 * again as far as they are still out (the answer was lost), 0: not numbered. */
enum status frontier_lease(struct frontier *f, uint64_t crawler, uint64_t call,
                           size_t max, uint64_t now_ms, struct arena *a,
                           struct frontier_lease **out, size_t *n,
                           uint64_t *wake_ms);

/* The request of a leased page has ended well and its report will follow; its
 * host may be asked again, as far as its delay allows, though what the page
 * came to is not known yet.  Of *d count url, crawler, call, finished_ms,
 * took_ms and contacted.  Anything else that is leased, or not, stays as it is.
 */
enum status frontier_request_ended(struct frontier *f,
                                   const struct frontier_done *d,
                                   uint64_t now_ms);

/* After a lease: names of hosts that are likely to be next and that nobody has
 * met, to be looked up; each is told once or so.  In `a`, FRONTIER_UNMET_MAX at
 * most. */
#define FRONTIER_UNMET_MAX 32u
enum status frontier_unmet(struct frontier *f, struct arena *a,
                           struct str **out, size_t *n);

/* Lease no page beyond so many fetched and leased ones; 0: no bound. */
void frontier_set_budget(struct frontier *f, uint64_t pages);

/* What a sitemap lists: URLs of its own host and of `owner`, the authority
 * whose robots.txt names it, with or without www.; others are refused.  Their
 * priority is the scorer's, or what pages of their host have been worth so far;
 * a fetched page of which it says that it has changed may become due.  *enough:
 * sitemaps.urls_max is reached and nothing more of this owner is taken. */
struct frontier_put_counts {
    size_t fresh, known, refused;
};
enum status frontier_sitemap_put(struct frontier *f, struct str sitemap,
                                 struct str owner,
                                 const struct frontier_link *links, size_t n,
                                 uint64_t now_ms,
                                 struct frontier_put_counts *counts,
                                 bool *enough);

/* See frontier/schedule/control.h. */
enum status frontier_control(struct frontier *f, struct control_change *c,
                             uint64_t now_ms);
/* All rules, borrowed until the next change; returns how many. */
size_t frontier_control_rules(const struct frontier *f,
                              const struct control_rule **out);

/* Report how a URL ended.  Only the crawler that holds the lease ends it, with
 * the call that gave it out; unknown or already done URLs are ignored (a report
 * may come twice).  Any other report is late: of a page that was fetched after
 * all its verdict is taken, and who holds the URL by now keeps its host until
 * it reports, too; else it moves the host's clock only.  The host's delay
 * starts at finished_ms if it was contacted; the outcomes are described at enum
 * Outcome in frontier.proto. */
enum status frontier_done(struct frontier *f, const struct frontier_done *d,
                          uint64_t now_ms, size_t *links_new,
                          size_t *links_known, size_t *links_refused);

/* The stored robots.txt of an authority, its body in `a`; *version 0: there is
 * none. */
enum status frontier_robots(struct frontier *f, struct str authority,
                            struct arena *a, struct frontier_robots *out,
                            uint64_t *version);

const char *frontier_scorer_name(const struct frontier *f); /* static */

/* Counts as of now, those of an open transaction included. */
void frontier_totals(const struct frontier *f, struct frontier_totals *out,
                     uint64_t now_ms);

/* How often pages were kept that scorer learned gave the same chance: text,
 * nothing with other scorers. */
struct buf;
void frontier_reliability(const struct frontier *f, struct buf *out);

#endif
