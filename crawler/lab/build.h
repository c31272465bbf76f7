/* build.h -- makes a recorded web: asks a folder of sites everything that can
 * be reached from the seeds and from every host's root, and cleans each page
 * once, with the crawl's own chain and rules.
 *
 * Links out of the folder are left out, as a crawl with scope.hosts = the hosts
 * of the folder would. */
#ifndef LAB_BUILD_H
#define LAB_BUILD_H

#include "site.h"
#include "web.h"
#include "winnow/cleaner.h"

#define BUILD_PAGES_MAX 50000000u /* URLs; a folder can be a trap, too */

struct build {
    const struct opts *opts;
    const struct cleaner *cleaner;
    const struct str *seeds; /* canonical URLs on hosts of the folder */
    size_t seeds_n;
    size_t threads_n;
};

/* The same folder, options and seeds give the same web, whatever the threads.
 * ST_IO: a file cannot be read; ST_LIMIT: too many URLs (both reported).
 * Owned by the caller. */
enum status build_from_site(struct web **out, const struct site *site,
                            const struct build *b);

/* The options that decide what a page is judged to be, a line each. */
void build_about(const struct opts *o, struct buf *out);

#endif
