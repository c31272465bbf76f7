/* robots.h -- robots.txt by RFC 9309: parse once, ask often.
 *
 * Groups for one product token (else the "*" groups) are merged; the longest
 * matching rule wins, allow wins ties; `*` and `$` are understood; both sides
 * are brought to one form of percent-encoding before they are compared.  What
 * is forbidden to other crawlers by their names may be heeded, too. Malformed
 * lines are skipped, never a fault.  A parsed robots is read-only and owns its
 * memory. */
#ifndef CRAWLER_ROBOTS_H
#define CRAWLER_ROBOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/options/opt.h"
#include "base/str.h"

struct robots; /* opaque; see crawler/admit/robots.c */

/* RFC 9309, section 2.5: what lies behind is ignored. */
#define ROBOTS_BODY_MAX ((size_t)500 * 1024)
#define ROBOTS_SITEMAPS_MAX 100
#define ROBOTS_ALSO_MAX 32 /* as politeness.robots_also has it */
/* Stands before and behind the rules of a tdmrep.json (tdmrep.h), which a
 * stored text may begin with.  A robots.txt that begins so by itself speaks for
 * its own host as well. */
#define ROBOTS_TDMREP_MARK '\x1e'
#define ROBOTS_REDIRECTS_MAX 5

/* `agent` is a product token ("winnow") or a whole user agent: only what
 * robots_token() gives counts.  `also`: product tokens of other crawlers, whose
 * own groups (not "*") must allow a path as well; NULL: none.  Never NULL; end
 * with robots_free(). */
struct robots *robots_parse(struct str body, struct str agent,
                            const struct opt_list *also);
void robots_free(struct robots *r); /* NULL is allowed */

/* May we fetch `target`, a URL's path and query as sent to the server? */
bool robots_allowed(const struct robots *r, struct str target);

/* Crawl-delay of our group in ms, at most `max_ms`; 0: none. */
uint32_t robots_crawl_delay_ms(const struct robots *r, uint64_t max_ms);

/* What our group says of the use of texts: its lines of Content-Signal and
 * Content-Usage, each ended by \n; "" : nothing. */
struct str robots_rights(const struct robots *r);

/* The rules of its tdmrep.json that stand before the text; "": none. */
struct str robots_tdmrep(const struct robots *r);

/* Does a pattern, as rules have it, match a URL's path and query? */
bool robots_pattern_matches(struct str pattern, struct str target);

/* Values of Sitemap lines (they belong to no group); *n of them. */
const struct str *robots_sitemaps(const struct robots *r, size_t *n);

size_t robots_memory(const struct robots *r); /* bytes, about */

/* The product token at the start of a user agent: letters, - and _; digits too,
 * since "crawler2" is nobody else's "crawler1". */
struct str robots_token(struct str agent);

/* The name of ours that a job has looked for in robots.txt and meta robots. */
struct str robots_agent(const struct opts *o);

/* One form of percent-encoding: %XX in upper case, unreserved characters
 * decoded, octets outside of ASCII encoded.  In a pattern `*` and a final `$`
 * keep their meaning; in a path they are encoded. */
void robots_normalise(struct str in, bool pattern, struct buf *out);

#endif
