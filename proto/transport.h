/* transport.h -- what both halves of endpoint.h need of nng (1.5.2): its codes,
 * addresses, limits and keys. */
#ifndef PROTO_TRANSPORT_H
#define PROTO_TRANSPORT_H

#include <nng/nng.h>

#include "winnow/endpoint.h"

enum status transport_status(int rc); /* nng's codes end here */

/* A URL this build can carry, with the keys it wants?  Otherwise says why not:
 * ST_USAGE. */
enum status transport_check(const char *url, const struct endpoint_keys *keys);

/* Says that `url` cannot do something; the status to give back. */
enum status transport_report(int rc, const char *url, const char *doing);

int transport_limits(nng_socket socket);

/* Does anybody take connections at `url`?  False too when it cannot be told. */
bool transport_reachable(const char *url);

/* Start dialling / listening at `url`, with its keys.  Reported. */
enum status transport_dial(nng_socket socket, const char *url,
                           const struct endpoint_keys *keys);
int transport_listen(nng_socket socket, const char *url,
                     const struct endpoint_keys *keys);

#endif
