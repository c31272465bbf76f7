/* scope.c -- names, brought to ASCII once and found by their hash (a list may
 * have tens of thousands, and is asked for each link), and two expressions. */
#include "scope.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/hashmap.h"
#include "base/log.h"
#include "base/regex.h"
#include "base/url/url.h"

#include <stdlib.h>
#include <string.h>

struct scope_name {
    struct str name;
    bool under; /* and all below it */
};

struct scope {
    struct arena *arena;
    struct scope_name *name; /* of all lists, one each */
    size_t names_n, longest;
    struct hashmap by_name;     /* numbers in it, from 1 */
    struct regex *visit, *save; /* NULL: everything */
};

static bool
is_name(const void *scope, const void *slot, const void *name)
{
    const struct scope *s = scope;

    return str_eq(s->name[*(const uint32_t *)slot - 1].name,
                  *(const struct str *)name);
}

static const struct hashmap_kind names_kind = {
    sizeof(uint32_t), hashmap_numbered, is_name, NULL, NULL};

/* DNS has a dot at the end of a name, which some write. */
static struct str
without_dot(struct str host)
{
    return host.n > 1 && host.p[host.n - 1] == '.'
               ? str_sub(host, 0, host.n - 1)
               : host;
}

static void
add_name(struct scope *s, struct str name, bool under)
{
    uint32_t *number =
        hashmap_put(&s->by_name, &names_kind, s, hash64(name), &name);

    if (*number == 0) {
        s->name[s->names_n++].name = name;
        *number = (uint32_t)s->names_n;
    }
    s->name[*number - 1].under |= under;
    s->longest = name.n > s->longest ? name.n : s->longest;
}

/* As hosts of URLs are; the options have been looked at when they were read. */
static bool
add_names(struct scope *s, const struct opt_list *list, bool under)
{
    for (size_t i = 0; i < list->n; i++) {
        struct str written = list->item[i], name;

        if (url_host_written(&name, s->arena, written) != ST_OK) {
            log_error("scope", "not a host name: %.*s", STRF(written));
            return false;
        }
        add_name(s, without_dot(name), under || str_starts(written, S(".")));
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
    size_t names = o->scope_tld.n + o->scope_domains.n + o->scope_hosts.n;
    struct scope *s = calloc(1, sizeof *s);
    bool good;

    if (s == NULL)
        return ST_NOMEM;
    s->arena = arena_new();
    s->name = ARENA_ARRAY(s->arena, struct scope_name, names);
    hashmap_init(&s->by_name, &names_kind, s->arena, names);
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

/* Is it one of the names?  Or an end of a host under one of them. */
static bool
is_listed(const struct scope *s, struct str name, bool whole)
{
    const uint32_t *number;

    if (name.n > s->longest)
        return false;
    number = hashmap_find(&s->by_name, &names_kind, s, hash64(name), &name);
    return *number != 0 && (whole || s->name[*number - 1].under);
}

bool
scope_admits_host(const struct scope *s, struct str host)
{
    bool admits = s->names_n == 0;

    host = without_dot(host);
    for (size_t at = 0; at < host.n && !admits;
         at = str_find(host, '.', at) + 1)
        admits = is_listed(s, str_sub(host, at, host.n), at == 0);
    return admits;
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
