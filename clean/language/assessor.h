/* assessor.h -- what assess.c and its neighbours know of all profiles: every
 * word of theirs and whose it is, and how far each language is from each.
 * Private to the judging of documents (assess.h).
 *
 * Read-only once made. */
#ifndef CLEAN_ASSESSOR_H
#define CLEAN_ASSESSOR_H

#include "assess.h"
#include "base/hashmap.h"

#define NOT_USED UINT8_MAX

struct use {
    uint16_t profile;
    uint8_t type; /* index, or NOT_USED */
    float share, evidence;
};

/* A word of a profile. */
struct word {
    uint64_t hash;
    uint32_t first, n; /* its uses; n is 0 in free slots */
};

/* Of the evidence for the column less that for the row, per word of a text in
 * the row's language; on the diagonal, the evidence for it itself. */
struct rival {
    double mean, spread; /* spread: variance of one word */
};

struct assessor {
    const struct profiles *profiles;
    unsigned parts;
    bool count_types; /* is any of the profiles scored by its types? */
    struct arena *arena;
    struct hashmap words;
    uint64_t *map; /* a bit for every word that there is */
    struct use *uses;
    struct rival *rivals; /* [row * n + column] */
    size_t *all;          /* every profile's index */
    bool *confusable;     /* [row * n + column]: has the row's language stems
                             that tell it from the column's? */
    uint32_t *scripts;    /* of each profile's words (script.h) */
};

/* By the published formula? */
bool assessor_by_types(const struct assessor *s, size_t i);

#define ASSESSOR_MAP_BITS (1u << 16)

static inline uint32_t
assessor_bit(uint64_t hash)
{
    return (uint32_t)(hash >> 40) & (ASSESSOR_MAP_BITS - 1);
}

/* See assessor_word(). */
const struct word *assessor_find(const struct assessor *s, uint64_t hash);

/* The word with this hash64(); NULL, or one without uses: no profile has it. */
static inline const struct word *
assessor_word(const struct assessor *s, uint64_t hash)
{
    uint32_t bit = assessor_bit(hash);

    return (s->map[bit / 64] >> bit % 64 & 1) == 0 ? NULL
                                                   : assessor_find(s, hash);
}

#endif
