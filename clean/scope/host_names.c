/* host_names.c -- names, brought to ASCII once and found by their hash. */
#include "host_names.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/hashmap.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/url/url.h"
#include "list_file.h"

#include <stdint.h>
#include <stdlib.h>

#define REPORTS_MAX 20 /* wrong lines that are shown one by one */

struct host_name {
    struct str name;
    bool under; /* and all below it */
};

struct host_names {
    struct arena *arena;    /* of the names */
    struct host_name *name; /* one each */
    size_t n, cap, longest;
    struct hashmap by_name; /* numbers in it, from 1 */
};

static const struct host_name *
numbered(const void *names, const void *slot)
{
    const struct host_names *h = names;

    return &h->name[*(const uint32_t *)slot - 1];
}

static bool
is_name(const void *names, const void *slot, const void *name)
{
    return str_eq(numbered(names, slot)->name, *(const struct str *)name);
}

static uint64_t
hash_of(const void *names, const void *slot)
{
    return hash64(numbered(names, slot)->name);
}

static const struct hashmap_kind names_kind = {
    sizeof(uint32_t), hashmap_numbered, is_name, hash_of, NULL};

struct host_names *
host_names_new(void)
{
    struct host_names *h = memory_need(calloc(1, sizeof *h));

    h->arena = arena_new();
    hashmap_init(&h->by_name, &names_kind, NULL, 16);
    return h;
}

void
host_names_free(struct host_names *h)
{
    if (h == NULL)
        return;
    hashmap_free(&h->by_name);
    free(h->name);
    arena_free(h->arena);
    free(h);
}

size_t
host_names_n(const struct host_names *h)
{
    return h->n;
}

/* DNS has a dot at the end of a name, which some write. */
static struct str
without_dot(struct str host)
{
    return host.n > 1 && host.p[host.n - 1] == '.'
               ? str_sub(host, 0, host.n - 1)
               : host;
}

static struct host_name *
another(struct host_names *h)
{
    if (h->n == h->cap) {
        h->cap = h->cap == 0 ? 16 : h->cap * 2;
        h->name = memory_need(realloc(h->name, h->cap * sizeof *h->name));
    }
    return &h->name[h->n++];
}

enum status
host_names_add(struct host_names *h, struct str written, bool under)
{
    uint32_t *number;
    struct str name;

    if (url_host_written(&name, h->arena, written) != ST_OK)
        return ST_INVALID;
    name = without_dot(name);
    number = hashmap_put(&h->by_name, &names_kind, h, hash64(name), &name);
    if (*number == 0) {
        *another(h) = (struct host_name){.name = name};
        *number = (uint32_t)h->n;
    }
    h->name[*number - 1].under |= under || str_starts(written, S("."));
    h->longest = name.n > h->longest ? name.n : h->longest;
    return ST_OK;
}

/* ---- of a file ---- */

struct names_reading {
    struct host_names *names;
    const char *path;
    size_t wrong;
};

static void
take(void *self, size_t line, struct str text)
{
    struct names_reading *r = self;

    if (host_names_add(r->names, text, true) == ST_OK)
        return;
    if (r->wrong++ < REPORTS_MAX)
        log_error("scope", "%s:%zu: not a host name: %.*s", r->path, line,
                  STRF(str_sub(text, 0, 200)));
}

enum status
host_names_read(struct host_names *h, const char *path, const char *from)
{
    struct names_reading r = {h, path, 0};
    enum status st = list_file_read("scope", path, from, take, &r);

    if (st != ST_OK || r.wrong == 0)
        return st;
    log_error("scope",
              "%s: %zu lines are no host or domain (one a line, # begins a "
              "comment)",
              from, r.wrong);
    return ST_USAGE;
}

/* ---- looking up ---- */

/* Is it one of the names?  Or an end of a host under one of them. */
static bool
is_listed(const struct host_names *h, struct str name, bool whole)
{
    const uint32_t *number;

    if (name.n > h->longest)
        return false;
    number = hashmap_find(&h->by_name, &names_kind, h, hash64(name), &name);
    return *number != 0 && (whole || h->name[*number - 1].under);
}

bool
host_names_has(const struct host_names *h, struct str host)
{
    bool has = false;

    host = without_dot(host);
    for (size_t at = 0; at < host.n && !has; at = str_find(host, '.', at) + 1)
        has = is_listed(h, str_sub(host, at, host.n), at == 0);
    return has;
}
