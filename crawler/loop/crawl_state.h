/* crawl_state.h -- what the threads of a crawl share.
 *
 *   lease thread --visits--> loop thread --visits--> worker threads
 *        ^                                                | reports
 *        +------- changed: visits were reported ------ reporter
 *
 * A worker hands documents that are no HTML to the convert threads, which hand
 * them back (converting.c).
 *
 * Bounds: at most `parallel` visits being fetched hold a slot, at most slow_max
 * are fetched beside them (slots.c), and without those at most visits_max are
 * not yet read; all queues have room for all of them, so a push never waits.
 * Those that are read and not reported yet, because nothing is durable at once,
 * are bounded by unreported_max and REPORT_BYTES_MAX: over either nothing is
 * leased.  With few slots that is few visits, so that the next lease knows the
 * outcome of the last page.  While more pages wait for the workers than they
 * read at once, URLs are leased in groups: a question to the frontier for each
 * would be four switches between threads.
 * Everything below `lock` is guarded by it; the rest is set before the
 * threads start and read-only then.  `stop` and `hard` only ever become true.
 */
#ifndef CRAWLER_CRAWL_STATE_H
#define CRAWLER_CRAWL_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "bandwidth.h"
#include "base/workq.h"
#include "clean/cleaner/cleaner.h"
#include "clean/language/link_words.h"
#include "clean/scope/scope.h"
#include "clean/write/writer.h"
#include "conditions.h"
#include "crawler/admit/address_policy.h"
#include "crawler/admit/hosts_file.h"
#include "crawler/report/crawl_log.h"
#include "crawler/report/status_line.h"
#include "crawler/visit/visit.h"
#include "shingle/message/dedup.h"
#include "working.h"

#define REPORT_BYTES_MAX ((size_t)64 << 20)

/* Who waits, beside the workers: their numbers come first. */
enum {
    CRAWL_WAITER_LEASE,
    CRAWL_WAITER_SHIP,
    CRAWL_WAITER_TELL,
    CRAWL_WAITERS
};

/* Why no more is leased. */
enum crawl_end {
    CRAWL_RUNNING,
    CRAWL_PAGES,     /* limits.pages is reached */
    CRAWL_DOCUMENTS, /* limits.documents */
    CRAWL_BYTES,     /* limits.bytes */
    CRAWL_SECONDS,   /* limits.seconds */
    CRAWL_EMPTY,     /* nothing is left */
    CRAWL_WAITING,   /* nothing becomes due within limits.wait_seconds */
    CRAWL_STOPPED,   /* by a signal */
    CRAWL_FAILED     /* a service failed (reported) */
};

/* What the lease thread waits for. */
enum crawl_awaited {
    CRAWL_NOTHING,
    CRAWL_ROOM,
    CRAWL_REPORTS,     /* those under way */
    CRAWL_IDLE_WORKERS /* or that they soon will be */
};

/* What a thread is waiting for, for the status line; NULL: nothing. */
struct crawl_wait {
    const char *what;
    uint64_t since_ms;
};

struct crawl {
    const struct opts *opts;
    const char *dir;
    const struct folder *folder; /* that is dir */
    bool quiet;                  /* no status line */
    struct str agent;            /* our product token */
    uint64_t lease_ms;           /* how long the frontier's leases last */
    struct scope *scope;
    struct robots_cache *robots;
    struct cookies *cookies; /* of redirects whose targets wait */
    struct hosts_file *hosts;
    struct address_policy *policy;
    struct cleaner *cleaner;
    struct link_words_model *link_words;
    struct converter *converter; /* NULL: only HTML is wanted */
    unsigned documents;          /* the kinds that are: convert_wanted() */
    bool sandboxed;              /* pages are read in one (clean/sandbox) */
    struct crawl_log *log;
    struct working *working; /* what the workers are reading */
    struct archive *archive; /* NULL: none is kept */
    struct frontier_client *frontier;
    struct dedup_client *dedup;
    const struct writer *format[OUTPUT_FORMATS_N];
    size_t formats_n;
    size_t threads_n, visits_max, unreported_max;
    bool short_delay;   /* hosts are due again before a report is there */
    bool tells_ended;   /* the frontier hears of requests before reports */
    size_t lease_group; /* leased at once while the workers have enough to do */
    /* What the limit of open files allows: */
    size_t parallel_max, slow_max, connections_idle_max;
    uint64_t start_ms; /* steady clock */

    struct workq *to_loop, *to_workers, *to_convert;
    struct reporter *reporter;
    int wake_fd; /* eventfd: the loop has visits or news */

    atomic_bool stop; /* lease no more */
    atomic_bool hard; /* wait for no service any longer, convert no more */

    pthread_mutex_t lock;
    pthread_cond_t changed; /* monotonic clock */
    size_t parallel;        /* slots; fewer after files had run out */
    uint64_t no_files_ms; /* until then nothing is leased: they have run out */
    size_t fetching, alive; /* visits: with a slot, all */
    size_t slow;            /* visits that are fetched without a slot */
    size_t unreported, unreported_bytes; /* reports on their way */
    struct visit *ended;                 /* see ended.h */
    size_t ended_n;
    enum crawl_awaited lease_awaits;
    uint64_t reported;           /* visits that ended, ever */
    uint64_t pages, kept, bytes; /* see crawl_pages() */
    enum crawl_end end;
    bool lease_ended;
    struct conditions conditions;
    struct bandwidth bandwidth;
    struct crawl_stats stats;
    /* How visits of this run ended; of pages without those tried again. */
    uint64_t page_verdicts[VERDICT_END], robots_verdicts[VERDICT_END];
    struct crawl_window window;
    struct frontier_totals totals;
    struct crawl_wait *wait; /* threads_n + CRAWL_WAITERS */
    size_t without_space;    /* of these threads */
    struct buf soon; /* names for the loop to look up, each ended by \n */
};

void crawl_wake_loop(struct crawl *c);

/* ---- under lock ---- */

/* What counts for the limits: of all runs, and of all crawlers that share the
 * frontier. */
uint64_t crawl_pages(const struct crawl *c);
uint64_t crawl_documents(const struct crawl *c);
uint64_t crawl_bytes(const struct crawl *c);

/* Visits that are not read yet. */
size_t crawl_unread(const struct crawl *c);
/* Enough of them wait for the workers that these have no use for more soon. */
bool crawl_workers_are_busy(const struct crawl *c);
/* So many visits may begin, by the bounds above. */
size_t crawl_room(const struct crawl *c);
/* Visits have gone on: the lease thread is woken if that is what it waits for.
 */
void crawl_visits_went_on(struct crawl *c);

/* ---- without ---- */

/* Give a visit to the workers; it is not being fetched any more. */
void crawl_to_workers(struct crawl *c, struct visit *v);

/* It goes on without its slot. */
void crawl_gives_up_slot(struct crawl *c, struct visit *v);

/* A file was wanted and none was to be had: fewer transfers from now on. */
void crawl_ran_out_of_files(struct crawl *c);

/* ... and later a few more again. */
void crawl_tries_more_files(struct crawl *c);

/* Say what thread `i` (workers first, then CRAWL_WAITER_...) waits for. */
void crawl_waits(struct crawl *c, size_t i, const char *what);

/* Thread `i` has found no space for `what`: pause a little.  And when there was
 * space.  *waiting: of that thread, false at first.  The first that waits says
 * so, and the last that goes on. */
void crawl_wait_for_space(struct crawl *c, size_t i, bool *waiting,
                          const char *what);
void crawl_space_is_back(struct crawl *c, size_t i, bool *waiting,
                         const char *what);

/* Does the service at `url` run in this process? */
bool crawl_is_own(struct str url);

/* Are limits.seconds over?  Then since how many ms. */
bool crawl_time_is_over(const struct crawl *c, uint64_t *ms);
/* ... and something that does not come has been waited for since: end without
 * it.  What; NULL: no. */
const char *crawl_overdue(struct crawl *c);

/* ---- the threads ---- */
void *crawl_lease_thread(void *crawl); /* crawler/loop/leaser.c */
struct worker {
    struct crawl *crawl;
    size_t i;
    struct sandbox *sandbox; /* NULL: none */
};
void *crawl_worker_thread(void *worker); /* crawler/loop/worker.c */

/* Runs until the lease thread has ended and no visit is alive.  True: ended by
 * a signal.  crawler/loop/loop.c */
struct loop;
enum status loop_open(struct loop **out, struct crawl *c);
void loop_close(struct loop *l); /* NULL is allowed */
bool loop_run(struct loop *l);

#endif
