/* tdmrep.h -- /.well-known/tdmrep.json (TDM Reservation Protocol, W3C community
 * group report of 2024): what a host reserves, by patterns of paths.
 *
 * The rules travel as text: the frontier keeps them before the host's
 * robots.txt (robots_tdmrep()).  Pure. */
#ifndef CRAWLER_TDMREP_H
#define CRAWLER_TDMREP_H

#include "base/arena.h"
#include "base/str.h"

#define TDMREP_BODY_MAX ((size_t)256 * 1024)

/* The rules of a tdmrep.json, in `a`, as they stand before a robots.txt; "": it
 * has none that can be read. */
struct str tdmrep_read(struct str json, struct arena *a);

/* What `rules` (robots_tdmrep()) say of a URL's path and query, as lines of a
 * header: "tdm-reservation: 1\ntdm-policy: ...\n"; "": nothing.  The first rule
 * that matches counts. */
struct str tdmrep_of(struct str rules, struct str target, struct arena *a);

#endif
