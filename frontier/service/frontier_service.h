/* frontier_service.h -- the frontier behind an endpoint, in a thread of its
 * own. */
#ifndef FRONTIER_SERVICE_FRONTIER_SERVICE_H
#define FRONTIER_SERVICE_FRONTIER_SERVICE_H

#include "base/status.h"

/* Beside frontier.url it answers at this socket in its folder, for operators.
 */
#define FRONTIER_SOCKET "control.sock"
struct frontier_service; /* opaque */
struct opts;
enum status frontier_service_start(struct frontier_service **out,
                                   const char *dir, const struct opts *o);
void frontier_service_stop(struct frontier_service *s); /* NULL is allowed */

#endif
