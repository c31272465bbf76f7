/* lexicon.c -- see lexicon.h.
 *
 * A hash table in memory of its own, a quarter full, so that making it cannot
 * fail. */
#include "lexicon.h"

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include "base/hashmap.h"
#include "char_class.h"

#define SLOTS 8192u

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct lexicon_entry slot[SLOTS];
static struct hashmap words;
uint64_t lexicon_filter[LEXICON_FILTER_BITS / 64];

static const char *const language_words[LANGUAGE_N] = {
#define LANGUAGE(id, words) words,
#define LEXICON(id, words)
#include "lexicon.tbl.h"
#undef LANGUAGE
#undef LEXICON
};

static const char *const lexicon_words[LEXICON_N] = {
#define LANGUAGE(id, words)
#define LEXICON(id, words) words,
#include "lexicon.tbl.h"
#undef LANGUAGE
#undef LEXICON
};

static bool
is_used(const void *entry)
{
    return ((const struct lexicon_entry *)entry)->hash != 0;
}

static bool
is_word(const void *none, const void *entry, const void *hash)
{
    (void)none;
    return ((const struct lexicon_entry *)entry)->hash ==
           *(const uint64_t *)hash;
}

static const struct hashmap_kind words_kind = {sizeof(struct lexicon_entry),
                                               is_used, is_word, NULL, NULL};

static struct lexicon_entry *
place(struct str word)
{
    uint64_t h = LEXICON_HASH_START;
    struct lexicon_entry *e;

    for (size_t at = 0; at < word.n;)
        h = lexicon_hash_add(h, char_lower(char_next(word, &at)));
    assert(words.n < SLOTS / 2);
    e = hashmap_put(&words, &words_kind, NULL, h, &h);
    e->hash = h;
    lexicon_filter[lexicon_bit(h) / 64] |= UINT64_C(1) << lexicon_bit(h) % 64;
    return e;
}

static void
build(void)
{
    struct str rest, word;

    hashmap_use(&words, &words_kind, slot, SLOTS);
    for (unsigned l = 0; l < LANGUAGE_N; l++)
        for (rest = str_c(language_words[l]); str_word(&rest, &word);)
            place(word)->languages |= 1u << l;
    for (unsigned l = 0; l < LEXICON_N; l++)
        for (rest = str_c(lexicon_words[l]); str_word(&rest, &word);)
            place(word)->lexicons |= 1u << l;
}

void
lexicon_init(void)
{
    pthread_once(&once, build);
}

const struct lexicon_entry *
lexicon_look_up(uint64_t hash)
{
    const struct lexicon_entry *e =
        hashmap_find(&words, &words_kind, NULL, hash, &hash);

    return e->hash != 0 ? e : NULL;
}
