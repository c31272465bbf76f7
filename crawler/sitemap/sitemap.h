/* sitemap.h -- the URLs in a sitemap (sitemaps.org 0.9): urlset, sitemapindex,
 * plain text, RSS 2.0 and Atom; gzip or not.
 *
 * Read as a stream: memory does not grow with the file.  Sitemaps of the Web
 * are often not quite right: any namespace or none will do, a bare `&` is taken
 * for itself, and of a file that breaks in the middle what stands before the
 * break counts.  Nothing outside of the file is ever loaded. */
#ifndef CRAWLER_SITEMAP_H
#define CRAWLER_SITEMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

#define SITEMAP_URL_MAX 8192u /* longer ones are no URLs */

struct sitemap_entry {
    struct str url;      /* as written, trimmed; valid during the call */
    bool index;          /* another sitemap, not a page */
    uint64_t lastmod_ms; /* 0: not said */
    float priority;      /* 0..1; negative: not said */
    struct str language; /* as in struct link of base/link.h: what hreflang
                            says of this very URL among its alternates, else
                            the language of news; "" */
};

/* One entry; false: enough. */
typedef bool sitemap_found(void *self, const struct sitemap_entry *e);

struct sitemap_limits {
    size_t entries_max; /* sitemaps.org: 50,000 */
    size_t bytes_max;   /* decoded; sitemaps.org: 50 MiB */
};

enum sitemap_end {
    SITEMAP_WHOLE,
    SITEMAP_ENTRIES, /* entries_max was reached */
    SITEMAP_BYTES,   /* bytes_max was reached */
    SITEMAP_BROKEN,  /* no XML from here on, or damaged gzip */
    SITEMAP_ENOUGH,  /* found() said so */
    SITEMAP_OTHER    /* something else altogether: HTML, an image ... */
};

struct sitemap_result {
    enum sitemap_end end;
    size_t entries;
};

void sitemap_read(struct sitemap_result *out, struct str bytes,
                  const struct sitemap_limits *limits, sitemap_found *found,
                  void *self);

const char *sitemap_end_name(enum sitemap_end e); /* "whole" ... */

#endif
