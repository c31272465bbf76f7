/* fann_text.h -- the lines and tuples of FANN's text format.
 *
 * A line FANN_FLO_2.1, then key=value lines; some values are tuples
 * "(a, b, c) " or numbers between blanks.  Pure. */
#ifndef CLEAN_FANN_TEXT_H
#define CLEAN_FANN_TEXT_H

#include "winnow/str.h"

/* The value of `key`, up to the end of its line; false if absent. */
bool fann_text_find(struct str text, struct str key, struct str *value);

/* Take the next number off *rest; punctuation before it is skipped.  False:
 * there is none, or it is beyond 1e9. */
bool fann_text_number(struct str *rest, double *out);

/* Is the value of `key` there, and this number? */
bool fann_text_is(struct str text, struct str key, double wanted);

#endif
