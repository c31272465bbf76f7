/* web_about.h -- the options that decided what the pages of a web are. */
#ifndef LAB_WEB_ABOUT_H
#define LAB_WEB_ABOUT_H

#include "web.h"
#include "winnow/opt.h"

void web_set_about(struct web *w, const struct opts *o);

/* May the web be used with these options?  One that is at its preset follows
 * the web; one that was changed to something else is reported: ST_USAGE. */
enum status web_check_about(const struct web *w, const struct opts *o,
                            const char *path);

#endif
