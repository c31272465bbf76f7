/* geo_table.h -- where an IPv4 address is, from the two CSV files of MaxMind's
 * older databases (GeoLiteCity-Blocks.csv, GeoLiteCity-Location.csv), which
 * texrex reads.  UTF-8.  Read-only once it is open; thread-safe. */
#ifndef CLEAN_GEO_TABLE_H
#define CLEAN_GEO_TABLE_H

#include "geo.h"

struct geo_table; /* opaque; see clean/repair/geo_table.c */

/* ST_IO, ST_INVALID (no usable line): reported. */
enum status geo_table_open(struct geo_table **out, const char *blocks,
                           const char *places);
void geo_table_close(struct geo_table *t); /* NULL is allowed */

/* `address` in the machine's byte order.  False: nothing is known of it. */
bool geo_table_find(const struct geo_table *t, uint32_t address,
                    struct geo_place *out);

#endif
