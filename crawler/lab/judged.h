/* judged.h -- one answer of a server, cleaned and judged by the crawl's rules:
 * what the builders put into a web. */
#ifndef LAB_JUDGED_H
#define LAB_JUDGED_H

#include "crawler/admit/outlinks.h"
#include "crawler/admit/scope.h"
#include "web.h"
#include "winnow/cleaner.h"

struct judge { /* read-only: threads share it */
    const struct opts *opts;
    const struct cleaner *cleaner;
    const struct scope *scope; /* admits everything */
    struct str agent;          /* our product token */
};

struct answer {
    struct str url;
    struct str content; /* names what answered; "": nothing did */
    unsigned status;
    struct str content_type, x_robots_tag, location, body;
};

struct judged {
    struct web_page page; /* numbers of web tables are not set */
    struct str content;   /* as in the answer */
    struct str location;  /* that header, else "" */
    struct str target;    /* where a redirect leads, else "" */
    struct str language, language_stated; /* "" */
    struct frontier_link *links;
    size_t links_n;
    const struct fingerprint *fingerprint; /* NULL: none */
};

/* Strings of *out live in `keep`; `scratch` is used and reset. */
void judge_answer(const struct judge *j, const struct answer *a,
                  struct arena *scratch, struct arena *keep,
                  struct judged *out);

/* Put it into the web as its page's answer, content number and links set. */
void judged_store(struct web *w, uint32_t page, uint32_t content,
                  const struct judged *j);

#endif
