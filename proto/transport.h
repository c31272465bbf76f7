/* transport.h -- what both halves of endpoint.h need of nng: its codes,
 * addresses, keys and who may be trusted. */
#ifndef PROTO_TRANSPORT_H
#define PROTO_TRANSPORT_H

#include <nng/nng.h>

#include "endpoint.h"

/* A URL this build can carry, with the keys it wants, and allowed by the
 * options?  Otherwise says why not: ST_USAGE. */
enum status transport_check(const char *url, const struct endpoint_options *o);

/* inproc://NAME: the name of a call queue of this process; else NULL. */
const char *transport_name(const char *url);

/* Says that `url` cannot do something, by nng's code; the status to give back:
 * ST_NOMEM, ST_USAGE (the address is at fault) or ST_IO. */
enum status transport_report(int rc, const char *url, const char *doing);

bool transport_is_encrypted(const char *url); /* tls+tcp:// */

/* Why nobody could be connected to, by nng's code and what is at the place. */
void transport_absent(const char *url, int rc, char *out, size_t size);

/* HOST of tcp://HOST:PORT, without brackets.  False: there is none. */
bool transport_host(const char *url, char *out, size_t size);

/* What connects to `url`, or listens there (no inproc://); of tls+tcp:// what
 * is below TLS.  The dialer is reported, the listener's code is nng's. */
enum status transport_dialer(nng_stream_dialer **out, const char *url);
int transport_listener(nng_stream_listener **out, const char *url);

/* Who is at the other end. */
struct transport_place {
    bool known; /* false: a socket file */
    char text[48];
    unsigned char network[8]; /* the address of IPv4, or the network of IPv6 */
};
void transport_place_of(struct transport_place *out, nng_stream *stream);

/* May one listen at this URL?  ST_USAGE (reported): at the path of ipc://PATH
 * is something that is no socket.  To be asked first: nng replaces what nobody
 * answers at, as the socket of a killed process, and that may be any file. */
enum status transport_check_place(const char *url);

#endif
