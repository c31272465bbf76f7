/* web_about.h -- the options that decided what the pages of a web are, and the
 * year it is of. */
#ifndef LAB_WEB_ABOUT_H
#define LAB_WEB_ABOUT_H

#include "base/options/opt.h"
#include "web.h"

/* Of the present year. */
void web_set_about(struct web *w, const struct opts *o);

/* When crawls of it begin: 1 July of its year (what the frontier makes of dates
 * in URLs depends on today).  A web that does not say is of 2026. */
uint64_t web_start_ms(const struct web *w);

/* What is not given in *o becomes what the web was recorded with, and is said.
 * ST_USAGE: something is given that the record cannot be used with (reported);
 * other contradictions are warnings. */
enum status web_follow_about(const struct web *w, struct opts *o,
                             const char *path);

#endif
