/* web_about.h -- the options that decided what the pages of a web are, and the
 * year it is of. */
#ifndef LAB_WEB_ABOUT_H
#define LAB_WEB_ABOUT_H

#include "web.h"
#include "winnow/opt.h"

/* Of the present year. */
void web_set_about(struct web *w, const struct opts *o);

/* When crawls of it begin: 1 July of its year (what the frontier makes of dates
 * in URLs depends on today).  A web that does not say is of 2026. */
uint64_t web_start_ms(const struct web *w);

/* May the web be used with these options?  One that is at its preset becomes
 * what the web was recorded with: the target languages are a scorer's business
 * as well.  One that was changed to something else is reported: ST_USAGE. */
enum status web_follow_about(const struct web *w, struct opts *o,
                             const char *path);

#endif
