/* reading_time.h -- "5 min read": how long a text takes, as articles say it. */
#ifndef CLEAN_READING_TIME_H
#define CLEAN_READING_TIME_H

#include "base/str.h"

/* Whether s says how many minutes it takes to read something, in one of the
 * target languages.  False of long texts. */
bool says_reading_time(struct str s);

#endif
