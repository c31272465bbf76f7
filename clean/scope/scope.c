/* scope.c -- what is in, what is out of it, and two expressions. */
#include "scope.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/regex.h"
#include "host_names.h"

#include <stdlib.h>

struct scope {
    struct host_names *in, *out;
    struct regex *visit, *save; /* NULL: everything */
};

/* The options have been looked at when they were read. */
static bool
add_names(struct host_names *to, const struct opt_list *list, bool under)
{
    for (size_t i = 0; i < list->n; i++)
        if (host_names_add(to, list->item[i], under) != ST_OK) {
            log_error("scope", "not a host name: %.*s", STRF(list->item[i]));
            return false;
        }
    return true;
}

static bool
add_file(struct host_names *to, struct str path)
{
    return path.n == 0 ||
           host_names_read(to, path.p, "scope.exclude_file") == ST_OK;
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
    struct scope *s = memory_need(calloc(1, sizeof *s));
    bool good;

    s->in = host_names_new();
    s->out = host_names_new();
    good = add_names(s->in, &o->scope_tld, true) &&
           add_names(s->in, &o->scope_domains, true) &&
           add_names(s->in, &o->scope_hosts, false) &&
           add_names(s->out, &o->scope_exclude, true) &&
           add_file(s->out, o->scope_exclude_file) &&
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
    host_names_free(s->in);
    host_names_free(s->out);
    free(s);
}

bool
scope_excludes(const struct scope *s, struct str host)
{
    return host_names_has(s->out, host);
}

bool
scope_admits_host(const struct scope *s, struct str host)
{
    return (host_names_n(s->in) == 0 || host_names_has(s->in, host)) &&
           !scope_excludes(s, host);
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
