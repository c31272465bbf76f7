/* url_plain.c -- one spelling for what is one page to a crawler.
 *
 * The parser keeps two things that name no other page: user name and password,
 * which would also be stored and published, and the dot behind a host's name
 * (w.x. is w.x to the DNS).  Both multiply hosts and pages, so they go.
 *
 * url_canonical() is asked for every link that comes to a frontier, nearly
 * all of which are canonical.  That is seen in one pass over the bytes: what
 * has only bytes, a host and segments that the parser never changes.  The rest
 * is parsed. */
#include "base/url/url.h"

#include "url_parts.h"

#define PORT_DIGITS_MAX 5u

enum { IN_HOST = 1, IN_REST = 2 };

/* Host: lower case, digits, - . _; behind it: what is neither encoded nor
 * dropped nor turned in path and query. */
#define H(c) [c] = IN_HOST | IN_REST
#define R(c) [c] = IN_REST
static const uint8_t plain[256] = {
    H('a'), H('b'), H('c'), H('d'), H('e'), H('f'), H('g'), H('h'), H('i'),
    H('j'), H('k'), H('l'), H('m'), H('n'), H('o'), H('p'), H('q'), H('r'),
    H('s'), H('t'), H('u'), H('v'), H('w'), H('x'), H('y'), H('z'), H('0'),
    H('1'), H('2'), H('3'), H('4'), H('5'), H('6'), H('7'), H('8'), H('9'),
    H('-'), H('.'), H('_'), R('A'), R('B'), R('C'), R('D'), R('E'), R('F'),
    R('G'), R('H'), R('I'), R('J'), R('K'), R('L'), R('M'), R('N'), R('O'),
    R('P'), R('Q'), R('R'), R('S'), R('T'), R('U'), R('V'), R('W'), R('X'),
    R('Y'), R('Z'), R('/'), R('?'), R('='), R('&'), R('%'), R('+'), R(','),
    R(';'), R(':'), R('@'), R('!'), R('$'), R('('), R(')'), R('*'), R('~'),
};
#undef H
#undef R

/* From ':' on; returns where it ends, 0: look closer. */
static size_t
port_end(struct str s, size_t at, bool https)
{
    size_t from = at + 1;
    unsigned v = 0;

    for (at = from; at < s.n && ascii_digit(s.p[at]); at++)
        if (at - from == PORT_DIGITS_MAX)
            return 0;
        else
            v = v * 10 + (unsigned)(s.p[at] - '0');
    return at == from || s.p[from] == '0' || v > 65535 ||
                   v == (https ? 443 : 80)
               ? 0
               : at;
}

/* Certainly as the parser and url_plain() would write it? */
static bool
is_plain(struct str s)
{
    bool https = str_starts(s, S("https://"));
    size_t from = https ? 8 : 7, at, label;

    if (!https && !str_starts(s, S("http://")))
        return false;
    for (at = label = from; at < s.n && plain[(uint8_t)s.p[at]] & IN_HOST; at++)
        if (s.p[at] == '.')
            label = at + 1;
    /* No name, a dot at its end, or perhaps a number. */
    if (at == from || label == at || ascii_digit(s.p[label]))
        return false;
    if (at < s.n && s.p[at] == ':' && (at = port_end(s, at, https)) == 0)
        return false;
    if (at == s.n || s.p[at] != '/')
        return false;
    for (; at < s.n; at++) {
        if (!(plain[(uint8_t)s.p[at]] & IN_REST))
            return false;
        if (s.p[at] == '/' && at + 1 < s.n &&
            (s.p[at + 1] == '.' || s.p[at + 1] == '%'))
            return false; /* perhaps a dot segment */
    }
    return true;
}

enum status
url_plain(struct url *u, struct arena *a)
{
    struct str host = url_without_dot(u->host), behind, text;

    if (str_ends(host, S(".")))
        return ST_INVALID; /* an empty label is no name's last */
    if (u->username.n + u->password.n == 0 && host.n == u->host.n)
        return ST_OK;
    behind = str_sub(u->href, (size_t)(u->host.p + u->host.n - u->href.p),
                     u->href.n);
    text = arena_printf(a, "%.*s://%.*s%.*s", STRF(u->scheme), STRF(host),
                        STRF(behind));
    return url_parse_full(u, a, text, NULL, u->fragment.n > 0, S(""));
}

enum status
url_parse_plain_max(struct url *out, struct arena *a, struct str input,
                    const struct url *base, size_t max)
{
    enum status st = url_parse_max(out, a, input, base, max);

    return st == ST_OK ? url_plain(out, a) : st;
}

enum status
url_parse_plain(struct url *out, struct arena *a, struct str input,
                const struct url *base)
{
    return url_parse_plain_max(out, a, input, base, URL_BYTES_MAX);
}

enum status
url_canonical(struct str *out, struct arena *a, struct str url)
{
    struct url u;
    enum status st;

    *out = url;
    if (is_plain(url))
        return ST_OK;
    st = url_parse_plain(&u, a, url, NULL);
    if (st == ST_OK && !str_eq(u.href, url))
        *out = u.href;
    return st;
}
