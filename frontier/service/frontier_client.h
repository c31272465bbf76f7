/* frontier_client.h -- the frontier's calls, over proto, for crawlers and
 * operators.
 *
 * Thread-safe: calls run in parallel, but job and hello come before all others,
 * and lease calls one after the other, since each has a number.  What a call
 * answers is in the arena that it is given, and lives as long as that. */
#ifndef FRONTIER_SERVICE_FRONTIER_CLIENT_H
#define FRONTIER_SERVICE_FRONTIER_CLIENT_H

#include "base/arena.h"
#include "base/options/opt.h"
#include "base/status.h"
#include "frontier/features/frontier_types.h"
#include "frontier/schedule/control.h"
#include <stdatomic.h>

struct frontier_client; /* opaque */

/* Connects to frontier.url in the background.  `crawler`: PROTOCOL.md, 5.  `o`
 * must live as long.  ST_USAGE: that is no address (reported); ST_NOMEM.  The
 * caller owns *out. */
enum status frontier_client_open(struct frontier_client **out,
                                 const struct opts *o, uint64_t crawler);
void frontier_client_close(struct frontier_client *c); /* NULL is allowed */
/* Says why a call that is made once came to ST_TIMEOUT. */
void frontier_client_say_unanswered(const struct frontier_client *c);

/* Calls with `stop` wait (trying again for ever while the service is absent,
 * busy or its disk is full, saying so) until *stop becomes true: then
 * ST_STOPPED.  ST_INVALID: the service refuses the call, or speaks another
 * version of the protocol (reported, once). */

/* First: of which job the crawler is (base/facts.h).  ST_NONE: the service is
 * of a version that does not ask. */
struct frontier_client_answer {
    struct str differences; /* how that of the others differs, a line each;
                               then it is not taken */
    struct str decides;     /* decides.h; "": an older version */
};
enum status frontier_client_job(struct frontier_client *c, struct str facts,
                                bool change, const atomic_bool *stop,
                                struct arena *a,
                                struct frontier_client_answer *out);
/* The crawler starts: its seeds, and of its end before what
 * frontier_suspects() is told. */
struct frontier_client_hello {
    const struct frontier_link *seeds;
    size_t seeds_n;
    bool again; /* see frontier_again() */
    const uint64_t *suspects;
    size_t suspects_n;
    void (*answered)(void); /* after each answer: seeds go in several calls;
                               NULL: nobody wants to know */
};
struct frontier_client_welcome {
    struct frontier_totals totals;
    struct str *poisoned; /* URLs that this was the last try of */
    size_t poisoned_n;
    uint64_t again; /* seeds that are queued once more; a service of before
                       `again` was queues none */
};
enum status frontier_client_hello(struct frontier_client *c,
                                  const struct frontier_client_hello *hello,
                                  const atomic_bool *stop, struct arena *a,
                                  struct frontier_client_welcome *out);

/* For up to `max` URLs, see frontier_lease(); and of requests that have ended
 * since, see frontier_request_ended(), with finished_ms by the steady clock. */
struct frontier_client_ask {
    size_t max;
    const struct frontier_done *ended;
    size_t ended_n;
};
struct frontier_client_leases {
    struct frontier_lease *lease;
    size_t n;
    uint64_t wake_ms;
    struct str *soon; /* names of hosts to look up, see frontier_unmet() */
    size_t soon_n;
    struct frontier_totals totals;
};
/* *out is empty unless it is ST_OK. */
enum status frontier_client_lease(struct frontier_client *c,
                                  const struct frontier_client_ask *ask,
                                  const atomic_bool *stop, struct arena *a,
                                  struct frontier_client_leases *out);
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
/* The same of a look: what `winnow frontier --stat` and --why print. */
struct frontier_client_stat {
    struct frontier_totals totals;
    struct str scorer, reliability; /* text, with a NUL behind it */
};
enum status frontier_client_stat(struct frontier_client *c, struct arena *a,
                                 struct frontier_client_stat *out);
enum status frontier_client_why(struct frontier_client *c, struct str url,
                                struct arena *a, struct str *out);
enum status frontier_client_robots(struct frontier_client *c,
                                   struct str authority,
                                   const atomic_bool *stop, struct arena *a,
                                   struct frontier_robots *out,
                                   uint64_t *version);

#endif
