/* proxy.c -- see proxy.h.
 *
 * The URL has no login in it, as job files, DIR/job and logs repeat it.  It
 * names a port, since programs differ in what they take for one left out. */
#include "proxy.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"

#define LOGIN_MAX 510u /* RFC 1929: two of 255 at the most */

static const struct proxy_scheme {
    struct str name;
    enum proxy_kind kind;
} scheme[] = {{STR("http://"), PROXY_HTTP},
              {STR("https://"), PROXY_HTTPS},
              {STR("socks5h://"), PROXY_SOCKS}};

static const struct proxy_scheme *
scheme_of(struct str url)
{
    for (size_t i = 0; i < sizeof scheme / sizeof scheme[0]; i++)
        if (str_starts_nocase(url, scheme[i].name))
            return &scheme[i];
    return NULL;
}

enum proxy_kind
proxy_kind_of(const struct opts *o)
{
    const struct proxy_scheme *s = scheme_of(o->fetch_proxy);

    return s != NULL ? s->kind : PROXY_NONE;
}

bool
proxy_names_here(const struct opts *o)
{
    return o->fetch_proxy.n == 0 || str_eq(o->fetch_proxy_names, S("here"));
}

/* HOST:PORT, a / behind it or none. */
static bool
is_place(struct str place)
{
    size_t colon;
    uint64_t port;

    if (place.n > 0 && place.p[place.n - 1] == '/')
        place = str_sub(place, 0, place.n - 1);
    for (colon = place.n; colon > 0 && place.p[colon - 1] != ':'; colon--)
        if (place.p[colon - 1] == ']')
            return false;
    if (colon < 2 || !str_u64(str_sub(place, colon, place.n), &port) ||
        port == 0 || port > 65535)
        return false;
    place = str_sub(place, 0, colon - 1);
    for (size_t i = 0; i < place.n; i++)
        if ((unsigned char)place.p[i] <= ' ' || strchr("/?#@\\", place.p[i]))
            return false;
    return place.p[0] == '[' || str_find(place, ':', 0) == place.n;
}

static const char *
fault_of(struct str url)
{
    const struct proxy_scheme *s = scheme_of(url);

    if (str_starts_nocase(url, S("socks5://")))
        return "is socks5h://HOST:PORT with fetch.proxy_names = here";
    if (s == NULL)
        return "neither http://HOST:PORT, https:// nor socks5h://";
    if (str_find(url, '@', 0) < url.n)
        return "user and password stand in a file: fetch.proxy_login";
    return is_place(str_sub(url, s->name.n, url.n))
               ? NULL
               : "a host and a port are wanted, as http://proxy.example:3128";
}

enum status
proxy_check(const struct opts *o)
{
    struct str url = o->fetch_proxy;
    const char *fault = url.n > 0 ? fault_of(url) : NULL;
    struct buf login = {0};
    struct stat sb;
    enum status st;

    if (fault != NULL) { /* what stands before an @ is a secret */
        size_t at = str_find(url, '@', 0);

        log_error("fetch", "fetch.proxy = %s%.*s: %s", at < url.n ? "..." : "",
                  STRF(at < url.n ? str_sub(url, at, url.n) : url), fault);
        return ST_USAGE;
    }
    if (url.n == 0 && o->fetch_proxy_login.n > 0) {
        log_error("fetch", "fetch.proxy_login without fetch.proxy: nobody "
                           "would be told");
        return ST_USAGE;
    }
    st = proxy_login(o, &login);
    buf_free(&login);
    if (st == ST_OK && o->fetch_proxy_login.n > 0 &&
        stat(o->fetch_proxy_login.p, &sb) == 0 && (sb.st_mode & 077) != 0)
        log_warn("fetch",
                 "fetch.proxy_login = %s can be read by others: chmod 600",
                 o->fetch_proxy_login.p);
    return st;
}

enum status
proxy_login(const struct opts *o, struct buf *out)
{
    const char *path = o->fetch_proxy_login.p, *fault = NULL;
    char line[LOGIN_MAX + 3] = "";
    struct str login;
    FILE *f;

    buf_clear(out);
    if (o->fetch_proxy_login.n == 0)
        return ST_OK;
    f = fopen(path, "re");
    if (f == NULL || fgets(line, sizeof line, f) == NULL)
        fault = f == NULL || ferror(f) ? strerror(errno) : "it is empty";
    login = str_n(line, strcspn(line, "\r\n"));
    if (fault == NULL &&
        (login.n > LOGIN_MAX || str_find(login, ':', 0) == login.n))
        fault = "its first line is not user:password";
    if (f != NULL)
        fclose(f);
    if (fault != NULL) {
        log_error("fetch", "fetch.proxy_login = %s: %s", path, fault);
        return ST_USAGE;
    }
    buf_str(out, login);
    buf_char(out, '\0');
    explicit_bzero(line, sizeof line);
    return ST_OK;
}
