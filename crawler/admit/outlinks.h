/* outlinks.h -- the links of a document that the frontier is to hear of.
 *
 * The page that it names as canonical is one of them, and so is itself in a
 * wanted language, where only its head leads there.  Left out: nofollow (of
 * the page or the link), out of scope, too deep, longer than
 * frontier.url_size_max, over OUTLINKS_MAX.  A login counts without the address
 * that it leads back to (return_url.h), the listing of a folder without its
 * order (listing_order.h).  A URL that stands several times on a page counts
 * once, with the lowest boilerplate value. */
#ifndef CRAWLER_OUTLINKS_H
#define CRAWLER_OUTLINKS_H

#include "clean/chain/document.h"
#include "clean/language/link_words.h"
#include "clean/scope/scope.h"
#include "frontier/features/frontier_types.h"

#define OUTLINKS_MAX 20000

struct outlinks {
    struct frontier_link *link; /* in the document's arena */
    size_t n;
    size_t found; /* anchors on the page */
    size_t nofollow, out_of_scope, too_deep, too_long, repeated, over;
};

/* `depth` is that of the document.  words: NULL is allowed. */
void outlinks_of(struct outlinks *out, const struct document *d,
                 const struct scope *s, const struct link_words_model *words,
                 const struct opts *o, uint32_t depth);

/* The document's links as the frontier would hear of them, those of its head
 * behind them: each outlink is then one of them. */
void outlinks_as_asked_for(struct document *d, const struct opts *o);

/* A link to a canonical http(s) URL: authority and domain point into it. */
void outlink_fill(struct frontier_link *link, struct str url);

/* The host of a canonical http(s) URL, and the authority: "host[:port]". */
struct str outlink_host(struct str url);
struct str outlink_authority(struct str url);

#endif
