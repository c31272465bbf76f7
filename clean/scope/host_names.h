/* host_names.h -- a set of names of hosts, some with all that is under them.
 *
 * A list may have millions, and is asked for each link.  Read-only once it is
 * filled: threads share it. */
#ifndef CLEAN_HOST_NAMES_H
#define CLEAN_HOST_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/str.h"

struct host_names; /* opaque; see clean/scope/host_names.c */

struct host_names *host_names_new(void);
void host_names_free(struct host_names *h); /* NULL is allowed */

/* As written: any case, any script.  With a dot in front, or `under`, it is
 * the name with all that is under it.  ST_INVALID: no name of a host. */
enum status host_names_add(struct host_names *h, struct str written,
                           bool under);

/* Those of a file, a line each, all with what is under them.  `from`: what
 * named the file, for messages.  ST_IO: it cannot be read; ST_USAGE: there is a
 * line that is none; both are reported. */
enum status host_names_read(struct host_names *h, const char *path,
                            const char *from);

size_t host_names_n(const struct host_names *h);

/* `host` as in a URL: lower-case ASCII, [..] round IPv6. */
bool host_names_has(const struct host_names *h, struct str host);

#endif
