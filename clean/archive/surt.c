/* surt.c -- see surt.h: escapes are brought to one form, the host loses "www."
 * and is turned round, path and query lose case, session ids, the slash at the
 * end and the order of parameters.
 *
 * Bounds: linear but for the parameters, which are sorted. */
#include "surt.h"

#include <stdlib.h>

/* ---- escapes ---- */

/* Take off percent-encodings until there are none: what a byte completes is
 * seen when it is put behind the others, so once round is enough. */
static void
unescape(struct buf *b)
{
    size_t to = 0;

    for (size_t from = 0; from < b->n; from++) {
        int byte;

        b->p[to++] = b->p[from];
        while (to >= 3 && (byte = str_percent(str_n(b->p, to), to - 3)) >= 0) {
            to -= 3;
            b->p[to++] = (char)byte;
        }
    }
    b->n = to;
}

static void
escape(struct buf *out, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];

        if (c <= ' ' || c >= 0x7f || c == '#' || c == '%')
            buf_printf(out, "%%%02x", c);
        else
            buf_char(out, ascii_lower((char)c));
    }
}

/* ---- host ---- */

static void
host_key(struct buf *out, struct str authority, bool secure)
{
    size_t colon = authority.n, start = out->n, digits;
    struct str host, port = S("");

    while (colon > 0 && ascii_digit(authority.p[colon - 1]))
        colon--;
    if (colon > 0 && authority.p[colon - 1] == ':') {
        port = str_sub(authority, colon, authority.n);
        authority = str_sub(authority, 0, colon - 1);
    }
    host = authority;
    if (str_starts(host, S("[")) && str_ends(host, S("]")))
        host = str_sub(host, 1, host.n - 1);
    if (str_starts_nocase(host, S("www"))) {
        for (digits = 3; digits < host.n && ascii_digit(host.p[digits]);)
            digits++;
        if (digits < host.n && host.p[digits] == '.')
            host = str_sub(host, digits + 1, host.n);
    }
    for (size_t end = host.n, at = host.n + 1; at-- > 0;)
        if (at == 0 || host.p[at - 1] == '.') {
            if (end > at && out->n > start)
                buf_char(out, ',');
            escape(out, str_sub(host, at, end));
            end = at > 0 ? at - 1 : 0;
        }
    if (port.n > 0 && !str_eq(port, secure ? S("443") : S("80")))
        buf_printf(out, ":%.*s", STRF(port));
    buf_char(out, ')');
}

/* ---- path ---- */

/* Without "." and "..", and with one slash where there are several. */
static void
path_parts(struct buf *out, struct str path)
{
    struct str part;
    size_t base = out->n;

    while (path.n > 0) {
        size_t end = str_find(path, '/', 1);
        bool last = end == path.n;

        part = str_sub(path, 1, end);
        path = str_sub(path, end, path.n);
        if (str_eq(part, S(".")) || (part.n == 0 && !last))
            continue;
        if (str_eq(part, S("..")) && out->n > base) {
            while (out->n > base && out->p[--out->n] != '/')
                ;
            continue;
        }
        buf_char(out, '/');
        buf_str(out, part);
    }
    if (out->n == base)
        buf_char(out, '/');
}

static size_t
alnums(struct str s, size_t from, bool letters_only)
{
    size_t n = from;

    while (n < s.n &&
           (ascii_alpha(s.p[n]) || (!letters_only && ascii_digit(s.p[n]))))
        n++;
    return n - from;
}

/* The length of "(s(24 characters)f(24 characters))/" or of
 * "(24 characters)/" that s begins with; 0: neither. */
static size_t
aspx_session(struct str s)
{
    size_t at = 1;

    if (s.n == 0 || s.p[0] != '(')
        return 0;
    if (alnums(s, 1, false) == 24 && str_starts(str_sub(s, 25, s.n), S(")/")))
        return 27;
    while (at + 26 < s.n && ascii_alpha(s.p[at]) && s.p[at + 1] == '(' &&
           alnums(s, at + 2, false) == 24 && s.p[at + 26] == ')')
        at += 27;
    return at > 1 && str_starts(str_sub(s, at, s.n), S(")/")) ? at + 2 : 0;
}

/* Is there a page of ASP.NET behind it? */
static bool
aspx_page(struct str s)
{
    s = str_sub(s, 0, str_find(s, '?', 0));
    for (size_t i = 1; i < s.n; i++)
        if (str_starts(str_sub(s, i, s.n), S(".aspx")))
            return true;
    return false;
}

static void
path_key(struct buf *out, struct str path)
{
    struct buf plain = {0}, parts = {0};
    struct str s;
    size_t start = out->n;

    buf_str(&plain, path);
    unescape(&plain);
    path_parts(&parts, buf_view(&plain));
    buf_clear(&plain);
    escape(&plain, buf_view(&parts));
    s = buf_view(&plain);
    for (size_t at = s.n; at-- > 0;) {
        size_t n = s.p[at] == '/' ? aspx_session(str_sub(s, at + 1, s.n)) : 0;

        if (n == 0 || !aspx_page(str_sub(s, at + 1 + n, s.n)))
            continue;
        buf_str(out, str_sub(s, 0, at + 1));
        s = str_sub(s, at + 1 + n, s.n);
        break;
    }
    buf_str(out, s);
    if (out->n > start + 1 && out->p[out->n - 1] == '/')
        out->n--;
    buf_free(&plain);
    buf_free(&parts);
}

/* ---- query ---- */

/* The length of NAME= and n letters or digits at the start of s, if what
 * follows ends the parameter; 0: it is another. */
static size_t
session_value(struct str s, struct str name, size_t n)
{
    size_t end = name.n + n;

    return str_starts_nocase(s, name) && alnums(s, name.n, false) == n &&
                   (end == s.n || s.p[end] == '&')
               ? end
               : 0;
}

static size_t
asp_session(struct str s)
{
    const size_t at = 12 + 8; /* of the equals sign */

    return str_starts_nocase(s, S("aspsessionid")) &&
                   alnums(s, 12, true) == 8 && at < s.n && s.p[at] == '=' &&
                   alnums(s, at + 1, true) == 24 &&
                   (at + 25 == s.n || s.p[at + 25] == '&')
               ? at + 25
               : 0;
}

static size_t
cf_session(struct str s)
{
    size_t amp = str_find(s, '&', 0);
    struct str token = str_sub(s, amp + 1, s.n);
    size_t end = str_find(token, '&', 0);

    return str_starts_nocase(s, S("cfid=")) && amp > 5 && amp < s.n &&
                   str_starts_nocase(token, S("cftoken=")) && end > 8
               ? amp + 1 + end
               : 0;
}

static size_t
session(struct str s, int kind)
{
    switch (kind) {
    case 0: return session_value(s, S("jsessionid="), 32);
    case 1: return session_value(s, S("phpsessid="), 32);
    case 2: return session_value(s, S("sid="), 32);
    case 3: return asp_session(s);
    default: return cf_session(s);
    }
}

/* The last one of each kind goes, with the & behind it. */
static void
strip_sessions(struct buf *q)
{
    for (int kind = 0; kind < 5; kind++)
        for (size_t at = q->n; at-- > 0;) {
            size_t n = session(str_n(q->p + at, q->n - at), kind);

            if (n == 0)
                continue;
            if (at + n < q->n)
                n++;
            memmove(q->p + at, q->p + at + n, q->n - at - n);
            q->n -= n;
            break;
        }
}

/* By name, then without before with a value, then by value. */
static int
by_parameter(const void *a, const void *b)
{
    struct str x = *(const struct str *)a, y = *(const struct str *)b;
    size_t i = str_find(x, '=', 0), k = str_find(y, '=', 0);
    int c = str_cmp(str_sub(x, 0, i), str_sub(y, 0, k));

    if (c != 0)
        return c;
    if ((i < x.n) != (k < y.n))
        return i < x.n ? 1 : -1;
    return str_cmp(str_sub(x, i, x.n), str_sub(y, k, y.n));
}

static void
sorted(struct buf *out, struct str q)
{
    size_t n = 1, i = 0;
    struct str *parts, rest = q;

    for (size_t k = 0; k < q.n; k++)
        n += q.p[k] == '&';
    parts = malloc(n * sizeof *parts);
    if (parts == NULL || q.n <= 1) {
        buf_str(out, q);
        free(parts);
        return;
    }
    for (; i < n; i++) {
        size_t end = str_find(rest, '&', 0);

        parts[i] = str_sub(rest, 0, end);
        rest = str_sub(rest, end + 1, rest.n);
    }
    qsort(parts, n, sizeof *parts, by_parameter);
    for (i = 0; i < n; i++) {
        buf_str(out, parts[i]);
        if (i + 1 < n)
            buf_char(out, '&');
    }
    free(parts);
}

static void
query_key(struct buf *out, struct str query)
{
    struct buf plain = {0}, low = {0};

    buf_str(&plain, query);
    unescape(&plain);
    escape(&low, buf_view(&plain));
    strip_sessions(&low);
    if (low.n > 0) {
        buf_char(out, '?');
        sorted(out, buf_view(&low));
    }
    buf_free(&plain);
    buf_free(&low);
}

void
surt_key(struct buf *out, struct str url)
{
    bool secure = str_starts_nocase(url, S("https://"));
    size_t from, end, query;

    url = str_sub(url, 0, str_find(url, '#', 0));
    if (!secure && !str_starts_nocase(url, S("http://"))) {
        escape(out, url);
        return;
    }
    from = secure ? 8 : 7;
    for (end = from; end < url.n && url.p[end] != '/' && url.p[end] != '?';)
        end++;
    query = str_find(url, '?', end);
    host_key(out, str_sub(url, from, end), secure);
    path_key(out, str_sub(url, end, query));
    query_key(out, str_sub(url, query + 1, url.n));
}
