/* rofl.h -- run-on sentences: "end.Now" gets its blank after the full stop.
 *
 * Read-only after it is made; its calls are thread-safe where nothing is shown.
 */
#ifndef CLEAN_ROFL_H
#define CLEAN_ROFL_H

#include <stdio.h>

#include "unigrams.h"

/* Sets of words by word_fold(); none owned. */
struct rofl {
    const struct letters *letters;
    const struct unigrams *words;
    const struct unigrams *prefixes; /* never before a blank: www, ftp */
    const struct unigrams *suffixes; /* never after one: com, html */
    unsigned limit;                  /* further passes over a changed line */
    bool emoticons;                  /* blanks round :letters: first */
    FILE *made; /* "end.Now => end. Now" of each token that was parted, and */
    FILE *left; /* "a.com == " of each that might have been; NULL: nowhere */
};

/* Append the line of valid UTF-8 to `out`; how many blanks were put in. */
size_t rofl_line(const struct rofl *r, struct str line, struct buf *out);

#endif
