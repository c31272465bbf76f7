/* str.c -- see str.h.  No allocation, no locale. */
#include "base/str.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>

bool
str_eq_nocase(struct str a, struct str b)
{
    if (a.n != b.n)
        return false;
    for (size_t i = 0; i < a.n; i++)
        if (ascii_lower(a.p[i]) != ascii_lower(b.p[i]))
            return false;
    return true;
}

bool
str_starts(struct str s, struct str prefix)
{
    return s.n >= prefix.n && str_eq(str_n(s.p, prefix.n), prefix);
}

bool
str_starts_nocase(struct str s, struct str prefix)
{
    return s.n >= prefix.n && str_eq_nocase(str_n(s.p, prefix.n), prefix);
}

bool
str_ends(struct str s, struct str suffix)
{
    return s.n >= suffix.n &&
           str_eq(str_n(s.p + s.n - suffix.n, suffix.n), suffix);
}

int
str_cmp(struct str a, struct str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int c = n ? memcmp(a.p, b.p, n) : 0;

    return c != 0 ? c : (a.n > b.n) - (a.n < b.n);
}

struct str
str_sub(struct str s, size_t from, size_t to)
{
    if (to > s.n)
        to = s.n;
    if (from > to)
        from = to;
    return str_n(from ? s.p + from : s.p, to - from); /* s.p may be NULL */
}

bool
str_has(struct str s, struct str part)
{
    return part.n == 0 || (s.n > 0 && memmem(s.p, s.n, part.p, part.n) != NULL);
}

size_t
str_find(struct str s, char c, size_t from)
{
    const char *at;

    if (from >= s.n)
        return s.n;
    at = memchr(s.p + from, c, s.n - from);
    return at ? (size_t)(at - s.p) : s.n;
}

struct str
str_unmarked(struct str text)
{
    return str_starts(text, S("\xef\xbb\xbf")) ? str_sub(text, 3, text.n)
                                               : text;
}

struct str
str_trim(struct str s)
{
    while (s.n > 0 && ascii_space(s.p[0]))
        s.p++, s.n--;
    while (s.n > 0 && ascii_space(s.p[s.n - 1]))
        s.n--;
    return s;
}

bool
str_cut(struct str *rest, char sep, struct str *part)
{
    size_t at;

    if (rest->n == 0)
        return false;
    at = str_find(*rest, sep, 0);
    *part = str_sub(*rest, 0, at);
    *rest = str_sub(*rest, at + 1, rest->n);
    return true;
}

bool
str_word(struct str *rest, struct str *word)
{
    size_t i = 0, from;

    while (i < rest->n && (ascii_space(rest->p[i]) || rest->p[i] == ','))
        i++;
    from = i;
    while (i < rest->n && !ascii_space(rest->p[i]) && rest->p[i] != ',')
        i++;
    *word = str_sub(*rest, from, i);
    *rest = str_sub(*rest, i, rest->n);
    return word->n > 0;
}

bool
str_u64(struct str s, uint64_t *out)
{
    uint64_t v = 0;

    if (s.n == 0)
        return false;
    for (size_t i = 0; i < s.n; i++) {
        uint64_t d;

        if (!ascii_digit(s.p[i]))
            return false;
        d = (uint64_t)(s.p[i] - '0');
        if (v > (UINT64_MAX - d) / 10)
            return false;
        v = v * 10 + d;
    }
    *out = v;
    return true;
}

/* Numbers that are exact as an integer below 2^53 times or by a power of ten
 * that is exact, too: one rounding, as strtod() does it (Clinger 1990).  Nearly
 * all are. */
static bool
exact_real(struct str s, double *out)
{
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    size_t at = s.n > 0 && s.p[0] == '-' ? 1 : 0, from = at;
    uint64_t whole = 0;
    int power = 0, given = 0;
    bool point = false, less;

    for (; at < s.n && (ascii_digit(s.p[at]) || (s.p[at] == '.' && !point));
         at++) {
        if (s.p[at] == '.') {
            point = true;
            continue;
        }
        if (whole >= (UINT64_C(1) << 53) / 10 - 1)
            return false;
        whole = whole * 10 + (uint64_t)(s.p[at] - '0');
        power -= point;
    }
    if (at == from + point)
        return false;
    if (at < s.n && (s.p[at] == 'e' || s.p[at] == 'E')) {
        less = at + 1 < s.n && s.p[at + 1] == '-';
        at += less || (at + 1 < s.n && s.p[at + 1] == '+') ? 2 : 1;
        from = at;
        for (; at < s.n && at - from < 3 && ascii_digit(s.p[at]); at++)
            given = given * 10 + (s.p[at] - '0');
        if (at == from)
            return false;
        power += less ? -given : given;
    }
    if (at != s.n || power < -22 || power > 22)
        return false;
    *out = power < 0 ? (double)whole / ten[-power] : (double)whole * ten[power];
    if (s.p[0] == '-')
        *out = -*out;
    return true;
}

bool
str_real(struct str s, double *out)
{
    static locale_t c_locale;
    char digits[64], *end;

    if (exact_real(s, out))
        return true;
    if (s.n == 0 || s.n >= sizeof digits || ascii_space(s.p[0]))
        return false;
    if (c_locale == (locale_t)0) /* benign race: the same locale twice */
        c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    memcpy(digits, s.p, s.n);
    digits[s.n] = '\0';
    *out = strtod_l(digits, &end, c_locale);
    return end == digits + s.n && isfinite(*out);
}
