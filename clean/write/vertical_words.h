/* vertical_words.h -- text to the tokens of a corpus manager: words, numbers,
 * punctuation, each as it stands. */
#ifndef CLEAN_VERTICAL_WORDS_H
#define CLEAN_VERTICAL_WORDS_H

#include "base/str.h"

struct vertical_words {
    struct str text;    /* valid UTF-8; set by the caller */
    size_t at;          /* 0 */
    const size_t *cuts; /* segment_cuts() of the text: words of scripts without
                           blanks; NULL: letter by letter */
    bool glued;         /* of the last token: no blank stands before it */
};

/* The next token; false at the end. */
bool vertical_words_next(struct vertical_words *w, struct str *token);

#endif
