/* scope_say.h -- why a URL is none of a job's, in words. */
#ifndef CRAWLER_SCOPE_SAY_H
#define CRAWLER_SCOPE_SAY_H

#include "base/buf.h"
#include "base/options/opt.h"

/* A line of which option leaves out the URL, or its page; none when none does,
 * or it is no URL.  What cannot be read of the options is reported. */
void scope_say(const struct opts *o, const char *url, struct buf *out);

#endif
