/* lexicon.h -- which short word lists a word stands in.
 *
 * Words are looked up by a hash of their lower-case code points that the
 * caller computes while it reads (lexicon_hash_*).  Built once per process,
 * read-only after. */
#ifndef CLEAN_LEXICON_H
#define CLEAN_LEXICON_H

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

/* NULL: in none. */
const struct lexicon_entry *lexicon_find(uint64_t hash);

#endif
