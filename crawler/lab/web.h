/* web.h -- a recorded web: what every URL of it answers, cleaned once.
 *
 * Made by build_*.c from a folder of sites or from archives, kept in a file by
 * web_file.c, replayed by sim.c.  The verdict on a page is what
 * the chain says of the page alone; whether it duplicates another depends on
 * the order of a crawl, so digest and fingerprint are kept instead of a
 * verdict.
 *
 * Read-only once it is made: threads share it. */
#ifndef LAB_WEB_H
#define LAB_WEB_H

#include "base/verdict.h"
#include "clean/chain/document.h"
#include "clean/language/link_words.h"
#include "intern.h"

struct web_page { /* a URL; its text is web->urls.name[its number] */
    uint32_t host;
    uint32_t content; /* pages of one number are one page under more URLs */
    uint32_t links, links_n;
    uint32_t fingerprint; /* index, WEB_NONE: none */
    uint32_t location;    /* name of web->texts: that header; WEB_NONE */
    uint32_t target;      /* page that it leads to; WEB_NONE */
    uint32_t chars;       /* of kept blocks */
    uint16_t status;      /* HTTP, 0: no answer */
    uint8_t fault;        /* enum verdict */
    uint8_t reject;       /* enum verdict: the chain's, of the page alone */
    bool known;           /* false: a link names it, nobody has asked */
    bool html;            /* with 200: it was cleaned */
    bool has_badness, other_language;
    float badness;
    float badness_best;         /* of the language below, not the wanted one */
    uint32_t language;          /* name of texts: what it is most like ... */
    uint32_t language_stated;   /* ... and what its markup says; WEB_NONE */
    uint64_t bytes, text_bytes; /* fetched; of the clean text */
    struct hash128 digest;      /* of the clean text */
};

struct web_link {
    uint32_t to;                     /* page */
    uint32_t anchor, path, language; /* names of web->texts: as a link's */
    float boilerplate;
    uint8_t relation; /* enum link_relation */
    uint8_t within;   /* enum link_within */
    uint8_t words;    /* enum link_words */
};

struct web_host {    /* an authority; its text is web->hosts.name[...] */
    uint32_t robots; /* name of web->texts, WEB_NONE: not there */
    uint16_t robots_status;
    struct str name, domain; /* without port; both point into the authority */
};

#define WEB_NONE INTERN_NONE

struct web {
    struct str about;   /* the options it was cleaned with, a line each */
    struct str agent;   /* fetch.user_agent of that time: whose robots.txt */
    struct intern urls; /* page i is URL i */
    struct intern hosts, texts;
    struct web_page *page;
    uint32_t pages_cap;
    struct web_host *host;
    uint32_t hosts_cap;
    struct web_link *link;
    uint32_t links_n, links_cap;
    struct fingerprint *fingerprint;
    uint32_t fingerprints_n, fingerprints_cap;
    uint32_t contents_n;
    uint32_t *seed; /* pages */
    uint32_t seeds_n, seeds_cap;
};

struct web *web_new(void);
void web_free(struct web *w); /* NULL is allowed */

/* The page of a canonical URL, and the host of an authority: there, or made
 * now (not known, without robots.txt). */
uint32_t web_page_of(struct web *w, struct str url);
uint32_t web_host_of(struct web *w, struct str authority);

struct web_link *web_add_links(struct web *w, uint32_t page, size_t n);
uint32_t web_add_fingerprint(struct web *w, const struct fingerprint *f);
void web_add_seed(struct web *w, uint32_t page);

static inline bool
web_is_document(const struct web_page *p) /* the chain has cleaned it */
{
    return p->known && p->status == 200 && p->html;
}

static inline struct str
web_text(const struct web *w, uint32_t text) /* "" for WEB_NONE */
{
    return text == WEB_NONE ? S("") : w->texts.name[text];
}

#endif
