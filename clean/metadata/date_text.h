/* date_text.h -- dates as people and machines write them.
 *
 * Month names come from ICU, for the languages of date_names.c.  A date has a
 * day at least; what names a month or a year only is none. */
#ifndef CLEAN_DATE_TEXT_H
#define CLEAN_DATE_TEXT_H

#include "base/arena.h"
#include "base/str.h"

struct day_time {
    int16_t year;
    uint8_t month, day;
    bool has_time, has_zone;
    uint8_t hour, minute, second;
    int16_t zone; /* minutes ahead of UTC */
};

enum date_context { DATE_PUBLISHED = 1, DATE_UPDATED = 2, DATE_EVENT = 4 };

/* What is ambiguous, or relative. */
struct date_reading {
    bool month_first;    /* 3/4/2024 is in March */
    uint64_t fetched_ms; /* "3 days ago" counts from here; 0: it is no date */
};

struct date_found {
    struct day_time at;
    size_t from, to;  /* bytes of the text */
    unsigned context; /* DATE_x, by the words before it */
    bool either;      /* day and month are numbers that may be swapped */
};

/* Load the names of months; may be called often and from any thread. */
void date_names_init(void);

/* 1 .. 12, or 0; word: in lower case, without a dot. */
int date_month_named(struct str word);
unsigned date_word_context(struct str word); /* DATE_x, 0 */

/* A whole text that is a date: ISO 8601 in its forms, RFC 822, digits alone
 * (20240317, seconds or milliseconds since 1970), or what date_find() finds in
 * the first bytes. */
bool date_value(struct day_time *out, struct str text,
                const struct date_reading *how);

/* The first date at or after byte `from` of a text in the target languages. */
bool date_find(struct date_found *out, struct str text, size_t from,
               const struct date_reading *how);

/* DATE_x, by the last words of a text that say something; 0: none does. */
unsigned date_context(struct str text);

/* /2024/03/17/ and its like in the path of a URL. */
bool date_of_path(struct day_time *out, struct str path);

/* "2024-03-17", "2024-03-17T10:00:00", "2024-03-17T10:00:00+01:00". */
struct str date_text(struct arena *a, const struct day_time *t);

int32_t date_day(const struct day_time *t); /* since 1 January 1970 */
void date_of_moment(struct day_time *out, int64_t ms);

#endif
