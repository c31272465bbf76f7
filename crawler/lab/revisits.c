/* revisits.c -- see revisits.h: entries by URL, and chains of them by what
 * names their payload. */
#include "revisits.h"

#include <stdlib.h>

#include "base/memory.h"
#include "intern.h"

#define NAMES 3 /* of a payload */

struct waiting_page {        /* its number is that of its URL */
    struct source_page page; /* strings in the arena; no body */
    bool waits;
    uint32_t next[NAMES]; /* of the same name; INTERN_NONE */
};

struct revisits {
    struct arena *arena;
    struct intern urls, names;
    struct waiting_page *entry;
    uint32_t *first; /* by number of a name; NULL: none are named yet */
    uint32_t cap;
    size_t waiting_n;
};

struct revisits *
revisits_new(void)
{
    struct revisits *r = memory_need(calloc(1, sizeof *r));

    r->arena = arena_new();
    intern_init(&r->urls);
    intern_init(&r->names);
    return r;
}

void
revisits_free(struct revisits *r)
{
    if (r == NULL)
        return;
    intern_free(&r->urls);
    intern_free(&r->names);
    arena_free(r->arena);
    free(r->entry);
    free(r->first);
    free(r);
}

size_t
revisits_waiting(const struct revisits *r)
{
    return r->waiting_n;
}

static void
set_waits(struct revisits *r, struct waiting_page *e, bool waits)
{
    r->waiting_n += waits;
    r->waiting_n -= e->waits;
    e->waits = waits;
}

static void
keep(struct revisits *r, struct waiting_page *e, const struct source_page *p)
{
    struct arena *a = r->arena;

    e->page = *p;
    e->page.url = arena_str(a, p->url);
    e->page.content_type = arena_str(a, p->content_type);
    e->page.x_robots_tag = arena_str(a, p->x_robots_tag);
    e->page.location = arena_str(a, p->location);
    e->page.payload.digest = arena_str(a, p->payload.digest);
    e->page.last_modified = e->page.headers = e->page.ip = S("");
    e->page.body = S("");
}

void
revisits_see(struct revisits *r, const struct source_page *p)
{
    uint32_t i = intern_find(&r->urls, p->url);

    if (p->revisit && p->status == 304)
        return;
    if (p->revisit && i == INTERN_NONE) {
        i = intern_add(&r->urls, p->url, NULL);
        if (i == r->cap) {
            r->cap = r->cap ? 2 * r->cap : 64;
            r->entry =
                memory_need(realloc(r->entry, r->cap * sizeof *r->entry));
        }
        r->entry[i].waits = false;
    }
    if (i == INTERN_NONE)
        return;
    set_waits(r, &r->entry[i], p->revisit);
    if (p->revisit)
        keep(r, &r->entry[i], p);
}

/* What names the payload, in words that are no other name: a letter and the
 * name.  "": it has none. */
static struct str
name_of(const struct source_payload *p, size_t i, struct arena *a)
{
    const struct document_id *id = i == 0 ? &p->record : &p->place;

    if (i == 2)
        return p->digest.n == 0 ? S("")
                                : arena_printf(a, "d%.*s", STRF(p->digest));
    return id->z[0] == '\0' ? S("") : arena_printf(a, "%zu%s", i, id->z);
}

/* All entries under their names, once no more come. */
static void
name_all(struct revisits *r)
{
    uint32_t i, name;
    size_t k;

    r->first = memory_need(malloc((NAMES * r->urls.n + 1) * sizeof *r->first));
    for (i = 0; i < r->urls.n; i++)
        for (k = 0; k < NAMES; k++) {
            struct waiting_page *e = &r->entry[i];
            struct str text = name_of(&e->page.payload, k, r->arena);
            bool fresh;

            e->next[k] = INTERN_NONE;
            if (!e->waits || text.n == 0)
                continue;
            name = intern_add(&r->names, text, &fresh);
            if (!fresh)
                e->next[k] = r->first[name];
            r->first[name] = i;
        }
}

/* Its own header, where it has one, with the bytes of the other. */
static enum status
hand_on(struct revisits *r, struct waiting_page *e, const struct source_page *p,
        struct arena *a, revisits_take *take, void *self)
{
    struct source_page page = *p;

    page.url = e->page.url;
    page.body = arena_str(a, p->body);
    if (e->page.status != 0) {
        page.status = e->page.status;
        page.content_type = e->page.content_type;
        page.x_robots_tag = e->page.x_robots_tag;
        page.location = e->page.location;
    } else {
        page.content_type = arena_str(a, p->content_type);
        page.x_robots_tag = arena_str(a, p->x_robots_tag);
        page.location = arena_str(a, p->location);
    }
    set_waits(r, e, false);
    return take(self, &page);
}

enum status
revisits_give(struct revisits *r, const struct source_page *p, struct arena *a,
              revisits_take *take, void *self)
{
    enum status st = ST_OK;

    if (r->first == NULL)
        name_all(r);
    if (p->revisit)
        return ST_OK;
    for (size_t k = 0; k < NAMES && st == ST_OK; k++) {
        uint32_t name = intern_find(&r->names, name_of(&p->payload, k, a));
        uint32_t i = name == INTERN_NONE ? INTERN_NONE : r->first[name];

        for (; i != INTERN_NONE && st == ST_OK; i = r->entry[i].next[k])
            if (r->entry[i].waits)
                st = hand_on(r, &r->entry[i], p, a, take, self);
    }
    return st;
}

enum status
revisits_end(struct revisits *r, size_t *lost_n, revisits_take *take,
             void *self)
{
    enum status st = ST_OK;

    *lost_n = 0;
    for (uint32_t i = 0; i < r->urls.n && st == ST_OK; i++) {
        struct waiting_page *e = &r->entry[i];

        if (!e->waits)
            continue;
        if (e->page.status == 0 || e->page.status == 200)
            ++*lost_n;
        else
            st = take(self, &e->page);
    }
    return st;
}
