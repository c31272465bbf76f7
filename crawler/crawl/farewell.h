/* farewell.h -- how a crawl ended, and why there is no more than there is. */
#ifndef CRAWLER_FAREWELL_H
#define CRAWLER_FAREWELL_H

#include "crawler/loop/crawl_state.h"

/* Says it; the exit code. */
int crawl_farewell(const struct crawl *c);

#endif
