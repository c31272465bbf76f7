/* date.c -- see date.h.  Days by the rule of leap years (Howard Hinnant,
 * days_from_civil), so that no locale, zone or limit of time_t has a say.
 * Pure. */
#include "base/date.h"

#include <stdio.h>
#include <string.h>

#define DAY_MS INT64_C(86400000)
#define YEAR_1_MS INT64_C(-62135596800000)
#define YEAR_10000_MS INT64_C(253402300800000)

struct civil {
    int year, month, day, hour, minute, second;
    int ahead; /* minutes that the zone is ahead of UTC */
};

/* Digits of a fixed number; false: there are others. */
static bool
digits(struct str *s, size_t n, int *out)
{
    int v = 0;

    if (s->n < n)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!ascii_digit(s->p[i]))
            return false;
        v = v * 10 + (s->p[i] - '0');
    }
    *out = v;
    *s = str_sub(*s, n, s->n);
    return true;
}

static bool
letter(struct str *s, char c)
{
    if (s->n == 0 || s->p[0] != c)
        return false;
    *s = str_sub(*s, 1, s->n);
    return true;
}

static int
zone(struct str s)
{
    int sign = letter(&s, '+') ? 1 : letter(&s, '-') ? -1 : 0, h = 0, m = 0;

    if (sign == 0 || !digits(&s, 2, &h))
        return 0;
    letter(&s, ':');
    if (!digits(&s, 2, &m))
        m = 0;
    return sign * (h * 60 + m);
}

/* 19:20, 19:20:30, 19:20:30.45 and what zone follows, behind a day. */
static bool
time_of_day(struct str s, struct civil *c)
{
    int hour, minute, second = 0;

    if (!digits(&s, 2, &hour) || !letter(&s, ':') || !digits(&s, 2, &minute) ||
        hour > 24 || minute > 59)
        return false;
    if (letter(&s, ':')) {
        if (!digits(&s, 2, &second) || second > 60)
            return false;
        if (letter(&s, '.'))
            while (s.n > 0 && ascii_digit(s.p[0]))
                s = str_sub(s, 1, s.n);
    }
    if (hour == 24 && minute + second > 0)
        return false;
    c->hour = hour;
    c->minute = minute;
    c->second = second;
    while (letter(&s, ' '))
        ;
    c->ahead = zone(s);
    return true;
}

static bool
w3c(struct str s, struct civil *c)
{
    *c = (struct civil){.month = 1, .day = 1};
    if (!digits(&s, 4, &c->year))
        return false;
    if (s.n == 0)
        return true;
    if (!letter(&s, '-') || !digits(&s, 2, &c->month))
        return false;
    if (s.n == 0)
        return true;
    if (!letter(&s, '-') || !digits(&s, 2, &c->day))
        return false;
    if (s.n > 0 && ascii_digit(s.p[0]))
        return false;
    if (letter(&s, 'T') || letter(&s, ' '))
        (void)time_of_day(s, c);
    return true;
}

static bool
month_named(struct str *s, int *month)
{
    static const char names[] = "janfebmaraprmayjunjulaugsepoctnovdec";

    for (int i = 0; i < 12; i++)
        if (str_starts_nocase(*s, str_n(names + 3 * i, 3))) {
            *month = i + 1;
            while (s->n > 0 && s->p[0] != ' ')
                *s = str_sub(*s, 1, s->n);
            return true;
        }
    return false;
}

/* "Wed, 16 Jul 1997 18:20:30 GMT", also without day of the week. */
static bool
rfc822(struct str s, struct civil *c)
{
    size_t comma = str_find(s, ',', 0);
    struct str year;
    int v;

    *c = (struct civil){0};
    if (comma < s.n)
        s = str_trim(str_sub(s, comma + 1, s.n));
    if (!digits(&s, 2, &c->day) && !digits(&s, 1, &c->day))
        return false;
    s = str_trim(s);
    if (!month_named(&s, &c->month))
        return false;
    s = str_trim(s);
    year = s;
    if (!digits(&s, 4, &c->year)) {
        s = year;
        if (!digits(&s, 2, &v))
            return false;
        c->year = v < 69 ? 2000 + v : 1900 + v; /* as POSIX has it */
    }
    return letter(&s, ' ') && time_of_day(str_trim(s), c);
}

static int64_t
days(int year, int month, int day)
{
    int64_t y = year - (month <= 2); /* years begin in March */
    int64_t in_year = (153 * (month + (month > 2 ? 0 : 12) - 3) + 2) / 5 + day;

    return y * 365 + y / 4 - y / 100 + y / 400 + in_year - 1 - 719468;
}

int
date_month_days(int year, int month)
{
    static const uint8_t days_of[] = {31, 28, 31, 30, 31, 30,
                                      31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

    return days_of[month - 1] + (month == 2 && leap);
}

bool
date_read(struct str text, int64_t *ms)
{
    struct civil c;

    text = str_trim(text);
    if (!w3c(text, &c) && !rfc822(text, &c))
        return false;
    if (c.year < 1 || c.month < 1 || c.month > 12 || c.day < 1 ||
        c.day > date_month_days(c.year, c.month))
        return false;
    *ms = days(c.year, c.month, c.day) * DAY_MS +
          ((c.hour * 60 + c.minute - c.ahead) * INT64_C(60) + c.second) * 1000;
    return true;
}

uint64_t
date_read_ms(struct str text)
{
    int64_t ms;

    return date_read(text, &ms) && ms > 0 ? (uint64_t)ms : 0;
}

void
date_iso(int64_t ms, char out[DATE_ISO_N])
{
    unsigned z, rest, of_era, year_of_era, of_year, m;

    out[0] = '\0';
    if (ms < YEAR_1_MS || ms >= YEAR_10000_MS)
        return;
    rest = (unsigned)((ms - YEAR_1_MS) % DAY_MS);
    z = (unsigned)((ms - YEAR_1_MS) / DAY_MS) + 306; /* since 1 March 0 */
    of_era = z % 146097;
    year_of_era =
        (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    of_year =
        of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    m = (5 * of_year + 2) / 153;
    snprintf(out, DATE_ISO_N, "%04u-%02u-%02uT%02u:%02u:%02u.%03uZ",
             (year_of_era + z / 146097 * 400 + (m >= 10)) % 10000,
             (m < 10 ? m + 3 : m - 9) % 100,
             (of_year - (153 * m + 2) / 5 + 1) % 100, rest / 3600000 % 24,
             rest / 60000 % 60, rest / 1000 % 60, rest % 1000);
}
