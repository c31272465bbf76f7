/* unigrams.c -- see unigrams.h.
 *
 * The words' bytes lie in an arena.  Part of the hash stands in the slot so
 * that a miss hardly ever touches a word. */
#include "unigrams.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/hashmap.h"
#include "base/memory.h"
#include "clean/chain/codepoint.h"
#include "clean/charset/utf8.h"
#include "text_lines.h"

#define WORDS_FIRST 512u

struct unigram_slot {
    const char *word; /* NULL: free */
    uint64_t count;
    uint32_t n, tag;
};

struct unigrams {
    struct arena *arena;
    struct hashmap words;
};

static bool
slot_used(const void *slot)
{
    return ((const struct unigram_slot *)slot)->word != NULL;
}

/* `key` is a slot, too: one that is not in the table. */
static bool
slot_is(const void *unigrams, const void *slot, const void *key)
{
    const struct unigram_slot *a = slot, *b = key;

    (void)unigrams;
    return a->tag == b->tag && a->n == b->n &&
           memcmp(a->word, b->word, b->n) == 0;
}

static uint64_t
slot_hash(const void *unigrams, const void *slot)
{
    const struct unigram_slot *s = slot;

    (void)unigrams;
    return hash64(str_n(s->word, s->n));
}

static const struct hashmap_kind words_kind = {
    sizeof(struct unigram_slot), slot_used, slot_is, slot_hash, NULL};

struct unigrams *
unigrams_new(void)
{
    struct unigrams *u = memory_need(calloc(1, sizeof *u));

    u->arena = arena_new();
    hashmap_init(&u->words, &words_kind, NULL, WORDS_FIRST);
    return u;
}

void
unigrams_free(struct unigrams *u)
{
    if (u == NULL)
        return;
    arena_free(u->arena);
    hashmap_free(&u->words);
    free(u);
}

/* The tag has bits of the hash that are not those of its place. */
static struct unigram_slot
key_of(struct str word, uint64_t hash)
{
    return (struct unigram_slot){
        .word = word.p, .n = (uint32_t)word.n, .tag = (uint32_t)hash};
}

void
unigrams_add(struct unigrams *u, struct str word, uint64_t count)
{
    uint64_t hash = hash64(word);
    struct unigram_slot *s, key = key_of(word, hash);

    if (word.n > UINT32_MAX)
        return;
    s = hashmap_put(&u->words, &words_kind, u, hash, &key);
    if (s->word != NULL) {
        s->count =
            s->count > UINT64_MAX - count ? UINT64_MAX : s->count + count;
        return;
    }
    *s = key;
    s->word = arena_str(u->arena, word).p;
    s->count = count;
}

uint64_t
unigrams_count(const struct unigrams *u, struct str word)
{
    uint64_t hash = hash64(word);
    struct unigram_slot key = key_of(word, hash);
    const struct unigram_slot *s =
        hashmap_find(&u->words, &words_kind, u, hash, &key);

    return s->count; /* of a free one: 0 */
}

size_t
unigrams_n(const struct unigrams *u)
{
    return u->words.n;
}

static struct str
without_cr(struct str line)
{
    return str_ends(line, S("\r")) ? str_sub(line, 0, line.n - 1) : line;
}

bool
unigrams_take(struct unigrams *u, struct str line)
{
    struct str rest = without_cr(line), number;
    uint64_t count;

    if (!str_cut(&rest, '\t', &number) || rest.n == 0 ||
        !str_u64(str_trim(number), &count))
        return false;
    unigrams_add(u, rest, count);
    return true;
}

enum status
unigrams_read(struct unigrams *u, const char *path, uint64_t *bad)
{
    struct text_lines *in;
    enum status st = text_lines_open(&in, path);
    struct str line;
    bool ended;

    *bad = 0;
    if (st != ST_OK)
        return st;
    while ((st = text_lines_next(in, &line, &ended)) == ST_OK)
        *bad += line.n > 0 && (!utf8_valid(line) || !unigrams_take(u, line));
    text_lines_close(in);
    return st == ST_NONE ? ST_OK : st;
}

enum status
unigrams_read_words(struct unigrams *u, const char *path,
                    const struct letters *l)
{
    struct text_lines *in;
    enum status st = text_lines_open(&in, path);
    struct buf folded = {0};
    struct str line;
    bool ended;

    if (st != ST_OK)
        return st;
    while ((st = text_lines_next(in, &line, &ended)) == ST_OK) {
        if (!utf8_valid(line))
            continue;
        word_fold(l, str_trim(line), &folded);
        if (folded.n > 0)
            unigrams_add(u, buf_view(&folded), 1);
    }
    buf_free(&folded);
    text_lines_close(in);
    return st == ST_NONE ? ST_OK : st;
}

void
word_fold(const struct letters *l, struct str word, struct buf *out)
{
    buf_clear(out);
    for (size_t at = 0; at < word.n;) {
        uint32_t cp = codepoint_next(word, &at);

        /* the capital sharp s has no simple mapping from the small one */
        buf_utf8(out, cp == 0x1e9e ? 0xdf : letters_upper(l, cp));
    }
}

void
word_lower(struct str word, struct buf *out)
{
    buf_clear(out);
    for (size_t at = 0; at < word.n;)
        buf_utf8(out, letters_lower(codepoint_next(word, &at)));
}
