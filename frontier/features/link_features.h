/* link_features.h -- where on its page a link stands and what it is called, in
 * a few bytes of a queued row. */
#ifndef FRONTIER_LINK_FEATURES_H
#define FRONTIER_LINK_FEATURES_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum link_parent {                  /* what became of the linking document */
                   PARENT_NONE,     /* a seed, or nothing is known */
                   PARENT_KEPT,     /* also: its text was kept already */
                   PARENT_DOUBTFUL, /* its language, but hardly running text: a
                                       list */
                   PARENT_SHORT,   /* too little text to be sure of its language
                                    */
                   PARENT_LANGUAGE /* another language */
};

#define LINK_ANCHOR_MAX 4u

struct link_features {
    uint16_t anchor[LINK_ANCHOR_MAX]; /* hashes of its first words */
    uint8_t anchor_n;
    uint8_t words; /* of the anchor; 15: that many or more */
    uint8_t tenth; /* of the page's links, 0..9 */
    uint8_t crowd; /* links on the page: 0 to 10, 1 to 50, 2 to 200, 3 more */
    uint8_t level; /* of the page: 0 home page, 1 no directory, 2 one, 3 more */
    uint8_t url_class; /* of the page, on its host */
    uint8_t within;    /* enum link_within: elements that it stands in */
    uint8_t language;  /* enum url_language: what markup or words say of it */
    uint16_t path;     /* hash of the elements around it; 0: not known */
};

/* Of a home page that no author has linked: the frontier has added it
 * (frontier/intake/home_pages.h, frontier/schedule/home_instead.c).  Paths of
 * links are odd. */
#define LINK_PATH_HOME 2u

/* Link number i of n. */
struct link_features link_features_of(struct str anchor, size_t i, size_t n);

/* Of a page, by what follows its authority. */
uint8_t page_level(struct str rest);

#endif
