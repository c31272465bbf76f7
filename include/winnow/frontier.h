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
 * (winnow/url.h, url_canonical()); what cannot be is refused.
 *
 * Units: *_ms milliseconds; score 0..1, 1 is fetched first.
 * Errors: ST_STORE, ST_FULL (disk or map) from any call. */
#ifndef WINNOW_FRONTIER_H
#define WINNOW_FRONTIER_H

#include <stdatomic.h>

#include "winnow/arena.h"
#include "winnow/opt.h"
#include "winnow/status.h"
#include "winnow/str.h"
#include "winnow/verdict.h"

struct frontier; /* opaque; see frontier/frontier.c */

enum frontier_kind { FRONTIER_PAGE, FRONTIER_ROBOTS, FRONTIER_SITEMAP };

/* An outlink or a seed with the signals the scorers use. */
struct frontier_link {
    struct str url, domain, anchor;
    struct str path, language; /* as in struct link of winnow/document.h */
    float boilerplate;         /* of the enclosing block */
    uint32_t relation;         /* enum link_relation */
    uint8_t within;            /* enum link_within */
    enum frontier_kind kind;   /* a page or a sitemap */
    uint64_t lastmod_ms;       /* of a sitemap's entry; 0: not said */
    float hint;                /* ... its priority, 0..1 */
    bool has_hint;
};

struct frontier_lease {
    struct str url, authority, robots_of;
    enum frontier_kind kind;
    uint64_t call; /* the lease call that gave it out */
    uint32_t depth, redirects, attempts;
    float score; /* with what it competed: of link, host and URL class */
    uint64_t robots_version;
    float parent_badness, boilerplate;
    bool explored;      /* by chance, not for its score: frontier.explore */
    bool address_known; /* false: give it back with the address first */
    uint32_t revisit;   /* fetched so often before */
    struct str etag, last_modified; /* of the last time */
};

struct frontier_robots {
    uint32_t status;
    struct str body;
    bool unreachable;
    uint32_t crawl_delay_ms;
};

struct frontier_done {
    struct str url;
    uint64_t crawler; /* whose report it is; the client sets its own */
    uint64_t call;    /* of the lease that it answers; 0: not said */
    enum frontier_kind kind;
    enum frontier_outcome outcome;
    enum verdict verdict;
    struct str address;
    uint64_t finished_ms; /* by the clock of now_ms; the client's: steady */
    bool contacted;
    uint64_t fetched_bytes, kept_bytes;
    float badness;
    bool has_badness;
    bool other_language; /* another language fits it better */
    uint32_t retry_after_ms;
    uint32_t took_ms;
    struct str etag, last_modified;
    uint64_t digest; /* of the clean text; 0: none */
    const struct frontier_link *links;
    size_t links_n;
    struct frontier_robots robots;
};

#define FRONTIER_CLASSES 10

enum trap { /* why a URL was lowered; frontier/features/trap.h */
            TRAP_NONE,
            TRAP_SEGMENTS,
            TRAP_DEEP,
            TRAP_CALENDAR,
            TRAP_QUERY,
            TRAP_CAP,
            TRAP_N
};

struct frontier_totals {
    uint64_t pages, kept, fetched_bytes, kept_bytes;
    uint64_t seen, queued, leased, done, failed, refused;
    uint64_t hosts, hosts_ready, hosts_waiting;
    uint64_t queued_by_priority[FRONTIER_CLASSES]; /* highest first */
    uint64_t links_waiting; /* accepted, not yet merged into the store */
    uint64_t links_dropped; /* there were better ones: see the quotas */
    uint64_t links_refused; /* never accepted: too long, not http(s) */
    uint64_t robots;        /* robots.txt answers taken */
    uint64_t sitemaps, revisits, unchanged, deleted;
    uint64_t held;          /* URLs that a pause keeps out of the queue */
    uint64_t traps[TRAP_N]; /* URLs lowered */
    uint64_t late_reports;  /* that ended no lease: too late, or repeated */
    /* Transfer slots that frontier.patience leaves idle now, and for how long
     * all of them have been since the store was opened. */
    uint64_t idle_slots, idle_ms;
    uint64_t links_respelled; /* came in another spelling than the canonical */
};

/* Open or create DIR.  ST_USAGE: locked by another process, not a frontier, or
 * of a newer version (reported, with what to do).  Owned by the caller. */
enum status frontier_open(struct frontier **out, const char *dir,
                          const struct opts *o, uint64_t now_ms);
void frontier_close(struct frontier *f); /* NULL is allowed */

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

/* Lease no page beyond so many fetched and leased ones; 0: no bound. */
void frontier_set_budget(struct frontier *f, uint64_t pages);

/* What a sitemap lists: URLs of its own host and of `owner`, the authority
 * whose robots.txt names it; others are refused.  Their priority is the
 * scorer's, or what pages of their host have been worth so far; a fetched page
 * of which it says that it has changed may become due.  *enough:
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

/* What operators say while a crawl runs; kept in the store and logged.
 * Patterns: frontier/features/pattern.h.  PAUSE: nothing of these hosts, or
 * none of these URLs, is handed out; they keep their places in line.  DELETE:
 * URLs that match are refused ("deleted"), those queued and those to come.
 * RESUME takes back both; deleted URLs stay refused.  What is queued is looked
 * at in pieces: start with an empty `next` and call, each time in a transaction
 * of its own, until it is empty again; who stops earlier leaves the rest to the
 * leases.  ST_USAGE: the pattern cannot be used, or RESUME knows none. */
enum control_action {
    CONTROL_LIST,
    CONTROL_PAUSE,
    CONTROL_RESUME,
    CONTROL_DELETE
};
struct control_change {
    enum control_action action;
    struct str pattern;
    unsigned char next[32]; /* where a long one goes on */
    size_t next_n;          /* 0: it is finished */
    uint64_t hosts, urls;   /* touched by this call */
};
enum status frontier_control(struct frontier *f, struct control_change *c,
                             uint64_t now_ms);

struct control_rule {
    enum control_action action;
    struct str pattern; /* lives until the next change */
    uint64_t since_ms;
    bool unfinished; /* not all that was queued has been looked at */
};
/* All rules, borrowed until the next change; returns how many. */
size_t frontier_control_rules(const struct frontier *f,
                              const struct control_rule **out);
/* A line: "pause a.example since 2026-01-01T00:00:00Z". */
struct buf;
void frontier_control_say(const struct control_rule *rule, struct buf *out);

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

/* ---- for the laboratory ---- */

/* Scorer `oracle` asks this for the chance, 0..1, that `url` will be kept;
 * `self` is handed through. */
typedef double frontier_greedy_oracle(void *self, struct str url);
void frontier_set_greedy_oracle(struct frontier *f, frontier_greedy_oracle *ask,
                                void *self);

/* Told every link that is scored, with what it would compete now; NULL: nobody
 * is.  `self` is handed through. */
typedef void frontier_scored(void *self, const struct frontier_link *link,
                             double score);
void frontier_set_scored(struct frontier *f, frontier_scored *tell, void *self);

/* Told every verdict that scorer learned learns from: host, how its page ended,
 * features with values; NULL: nobody is.  `self` is handed through. */
typedef void frontier_lesson(void *self, struct str lesson);
void frontier_set_lesson(struct frontier *f, frontier_lesson *tell, void *self);

/* Every scorer waits with this patience, those as well that have none. */
void frontier_set_patience(struct frontier *f, double share);

/* Why a URL was or was not fetched, with the parts of its score: text. */
struct buf;
enum status frontier_why(struct frontier *f, struct str url, uint64_t now_ms,
                         struct buf *out);

/* Are all invariants of the store true?  Faults as lines of text into `out`. */
enum status frontier_check(struct frontier *f, struct buf *out,
                           uint64_t *faults);

/* The pages of the store in DIR, each by itself and all together, while nobody
 * has it open (else: nothing is looked at).  Faults as lines of text into
 * `out`.  ST_NONE: there is no store; ST_INVALID: it is none any more. */
enum status frontier_check_file(const char *dir, struct buf *out,
                                uint64_t *faults);

/* What can be read of the store in DIR becomes a new one in its place; the
 * damaged file stays as data.mdb.damaged.  What was found and what is lost as
 * lines of text into `out`.  ST_USAGE: it is in use; ST_STORE: nothing can be
 * read (both reported).  Killed meanwhile it is as it was. */
enum status frontier_repair(const char *dir, const struct opts *o,
                            struct buf *out);

/* The frontier as lines of JSON: every URL with its state, its URL (queued
 * ones) or hash, the parts of its score, and every other row.  Of one moment,
 * during which the store grows if somebody writes. */
enum status frontier_dump(struct frontier *f, FILE *to);

/* Make a frontier in DIR (empty, new, or left in the middle of the same file)
 * from such lines.  *lines: read so far.  ST_USAGE: DIR holds a frontier;
 * ST_INVALID: not a dump, or a part of one (both reported).  A dump of it is
 * equal, byte by byte. */
enum status frontier_load(const char *dir, const struct opts *o, FILE *from,
                          uint64_t *lines);

/* Write the store of DIR anew without the space it does not use; nobody may
 * have it open.  *before, *after: bytes.  Killed meanwhile it is as it was. */
enum status frontier_compact(const char *dir, const struct opts *o,
                             uint64_t *before, uint64_t *after);

/* ---- as a service ---- */
/* Beside frontier.url it answers at this socket in its folder, for operators.
 */
#define FRONTIER_SOCKET "control.sock"
struct frontier_service; /* opaque */
enum status frontier_service_start(struct frontier_service **out,
                                   const char *dir, const struct opts *o);
void frontier_service_stop(struct frontier_service *s); /* NULL is allowed */

/* ---- and its client: the same calls, over proto; thread-safe ---- */
struct frontier_client; /* opaque */

/* Connects to frontier.url in the background.  `crawler`: PROTOCOL.md, 5.  `o`
 * must live as long.  ST_USAGE: that is no address (reported); ST_NOMEM.  The
 * caller owns *out. */
enum status frontier_client_open(struct frontier_client **out,
                                 const struct opts *o, uint64_t crawler);
void frontier_client_close(struct frontier_client *c); /* NULL is allowed */

/* All wait (trying again for ever while the service is absent, busy or its disk
 * is full, saying so) until *stop becomes true: then ST_STOPPED. */
enum status frontier_client_hello(struct frontier_client *c,
                                  const struct frontier_link *seeds, size_t n,
                                  const atomic_bool *stop,
                                  struct frontier_totals *totals);
/* What the next hello says of the crawler's end before (frontier_suspects()),
 * and the URLs that it has ended as poison; both belong to the client. */
void frontier_client_suspects(struct frontier_client *c, const uint64_t *hashes,
                              size_t n);
size_t frontier_client_poisoned(const struct frontier_client *c,
                                const struct str **urls);
enum status frontier_client_lease(struct frontier_client *c, size_t max,
                                  const atomic_bool *stop, struct arena *a,
                                  struct frontier_lease **out, size_t *n,
                                  uint64_t *wake_ms,
                                  struct frontier_totals *totals);
enum status frontier_client_done(struct frontier_client *c,
                                 const struct frontier_done *done, size_t n,
                                 const atomic_bool *stop);
enum status frontier_client_put(struct frontier_client *c, struct str sitemap,
                                struct str owner,
                                const struct frontier_link *links, size_t n,
                                const atomic_bool *stop, bool *enough);
/* One call: no waiting for an absent service (ST_TIMEOUT).  Counts are added
 * up over the calls of a long DELETE.  Rules, when asked for: text, a line
 * each. */
struct buf;
enum status frontier_client_control(struct frontier_client *c,
                                    struct control_change *change,
                                    struct buf *rules);
enum status frontier_client_robots(struct frontier_client *c,
                                   struct str authority,
                                   const atomic_bool *stop, struct arena *a,
                                   struct frontier_robots *out,
                                   uint64_t *version);

#endif
