/* pattern.c -- see pattern.h.  A star is matched by going back to the last one
 * only, which is enough for patterns of stars and takes no more than
 * |pattern| * |text| steps. */
#include "pattern.h"

#include "base/url/host.h"

bool
pattern_good(struct str pattern)
{
    if (pattern.n == 0 || pattern.n > PATTERN_SIZE_MAX)
        return false;
    for (size_t i = 0; i < pattern.n; i++)
        if ((unsigned char)pattern.p[i] <= ' ')
            return false;
    return true;
}

bool
pattern_of_urls(struct str pattern)
{
    return str_find(pattern, '/', 0) < pattern.n;
}

struct str
pattern_kept(struct arena *a, struct str pattern)
{
    char *lower;

    if (pattern_of_urls(pattern))
        return pattern;
    lower = arena_raw(a, pattern.n);
    for (size_t i = 0; i < pattern.n; i++)
        lower[i] = ascii_lower(pattern.p[i]);
    return str_n(lower, pattern.n);
}

static bool
same(char a, char b, bool any_case)
{
    return any_case ? ascii_lower(a) == ascii_lower(b) : a == b;
}

static bool
glob(struct str pattern, struct str text, bool any_case)
{
    size_t p = 0, t = 0, star = SIZE_MAX, mark = 0;

    while (t < text.n) {
        if (p < pattern.n && pattern.p[p] == '*') {
            star = p++;
            mark = t;
        } else if (p < pattern.n && same(pattern.p[p], text.p[t], any_case)) {
            p++;
            t++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            t = ++mark;
        } else {
            return false;
        }
    }
    while (p < pattern.n && pattern.p[p] == '*')
        p++;
    return p == pattern.n;
}

bool
pattern_host(struct str pattern, struct str authority)
{
    struct str host = host_without_port(authority);

    if (pattern_of_urls(pattern))
        return false;
    if (pattern.n > 1 && pattern.p[0] == '.') {
        struct str name = str_sub(pattern, 1, pattern.n);

        return str_eq_nocase(host, name) ||
               (host.n > pattern.n &&
                str_eq_nocase(str_sub(host, host.n - pattern.n, host.n),
                              pattern));
    }
    return glob(pattern, authority, true) || glob(pattern, host, true);
}

struct str
pattern_authority(struct str url)
{
    size_t from = str_find(url, ':', 0) + 3, to = from;

    while (to < url.n && strchr("/?#", url.p[to]) == NULL)
        to++;
    return str_sub(url, from, to);
}

bool
pattern_url(struct str pattern, struct str url)
{
    if (pattern_of_urls(pattern))
        return glob(pattern, url, false);
    return pattern_host(pattern, pattern_authority(url));
}

/* What stands for itself before the first star: a URL begins so. */
static const char *
url_fault(struct str pattern)
{
    struct str head = str_sub(pattern, 0, str_find(pattern, '*', 0));
    bool whole = head.n == pattern.n;
    struct str scheme =
        str_starts(head, S("https")) ? S("https://") : S("http://");
    struct str authority;

    if (head.n == 0)
        return NULL;
    if (!str_starts(str_sub(head, 0, scheme.n), str_sub(scheme, 0, head.n)) ||
        (whole && head.n < scheme.n))
        return "URLs begin with http:// or https://";
    authority = pattern_authority(head);
    if (head.n <= scheme.n)
        return whole ? "a URL has a host" : NULL;
    if (head.n > scheme.n + authority.n &&
        str_ends(authority, scheme.n == 8 ? S(":443") : S(":80")))
        return "URLs are queued without the port of their scheme";
    for (size_t i = 0; i < authority.n; i++)
        if (authority.p[i] != ascii_lower(authority.p[i]))
            return "the host of a URL is in lower case";
    if (str_find(authority, '@', 0) < authority.n)
        return "URLs are queued without user and password";
    if (whole && scheme.n + authority.n == head.n)
        return "a URL has a path: put / or /* behind the host";
    return NULL;
}

const char *
pattern_fault(struct str pattern)
{
    if (!pattern_good(pattern))
        return "a host or a URL has 1 to 500 bytes, and no blanks";
    for (size_t i = 0; i < pattern.n; i++) {
        if ((unsigned char)pattern.p[i] >= 127)
            return "hosts and URLs are queued in ASCII (xn--..., %C3%A9)";
        if (pattern.p[i] == '#')
            return "URLs are queued without #fragment";
    }
    if (pattern_of_urls(pattern))
        return url_fault(pattern);
    if (str_find(pattern, ',', 0) < pattern.n)
        return "one host at a time, without commas";
    if (pattern.p[pattern.n - 1] == '.')
        return "hosts are queued without a dot at their end";
    return str_find(pattern, '?', 0) < pattern.n ||
                   str_find(pattern, '@', 0) < pattern.n
               ? "not a host, and a URL begins with http:// or https:// or *"
               : NULL;
}

struct str
pattern_single(struct str pattern)
{
    struct str host = pattern;

    if (pattern_of_urls(pattern)) {
        if (!str_starts(pattern, S("http://")) &&
            !str_starts(pattern, S("https://")))
            return S("");
        host = pattern_authority(pattern);
    }
    if (host.n == 0 || host.p[0] == '.' || str_find(host, '*', 0) < host.n)
        return S("");
    return host;
}
