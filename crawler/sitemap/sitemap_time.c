/* sitemap_time.c -- the dates that sitemaps and feeds are written with: W3C's
 * profile of ISO 8601 in all its lengths, and RFC 822 with two or four digits
 * of the year.  Pure. */
#include "sitemap.h"

#include <string.h>
#include <time.h>

/* Digits of a fixed number; false: there are others. */
static bool
digits(struct str *s, size_t n, int *out)
{
    *out = 0;
    if (s->n < n)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!ascii_digit(s->p[i]))
            return false;
        *out = *out * 10 + (s->p[i] - '0');
    }
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

/* Minutes that the zone is ahead of UTC. */
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

static bool
w3c_date(struct str s, struct tm *tm, int *ahead)
{
    int v;

    *tm = (struct tm){.tm_mday = 1};
    *ahead = 0;
    if (!digits(&s, 4, &v))
        return false;
    tm->tm_year = v - 1900;
    if (s.n == 0)
        return true;
    if (!letter(&s, '-') || !digits(&s, 2, &v) || v < 1 || v > 12)
        return false;
    tm->tm_mon = v - 1;
    if (s.n == 0)
        return true;
    if (!letter(&s, '-') || !digits(&s, 2, &v) || v < 1 || v > 31)
        return false;
    tm->tm_mday = v;
    if (s.n == 0)
        return true;
    if (!(letter(&s, 'T') || letter(&s, ' ')) || !digits(&s, 2, &tm->tm_hour) ||
        !letter(&s, ':') || !digits(&s, 2, &tm->tm_min) || tm->tm_hour > 24 ||
        tm->tm_min > 59)
        return false;
    if (letter(&s, ':')) {
        if (!digits(&s, 2, &tm->tm_sec) || tm->tm_sec > 60)
            return false;
        if (letter(&s, '.'))
            while (s.n > 0 && ascii_digit(s.p[0]))
                s = str_sub(s, 1, s.n);
    }
    *ahead = zone(s);
    return true;
}

static bool
rfc822_date(struct str s, struct tm *tm, int *ahead)
{
    static const char *const forms[] = {
        "%a, %d %b %Y %H:%M:%S", "%a, %d %b %y %H:%M:%S", "%d %b %Y %H:%M:%S"};
    char text[64];

    if (s.n >= sizeof text)
        return false;
    memcpy(text, s.p, s.n);
    text[s.n] = '\0';
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const char *end;

        *tm = (struct tm){0};
        end = strptime(text, forms[i], tm);
        if (end != NULL && (*end == '\0' || *end == ' ')) {
            *ahead = zone(str_trim(str_c(end)));
            return true;
        }
    }
    return false;
}

uint64_t
sitemap_time_ms(struct str text)
{
    struct tm tm;
    int ahead;
    time_t t;

    text = str_trim(text);
    if (!w3c_date(text, &tm, &ahead) && !rfc822_date(text, &tm, &ahead))
        return 0;
    t = timegm(&tm) - (time_t)ahead * 60;
    return t > 0 ? (uint64_t)t * 1000 : 0;
}
