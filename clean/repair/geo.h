/* geo.h -- where an address is, from a MaxMind DB file (GeoLite2 City and the
 * like) or the CSV files that were before it (geo_table.h).
 *
 * The file is mapped into memory and must not be overwritten while it is open
 * (replace it by renaming).  Read-only after geo_open(); thread-safe. */
#ifndef CLEAN_GEO_H
#define CLEAN_GEO_H

#include "base/arena.h"
#include "base/status.h"

struct geo; /* opaque; see clean/repair/geo.c */

struct geo_place {
    struct str country; /* ISO 3166 code; "" where unknown, here and below */
    struct str region;  /* English name of the first subdivision, or its code */
    struct str city;    /* English name */
};

/* `places`: NULL, or the second file when `path` is the blocks of the older
 * ones.  ST_IO, ST_INVALID: reported. */
enum status geo_open(struct geo **out, const char *path, const char *places);
void geo_close(struct geo *g); /* NULL is allowed */

/* IPv4 or IPv6 as text, the latter also in brackets.  False: it is no address,
 * or nothing is known of it.  Strings are in `a`. */
bool geo_find(const struct geo *g, struct arena *a, struct str ip,
              struct geo_place *out);

#endif
