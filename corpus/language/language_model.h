/* language_model.h -- the weights of n-grams, as data/languages.py lays them
 * out:
 *
 *   "winnow-languages 1\n", then for each script
 *   "Latn 15 af az ...\n": its name, 2^15 slots, its n languages
 *   2 bytes a slot, little endian: a tag of the n-gram there; 0: none
 *   n bytes a slot: the languages' weights, signed
 *
 * A slot is found by the high bits of the mixed number of an n-gram, then
 * linearly; its tag is the low ones (1 for 0). */
#ifndef CORPUS_LANGUAGE_MODEL_H
#define CORPUS_LANGUAGE_MODEL_H

#include <stdint.h>

#include "base/arena.h"
#include "clean/text/letters.h"
#include "language_id.h"

enum { ROW = 64, GROUPS_MAX = 8 }; /* weights of a slot; scripts */

struct language_group {
    struct str script;
    struct str languages[ROW];
    unsigned languages_n, shift; /* from a mixed number to its slot */
    size_t mask;
    const uint16_t *tags;
    const int8_t (*rows)[ROW]; /* zeros behind the last language */
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

/* The weights of an n-gram by its number; NULL: it is not known. */
static inline const int8_t *
ngram_row(const struct language_group *g, uint64_t key)
{
    uint64_t x = ngram_mix(key);
    size_t at = (size_t)(x >> g->shift);
    uint16_t tag = (uint16_t)x != 0 ? (uint16_t)x : 1;

    for (; g->tags[at] != 0; at = (at + 1) & g->mask)
        if (g->tags[at] == tag)
            return g->rows[at];
    return NULL;
}

#endif
