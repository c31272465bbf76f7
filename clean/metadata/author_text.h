/* author_text.h -- names of authors in what pages put there. */
#ifndef CLEAN_AUTHOR_TEXT_H
#define CLEAN_AUTHOR_TEXT_H

#include "base/str.h"

#define AUTHOR_BYTES 120u /* a longer name is none */

/* The names in "By Jane Doe, MD and John Roe | The Daily", at most `max`, as
 * parts of `text`, in its order; how many.  URLs, e-mail addresses, accounts
 * that are no names ("admin"), dates and sentences are none.  running: the text
 * is one for readers, where a name may go on as a sentence ("on Monday"). */
uint32_t author_names(struct str text, bool running, struct str *out,
                      uint32_t max);

/* Whether a text begins as a byline does ("By ", "Von ", "Author:"); *behind:
 * byte where the name begins. */
bool author_byline(struct str text, size_t *behind);

/* Whether a text is what stands before a name and no more. */
bool author_opening(struct str text);

#endif
