/* trap.h -- signs in a URL that it is one of endlessly many, and the part of it
 * that names a session.
 *
 * A sign lowers a URL's priority, it never drops it: some sites really are
 * built like that.  Pure. */
#ifndef FRONTIER_TRAP_H
#define FRONTIER_TRAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum trap { /* why a URL was lowered */
            TRAP_NONE,
            TRAP_SEGMENTS,
            TRAP_DEEP,
            TRAP_CALENDAR,
            TRAP_QUERY,
            TRAP_CAP,
            TRAP_ACT,
            TRAP_FILE,
            TRAP_N
};

/* What the path and query (all behind the authority) look like; `year`: the
 * present one, for calendars that run into the future. */
enum trap trap_of(struct str rest, int year);

/* What is left of a priority. */
uint16_t trap_priority(enum trap t, uint16_t priority);

const char *trap_name(enum trap t);    /* "segments", as in the counters */
const char *trap_meaning(enum trap t); /* for people */

/* The URL without session ids (;jsessionid=, PHPSESSID=, /(S(...))/ ...),
 * marks of campaigns (utm_*, fbclid ...) and, with `forms`, the tokens of
 * forms, which are of a session, too (authenticity_token ...): two URLs that
 * differ in nothing else are one page.  False: it has none, `out` is not
 * touched. */
bool trap_without_session(struct buf *out, struct str url, bool forms);

int trap_year(uint64_t now_ms); /* of a time */

#endif
