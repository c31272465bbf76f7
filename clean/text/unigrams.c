/* unigrams.c -- see unigrams.h.
 *
 * Open addressing, linear probing, doubled at two thirds full; the words' bytes
 * lie in an arena.  Part of the hash stands in the slot so that a miss hardly
 * ever touches a word. */
#include "unigrams.h"

#include <stdlib.h>

#include "clean/chain/codepoint.h"
#include "clean/charset/utf8.h"
#include "clean/tools/text_lines.h"
#include "winnow/hash.h"
#include "winnow/memory.h"

#define SLOTS_FIRST 1024u

struct slot {
    const char *word; /* NULL: empty */
    uint64_t count;
    uint32_t n, tag;
};

struct unigrams {
    struct arena *arena;
    struct slot *slots;
    size_t slots_n, n;
};

struct unigrams *
unigrams_new(void)
{
    struct unigrams *u = memory_need(calloc(1, sizeof *u));

    u->arena = arena_new();
    u->slots_n = SLOTS_FIRST;
    u->slots = memory_need(calloc(u->slots_n, sizeof *u->slots));
    return u;
}

void
unigrams_free(struct unigrams *u)
{
    if (u == NULL)
        return;
    arena_free(u->arena);
    free(u->slots);
    free(u);
}

/* The slot of `word`, or the empty one where it belongs. */
static struct slot *
find(const struct unigrams *u, struct str word)
{
    uint64_t hash = hash64(word);
    uint32_t tag = (uint32_t)(hash >> 32);
    size_t at = (size_t)hash & (u->slots_n - 1);

    for (;; at = (at + 1) & (u->slots_n - 1)) {
        struct slot *s = &u->slots[at];

        if (s->word == NULL || (s->tag == tag && s->n == word.n &&
                                memcmp(s->word, word.p, word.n) == 0))
            return s;
    }
}

static void
grow(struct unigrams *u)
{
    struct slot *old = u->slots;
    size_t old_n = u->slots_n;

    u->slots_n *= 2;
    u->slots = memory_need(calloc(u->slots_n, sizeof *u->slots));
    for (size_t i = 0; i < old_n; i++)
        if (old[i].word != NULL)
            *find(u, str_n(old[i].word, old[i].n)) = old[i];
    free(old);
}

void
unigrams_add(struct unigrams *u, struct str word, uint64_t count)
{
    struct slot *s;

    if (word.n > UINT32_MAX)
        return;
    s = find(u, word);
    if (s->word != NULL) {
        s->count =
            s->count > UINT64_MAX - count ? UINT64_MAX : s->count + count;
        return;
    }
    s->word = arena_str(u->arena, word).p;
    s->n = (uint32_t)word.n;
    s->tag = (uint32_t)(hash64(word) >> 32);
    s->count = count;
    if (++u->n * 3 > u->slots_n * 2)
        grow(u);
}

uint64_t
unigrams_count(const struct unigrams *u, struct str word)
{
    const struct slot *s = find(u, word);

    return s->word == NULL ? 0 : s->count;
}

size_t
unigrams_n(const struct unigrams *u)
{
    return u->n;
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
