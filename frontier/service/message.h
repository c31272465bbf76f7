/* message.h -- between the frontier's structs and the messages of
 * proto/frontier.proto.
 *
 * Messages and what they are turned into live in the arena; strings point into
 * the message they came from.  Malformed bytes are ST_INVALID. */
#ifndef FRONTIER_MESSAGE_H
#define FRONTIER_MESSAGE_H

#include <frontier.pb-c.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/status.h"
#include "frontier/features/frontier_types.h"

typedef Winnow__Frontier__Request message_request;
typedef Winnow__Frontier__Reply message_reply;
typedef Winnow__Frontier__Link message_link;
typedef Winnow__Frontier__Lease message_lease;
typedef Winnow__Frontier__Done message_done;
typedef Winnow__Frontier__Ended message_ended;
typedef Winnow__Frontier__Robots message_robots;
typedef Winnow__Frontier__Totals message_totals;

enum status message_read_request(message_request **out, struct arena *a,
                                 struct str bytes);
enum status message_read_reply(message_reply **out, struct arena *a,
                               struct str bytes);
void message_write_request(struct buf *out, const message_request *m);
void message_write_reply(struct buf *out, const message_reply *m);

/* From messages; numbers out of range become the nearest sensible ones. */
struct frontier_link *message_links(struct arena *a, message_link **m,
                                    size_t n);
/* Of a report: now_ms is the clock of its finished_ms. */
void message_to_done(struct frontier_done *out, struct arena *a,
                     const message_done *m, uint64_t now_ms);
void message_to_ended(struct frontier_done *out, const message_ended *m,
                      uint64_t now_ms);
void message_to_robots(struct frontier_robots *out, const message_robots *m);
void message_to_lease(struct frontier_lease *out, struct arena *a,
                      const message_lease *m);
void message_to_totals(struct frontier_totals *out, const message_totals *m);

/* To messages, in the arena; NUL-terminated copies of the strings. */
message_link **message_from_links(struct arena *a,
                                  const struct frontier_link *links, size_t n);
message_done *message_from_done(struct arena *a, const struct frontier_done *d,
                                uint64_t now_ms);
message_ended *message_from_ended(struct arena *a,
                                  const struct frontier_done *d,
                                  uint64_t now_ms);
message_robots *message_from_robots(struct arena *a,
                                    const struct frontier_robots *r);
message_lease *message_from_lease(struct arena *a,
                                  const struct frontier_lease *l);
message_totals *message_from_totals(struct arena *a,
                                    const struct frontier_totals *t);

#endif
