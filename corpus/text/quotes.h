/* quotes.h -- whether a place is within a quotation. */
#ifndef CORPUS_QUOTES_H
#define CORPUS_QUOTES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* A quotation that begins behind `from` goes on at `at` and is closed in the
 * same line.  Of both at most QUOTATION_MAX bytes are looked at. */
bool quotes_open(struct str s, size_t from, size_t at);

enum { QUOTATION_MAX = 1200 };

#endif
