/* oracle_patterns.c -- see oracle_patterns.h.  A page under two URLs is kept
 * under one, and counts under both.  Kinds are sorted, not hashed: none is
 * mistaken for another but where url_class.h does. */
#include "oracle_patterns.h"

#include "base/memory.h"
#include "frontier/store/url_class.h"

#include <stdlib.h>

struct kind_of { /* a page's */
    uint32_t host, kind, page;
};

static int
by_kind(const void *x, const void *y)
{
    const struct kind_of *a = x, *b = y;

    return a->host != b->host ? (a->host > b->host) - (a->host < b->host)
                              : (a->kind > b->kind) - (a->kind < b->kind);
}

/* The kept contents. */
static bool *
contents_kept(const struct oracle_view *v)
{
    const struct web *w = v->web;
    bool *kept = memory_need(calloc(w->contents_n + (size_t)1, sizeof *kept));

    for (uint32_t i = 0; i < w->urls.n; i++)
        if (v->keepable[i] && w->page[i].content != WEB_NONE)
            kept[w->page[i].content] = true;
    return kept;
}

static bool
is_kept(const struct oracle_view *v, const bool *contents, uint32_t page)
{
    uint32_t content = v->web->page[page].content;

    return v->keepable[page] || (content != WEB_NONE && contents[content]);
}

static uint32_t
kind(struct str url)
{
    size_t authority = str_find(url, '/', 0) + 2; /* http(s)://... */
    size_t rest = str_find(url, '/', authority);

    return url_class_kinds(str_sub(url, rest, url.n)).level[0];
}

/* Pages that links may lead to, by host and kind. */
static size_t
sort_pages(const struct oracle_view *v, struct kind_of *out)
{
    const struct web *w = v->web;
    size_t n = 0;

    for (uint32_t i = 0; i < w->urls.n; i++)
        if (v->open[i])
            out[n++] =
                (struct kind_of){w->page[i].host, kind(w->urls.name[i]), i};
    qsort(out, n, sizeof *out, by_kind);
    return n;
}

void
oracle_patterns(float *worth, const struct oracle_view *v)
{
    struct kind_of *of =
        memory_need(calloc(v->web->urls.n + (size_t)1, sizeof *of));
    bool *contents = contents_kept(v);
    size_t n = sort_pages(v, of);

    for (size_t from = 0, to; from < n; from = to) {
        size_t kept = 0;

        for (to = from; to < n && by_kind(&of[from], &of[to]) == 0; to++)
            kept += is_kept(v, contents, of[to].page);
        for (size_t i = from; i < to; i++)
            worth[of[i].page] = (float)kept / (float)(to - from);
    }
    free(contents);
    free(of);
}
