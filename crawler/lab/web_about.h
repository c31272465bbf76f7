/* web_about.h -- the options that decided what the pages of a web are. */
#ifndef LAB_WEB_ABOUT_H
#define LAB_WEB_ABOUT_H

#include "web.h"
#include "winnow/opt.h"

void web_set_about(struct web *w, const struct opts *o);

/* May the web be used with these options?  One that is at its preset becomes
 * what the web was recorded with: the target languages are a scorer's business
 * as well.  One that was changed to something else is reported: ST_USAGE. */
enum status web_follow_about(const struct web *w, struct opts *o,
                             const char *path);

#endif
