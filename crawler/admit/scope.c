/* scope.c -- lists of names, brought to ASCII once, and two expressions. */
#include "scope.h"

#include "base/arena.h"
#include "base/log.h"
#include "base/regex.h"
#include "base/url/host.h"
#include "base/url/url.h"

#include <stdlib.h>
#include <string.h>

struct scope_name {
    struct str name;
    bool under; /* and all below it */
};

struct scope {
    struct arena *arena;
    struct scope_name *name; /* of all lists */
    size_t names_n;
    struct regex *visit, *save; /* NULL: everything */
};

/* As hosts of URLs are; the options have been looked at when they were read. */
static bool
add_names(struct scope *s, const struct opt_list *list, bool under)
{
    for (size_t i = 0; i < list->n; i++) {
        struct str written = list->item[i];
        struct scope_name *x = &s->name[s->names_n++];

        x->under = under || str_starts(written, S("."));
        if (url_host_written(&x->name, s->arena, written) != ST_OK) {
            log_error("scope", "not a host name: %.*s", STRF(written));
            return false;
        }
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
    s->name =
        ARENA_ARRAY(s->arena, struct scope_name,
                    o->scope_tld.n + o->scope_domains.n + o->scope_hosts.n);
    good = add_names(s, &o->scope_tld, true) &&
           add_names(s, &o->scope_domains, true) &&
           add_names(s, &o->scope_hosts, false) &&
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
    for (size_t i = 0; i < s->names_n; i++)
        if (s->name[i].under ? host_under(host, s->name[i].name)
                             : str_eq(host, s->name[i].name))
            return true;
    return s->names_n == 0;
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
