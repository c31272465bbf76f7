/* link.h -- a link of a page, as cleaning finds it, the wire carries it and the
 * frontier orders it.
 *
 * Its strings belong to whoever made it: the document's arena, or the message
 * that it came in. */
#ifndef BASE_LINK_H
#define BASE_LINK_H

#include "base/str.h"

enum link_relation { LINK_SAME_HOST, LINK_SAME_DOMAIN, LINK_EXTERNAL };

#define LINK_PATH_STEPS 16u /* elements in the path of a link */

enum link_within { /* elements that a link stands in; <a role=...> counts */
                   LINK_IN_NAV = 1 << 0,    /* and roles of navigation */
                   LINK_IN_HEADER = 1 << 1, /* of the page or of a part */
                   LINK_IN_FOOTER = 1 << 2,
                   LINK_IN_ASIDE = 1 << 3,
                   LINK_IN_MAIN = 1 << 4, /* main or article, also as roles */
                   LINK_IN_ITEM = 1 << 5, /* of a list */
                   LINK_IN_TABLE = 1 << 6,
                   LINK_IN_FORM = 1 << 7
};

/* An anchor with an http(s) target. */
struct link {
    struct str url;      /* absolute, canonical, no fragment */
    struct str anchor;   /* its text, white space collapsed, cut at 200 bytes */
    struct str path;     /* the innermost elements around it, the outermost of
                            them first, itself last: two bytes each, a hash of
                            the tag and the first word of its class, else id,
                            without digits */
    struct str language; /* of the target, lower case: the link's hreflang,
                            its lang, or what the head says of the same target
                            (<link rel=alternate>); "" */
    uint32_t block_at;   /* byte of that block's text where the anchor began */
    uint32_t block_i;    /* index of the enclosing (or next) block; may be
                            blocks_n when none follows */
    enum link_relation relation;
    uint8_t within; /* enum link_within */
    bool nofollow;  /* rel=nofollow (ugc, sponsored count as such) */
};

/* In which language its words are (clean/language/link_words.h). */
enum link_words {
    LINK_WORDS_NONE,        /* no word that a profile has */
    LINK_WORDS_WANTED_SURE, /* a wanted language, over 30 times as likely */
    LINK_WORDS_WANTED,      /* over 3 times */
    LINK_WORDS_EITHER,
    LINK_WORDS_OTHER,
    LINK_WORDS_OTHER_SURE
};

#endif
