/* words.h -- text to words: runs of letters, in capitals.
 *
 * A word is a run of letters of any script with the marks on them; anything
 * else separates, apostrophes too (DON'T is DON and T, as in texrex, so that
 * profiles stay comparable).  In scripts without blanks every letter with its
 * marks is a word, or, with a segmenter, what its dictionaries say.  A run of
 * more than WORD_LETTERS_MAX is no word of any language and is passed over.
 * Pure; used by the tokens stage and by `winnow profile`. */
#ifndef CLEAN_WORDS_H
#define CLEAN_WORDS_H

#include "base/hashmap.h"
#include "clean/chain/document.h"
#include "letters.h"
#include "segment.h"

/* The words seen so far and how often; memory from an arena. */
struct words {
    const struct letters *letters;
    const struct segmenter *segmenter; /* NULL, unless set by the caller */
    struct arena *arena;
    uint64_t *hashes;   /* of every word, in text order */
    uint32_t *sequence; /* the same as indices into types */
    uint32_t hashes_n, hashes_room;
    struct token_type *types; /* in order of first appearance */
    uint32_t types_n, types_room;
    struct hashmap index; /* numbers of types, from 1 */
};

#define WORD_LETTERS_MAX 128u /* with their marks, as capitals */

/* Words beyond this many in one document are not looked at. */
#define WORDS_MAX (1u << 24)

void words_init(struct words *w, const struct letters *l, struct arena *a);

/* Add the words of `text`; how many there were. */
uint32_t words_add(struct words *w, struct str text);

/* Add `count` times a word that is in capitals already; it goes to the types
 * only. */
void words_add_type(struct words *w, struct str word, uint32_t count);

/* Was a word with this hash added?  Looks through all types. */
bool words_have(const struct words *w, uint64_t hash);

/* How many words `text` has; *w does not change but for its arena. */
uint32_t words_count(const struct words *w, struct str text);

/* How many letters of `text` stand in runs that are too long for words. */
uint32_t words_overlong(const struct words *w, struct str text);

#endif
