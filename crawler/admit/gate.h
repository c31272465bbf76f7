/* gate.h -- which addresses may be contacted, and for whom.
 *
 * The last decision before a connection, taken on socket addresses and never
 * on text: private, loopback and link-local ranges only for hosts that
 * fetch.allow_private names or the hosts_file lists; anything but loopback
 * only when the user agent holds a contact URL.  Read-only after open. */
#ifndef CRAWLER_GATE_H
#define CRAWLER_GATE_H

#include <netinet/in.h>

#include "winnow/opt.h"
#include "winnow/status.h"

struct gate; /* opaque; see crawler/admit/gate.c */

/* ST_USAGE: an entry of fetch.allow_private cannot be used (reported). */
enum status gate_open(struct gate **out, const struct opts *o);
void gate_close(struct gate *g); /* NULL is allowed */

/* NULL: go ahead; else why not: "private_address", "no_contact". */
const char *gate_refusal(const struct gate *g, struct str host,
                         const struct sockaddr *address);

/* Does the user agent say whom to write to (http://, https://, mailto:)? */
bool gate_has_contact(struct str user_agent);

/* Might `host` be a name or an address of this machine, as far as the text
 * tells: for a check before anything is resolved. */
bool gate_may_be_local(const struct gate *g, struct str host);

#endif
