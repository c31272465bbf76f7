/* url_language.h -- what a URL says of its page's language. */
#ifndef FRONTIER_URL_LANGUAGE_H
#define FRONTIER_URL_LANGUAGE_H

#include <stdbool.h>

#include "base/link.h"
#include "base/str.h"

#define CRAWL_LANGUAGES_MAX 16u

struct crawl_languages {               /* of a crawl */
    char code[CRAWL_LANGUAGES_MAX][3]; /* two letters */
    size_t n;
};

/* Further ones than the table holds are left out. */
void crawl_languages_add(struct crawl_languages *l, struct str code);

enum url_language {
    URL_LANGUAGE_NONE,
    URL_LANGUAGE_WANTED, /* one of the crawl's languages */
    URL_LANGUAGE_OTHER,  /* a language, none of the crawl's */

    /* Of a link whose markup says nothing: what its words say, from
     * LINK_WORDS_WANTED_SURE on. */
    URL_LANGUAGE_WORDS,
    URL_LANGUAGE_LAST = URL_LANGUAGE_WORDS + LINK_WORDS_OTHER_SURE - 1
};

/* xx, xx-yy or xx_yy: letters that may stand for a language. */
bool url_language_like(struct str s);

/* A language's code as a directory (/de/), before or as an extension
 * (x.de.html, x.html.de, x-de.html), as a parameter (lang=de) or as the host's
 * first label.  The last one counts. */
enum url_language url_language_of(const struct crawl_languages *l,
                                  struct str host, struct str rest);

/* What markup says: "nl", "pt-BR"; "": nothing. */
enum url_language url_language_of_code(const struct crawl_languages *l,
                                       struct str code);

/* What its words say. */
enum url_language url_language_of_words(enum link_words words);

/* By the country of the top-level domain, where it says much. */
enum url_language url_language_of_country(const struct crawl_languages *l,
                                          struct str host);

#endif
