/* scorer_way.h -- how scorers work, for those that are steered by one. */
#ifndef BASE_SCORER_WAY_H
#define BASE_SCORER_WAY_H

#include <stdbool.h>

#include "base/str.h"

/* Does frontier.scorer `name` say itself which URL is next?  A step begins when
 * the one before it is reported, and limits.host_pages must be 0: a host that
 * is full would never let it go on. */
bool scorer_chooses(struct str name);

#endif
