/* trap.c -- see trap.h.
 *
 * What made crawlers run for ever, by their users' reports: relative links that
 * pile up segments (/a/b/a/b/a/b), calendars with a link to the next month,
 * filters that add a parameter with each click, return addresses that are
 * encoded once more with each hop, session ids, which make every page new on
 * every visit, and links that vote, report or mark as read, for each text one
 * or five: a token against forgery tells them from pages.  (BUbiNG refuses URLs
 * with a segment three times over; Heritrix and Nutch have similar rules.  Here
 * they only sink.) */
#include "trap.h"

#include <time.h>

#include "query.h"

#define SEGMENT_REPEATS 3u
#define SEGMENTS_MAX 16u
#define SEGMENTS_SEEN 48u /* of a path; more is deep anyway */
#define PARAMETERS_MAX 6u
#define PARAMETER_REPEATS 3u
#define QUERY_SIZE_MAX 256u
#define TOKEN_LEAST 16u /* characters of a session id in doubt */
#define TOKEN_DIGITS 4u

static const struct {
    const char *name, *meaning;
    uint16_t divisor;
} traps[TRAP_N] = {
    [TRAP_NONE] = {"none", "no sign of a trap", 1},
    [TRAP_SEGMENTS] = {"segments", "a path segment three times over", 32},
    [TRAP_DEEP] = {"deep", "more than 16 path segments", 32},
    [TRAP_CALENDAR] = {"calendar", "a page of a calendar", 16},
    [TRAP_QUERY] = {"query", "a query that grows with each link", 8},
    [TRAP_CAP] = {"cap",
                  "its host or its kind of page has had its share "
                  "(traps.host_pages, traps.shape_pages)",
                  64},
    [TRAP_ACT] = {"act", "what a visitor does: it has the token of a form", 32},
    [TRAP_FILE] = {"file", "a picture, film or archive by its ending", 32},
};

const char *
trap_name(enum trap t)
{
    return traps[t].name;
}

const char *
trap_meaning(enum trap t)
{
    return traps[t].meaning;
}

uint16_t
trap_priority(enum trap t, uint16_t priority)
{
    if (t == TRAP_NONE || priority == 0)
        return priority;
    return (uint16_t)(1 + (priority - 1) / traps[t].divisor);
}

int
trap_year(uint64_t now_ms)
{
    time_t t = (time_t)(now_ms / 1000);
    struct tm tm;

    return gmtime_r(&t, &tm) != NULL ? tm.tm_year + 1900 : 1970;
}

/* ---- the path ---- */

/* The next segment of a path from *at on; false: none is left. */
static bool
next_segment(struct str path, size_t *at, struct str *out)
{
    size_t from = *at;

    while (from < path.n && path.p[from] == '/')
        from++;
    if (from >= path.n)
        return false;
    *at = str_find(path, '/', from);
    *out = str_sub(path, from, *at);
    return true;
}

static int
number(struct str s, size_t digits)
{
    int v = 0;

    if (s.n != digits)
        return -1;
    for (size_t i = 0; i < s.n; i++) {
        if (!ascii_digit(s.p[i]))
            return -1;
        v = v * 10 + (s.p[i] - '0');
    }
    return v;
}

/* A year that is followed by a month, as 2031/05, 2031-05 or 2031-05-07. */
static bool
in_the_future(struct str segment, struct str next, int year)
{
    int y = number(str_sub(segment, 0, 4), 4);
    int month = segment.n == 4 ? number(next, next.n == 1 ? 1 : 2)
                : segment.n > 6 && segment.p[4] == '-'
                    ? number(str_sub(segment, 5, 7), 2)
                    : -1;

    return y > year + 1 && month >= 1 && month <= 12;
}

/* Documents that can be converted are none, nor Node.js, nor a wiki's page of a
 * picture, /Datei:Haus.jpg. */
static bool
names_file(struct str name)
{
    static const struct str endings[] = {
        STR("jpg"), STR("jpeg"), STR("png"), STR("gif"),  STR("svg"),
        STR("tif"), STR("tiff"), STR("bmp"), STR("webp"), STR("ico"),
        STR("mp3"), STR("mp4"),  STR("ogg"), STR("ogv"),  STR("wav"),
        STR("avi"), STR("mov"),  STR("mkv"), STR("webm"), STR("m4a"),
        STR("m4v"), STR("wma"),  STR("wmv"), STR("flac"), STR("zip"),
        STR("gz"),  STR("tgz"),  STR("bz2"), STR("xz"),   STR("7z"),
        STR("rar"), STR("tar"),  STR("zst"), STR("jar"),  STR("exe"),
        STR("msi"), STR("dmg"),  STR("iso"), STR("rpm"),  STR("apk")};
    size_t from = name.n;
    struct str ending;

    while (from > 0 && name.p[from - 1] != '.')
        from--;
    ending = str_sub(name, from, name.n);
    if (from < 2 || memchr(name.p, ':', name.n) != NULL ||
        str_has(name, S("%3A")) || str_has(name, S("%3a")))
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (str_eq_nocase(ending, endings[i]))
            return true;
    return false;
}

static enum trap
trap_of_path(struct str path, int year)
{
    struct str seen[SEGMENTS_SEEN], now;
    size_t n = 0, at = 0;

    while (n < SEGMENTS_SEEN && next_segment(path, &at, &now)) {
        unsigned same = 1;

        for (size_t i = 0; i < n; i++)
            same += str_eq(seen[i], now);
        if (same >= SEGMENT_REPEATS)
            return TRAP_SEGMENTS;
        if (in_the_future(n > 0 ? seen[n - 1] : S(""), now, year) ||
            in_the_future(now, S(""), year))
            return TRAP_CALENDAR;
        seen[n++] = now;
    }
    if (n > SEGMENTS_MAX)
        return TRAP_DEEP;
    return n > 0 && at == path.n && names_file(seen[n - 1]) ? TRAP_FILE
                                                            : TRAP_NONE;
}

/* ---- the query ---- */

/* A token against forgery: it stands where something is done, and is of the
 * visitor's session. */
static bool
names_form_token(const struct query_parameter *p)
{
    static const char *const names[] = {"authenticity_token",
                                        "csrfmiddlewaretoken",
                                        "csrf_token",
                                        "csrftoken",
                                        "_csrf",
                                        "_csrf_token",
                                        "_token",
                                        "form_token",
                                        "_wpnonce",
                                        "my_post_key",
                                        "securitytoken",
                                        "logouthash",
                                        "_xftoken",
                                        "sesskey",
                                        "sectok",
                                        "formhash",
                                        "form_build_id",
                                        "__requestverificationtoken",
                                        NULL};

    return p->value.n > 0 && query_one_of(p->name, names);
}

/* 2025-03-11, 2025-03-11T12:00 */
static bool
begins_with_date(struct str s)
{
    return s.n >= 10 && number(str_sub(s, 0, 4), 4) >= 0 && s.p[4] == '-' &&
           number(str_sub(s, 5, 7), 2) >= 0 && s.p[7] == '-' &&
           number(str_sub(s, 8, 10), 2) >= 0;
}

static enum trap
trap_of_query(struct str query)
{
    static const char *const calendar[] = {
        "month",        "week",           "ical",
        "outlook-ical", "calendar",       "cal_month",
        "eventdate",    "event_date",     "caldate",
        "cal_date",     "tribe-bar-date", "eventdisplay",
        "yearmonth",    "mini",           NULL};
    /* ... and of a time to list what falls into it: ?from=2025-03-11 */
    static const char *const window[] = {
        "from",       "since",     "until",     "start",    "end",
        "before",     "after",     "from_date", "fromdate", "to_date",
        "start_date", "startdate", "end_date",  "enddate",  NULL};
    const char separator = query_separator(query);
    struct query_parameter p;
    struct str names[PARAMETERS_MAX + 1];
    size_t n = 0;

    if (query.n > QUERY_SIZE_MAX ||
        memmem(query.p, query.n, "%2525", 5) != NULL)
        return TRAP_QUERY;
    for (size_t at = 0; query_next_by(query, separator, &at, &p);) {
        unsigned same = 1;

        if (names_form_token(&p))
            return TRAP_ACT;
        if ((query_one_of(p.name, calendar) && p.value.n > 0 &&
             ascii_digit(p.value.p[0])) ||
            (query_one_of(p.name, window) && begins_with_date(p.value)))
            return TRAP_CALENDAR;
        for (size_t i = 0; i < n; i++)
            same += str_eq(names[i], p.name);
        if (n == PARAMETERS_MAX || same >= PARAMETER_REPEATS)
            return TRAP_QUERY;
        names[n++] = p.name;
    }
    return TRAP_NONE;
}

enum trap
trap_of(struct str rest, int year)
{
    size_t end = str_find(rest, '?', 0);
    enum trap t = trap_of_path(str_sub(rest, 0, end), year);

    if (t != TRAP_NONE || end == rest.n)
        return t;
    return trap_of_query(str_sub(rest, end + 1, rest.n));
}

/* ---- sessions ---- */

/* Letters and digits, many of them, as no word and no number is. */
static bool
token(struct str s)
{
    size_t digits = 0, letters = 0;

    for (size_t i = 0; i < s.n; i++) {
        digits += ascii_digit(s.p[i]);
        letters += ascii_alpha(s.p[i]);
    }
    return s.n >= TOKEN_LEAST && digits + letters == s.n &&
           digits >= TOKEN_DIGITS && letters > 0;
}

static bool
names_session(const struct query_parameter *p, bool forms)
{
    static const char *const sure[] = {
        "phpsessid", "jsessionid", "oscsid", "zenid", "xtcsid",  "cfid",
        "cftoken",   "fbclid",     "gclid",  "dclid", "msclkid", "yclid",
        "mc_cid",    "mc_eid",     "_hsenc", "_hsmi", NULL};
    static const char *const doubtful[] = {"sid",        "s",      "session",
                                           "sess",       "sessid", "sessionid",
                                           "session_id", "token",  NULL};

    return query_one_of(p->name, sure) ||
           str_starts_nocase(p->name, S("utm_")) ||
           str_starts_nocase(p->name, S("aspsessionid")) ||
           (query_one_of(p->name, doubtful) && token(p->value)) ||
           (forms && names_form_token(p));
}

/* The length of the session that the path begins with, /(S(...)); 0: it does
 * not.  What cannot belong to one is not looked at: a hostile path is full of
 * such beginnings. */
static size_t
asp_session(struct str path)
{
    size_t from = sizeof "/(S(" - 1, end = from;

    if (!str_starts_nocase(path, S("/(S(")))
        return 0;
    while (end < path.n &&
           (ascii_digit(path.p[end]) || ascii_alpha(path.p[end])))
        end++;
    return token(str_sub(path, from, end)) &&
                   str_starts(str_sub(path, end, path.n), S("))"))
               ? end + 2
               : 0;
}

/* The path without ;jsessionid=... and /(S(...)). */
static bool
path_without(struct buf *out, struct str path)
{
    static const struct str names[] = {STR(";jsessionid="), STR(";phpsessid="),
                                       STR(";sid=")};
    bool found = false;

    for (size_t i = 0; i < path.n;) {
        struct str left = str_sub(path, i, path.n);
        size_t skip = 0;

        for (size_t k = 0; k < 3 && path.p[i] == ';'; k++)
            if (str_starts_nocase(left, names[k]))
                skip = str_find(left, '/', 0);
        if (path.p[i] == '/')
            skip = asp_session(left);
        found = found || skip > 0;
        if (skip == 0)
            buf_char(out, path.p[i++]);
        i += skip;
    }
    return found;
}

static bool
query_without(struct buf *out, struct str query, bool forms)
{
    struct query_parameter p;
    bool found = false;
    char before = '?';

    for (size_t at = 0, from = 0; query_next(query, &at, &p); from = at) {
        if (names_session(&p, forms)) {
            found = true;
            continue;
        }
        buf_char(out, before);
        buf_str(out, str_sub(query, from, at - 1));
        before = '&';
    }
    return found;
}

bool
trap_without_session(struct buf *out, struct str url, bool forms)
{
    size_t end = str_find(url, '?', 0);
    struct str path = str_sub(url, 0, end);
    struct buf b = {0};
    bool found;

    if (end == url.n && str_find(url, ';', 0) == url.n &&
        str_find(url, '(', 0) == url.n)
        return false; /* nearly all: every link comes by here twice */
    found = path_without(&b, path);
    if (end < url.n)
        found = query_without(&b, str_sub(url, end + 1, url.n), forms) || found;
    if (found) {
        buf_clear(out);
        buf_str(out, buf_view(&b));
    }
    buf_free(&b);
    return found;
}
