/* address_policy.h -- which addresses may be contacted, and for whom.
 *
 * The last decision before a connection, taken on socket addresses and never
 * on text: private, loopback and link-local ranges only for hosts that
 * fetch.allow_private names or the hosts_file lists; anything but loopback
 * only when the user agent holds a contact URL.  Read-only after open. */
#ifndef CRAWLER_ADDRESS_POLICY_H
#define CRAWLER_ADDRESS_POLICY_H

#include <netinet/in.h>

#include "base/arena.h"
#include "base/options/opt.h"
#include "base/status.h"
#include "base/verdict.h"

struct address_policy; /* opaque; see crawler/admit/address_policy.c */

/* ST_USAGE: an entry of fetch.allow_private cannot be used (reported). */
enum status address_policy_open(struct address_policy **out,
                                const struct opts *o);
void address_policy_close(struct address_policy *p); /* NULL is allowed */

/* VERDICT_NONE: go ahead; else VERDICT_PRIVATE_ADDRESS or _NO_CONTACT. */
enum verdict address_policy_refusal(const struct address_policy *p,
                                    struct str host,
                                    const struct sockaddr *address);

/* Of a name that nobody here looks up: VERDICT_PRIVATE_ADDRESS of one that only
 * an inner network knows (without a dot, under .local, .internal ...) and that
 * fetch.allow_private does not name, or _NO_CONTACT. */
enum verdict address_policy_refuses_name(const struct address_policy *p,
                                         struct str host);

/* Is it a port of mail, chat, remote shells and the like?  Links to those make
 * a crawler send what it sends to servers that never offered a page; browsers
 * have the same list (Fetch Standard, "bad port"). */
bool address_policy_bad_port(uint16_t port);

/* Does the user agent say whom to write to (http://, https://, mailto:)? */
bool address_policy_has_contact(struct str user_agent);

/* What an operator gives as a contact, a mail address or a URL, as a user agent
 * has it ("mailto:..."); "": it is neither. */
struct str address_policy_contact(struct arena *a, struct str text);

/* Might `host` be a name or an address of this machine, as far as the text
 * tells: for a check before anything is resolved. */
bool address_policy_may_be_local(const struct address_policy *p,
                                 struct str host);

#endif
