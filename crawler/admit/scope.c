/* scope.c -- lists of names, brought to ASCII once, and two expressions. */
#include "scope.h"

#include "base/arena.h"
#include "base/log.h"
#include "base/regex.h"
#include "base/url/host.h"
#include "base/url/url.h"

#include <stdlib.h>
#include <string.h>

struct scope {
    struct arena *arena;
    struct opt_list tld, domains, hosts;
    struct regex *visit, *save; /* NULL: everything */
};

/* As hosts of URLs are; the options have been looked at when they were read. */
static bool
names(struct arena *a, const struct opt_list *in, struct opt_list *out)
{
    out->n = in->n;
    out->item = ARENA_ARRAY(a, struct str, in->n);
    for (size_t i = 0; i < in->n; i++)
        if (url_host_written(&out->item[i], a, in->item[i]) != ST_OK) {
            log_error("scope", "not a host name: %.*s", STRF(in->item[i]));
            return false;
        }
    return true;
}

static enum status
expression(const char *key, struct str pattern, struct regex **out)
{
    struct buf why = {0};
    enum status st = ST_OK;

    if (pattern.n > 0 && regex_open(out, pattern, &why) != ST_OK) {
        log_error("scope", "scope.%s: %.*s", key, STRF(buf_view(&why)));
        st = ST_USAGE;
    }
    buf_free(&why);
    return st;
}

enum status
scope_open(struct scope **out, const struct opts *o)
{
    struct scope *s = calloc(1, sizeof *s);
    bool good;

    if (s == NULL)
        return ST_NOMEM;
    s->arena = arena_new();
    good = names(s->arena, &o->scope_tld, &s->tld) &&
           names(s->arena, &o->scope_domains, &s->domains) &&
           names(s->arena, &o->scope_hosts, &s->hosts) &&
           expression("visit", o->scope_visit, &s->visit) == ST_OK &&
           expression("save", o->scope_save, &s->save) == ST_OK;
    if (!good) {
        scope_close(s);
        return ST_USAGE;
    }
    *out = s;
    return ST_OK;
}

void
scope_close(struct scope *s)
{
    if (s == NULL)
        return;
    regex_close(s->visit);
    regex_close(s->save);
    arena_free(s->arena);
    free(s);
}

bool
scope_admits_host(const struct scope *s, struct str host)
{
    if (s->tld.n + s->domains.n + s->hosts.n == 0)
        return true;
    for (size_t i = 0; i < s->tld.n; i++)
        if (!host_is_ip(host) && host_under(host, s->tld.item[i]))
            return true;
    for (size_t i = 0; i < s->domains.n; i++)
        if (host_under(host, s->domains.item[i]))
            return true;
    for (size_t i = 0; i < s->hosts.n; i++)
        if (str_eq(host, s->hosts.item[i]))
            return true;
    return false;
}

bool
scope_admits(const struct scope *s, struct str url, struct str host)
{
    return scope_admits_host(s, host) &&
           (s->visit == NULL || regex_matches(s->visit, url));
}

bool
scope_saves(const struct scope *s, struct str url)
{
    return s->save == NULL || regex_matches(s->save, url);
}
