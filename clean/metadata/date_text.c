/* date_text.c -- see date_text.h.
 *
 * A text is cut into numbers and words, and a handful of patterns is tried at
 * each number and name of a month: numbers parted by the same mark, a day
 * before or behind the name of a month.  No regular expressions, no memory. */
#include "date_text.h"

#include "base/date.h"
#include "clean/blocks/char_class.h"
#include "clean/chain/codepoint.h"
#include "date_parts.h"

static bool
valid(const struct day_time *t)
{
    return t->year >= 1900 && t->year <= 2200 && t->month >= 1 &&
           t->month <= 12 && t->day >= 1 &&
           t->day <= date_month_days(t->year, t->month);
}

static bool
make(struct day_time *out, uint32_t year, uint32_t month, uint32_t day)
{
    if (year > 9999 || month > 12 || day > 31)
        return false;
    *out = (struct day_time){
        .year = (int16_t)year, .month = (uint8_t)month, .day = (uint8_t)day};
    return valid(out);
}

/* ---- patterns over parts ---- */

static bool
is_day(const struct date_part *p)
{
    return p->kind == PART_NUMBER && p->digits <= 2 && p->value >= 1 &&
           p->value <= 31;
}

static bool
is_year(const struct date_part *p)
{
    return p->kind == PART_NUMBER && p->digits == 4 && p->value >= 1900 &&
           p->value < 2200;
}

/* 2024 or '24, 24 in 17-Mar-24; 0: none. */
static uint32_t
year_of(const struct date_part *p, bool short_too)
{
    if (is_year(p))
        return p->value;
    if (short_too && p->kind == PART_NUMBER && p->digits == 2)
        return p->value < 70 ? 2000 + p->value : 1900 + p->value;
    return 0;
}

/* Between numbers: one mark, perhaps with blanks. */
static bool
parted(const struct date_part *p, const char *marks)
{
    return p->mark != '\0' && strchr(marks, p->mark) != NULL;
}

/* 2024-03-17, 2024年3月17日, 17.03.2024, 3/17/2024; how many parts. */
static size_t
numbers(struct day_time *out, const struct date_part *p, size_t n,
        const struct date_reading *how)
{
    uint32_t a, b, year;

    if (n < 3 || p[0].kind != PART_NUMBER || p[1].kind != PART_NUMBER ||
        p[2].kind != PART_NUMBER || p[1].digits > 2 || !parted(&p[1], "-/.Y") ||
        (p[1].mark != 'Y' && p[2].mark != p[1].mark) ||
        (p[1].mark == 'Y' && p[2].mark != 'M'))
        return 0;
    if (is_year(&p[0]))
        return p[2].digits <= 2 && make(out, p[0].value, p[1].value, p[2].value)
                   ? 3
                   : 0;
    if (!is_day(&p[0]) || (year = year_of(&p[2], true)) == 0)
        return 0;
    if (p[2].digits == 2 && (p[0].digits != 2 || p[1].digits != 2))
        return 0; /* 1.2.24: a version as well */
    a = p[0].value;
    b = p[1].value;
    if (b > 12 || (a <= 12 && how->month_first && p[1].mark != '.'))
        return make(out, year, a, b) ? 3 : 0;
    return make(out, year, b, a) ? 3 : 0;
}

static bool
is_filler(const struct date_part *p) /* de, of, del, da */
{
    return p->kind == PART_WORD && p->word.n <= 3;
}

/* 17 March 2024, 17. März 2024, 17 de marzo de 2024, 17-Mar-24. */
static size_t
day_first(struct day_time *out, const struct date_part *p, size_t n)
{
    size_t i = 1;
    uint32_t month, year;

    if (n < 3 || !is_day(&p[0]))
        return 0;
    while (i < n && i < 3 && is_filler(&p[i]) && p[i].month == 0)
        i++;
    if (i + 1 >= n || p[i].month == 0)
        return 0;
    month = p[i++].month;
    if (i + 1 < n && is_filler(&p[i]))
        i++;
    year = year_of(&p[i], p[i].mark == '-' || p[i].mark == '\'');
    return year != 0 && make(out, year, month, p[0].value) ? i + 1 : 0;
}

/* March 17, 2024; Mar 17th 2024. */
static size_t
month_first(struct day_time *out, const struct date_part *p, size_t n)
{
    size_t i = 2;
    uint32_t year;

    if (n < 3 || p[0].month == 0 || !is_day(&p[1]))
        return 0;
    if (i + 1 < n && is_filler(&p[i]) && p[i].month == 0) /* st, nd, of */
        i++;
    year = year_of(&p[i], p[i].mark == '\'');
    return year != 0 && make(out, year, p[0].month, p[1].value) ? i + 1 : 0;
}

/* 2024. március 17., 2024 m. kovo 17 d. */
static size_t
year_first(struct day_time *out, const struct date_part *p, size_t n)
{
    size_t i = 1;

    if (n < 3 || !is_year(&p[0]))
        return 0;
    if (i + 2 < n && is_filler(&p[i]) && p[i].month == 0)
        i++;
    if (i + 1 >= n || p[i].month == 0 || !is_day(&p[i + 1]))
        return 0;
    return make(out, p[0].value, p[i].month, p[i + 1].value) ? i + 2 : 0;
}

static size_t
pattern(struct day_time *out, const struct date_part *p, size_t n,
        const struct date_reading *how)
{
    size_t used = 0;

    if (p->month != 0)
        return month_first(out, p, n);
    if (p->kind != PART_NUMBER)
        return 0;
    if ((used = numbers(out, p, n, how)) == 0 &&
        (used = day_first(out, p, n)) == 0)
        used = year_first(out, p, n);
    return used;
}

/* ---- time of day ---- */

static void
zone(struct day_time *t, struct str s)
{
    bool minus = s.n > 0 && s.p[0] == '-';
    struct str digits = str_sub(s, 1, s.n);

    if (str_starts(s, S("GMT")) || str_starts(s, S("UTC")) ||
        (s.n > 0 && (s.p[0] == 'Z' || s.p[0] == 'z'))) {
        t->has_zone = true;
        return;
    }
    if (s.n < 5 || (s.p[0] != '+' && s.p[0] != '-'))
        return;
    for (size_t i = 0; i < 2; i++)
        if (!ascii_digit(digits.p[i]))
            return;
    t->zone = (int16_t)(((digits.p[0] - '0') * 10 + digits.p[1] - '0') * 60);
    digits = str_sub(digits, digits.p[2] == ':' ? 3 : 2, digits.n);
    if (digits.n >= 2 && ascii_digit(digits.p[0]) && ascii_digit(digits.p[1]))
        t->zone =
            (int16_t)(t->zone + (digits.p[0] - '0') * 10 + digits.p[1] - '0');
    if (minus)
        t->zone = (int16_t)-t->zone;
    t->has_zone = t->zone >= -14 * 60 && t->zone <= 14 * 60;
    if (!t->has_zone)
        t->zone = 0;
}

/* "PM", "p.m.": its first letter in lower case; 0: a text begins otherwise. */
static char
half_of_day(struct str s)
{
    char half = s.n > 0 ? ascii_lower(s.p[0]) : 0;
    size_t m = s.n > 1 && s.p[1] == '.' ? 2 : 1;

    return (half == 'a' || half == 'p') && s.n > m && ascii_lower(s.p[m]) == 'm'
               ? half
               : 0;
}

/* hh:mm[:ss[.f]] and what follows, soon behind the day. */
static void
time_of_day(struct day_time *t, struct str s)
{
    uint32_t v[3] = {0, 0, 0};
    size_t n = 0, at = 0;

    while (at < s.n && at < 12 && !ascii_digit(s.p[at]))
        at++;
    while (n < 3 && at + 1 < s.n && ascii_digit(s.p[at])) {
        size_t from = at;

        while (at < s.n && at < from + 2 && ascii_digit(s.p[at]))
            v[n] = v[n] * 10 + (uint32_t)(s.p[at++] - '0');
        n++;
        if (at >= s.n || s.p[at] != ':' || n == 3)
            break;
        at++;
    }
    if (n < 2 || v[0] > 23 || v[1] > 59 || v[2] > 60)
        return;
    while (at < s.n && (s.p[at] == '.' || ascii_digit(s.p[at])))
        at++;
    s = str_trim(str_sub(s, at, s.n));
    if (v[0] <= 12 && half_of_day(s) != 0)
        v[0] = v[0] % 12 + (half_of_day(s) == 'p' ? 12 : 0);
    t->has_time = true;
    t->hour = (uint8_t)v[0];
    t->minute = (uint8_t)v[1];
    t->second = (uint8_t)v[2];
    zone(t, s);
}

/* ---- in a text ---- */

static unsigned
context_before(const struct date_part *p, size_t i)
{
    unsigned context = 0;

    for (size_t back = 1; back <= 4 && back <= i && context == 0; back++)
        context = p[i - back].context;
    return context;
}

/* 3/4/2024, 03.04.24 */
static bool
either_way(const struct date_part *p, size_t used)
{
    return used == 3 && is_day(&p[0]) && is_day(&p[1]) && p[0].value <= 12 &&
           p[1].value <= 12 && p[0].value != p[1].value;
}

unsigned
date_context(struct str text)
{
    struct date_part parts[DATE_PARTS_MAX];
    size_t n = date_parts(parts, text);

    return context_before(parts, n);
}

bool
date_find(struct date_found *out, struct str text, size_t from,
          const struct date_reading *how)
{
    struct date_part parts[DATE_PARTS_MAX];
    size_t n = date_parts(parts, text);

    for (size_t i = 0; i < n; i++) {
        size_t used;

        if (parts[i].from < from)
            continue;
        if ((used = pattern(&out->at, parts + i, n - i, how)) > 0) {
            out->from = parts[i].from;
            out->to = parts[i + used - 1].to;
            out->context = context_before(parts, i);
            out->either = either_way(parts + i, used);
            time_of_day(&out->at, str_sub(text, out->to, text.n));
            return true;
        }
        if (how->fetched_ms > 0 &&
            (used = date_relative(&out->at, parts + i, n - i, how)) > 0) {
            out->from = parts[i].from;
            out->to = parts[i + used - 1].to;
            out->context = context_before(parts, i);
            out->either = false;
            return true;
        }
    }
    return false;
}

/* ---- as a whole ---- */

static uint32_t
number_at(struct str s, size_t at, size_t n)
{
    uint32_t v = 0;

    for (size_t i = at; i < at + n; i++)
        v = v * 10 + (uint32_t)(s.p[i] - '0');
    return v;
}

static bool
digits_alone(struct day_time *out, struct str s)
{
    uint64_t v;

    if (!str_u64(s, &v))
        return false;
    if (s.n == 8 || s.n == 14)
        return make(out, number_at(s, 0, 4), number_at(s, 4, 2),
                    number_at(s, 6, 2));
    if (s.n != 10 && s.n != 13)
        return false;
    date_of_moment(out, (int64_t)(s.n == 10 ? v * 1000 : v));
    return valid(out);
}

bool
date_value(struct day_time *out, struct str text,
           const struct date_reading *how)
{
    struct date_found found;

    text = str_trim(text);
    if (text.n >= 8 && digits_alone(out, text))
        return true;
    if (!date_find(&found, str_sub(text, 0, 80), 0, how))
        return false;
    *out = found.at;
    return true;
}

bool
date_of_path(struct day_time *out, struct str path)
{
    for (size_t i = 0; i + 8 <= path.n; i++) {
        struct str s = str_sub(path, i + 1, path.n);
        size_t k = 0, digits = 0;
        char mark;

        if (path.p[i] != '/' && path.p[i] != '-' && path.p[i] != '_')
            continue;
        while (k < s.n && k < 9 && ascii_digit(s.p[k]))
            k++;
        if (k == 8) {
            if (make(out, number_at(s, 0, 4), number_at(s, 4, 2),
                     number_at(s, 6, 2)) &&
                out->year >= 1990)
                return true;
            continue;
        }
        if (k != 4 || s.n < 8 || (s.p[4] != '/' && s.p[4] != '-'))
            continue;
        mark = s.p[4];
        for (k = 5; k < s.n && ascii_digit(s.p[k]); k++)
            digits++;
        if (digits < 1 || digits > 2 || k + 1 >= s.n || s.p[k] != mark)
            continue;
        for (digits = 0, k++; k < s.n && ascii_digit(s.p[k]); k++)
            digits++;
        if (digits < 1 || digits > 2)
            continue;
        if (make(out, number_at(s, 0, 4), number_at(s, 5, k - digits - 1 - 5),
                 number_at(s, k - digits, digits)) &&
            out->year >= 1990)
            return true;
    }
    return false;
}

/* ---- into numbers and text ---- */

int32_t
date_day(const struct day_time *t)
{
    int32_t y = t->year - (t->month <= 2);
    int32_t in_year =
        (153 * (t->month + (t->month > 2 ? 0 : 12) - 3) + 2) / 5 + t->day;

    return y * 365 + y / 4 - y / 100 + y / 400 + in_year - 1 - 719468;
}

void
date_of_moment(struct day_time *out, int64_t ms)
{
    char iso[DATE_ISO_N];
    struct str s;

    date_iso(ms, iso);
    s = str_c(iso);
    *out = (struct day_time){0};
    if (s.n < 19)
        return;
    *out = (struct day_time){.year = (int16_t)number_at(s, 0, 4),
                             .month = (uint8_t)number_at(s, 5, 2),
                             .day = (uint8_t)number_at(s, 8, 2),
                             .has_time = true,
                             .has_zone = true,
                             .hour = (uint8_t)number_at(s, 11, 2),
                             .minute = (uint8_t)number_at(s, 14, 2),
                             .second = (uint8_t)number_at(s, 17, 2)};
}

struct str
date_text(struct arena *a, const struct day_time *t)
{
    int zone = t->zone < 0 ? -t->zone : t->zone;

    if (!t->has_time)
        return arena_printf(a, "%04d-%02d-%02d", t->year, t->month, t->day);
    if (!t->has_zone)
        return arena_printf(a, "%04d-%02d-%02dT%02d:%02d:%02d", t->year,
                            t->month, t->day, t->hour, t->minute, t->second);
    if (t->zone == 0)
        return arena_printf(a, "%04d-%02d-%02dT%02d:%02d:%02dZ", t->year,
                            t->month, t->day, t->hour, t->minute, t->second);
    return arena_printf(a, "%04d-%02d-%02dT%02d:%02d:%02d%c%02d:%02d", t->year,
                        t->month, t->day, t->hour, t->minute, t->second,
                        t->zone < 0 ? '-' : '+', zone / 60, zone % 60);
}
