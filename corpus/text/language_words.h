/* language_words.h -- the words of a language that decide where sentences and
 * tokens end: abbreviations, words that begin sentences, months, clitics.
 *
 * A list is read once from data/words/LANGUAGE.txt (its head says what the
 * lines mean); language_words_read() may add to it before it is used.  While
 * nobody adds, it is read-only and may be used by any number of threads. */
#ifndef CORPUS_LANGUAGE_WORDS_H
#define CORPUS_LANGUAGE_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"

/* What is known of a word (without its stop), as bits. */
enum word_flag {
    WORD_NEVER = 1 << 0,  /* abbreviation that no sentence ends with: "Dr" */
    WORD_NUMBER = 1 << 1, /* abbreviation before a number: "Nr", "p" */
    WORD_MAY = 1 << 2,    /* abbreviation that may stand at the end: "Co" */
    WORD_ENDS = 1 << 3,   /* abbreviation that mostly does: "etc" */
    WORD_STARTS = 1 << 4, /* begins a sentence where it has a capital */
    WORD_MONTH = 1 << 5,
    WORD_UNIT = 1 << 6,   /* stands behind an ordinal: "Jahrhundert" */
    WORD_CLITIC = 1 << 7, /* is cut off: in front of or behind its apostrophe */
    WORD_WHOLE = 1 << 8,  /* is one token in spite of its apostrophe */
    WORD_STOP = 1 << 9,   /* among the most frequent: running text has it */
    WORD_CAPITAL = 1 << 10, /* has a capital wherever it stands: "I" */
    WORD_SPEAKER = 1 << 11, /* stands before WORD_SPEECH: "he" */
    WORD_SPEECH = 1 << 12,  /* stands behind what somebody says: "said" */
    WORD_ABBREVIATION = WORD_NEVER | WORD_NUMBER | WORD_MAY | WORD_ENDS
};

/* What is known of the language as a whole, as bits. */
enum language_trait {
    TRAIT_ORDINALS = 1 << 0,  /* a number with a stop is an ordinal: "3. Mai" */
    TRAIT_NOUNS = 1 << 1,     /* nouns have capitals */
    TRAIT_SPLIT_NOT = 1 << 2, /* "don't" is "do" and "n't" */
    TRAIT_SPLIT_HYPHENS = 1 << 3, /* hyphens stand alone */
    TRAIT_SMALL_STARTS = 1 << 4   /* people often begin sentences small */
};

struct language_words; /* opaque; see language_words.c */

/* The words of `language` ("de"; what follows a '-' or '_' counts for nothing)
 * from `folder`, which holds words/LANGUAGE.txt (data_dir() tells one; NULL:
 * no lists).  A language without a file gets what is common to all languages.
 * The caller owns *out.  ST_INVALID: the file is no word list, which is
 * reported; ST_IO: it cannot be read, reported. */
enum status language_words_open(struct language_words **out,
                                struct str language, const char *folder);
void language_words_free(struct language_words *l); /* NULL is allowed */

/* Add the lines of a list as the files have them, over what is there.
 * ST_INVALID: *line is the number of the first line that is none. */
enum status language_words_read(struct language_words *l, struct str lines,
                                unsigned *line);

/* What is known of a word, whatever its case: enum word_flag; 0: nothing. */
unsigned language_words_flags(const struct language_words *l, struct str word);
/* Whether a word of it has one of these flags. */
bool language_words_has(const struct language_words *l, unsigned flags);
unsigned
language_words_traits(const struct language_words *l); /* enum language_trait */

/* The words that a contraction stands for ("im": "in dem"), with blanks
 * between them; empty: it is none.  Lives as long as the list. */
struct str language_words_contraction(const struct language_words *l,
                                      struct str word);

#endif
