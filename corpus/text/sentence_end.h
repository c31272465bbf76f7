/* sentence_end.h -- whether stops end a sentence. */
#ifndef CORPUS_SENTENCE_END_H
#define CORPUS_SENTENCE_END_H

#include <stdbool.h>

#include "language_words.h"

/* One or more stops in a row, and what stands around them. */
struct stop_site {
    struct str text;
    const struct language_words *words;
    size_t from;  /* where the sentence begins */
    size_t stop;  /* where the stops begin */
    size_t after; /* where what comes next begins, blanks not counted */
    unsigned dots;
    bool half;     /* a semicolon is among them */
    bool strong;   /* ! or ? is among them, or their like */
    bool full;     /* a stop of a script without blanks */
    bool closed;   /* a quote is closed behind them */
    bool bracket;  /* the same for a bracket */
    bool omitted;  /* an ellipsis of its own follows: ". . . . The" */
    bool broken;   /* a dash, behind which a quote is closed */
    bool numbered; /* numbers of notes stand behind, up to `after` */
    bool blank;    /* blanks stand behind */
};

/* site->after is before the end of the text. */
bool sentence_ends(const struct stop_site *site);

#endif
