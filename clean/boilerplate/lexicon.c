/* lexicon.c -- see lexicon.h.
 *
 * An open hash table with linear probing, a quarter full. */
#include "lexicon.h"

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include "char_class.h"

#define SLOTS 8192u
#define WORDS_MAX (SLOTS / 2)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct lexicon_entry slot[SLOTS];
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

static struct lexicon_entry *
place(struct str word)
{
    static size_t used;
    uint64_t h = LEXICON_HASH_START;
    size_t i;

    for (size_t at = 0; at < word.n;)
        h = lexicon_hash_add(h, char_lower(char_next(word, &at)));
    for (i = h % SLOTS; slot[i].hash != 0; i = (i + 1) % SLOTS)
        if (slot[i].hash == h)
            return &slot[i];
    used++;
    assert(used < WORDS_MAX);
    slot[i].hash = h;
    lexicon_filter[lexicon_bit(h) / 64] |= UINT64_C(1) << lexicon_bit(h) % 64;
    return &slot[i];
}

static void
build(void)
{
    struct str rest, word;

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
    for (size_t i = hash % SLOTS; slot[i].hash != 0; i = (i + 1) % SLOTS)
        if (slot[i].hash == hash)
            return &slot[i];
    return NULL;
}
