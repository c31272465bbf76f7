/* return_url.h -- the return URL of a login: the address it leads back to.
 *
 * Every page of a site has a link to its login with its own address in the
 * query: one form under as many URLs as there are pages.  Pure. */
#ifndef FRONTIER_RETURN_URL_H
#define FRONTIER_RETURN_URL_H

#include <stdbool.h>

#include "base/buf.h"

/* The URL without such parameters (return_url=, and of a login next= and the
 * like).  False: it has none, `out` is not touched. */
bool return_url_without(struct buf *out, struct str url);

#endif
