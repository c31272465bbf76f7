/* frontier_client.h -- the frontier's calls, over proto, for crawlers and
 * operators; thread-safe. */
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

/* All wait (trying again for ever while the service is absent, busy or its disk
 * is full, saying so) until *stop becomes true: then ST_STOPPED. */
enum status frontier_client_hello(struct frontier_client *c,
                                  const struct frontier_link *seeds, size_t n,
                                  const atomic_bool *stop,
                                  struct frontier_totals *totals);
/* Before it: of which job the crawler is (base/facts.h).  *differences (in
 * `a`): how that of the others differs, a line each; then it is not taken.
 * ST_NONE: the service is of a version that does not ask. */
enum status frontier_client_job(struct frontier_client *c, struct str facts,
                                bool change, const atomic_bool *stop,
                                struct arena *a, struct str *differences);
/* What the next hello says of the crawler's end before (frontier_suspects()),
 * and the URLs that it has ended as poison; both belong to the client. */
void frontier_client_suspects(struct frontier_client *c, const uint64_t *hashes,
                              size_t n);
size_t frontier_client_poisoned(const struct frontier_client *c,
                                const struct str **urls);
/* Requests that have ended, for the next lease call to tell: see
 * frontier_request_ended(); finished_ms by the steady clock.  Borrowed until
 * then. */
void frontier_client_ended(struct frontier_client *c,
                           const struct frontier_done *ended, size_t n);
enum status frontier_client_lease(struct frontier_client *c, size_t max,
                                  const atomic_bool *stop, struct arena *a,
                                  struct frontier_lease **out, size_t *n,
                                  uint64_t *wake_ms,
                                  struct frontier_totals *totals);
/* Names that the last lease said to look up, *n of them, in its arena. */
const struct str *frontier_client_soon(const struct frontier_client *c,
                                       size_t *n);
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
/* The same of a look: what `winnow frontier --stat` and --why print.  All of
 * *out is in `a`. */
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
