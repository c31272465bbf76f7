/* lexicon.h -- which short word lists a word stands in.
 *
 * Words are looked up by a hash of their lower-case code points that the
 * caller computes while it reads (lexicon_hash_*).  Built once per process,
 * read-only after. */
#ifndef CLEAN_LEXICON_H
#define CLEAN_LEXICON_H

#include <stddef.h>
#include <stdint.h>

enum language {
#define LANGUAGE(id, words) LANGUAGE_##id,
#define LEXICON(id, words)
#include "lexicon.tbl.h"
#undef LANGUAGE
#undef LEXICON
    LANGUAGE_N
};

enum lexicon {
#define LANGUAGE(id, words)
#define LEXICON(id, words) LEXICON_##id,
#include "lexicon.tbl.h"
#undef LANGUAGE
#undef LEXICON
    LEXICON_N
};

struct lexicon_entry {
    uint64_t hash;
    uint32_t languages; /* 1 << LANGUAGE_x */
    uint32_t lexicons;  /* 1 << LEXICON_x */
};

#define LEXICON_HASH_START 0x6c6f7264u

static inline uint64_t
lexicon_hash_add(uint64_t h, uint32_t lower_case)
{
    h = (h ^ lower_case) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

/* Build the table; may be called often and from any thread. */
void lexicon_init(void);

/* A bit for each word: small enough to stay in the first-level cache, and gives
 * the usual answer (not there). */
#define LEXICON_FILTER_BITS 32768u
extern uint64_t lexicon_filter[LEXICON_FILTER_BITS / 64];

static inline uint64_t
lexicon_bit(uint64_t hash)
{
    return hash >> 16 & (LEXICON_FILTER_BITS - 1);
}

const struct lexicon_entry *lexicon_look_up(uint64_t hash);

/* NULL: in none. */
static inline const struct lexicon_entry *
lexicon_find(uint64_t hash)
{
    uint64_t bit = lexicon_bit(hash);

    return lexicon_filter[bit / 64] >> bit % 64 & 1 ? lexicon_look_up(hash)
                                                    : NULL;
}

#endif
