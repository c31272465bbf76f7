/* dns_answer.h -- answers of dns.c, and the hosts that need no name server.
 *
 * Only for dns.c.  Pure. */
#ifndef CRAWLER_DNS_ANSWER_H
#define CRAWLER_DNS_ANSWER_H

#include "dns_names.h"

#define DNS_NAME_BYTES_MAX 253u /* without the last dot */

/* What is known of a name that is KNOWN. */
void dns_answer_of(struct dns_answer *a, const struct name *e);

/* Addresses and localhost need no query.  False: it takes one. */
bool dns_answer_by_itself(struct dns_answer *a, struct str host);

/* The name to ask for: `host` lower-cased into `out`.  False: no name of the
 * DNS.  c-ares would take a backslash for an escape. */
bool dns_answer_name(struct str host, char out[DNS_NAME_BYTES_MAX + 1]);

#endif
