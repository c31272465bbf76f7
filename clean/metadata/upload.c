/* upload.c -- see upload.h.  WordPress and Drupal keep pictures in a folder for
 * each month, Shopify has the second behind the name. */
#include "upload.h"

#include "date_text.h"

#define MOMENT_DIGITS 10u

static bool
digits(struct str s, size_t from, size_t n)
{
    for (size_t i = from; i < from + n; i++)
        if (i >= s.n || !ascii_digit(s.p[i]))
            return false;
    return true;
}

/* Neither a letter nor a digit goes on at `at`. */
static bool
ends(struct str s, size_t at)
{
    return at >= s.n ||
           !(ascii_digit(s.p[at]) || ascii_alpha(s.p[at]) || s.p[at] == '_');
}

/* "2024/11", "2024-11" or "202411" at the beginning of s. */
static int32_t
folder_month(struct str s)
{
    int32_t month;
    size_t at = 4;

    if (!digits(s, 0, 4) || s.p[0] != '2' || s.p[1] != '0')
        return 0;
    if (at < s.n && (s.p[at] == '/' || s.p[at] == '-'))
        at++;
    if (!digits(s, at, 2) || !ends(s, at + 2))
        return 0;
    month = (s.p[at] - '0') * 10 + s.p[at + 1] - '0';
    if (month < 1 || month > 12)
        return 0;
    return 12 * (2000 + (s.p[2] - '0') * 10 + s.p[3] - '0') + month;
}

/* "v=1732000000" at the beginning of s. */
static int32_t
version_month(struct str s)
{
    struct day_time at;
    uint64_t seconds;

    if (!str_starts(s, S("v=1")) || !digits(s, 2, MOMENT_DIGITS) ||
        !ends(s, 2 + MOMENT_DIGITS) ||
        !str_u64(str_sub(s, 2, 2 + MOMENT_DIGITS), &seconds))
        return 0;
    date_of_moment(&at, (int64_t)seconds * 1000);
    return 12 * at.year + at.month;
}

int32_t
upload_month(struct str url)
{
    int32_t found = 0, version;

    for (size_t i = 0; i + 1 < url.n; i++) {
        struct str rest = str_sub(url, i + 1, url.n);

        if (url.p[i] == '/' && found == 0)
            found = folder_month(rest);
        if ((url.p[i] == '?' || url.p[i] == '&') &&
            (version = version_month(rest)) != 0)
            return version;
    }
    return found;
}
