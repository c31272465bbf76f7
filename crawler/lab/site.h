/* site.h -- a folder of sites, answering URLs as a web server would.
 *
 * DIR/<host>/<path>: every folder below DIR is a host.  A path is percent-
 * decoded and its dot segments are gone; then the first that is a file answers:
 *
 *     PATH, PATH.html, [PATH is a folder: 301 to PATH/], PATH.htm, PATH.en.html
 *     with ?QUERY: PATH@QUERY.html, PATHindex.html@QUERY.html, PATH, PATH.html,
 *                  PATH/index.html, PATH/index.htm
 *     PATH/ : its index.html, index.htm, Index.html, index.shtml, index.xhtml,
 *             home.html, index.en.html; none: 403
 *
 * and 404 otherwise.  Scheme and port do not count.  The type follows the
 * ending; one that is not known is HTML.  This is what the nginx of
 * ../shared/data/web/serve.py does, so that a live crawl of a folder and the
 * laboratory see the same web.
 *
 * Read-only after site_open(): threads share it. */
#ifndef LAB_SITE_H
#define LAB_SITE_H

#include "base/arena.h"
#include "base/status.h"
#include "base/url/url.h"

struct site; /* opaque; see crawler/lab/site.c */

/* ST_USAGE: not a folder, or no host in it (reported). */
enum status site_open(struct site **out, const char *dir);
void site_close(struct site *s); /* NULL is allowed */

/* The hosts, sorted by name. */
const struct str *site_hosts(const struct site *s, size_t *n);
bool site_has_host(const struct site *s, struct str host);

struct site_answer {
    unsigned status; /* 200, 301, 403, 404, 421 */
    struct str content_type, location, body;
    struct str file; /* below DIR: what answered */
};

/* Strings live in `a`; at most body_max bytes are read.  ST_IO: the file is
 * there and cannot be read (reported). */
enum status site_get(const struct site *s, struct arena *a,
                     const struct url *url, size_t body_max,
                     struct site_answer *out);

#endif
