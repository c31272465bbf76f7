/* date.h -- dates as pages, feeds, sitemaps and archives write them. */
#ifndef BASE_DATE_H
#define BASE_DATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Days of a month, 1 to 12. */
int date_month_days(int year, int month);

/* W3C's profile of ISO 8601 in all its lengths (1997, 1997-07 ...
 * 1997-07-16T19:20:30.45+01:00; a blank for the T; no zone is UTC; a day with
 * something else behind it is that day) or RFC 822, into milliseconds since
 * the Unix epoch, which are negative before it.  Fractions of a second are
 * cut.  False: neither, not of the years 1 to 9999, or a day that no calendar
 * has. */
bool date_read(struct str text, int64_t *ms);

/* The same for readers to whom what is not after the epoch says nothing: 0. */
uint64_t date_read_ms(struct str text);

#define DATE_ISO_N 25

/* "2026-11-20T10:15:30.000Z" into out[DATE_ISO_N]; "" for what date_read()
 * cannot have read. */
void date_iso(int64_t ms, char out[DATE_ISO_N]);

#endif
