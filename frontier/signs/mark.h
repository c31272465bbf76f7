/* mark.h -- what a URL says of its page's language. */
#ifndef FRONTIER_MARK_H
#define FRONTIER_MARK_H

#include <stdbool.h>

#include "winnow/str.h"

#define MARK_LANGUAGES_MAX 16u

struct mark_languages {               /* of a crawl */
    char code[MARK_LANGUAGES_MAX][3]; /* two letters */
    size_t n;
};

/* Further ones than the table holds are left out. */
void mark_add(struct mark_languages *l, struct str code);

enum mark {
    MARK_NONE,
    MARK_WANTED, /* one of the crawl's languages */
    MARK_OTHER   /* a language, none of the crawl's */
};

/* xx, xx-yy or xx_yy: letters that may stand for a language. */
bool mark_like(struct str s);

/* A language's code as a directory (/de/), before or as an extension
 * (x.de.html, x.html.de, x-de.html), as a parameter (lang=de) or as the host's
 * first label.  The last one counts. */
enum mark mark_of_url(const struct mark_languages *l, struct str host,
                      struct str rest);

/* What markup says: "nl", "pt-BR"; "": nothing. */
enum mark mark_of_code(const struct mark_languages *l, struct str code);

/* By the country of the top-level domain, where it says much. */
enum mark mark_of_country(const struct mark_languages *l, struct str host);

#endif
