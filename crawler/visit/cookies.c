/* cookies.c -- see cookies.h: a table of fixed size by the hash of the target's
 * URL, in which the newest takes the place of another.  A page that loses its
 * cookies by that is asked without; fetch.redirects_max bounds how often.
 *
 * Bounds: SLOTS times LINES_MAX bytes; a target that is known already keeps its
 * slot until another page needs it. */
#include "cookies.h"

#include "base/hash.h"
#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>

#define SLOTS 2048u
#define LINES_MAX ((size_t)4096) /* what servers take at most is 8 KiB */

struct cookie_slot {
    uint64_t url; /* its hash */
    char *lines;  /* NULL: empty */
    size_t n;
    unsigned hops;
};

struct cookies {
    pthread_mutex_t lock;
    struct cookie_slot slot[SLOTS];
};

struct cookies *
cookies_new(void)
{
    struct cookies *c = memory_need(calloc(1, sizeof *c));

    pthread_mutex_init(&c->lock, NULL);
    return c;
}

void
cookies_free(struct cookies *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; i < SLOTS; i++)
        free(c->slot[i].lines);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

/* libcurl gives cookies without a domain to nobody, and of two domains counts
 * the last; who asks for the target sends them to this host and no other. */
struct str
cookies_of(const struct visit *v, struct arena *a)
{
    static const struct str name = STR("set-cookie:");
    struct str head = buf_view(&v->reply.head), line;
    struct buf all = {.arena = a};
    bool any = false;

    buf_str(&all, v->cookies);
    while (str_cut(&head, '\n', &line)) {
        struct str value = str_trim(str_sub(line, name.n, line.n));

        if (!str_starts_nocase(line, name) || value.n == 0 ||
            all.n + value.n + v->url.host.n + sizeof "; Domain=" > LINES_MAX)
            continue;
        buf_printf(&all, "%.*s; Domain=%.*s\n", STRF(value), STRF(v->url.host));
        any = true;
    }
    return any ? buf_keep(&all) : S("");
}

void
cookies_keep(struct cookies *c, const struct visit *v, struct str url,
             struct str lines)
{
    uint64_t hash = hash64(url);
    struct cookie_slot *s = &c->slot[hash % SLOTS];
    char *copy = memory_need(strndup(lines.p, lines.n));

    pthread_mutex_lock(&c->lock);
    free(s->lines);
    *s = (struct cookie_slot){hash, copy, lines.n, v->cookie_hops + 1};
    pthread_mutex_unlock(&c->lock);
}

void
cookies_take(struct cookies *c, struct visit *v)
{
    uint64_t hash = hash64(v->lease.url);
    struct cookie_slot *s = &c->slot[hash % SLOTS];

    pthread_mutex_lock(&c->lock);
    if (s->lines != NULL && s->url == hash) {
        v->cookies = arena_str(v->arena, str_n(s->lines, s->n));
        v->cookie_hops = s->hops;
        free(s->lines);
        s->lines = NULL;
    }
    pthread_mutex_unlock(&c->lock);
}
