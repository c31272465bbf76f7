/* texrex_divisions.h -- a page cut into divisions as texrex cuts it.
 *
 * texrex (texrex-behindthecow) reads bytes, not a tree: <body> begins and ends
 * the page, some tags begin a division, whatever stands between them, some
 * areas are left out, and tags are counted for the division they end in.  Its
 * networks (texrex_features.h) know pages by such divisions. */
#ifndef CLEAN_TEXREX_DIVISIONS_H
#define CLEAN_TEXREX_DIVISIONS_H

#include "clean/text/letters.h"

enum texrex_container { /* in the order of the features */
                        TEXREX_ARTICLE,
                        TEXREX_SECTION,
                        TEXREX_DIV,
                        TEXREX_P,
                        TEXREX_H,
                        TEXREX_BLOCKQUOTE,
                        TEXREX_TD,
                        TEXREX_LI,
                        TEXREX_UNKNOWN
};

struct texrex_division {
    struct str text; /* references decoded, addresses replaced */
    uint32_t raw;    /* bytes of markup and text, line ends as texrex reads */
    uint32_t open, close, anchors, skipped; /* tags; breaks without text */
    uint32_t tags, emails, uris;            /* replaced in the text */
    enum texrex_container container;
    bool after_end; /* an end tag began it */
};

/* From the tag at `at` on text belongs to this division. */
#define TEXREX_NOWHERE UINT32_MAX
struct texrex_mark {
    uint32_t at, division; /* TEXREX_NOWHERE: texrex leaves it out */
};

struct texrex_page {
    struct texrex_division *division;
    struct texrex_mark *mark; /* rising */
    uint32_t n, marks_n;
    uint32_t raw;             /* of the page */
    bool xhtml, html4, html5; /* by its doctype */
};

/* Of valid UTF-8; a page without <body> is all body.  Memory from `a`. */
void texrex_divisions(struct texrex_page *out, struct str utf8,
                      const struct letters *l, struct arena *a);

/* Where text after the tag at `at` belongs. */
uint32_t texrex_division_at(const struct texrex_page *page, uint32_t at);

#endif
