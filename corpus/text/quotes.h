/* quotes.h -- whether a place is within a quotation.
 *
 * The signs of a sentence are taken one after the other; only where one is open
 * is looked ahead for what closes it. */
#ifndef CORPUS_QUOTES_H
#define CORPUS_QUOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* Bytes of a quotation: such a short one belongs to the sentence around it,
 * such a long one is not looked for. */
enum { QUOTATION_SHORT = 250, QUOTATION_MAX = 600 };

struct quotation {
    size_t longest;                  /* bytes that one may have */
    const struct quotation_pair *in; /* NULL: none is open */
    size_t begin;                    /* of the open one */
};

/* Whether a byte begins one of the signs. */
static inline bool
quotes_may_begin(unsigned char c)
{
    return c == '"' || c == '\'' || c == '`' || c == 0xc2 || c == 0xe2 ||
           c == 0xe3;
}

/* What stands at `at`; the next such place is *at. */
void quotation_take(struct quotation *q, struct str s, size_t *at);
/* The same of all places from `at` to `end`. */
void quotation_take_all(struct quotation *q, struct str s, size_t at,
                        size_t end);

/* One is open, and is closed behind `at` in the same line. */
bool quotation_goes_on(const struct quotation *q, struct str s, size_t at);

#endif
