/* scope.h -- which URLs belong to this crawl.
 *
 * A host is in scope when no list is given or when any of the lists admits it:
 * scope.tld (top-level domains), scope.domains (registered domains and all
 * below), scope.hosts (names alone, or with a dot in front all below, too).
 * Lists add up, so that "all of .be, and these two hosts elsewhere" can be
 * said.  Not in scope, whatever admits it, is what scope.exclude or
 * scope.exclude_file names, with all below.  On top of that a URL must match
 * scope.visit to be fetched, and scope.save for its page to be kept.
 *
 * Read-only after scope_open(): threads share it. */
#ifndef CLEAN_SCOPE_H
#define CLEAN_SCOPE_H

#include "base/options/opt.h"
#include "base/status.h"

struct scope; /* opaque; see clean/scope/scope.c */

/* ST_USAGE: what the options hold cannot be used, though they were read. */
enum status scope_open(struct scope **out, const struct opts *o);
void scope_close(struct scope *s); /* NULL is allowed */

/* `host` as in a URL: lower-case ASCII, [..] round IPv6. */
bool scope_admits_host(const struct scope *s, struct str host);
bool scope_admits(const struct scope *s, struct str url, struct str host);
bool scope_excludes(const struct scope *s, struct str host);
bool scope_saves(const struct scope *s, struct str url);

#endif
