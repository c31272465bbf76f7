/* build.h -- makes a recorded web, cleaning each page once with the crawl's own
 * chain and rules.
 *
 * The same input and options give the same web, whatever the threads. */
#ifndef LAB_BUILD_H
#define LAB_BUILD_H

#include "clean/cleaner/cleaner.h"
#include "clean/language/link_words.h"
#include "site.h"
#include "web.h"

#define BUILD_PAGES_MAX 50000000u /* URLs; a folder can be a trap, too */

struct build {
    const struct opts *opts;
    const struct cleaner *cleaner;
    const struct link_words_model *link_words;
    const struct str *seeds; /* canonical URLs */
    size_t seeds_n;
    size_t threads_n;
};

/* Ask a folder of sites everything that can be reached from the seeds and from
 * every host's root.  Links out of the folder are kept; where they lead stays
 * unknown.  ST_IO: a file cannot be read;
 * ST_LIMIT: too many URLs (both reported).  Owned by the caller. */
enum status build_from_site(struct web **out, const struct site *site,
                            const struct build *how);

/* What a crawl has fetched: the answers in its WARC (or any WARC or ARC) files,
 * and, when `crawl` is not NULL, the URLs that did not answer and the seeds
 * (depth 0) from the log of the crawl in that folder.  Of several answers of a
 * URL the last counts; a revisit has the bytes of the record that it refers to,
 * or is left out with a warning. Links to URLs that were not fetched are kept.
 * ST_IO: a file cannot be read; ST_USAGE: no answers are in them (both
 * reported).  Owned by the caller. */
enum status build_from_archives(struct web **out, const char *const *files,
                                size_t files_n, const char *crawl,
                                const struct build *how);

#endif
