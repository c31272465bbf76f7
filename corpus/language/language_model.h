/* language_model.h -- the weights of n-grams, as data/languages.py lays them
 * out:
 *
 *   "winnow-languages 1\n", then for each script
 *   "Latn 15 af az ...\n": its name, 2^15 slots, its n languages
 *   the slots (base/tag_table.h): the key is the mixed number of an n-gram
 *   n bytes a slot: the languages' weights, signed
 *   and at the end of the file a checksum_line */
#ifndef CORPUS_LANGUAGE_MODEL_H
#define CORPUS_LANGUAGE_MODEL_H

#include <stdint.h>

#include "base/arena.h"
#include "base/tag_table.h"
#include "clean/text/letters.h"
#include "language_id.h"

enum { ROW = 64, GROUPS_MAX = 8 }; /* weights of a slot; scripts */

/* The weights of two languages a number, each plus 128, so that sixteen bits
 * add two hundred of them without a sign; a row is a line of the cache. */
struct language_row {
    uint16_t pairs[ROW / 2]; /* of language i the low byte, of i + 1 the high */
};

enum { WEIGHT_ZERO = 128 };

struct language_group {
    struct str script;
    struct str languages[ROW];
    unsigned languages_n;
    struct tag_table ngrams;
    const struct language_row *rows; /* of the slots */
};

struct language_model {
    struct arena *arena;
    struct letters *letters;
    struct language_group groups[GROUPS_MAX];
    unsigned groups_n;
};

static inline uint64_t
ngram_mix(uint64_t key)
{
    key ^= key >> 32;
    key *= 0x9e3779b97f4a7c15u;
    return key ^ key >> 29;
}

#endif
