/* fetch_login.c -- fetch.logins: hosts that want a user and a password, and the
 * operator has them.
 *
 *   https://archive.example user:password
 *   http://wiki.example:8080 user:password
 *
 * Basic authentication (RFC 7617).  What is sent goes by the request's own
 * scheme, host and port, so that no redirect and no other host gets it, nor the
 * same host in clear text if https is what the line says.  It stands in no log
 * and no archive. */
#include "fetch_inside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/url/url.h"

#define LOGINS_MAX 1000u

struct fetch_login {
    struct str origin; /* with the / behind it */
    const char *user, *password;
};

struct fetch_logins {
    struct arena *arena;
    struct fetch_login *login;
    size_t n;
};

/* A line into *out; a message on fault. */
static const char *
read_line(struct fetch_login *out, struct arena *a, struct str line)
{
    struct str origin, rest = line;
    struct url url;
    size_t colon;

    if (!str_word(&rest, &origin))
        return "a line is `https://HOST user:password`";
    rest = str_trim(rest);
    colon = str_find(rest, ':', 0);
    if (colon == 0 || colon == rest.n)
        return "user:password is wanted behind the host";
    if (url_parse_plain(&url, a, origin, NULL) != ST_OK ||
        !str_eq(url.target, S("/")))
        return "neither https://HOST nor http://HOST, without a path";
    out->origin = arena_str(a, url.href);
    out->user = arena_cstr(a, str_sub(rest, 0, colon));
    out->password = arena_cstr(a, str_sub(rest, colon + 1, rest.n));
    return NULL;
}

/* Faults name the line, which holds a secret, by its number alone. */
static enum status
read_lines(struct fetch_logins *l, const char *path, FILE *f)
{
    char *text = NULL;
    size_t cap = 0, line_n = 0;
    enum status st = ST_OK;
    ssize_t n;

    l->login = ARENA_ARRAY(l->arena, struct fetch_login, LOGINS_MAX);
    while ((n = getline(&text, &cap, f)) >= 0) {
        struct str line = str_trim(str_n(text, (size_t)n));
        const char *fault;

        line_n++;
        if (line.n == 0 || line.p[0] == '#')
            continue;
        fault = l->n == LOGINS_MAX ? "too many lines"
                                   : read_line(&l->login[l->n], l->arena, line);
        l->n += fault == NULL;
        if (fault != NULL) {
            log_error("fetch", "%s:%zu: fetch.logins: %s", path, line_n, fault);
            st = ST_USAGE;
        }
    }
    if (ferror(f)) { /* of a folder, too */
        log_error("fetch", "fetch.logins = %s: %s", path, strerror(errno));
        st = ST_USAGE;
    }
    if (text != NULL)
        explicit_bzero(text, cap);
    free(text);
    return st;
}

enum status
fetch_logins_open(struct fetch_logins **out, const struct opts *o)
{
    struct fetch_logins *l;
    enum status st;
    char *path;
    FILE *f;

    *out = NULL;
    if (o->fetch_logins.n == 0)
        return ST_OK;
    l = memory_need(calloc(1, sizeof *l));
    l->arena = arena_new();
    path = arena_cstr(l->arena, o->fetch_logins);
    if ((f = fopen(path, "re")) == NULL) {
        log_error("fetch", "fetch.logins = %s: %s", path, strerror(errno));
        fetch_logins_free(l);
        return ST_USAGE;
    }
    st = read_lines(l, path, f);
    fclose(f);
    if (st == ST_OK)
        *out = l;
    else
        fetch_logins_free(l);
    return st;
}

void
fetch_logins_free(struct fetch_logins *l)
{
    if (l == NULL)
        return;
    arena_free(l->arena);
    free(l);
}

enum status
fetch_check_logins(const struct opts *o)
{
    struct fetch_logins *l;
    enum status st = fetch_logins_open(&l, o);
    struct path path = path_printf("%.*s", STRF(o->fetch_logins));
    struct stat is;

    if (l != NULL && stat(path.z, &is) == 0 && (is.st_mode & 077) != 0)
        log_warn("fetch", "fetch.logins = %s can be read by others: chmod 600",
                 path.z);
    fetch_logins_free(l);
    return st;
}

void
fetch_logs_in(struct transfer *t, const char *url)
{
    const struct fetch_logins *l = t->fetch->logins;

    t->logs_in = false;
    for (size_t i = 0; l != NULL && i < l->n && !t->logs_in; i++) {
        const struct fetch_login *login = &l->login[i];

        if (!str_starts(str_c(url), login->origin))
            continue;
        t->logs_in = true;
        curl_easy_setopt(t->easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
        curl_easy_setopt(t->easy, CURLOPT_USERNAME, login->user);
        curl_easy_setopt(t->easy, CURLOPT_PASSWORD, login->password);
    }
}

void
fetch_hides_login(struct buf *request)
{
    struct str all = buf_view(request);
    size_t kept = 0;

    for (size_t from = 0, to; from < all.n; from = to) {
        to = str_find(all, '\n', from);
        to += to < all.n;
        if (str_starts_nocase(str_sub(all, from, to), S("authorization:")))
            continue;
        memmove(request->p + kept, all.p + from, to - from);
        kept += to - from;
    }
    request->n = kept;
}
