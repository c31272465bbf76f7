/* word_codes.c -- see word_codes.h.
 *
 * The words are spread over shards by their hash, each with a lock; a number is
 * the place in the shard and the shard.  Frequent words are found in a thread's
 * cache, one place for each hash, which also counts them meanwhile. */
#include "word_codes.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/hashmap.h"
#include "base/memory.h"

enum { SHARDS_BITS = 6, SHARDS = 1 << SHARDS_BITS, CACHED = 1 << 16 };
#define WORDS_MAX ((1u << (WORD_CODE_BITS - SHARDS_BITS)) - 2)
#define WORD_ROOM (sizeof(struct coded_word) + 4 * sizeof(uint32_t))

struct coded_word {
    uint64_t hash, n;
    size_t from;
    uint32_t length;
};

struct shard {
    pthread_mutex_t lock;
    struct hashmap map;      /* of numbers in the shard, from 1 */
    struct coded_word *word; /* word[i - 1] */
    uint32_t n, room;
    struct buf text;
};

struct word_codes {
    size_t memory; /* of a shard */
    struct shard shard[SHARDS];
};

struct cached {
    uint64_t hash, n;
    uint32_t code, length;
    char text[24]; /* longer words are not cached */
};

struct word_code_cache {
    struct word_codes *w;
    struct cached at[CACHED];
};

struct code_key {
    struct str word;
    uint64_t hash;
};

static bool
equal(const void *of, const void *slot, const void *key)
{
    const struct shard *s = of;
    const struct coded_word *word = &s->word[*(const uint32_t *)slot - 1];
    const struct code_key *k = key;

    return word->hash == k->hash &&
           str_eq(k->word, str_n(s->text.p + word->from, word->length));
}

static uint64_t
hash_of(const void *of, const void *slot)
{
    const struct shard *s = of;

    return s->word[*(const uint32_t *)slot - 1].hash << SHARDS_BITS;
}

static const struct hashmap_kind kind = {.size = sizeof(uint32_t),
                                         .used = hashmap_numbered,
                                         .equal = equal,
                                         .hash = hash_of};

struct word_codes *
word_codes_new(size_t memory)
{
    struct word_codes *w = memory_need(calloc(1, sizeof *w));

    w->memory = memory / SHARDS;
    for (size_t i = 0; i < SHARDS; i++) {
        pthread_mutex_init(&w->shard[i].lock, NULL);
        hashmap_init(&w->shard[i].map, &kind, NULL, 64);
    }
    return w;
}

void
word_codes_free(struct word_codes *w)
{
    for (size_t i = 0; w != NULL && i < SHARDS; i++) {
        pthread_mutex_destroy(&w->shard[i].lock);
        hashmap_free(&w->shard[i].map);
        free(w->shard[i].word);
        buf_free(&w->shard[i].text);
    }
    free(w);
}

/* The number in the shard, which is locked; 0: no room. */
static uint32_t
find(const struct word_codes *w, struct shard *s, const struct code_key *k)
{
    uint32_t *slot = hashmap_find(&s->map, &kind, s, k->hash << SHARDS_BITS, k);

    if (*slot != 0)
        return *slot;
    if (s->n == WORDS_MAX ||
        s->text.n + k->word.n + (s->n + 1) * WORD_ROOM > w->memory)
        return 0;
    slot = hashmap_put(&s->map, &kind, s, k->hash << SHARDS_BITS, k);
    if (s->n == s->room) {
        s->room = s->room ? s->room + s->room / 2 : 64;
        s->word = memory_need(realloc(s->word, s->room * sizeof *s->word));
    }
    s->word[s->n] = (struct coded_word){
        .hash = k->hash, .from = s->text.n, .length = (uint32_t)k->word.n};
    buf_str(&s->text, k->word);
    return *slot = ++s->n;
}

/* The high bits say which shard, the others which place. */
static uint32_t
ask(struct word_codes *w, struct str word, uint64_t hash, uint64_t n)
{
    uint32_t i = (uint32_t)(hash >> (64 - SHARDS_BITS)), at;
    struct shard *s = &w->shard[i];
    struct code_key k = {word, hash};

    pthread_mutex_lock(&s->lock);
    at = find(w, s, &k);
    if (at != 0)
        s->word[at - 1].n += n;
    pthread_mutex_unlock(&s->lock);
    return at == 0 ? 0 : at << SHARDS_BITS | i;
}

struct word_code_cache *
word_code_cache_new(struct word_codes *w)
{
    struct word_code_cache *c = memory_need(calloc(1, sizeof *c));

    c->w = w;
    return c;
}

static void
give_up(struct word_code_cache *c, struct cached *e)
{
    struct shard *s = &c->w->shard[e->code & (SHARDS - 1)];

    if (e->n == 0)
        return;
    pthread_mutex_lock(&s->lock);
    s->word[(e->code >> SHARDS_BITS) - 1].n += e->n;
    pthread_mutex_unlock(&s->lock);
    e->n = 0;
}

void
word_code_cache_end(struct word_code_cache *c)
{
    for (size_t i = 0; i < CACHED; i++)
        give_up(c, &c->at[i]);
    free(c);
}

uint32_t
word_code(struct word_code_cache *c, struct str word)
{
    uint64_t hash = hash64(word);
    struct cached *e = &c->at[hash & (CACHED - 1)];
    uint32_t code;

    if (e->hash == hash && e->code != 0 &&
        str_eq(word, str_n(e->text, e->length))) {
        e->n++;
        return e->code;
    }
    if (word.n > sizeof e->text)
        return ask(c->w, word, hash, 1);
    give_up(c, e);
    code = ask(c->w, word, hash, 0);
    if (code == 0)
        return 0;
    *e = (struct cached){
        .hash = hash, .n = 1, .code = code, .length = (uint32_t)word.n};
    memcpy(e->text, word.p, word.n);
    return code;
}

uint32_t
word_codes_end(const struct word_codes *w)
{
    uint32_t most = 0;

    for (size_t i = 0; i < SHARDS; i++)
        most = w->shard[i].n > most ? w->shard[i].n : most;
    return (most + 1) << SHARDS_BITS;
}

static const struct coded_word *
known_of(const struct word_codes *w, uint32_t code)
{
    const struct shard *s = &w->shard[code & (SHARDS - 1)];
    uint32_t at = code >> SHARDS_BITS;

    return at == 0 || at > s->n ? NULL : &s->word[at - 1];
}

struct str
word_of_code(const struct word_codes *w, uint32_t code)
{
    const struct coded_word *word = known_of(w, code);

    if (word == NULL)
        return S("");
    return str_n(w->shard[code & (SHARDS - 1)].text.p + word->from,
                 word->length);
}

uint64_t
word_code_count(const struct word_codes *w, uint32_t code)
{
    const struct coded_word *word = known_of(w, code);

    return word == NULL ? 0 : word->n;
}
