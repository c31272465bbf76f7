/* lab_make.h -- webs made by hand for the tests of the laboratory. */
#ifndef LAB_MAKE_H
#define LAB_MAKE_H

#include <stdarg.h>

#include "../../crawler/lab/experiment.h"
#include "base/hash.h"
#include "test.h"

/* An HTML page of its own content. */
static inline uint32_t
make_page(struct web *w, const char *url, enum verdict reject)
{
    uint32_t i = web_page_of(w, str_c(url));
    struct web_page *p = &w->page[i];

    p->known = p->html = true;
    p->status = 200;
    p->reject = (uint8_t)reject;
    p->has_badness = true;
    p->badness = reject == VERDICT_NONE ? 2 : 30;
    p->bytes = 1000;
    p->text_bytes = reject == VERDICT_NONE ? 600 : 0;
    p->digest = hash128(str_c(url));
    p->content = w->contents_n++;
    return i;
}

/* Something that is no page. */
static inline uint32_t
make_missing(struct web *w, const char *url)
{
    uint32_t i = web_page_of(w, str_c(url));

    w->page[i].known = true;
    w->page[i].status = 404;
    return i;
}

/* All links of a page: n URLs, in running text. */
static inline void
make_links(struct web *w, uint32_t page, int n, ...)
{
    uint32_t anchor = intern_add(&w->texts, S("anchor"), NULL), to[16];
    uint32_t none = intern_add(&w->texts, S(""), NULL);
    struct web_link *l;
    va_list urls;

    va_start(urls, n);
    for (int i = 0; i < n; i++)
        to[i] = web_page_of(w, str_c(va_arg(urls, const char *)));
    va_end(urls);
    l = web_add_links(w, page, (size_t)n);
    for (int i = 0; i < n; i++)
        l[i] = (struct web_link){.to = to[i],
                                 .anchor = anchor,
                                 .path = none,
                                 .language = none,
                                 .relation = LINK_SAME_HOST};
}

static inline void
make_robots(struct web *w, const char *authority, const char *text)
{
    uint32_t host = web_host_of(w, str_c(authority));
    struct web_host *h = &w->host[host];

    h->robots_status = 200;
    h->robots = intern_add(&w->texts, str_c(text), NULL);
}

static inline void
make_done(struct web *w)
{
    w->about = S("");
    w->agent = S("winnow");
}

static inline struct opts
make_opts(void)
{
    struct opts o;

    opts_init(&o);
    o.politeness_delay_ms = 0;
    return o;
}

#endif
