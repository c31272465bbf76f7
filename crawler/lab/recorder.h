/* recorder.h -- records one answer of a server: its outcome and its document by
 * the crawl's rules, which the builders put into a web. */
#ifndef LAB_RECORDER_H
#define LAB_RECORDER_H

#include "clean/cleaner/cleaner.h"
#include "clean/scope/scope.h"
#include "crawler/admit/outlinks.h"
#include "web.h"

struct recorder { /* read-only: threads share it */
    const struct opts *opts;
    const struct cleaner *cleaner;
    const struct scope *scope; /* admits everything */
    const struct link_words_model *link_words;
    struct str agent; /* our product token */
};

struct answer {
    struct str url;
    struct str content; /* names what answered; "": nothing did */
    unsigned status;
    struct str content_type, x_robots_tag, location, body;
};

struct recorded {
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
void record_answer(const struct recorder *j, const struct answer *a,
                   struct arena *scratch, struct arena *keep,
                   struct recorded *out);

/* Put it into the web as its page's answer, content number and links set. */
void recorded_store(struct web *w, uint32_t page, uint32_t content,
                    const struct recorded *j);

#endif
