/* scope_say.c -- see scope_say.h. */
#include "scope_say.h"

#include "base/arena.h"
#include "base/url/url.h"
#include "clean/scope/scope.h"

static const char *
fault_of(const struct scope *s, const struct url *u)
{
    if (scope_excludes(s, u->host))
        return "left out by scope.exclude or scope.exclude_file";
    if (!scope_admits_host(s, u->host))
        return "its host is in none of scope.tld, scope.domains, scope.hosts";
    if (!scope_admits(s, u->href, u->host))
        return "scope.visit does not match it";
    return scope_saves(s, u->href)
               ? NULL
               : "scope.save does not match it, so its page is not kept";
}

void
scope_say(const struct opts *o, const char *url, struct buf *out)
{
    struct arena *a = arena_new();
    struct scope *s;
    struct url u;
    const char *fault;

    if (url_parse_plain(&u, a, str_c(url), NULL) == ST_OK &&
        scope_open(&s, o) == ST_OK) {
        if ((fault = fault_of(s, &u)) != NULL)
            buf_printf(out, "scope: %s\n", fault);
        scope_close(s);
    }
    arena_free(a);
}
