/* url.c -- the basic URL parser of the URL Standard, for http and https.
 *
 * Both schemes are special, so of the standard's states remain: scheme start,
 * scheme, special authority (ignore) slashes, relative (slash), authority,
 * host, port, path, query, fragment.  Each function below is one or two of
 * them and works on the rest of the input.
 *
 * The result is written once, front to back, into a buffer on the stack that is
 * large enough for the worst case, and then copied to the arena at its exact
 * size; for long inputs into the arena, where it is then cut.  How long it is
 * is known before it takes any room: many links with one long base each become
 * as long as that.  Time is linear in the input.  Pure but for the arena;
 * thread-safe. */
#include "base/url/url.h"

#include "base/url/host.h"
#include "url_parts.h"

struct span {
    size_t at, n;
};

struct url_parser {
    struct url_writer w;
    const struct url *base;
    struct str query_encoding;
    bool keep_fragment;
    bool https;
    bool port_explicit;
    uint16_t port;
    struct span username, password, host, path, query, fragment;
};

static const struct str scheme_http = STR("http"), scheme_https = STR("https");

static void
put(struct url_writer *w, struct str s)
{
    if (s.n > 0)
        memcpy(w->p + w->n, s.p, s.n);
    w->n += s.n;
}

static inline bool
slash(struct str s, size_t i)
{
    return i < s.n && (s.p[i] == '/' || s.p[i] == '\\');
}

static void
parse_fragment(struct url_parser *p, struct str rest)
{
    if (!p->keep_fragment)
        return;
    p->w.p[p->w.n++] = '#';
    p->fragment.at = p->w.n;
    url_put_encoded(&p->w, rest, URL_IN_FRAGMENT);
    p->fragment.n = p->w.n - p->fragment.at;
}

static void
parse_query(struct url_parser *p, struct str rest)
{
    size_t hash = str_find(rest, '#', 0);

    p->w.p[p->w.n++] = '?';
    p->query.at = p->w.n;
    url_put_query(&p->w, str_sub(rest, 0, hash), p->query_encoding);
    p->query.n = p->w.n - p->query.at;
    if (hash < rest.n)
        parse_fragment(p, str_sub(rest, hash + 1, rest.n));
}

/* 1 for "." and 2 for "..", also with their dots percent-encoded. */
static int
dots(const char *s, size_t n)
{
    int dot = 0;

    if (n == 0 || n > 6)
        return 0;
    for (size_t i = 0; i < n;) {
        if (s[i] == '.')
            i++;
        else if (n - i >= 3 && s[i] == '%' && s[i + 1] == '2' &&
                 ascii_lower(s[i + 2]) == 'e')
            i += 3;
        else
            return 0;
        dot++;
    }
    return dot <= 2 ? dot : 0;
}

/* Path state.  What is written from path.at on is the base's shortened path
 * (or nothing); `rest` starts with the next segment. */
static void
parse_path(struct url_parser *p, struct str rest)
{
    struct url_writer *w = &p->w;
    size_t i = 0;
    bool more;

    do {
        size_t segment = w->n, from = i;
        int dot;

        w->p[w->n++] = '/';
        while (i < rest.n && !(url_class[(uint8_t)rest.p[i]] & URL_STOP))
            i++;
        url_put_encoded(w, str_sub(rest, from, i), URL_IN_PATH);
        more = slash(rest, i);
        dot = dots(w->p + segment + 1, w->n - segment - 1);
        if (dot > 0) {
            w->n = segment;
            if (dot == 2)
                while (w->n > p->path.at && w->p[--w->n] != '/')
                    ;
            if (!more)
                w->p[w->n++] = '/';
        }
        i += more;
    } while (more);
    p->path.n = w->n - p->path.at;
    if (i < rest.n && rest.p[i] == '?')
        parse_query(p, str_sub(rest, i + 1, rest.n));
    else if (i < rest.n)
        parse_fragment(p, str_sub(rest, i + 1, rest.n));
}

/* Username and password, before the last @. */
static void
put_credentials(struct url_parser *p, struct str s)
{
    struct url_writer *w = &p->w;
    size_t colon = str_find(s, ':', 0);

    p->username.at = w->n;
    url_put_encoded(w, str_sub(s, 0, colon), URL_IN_USERINFO);
    p->username.n = w->n - p->username.at;
    p->password.at = w->n;
    if (colon + 1 < s.n) {
        w->p[w->n++] = ':';
        p->password.at = w->n;
        url_put_encoded(w, str_sub(s, colon + 1, s.n), URL_IN_USERINFO);
        p->password.n = w->n - p->password.at;
    }
    if (p->username.n > 0 || p->password.n > 0)
        w->p[w->n++] = '@';
}

static enum status
parse_port(struct url_parser *p, struct str s)
{
    uint32_t v = 0;

    if (s.n == 0)
        return ST_OK;
    for (size_t i = 0; i < s.n; i++) {
        if (!ascii_digit(s.p[i]))
            return ST_INVALID;
        v = v * 10 + (uint32_t)(s.p[i] - '0');
        if (v > 65535)
            return ST_INVALID;
    }
    if (v == p->port)
        return ST_OK;
    p->port = (uint16_t)v;
    p->port_explicit = true;
    p->w.p[p->w.n++] = ':';
    url_put_number(&p->w, v, 10);
    return ST_OK;
}

/* Authority, host and port states; `s` is the text between them. */
static enum status
parse_host_port(struct url_parser *p, struct str s)
{
    size_t colon = 0;
    enum status st;
    bool bracket = false;

    for (; colon < s.n && (s.p[colon] != ':' || bracket); colon++) {
        if (s.p[colon] == '[')
            bracket = true;
        else if (s.p[colon] == ']')
            bracket = false;
    }
    p->host.at = p->w.n;
    st = url_put_host(&p->w, str_sub(s, 0, colon));
    p->host.n = p->w.n - p->host.at;
    if (st == ST_OK)
        st = parse_port(p, str_sub(s, colon + 1, s.n));
    return st;
}

/* Special authority ignore slashes state, and on. */
static enum status
parse_absolute(struct url_parser *p, struct str rest)
{
    size_t from = 0, end, at;
    enum status st;

    put(&p->w, p->https ? S("https://") : S("http://"));
    p->port = p->https ? 443 : 80;
    while (slash(rest, from))
        from++;
    for (end = from; end < rest.n; end++)
        if (url_class[(uint8_t)rest.p[end]] & URL_STOP)
            break;
    for (at = end; at > from && rest.p[at - 1] != '@'; at--)
        ;
    p->username.at = p->password.at = p->w.n;
    if (at > from)
        put_credentials(p, str_sub(rest, from, at - 1));
    if ((st = parse_host_port(p, str_sub(rest, at, end))) != ST_OK)
        return st;
    p->path.at = p->w.n;
    parse_path(p, str_sub(rest, end + slash(rest, end), rest.n));
    return ST_OK;
}

static struct span
span_of(const struct url *u, struct str part)
{
    return (struct span){(size_t)(part.p - u->href.p), part.n};
}

/* Relative and relative slash states. */
static enum status
parse_relative(struct url_parser *p, struct str rest)
{
    const struct url *base = p->base;
    struct url_writer *w = &p->w;
    char c = rest.n > 0 ? rest.p[0] : '#';

    p->https = base->scheme.n == scheme_https.n;
    if (slash(rest, 0) && slash(rest, 1))
        return parse_absolute(p, rest);

    p->username = span_of(base, base->username);
    p->password = span_of(base, base->password);
    p->host = span_of(base, base->host);
    p->path.at = span_of(base, base->path).at;
    p->port = base->port;
    p->port_explicit = base->port_explicit;
    put(w, str_n(base->href.p, p->path.at));
    if (slash(rest, 0)) {
        parse_path(p, str_sub(rest, 1, rest.n));
    } else if (c == '#') {
        p->path.n = base->path.n;
        p->query = span_of(base, base->query);
        put(w, base->target);
        if (rest.n > 0)
            parse_fragment(p, str_sub(rest, 1, rest.n));
    } else if (c == '?') {
        p->path.n = base->path.n;
        put(w, base->path);
        parse_query(p, str_sub(rest, 1, rest.n));
    } else {
        size_t keep = base->path.n;

        while (keep > 0 && base->path.p[keep - 1] != '/')
            keep--;
        put(w, str_sub(base->path, 0, keep ? keep - 1 : 0));
        parse_path(p, rest);
    }
    return ST_OK;
}

/* Scheme start, scheme and no scheme states: what the input begins with. */
static enum status
parse_start(struct url_parser *p, struct str in)
{
    size_t n = 0;
    struct str scheme;

    if (in.n > 0 && ascii_alpha(in.p[0]))
        while (n < in.n && (ascii_alpha(in.p[n]) || ascii_digit(in.p[n]) ||
                            in.p[n] == '+' || in.p[n] == '-' || in.p[n] == '.'))
            n++;
    if (n == 0 || n == in.n || in.p[n] != ':')
        return p->base != NULL ? parse_relative(p, in) : ST_INVALID;

    scheme = str_sub(in, 0, n);
    in = str_sub(in, n + 1, in.n);
    if (str_eq_nocase(scheme, scheme_https))
        p->https = true;
    else if (!str_eq_nocase(scheme, scheme_http))
        return ST_INVALID;
    if (p->base != NULL && str_eq_nocase(scheme, p->base->scheme))
        if (!(in.n >= 2 && in.p[0] == '/' && in.p[1] == '/'))
            return parse_relative(p, in);
    return parse_absolute(p, in);
}

static struct str
part_of(struct str href, struct span s)
{
    return str_n(href.p + s.at, s.n);
}

static void
finish(struct url *out, struct str href, const struct url_parser *p)
{
    size_t target_end =
        p->query.at > 0 ? p->query.at + p->query.n : p->path.at + p->path.n;

    out->href = href;
    out->scheme = str_n(href.p, p->https ? 5 : 4);
    out->username = part_of(href, p->username);
    out->password = part_of(href, p->password);
    out->host = part_of(href, p->host);
    out->port = p->port;
    out->port_explicit = p->port_explicit;
    out->path = part_of(href, p->path);
    out->query = p->query.at > 0 ? part_of(href, p->query)
                                 : str_n(href.p + target_end, 0);
    out->target = str_n(out->path.p, target_end - p->path.at);
    out->fragment = p->fragment.at > 0 ? part_of(href, p->fragment)
                                       : str_n(href.p + href.n, 0);
}

/* Without C0 controls and spaces at the ends, TAB and line ends anywhere;
 * copied to `a` only when there was one of those inside. */
static struct str
input_clean(struct arena *a, struct str s)
{
    char *copy;
    size_t n = 0;

    while (s.n > 0 && (uint8_t)s.p[0] <= ' ')
        s.p++, s.n--;
    while (s.n > 0 && (uint8_t)s.p[s.n - 1] <= ' ')
        s.n--;
    if (s.n == 0 ||
        (memchr(s.p, '\n', s.n) == NULL && memchr(s.p, '\t', s.n) == NULL &&
         memchr(s.p, '\r', s.n) == NULL))
        return s;
    copy = arena_raw(a, s.n);
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] != '\t' && s.p[i] != '\n' && s.p[i] != '\r')
            copy[n++] = s.p[i];
    return str_n(copy, n);
}

/* Of `room` bytes of the arena only the string that begins there is kept. */
static struct str
cut(struct arena *a, struct str s, size_t room)
{
    char *p = arena_grow(a, (char *)(uintptr_t)s.p, room, s.n + 1);

    p[s.n] = '\0';
    return str_n(p, s.n);
}

static enum status
parse(struct url *out, struct arena *a, struct str input, struct url_parser *p,
      size_t max)
{
    char local[8192];
    struct str href;
    enum status st;
    size_t room;

    if (input.n > URL_BYTES_MAX)
        return ST_LIMIT;
    input = input_clean(a, input);
    room =
        (p->query_encoding.n > 0 ? URL_GROWTH_LEGACY : URL_GROWTH) * input.n +
        URL_HOST_MAX + 64 + (p->base ? p->base->href.n : 0);
    p->w.p = room <= sizeof local ? local : arena_raw(a, room);
    st = parse_start(p, input);
    if (st == ST_OK && p->w.n > max)
        st = ST_LIMIT;
    href = str_n(p->w.p, p->w.n);
    p->w.p = NULL; /* `local` ends here */
    if (st != ST_OK) {
        if (href.p != local)
            arena_grow(a, (void *)(uintptr_t)href.p, room, 0); /* all of it */
        return st;
    }
    finish(out, href.p == local ? arena_str(a, href) : cut(a, href, room), p);
    return ST_OK;
}

enum status
url_parse_full(struct url *out, struct arena *a, struct str input,
               const struct url *base, bool keep_fragment,
               struct str query_encoding)
{
    struct url_parser p = {.base = base,
                           .keep_fragment = keep_fragment,
                           .query_encoding = query_encoding};

    return parse(out, a, input, &p, URL_BYTES_MAX);
}

enum status
url_parse_max(struct url *out, struct arena *a, struct str input,
              const struct url *base, size_t max)
{
    struct url_parser p = {.base = base, .query_encoding = STR("")};

    return parse(out, a, input, &p, max < URL_BYTES_MAX ? max : URL_BYTES_MAX);
}

enum status
url_parse(struct url *out, struct arena *a, struct str input,
          const struct url *base)
{
    return url_parse_max(out, a, input, base, URL_BYTES_MAX);
}

struct str
url_authority(const struct url *u, struct arena *a)
{
    (void)a; /* both stand next to each other in the href */
    return str_n(u->host.p, (size_t)(u->path.p - u->host.p));
}

enum status
url_host_ascii(struct str *out, struct arena *a, struct str host)
{
    char local[2 * URL_HOST_MAX];
    struct url_writer w = {local, 0};
    enum status st;

    if (host.n > URL_HOST_MAX)
        return ST_INVALID;
    if ((st = url_put_host(&w, host)) == ST_OK)
        *out = arena_str(a, str_n(w.p, w.n));
    return st;
}

enum status
url_host_written(struct str *out, struct arena *a, struct str name)
{
    if (name.n > 1 && name.p[0] == '.')
        name = str_sub(name, 1, name.n);
    if (url_host_ascii(out, a, name) != ST_OK || !host_is_name(*out))
        return ST_INVALID;
    *out = url_without_dot(*out);
    return ST_OK;
}
