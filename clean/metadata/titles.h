/* titles.h -- the parts of sources_titles().
 *
 * `titles`: the first so many candidates of titles, those of the page's head.
 */
#ifndef CLEAN_TITLES_H
#define CLEAN_TITLES_H

#include "candidates.h"

/* Is it what the page's head says of its whole title? */
bool title_of_head(const struct guess *title);

/* ---- site_name.c ---- */

/* Names of the site in whole titles: of its domain, and the one that leads
 * home, which it gives; or "". */
struct str site_names_in_titles(struct guesses *c, uint32_t titles);

/* ... and by the headings, which are all known: in brackets, if an <h1> has it,
 * too, and the half of a title that is an <h1> above the page while the other
 * half is one of the page; that one it gives, or "". */
struct str site_names_in_headings(struct guesses *c, uint32_t titles);

/* ---- no_title.c: of another page than home ---- */

/* The site's name is no title, nor is what only <title> says and that has it at
 * an end; "": nothing is left out. */
void no_title_of_site(struct guesses *c, struct str site);

/* The name of a page in its URL is no title where the page has a heading, nor
 * is what only <title> says and that has it at an end, nor the site's name:
 * PART_IS_SITE is set. */
void no_title_in_url(struct guesses *c);

#endif
