/* spelling.c -- see spelling.h.
 *
 * One hash table for the words of both sides, as slots of pair and side.  A
 * word is a run of ASCII letters (no entry has others); it is looked up in
 * small letters. */
#include "spelling.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/hashmap.h"
#include "base/memory.h"
#include "list.h"

struct spelling_pair {
    struct str word[3]; /* [SPELLING_BRITISH], [SPELLING_AMERICAN] */
    bool one_way, also_british;
};

struct spelling_slot {
    uint32_t pair; /* index + 1, 0: free */
    enum spelling_side side;
};

struct spelling {
    struct arena *arena;
    struct spelling_pair *pair;
    struct hashmap words;
    uint32_t n;
};

static bool
slot_is(const void *spelling, const void *slot, const void *word)
{
    const struct spelling *s = spelling;
    const struct spelling_slot *x = slot;

    return str_eq(s->pair[x->pair - 1].word[x->side],
                  *(const struct str *)word);
}

static const struct hashmap_kind words_kind = {
    sizeof(struct spelling_slot), hashmap_numbered, slot_is, NULL, NULL};

static const struct spelling_slot *
find(const struct spelling *s, struct str word)
{
    return hashmap_find(&s->words, &words_kind, s, hash64(word), &word);
}

static bool
is_entry(struct str word)
{
    for (size_t i = 0; i < word.n; i++)
        if (word.p[i] < 'a' || word.p[i] > 'z')
            return false;
    return word.n > 0 && word.n <= SPELLING_WORD_MAX;
}

/* False: the line is no pair.  Of a word that stands in several pairs the first
 * one counts. */
static bool
take(struct spelling *s, struct str line)
{
    struct spelling_pair *p = &s->pair[s->n];
    struct str part[3] = {S(""), S(""), S("")};

    for (int i = 0; i < 3 && str_cut(&line, '\t', &part[i]); i++)
        ;
    if (!is_entry(part[0]) || !is_entry(part[1]) || str_eq(part[0], part[1]))
        return false;
    p->word[SPELLING_BRITISH] = arena_str(s->arena, part[0]);
    p->word[SPELLING_AMERICAN] = arena_str(s->arena, part[1]);
    p->one_way = str_eq(part[2], S(">"));
    p->also_british = str_eq(part[2], S("z"));
    s->n++;
    for (int side = SPELLING_BRITISH; side <= SPELLING_AMERICAN; side++) {
        const struct str *word = &p->word[side];
        struct spelling_slot *slot;

        if (side == SPELLING_AMERICAN && p->one_way)
            continue;
        slot = hashmap_put(&s->words, &words_kind, s, hash64(*word), word);
        if (slot->pair == 0)
            *slot = (struct spelling_slot){s->n, (enum spelling_side)side};
    }
    return true;
}

enum status
spelling_parse(struct spelling **out, struct str text, uint32_t *bad)
{
    struct spelling *s = memory_zero(1, sizeof *s);
    size_t lines;
    struct str line;

    *out = NULL;
    *bad = 0;
    if (s == NULL)
        return ST_NOMEM;
    s->arena = arena_new();
    text = list_begin(text, &lines);
    if (lines > UINT32_MAX / 8) {
        spelling_free(s);
        return ST_LIMIT;
    }
    s->pair = ARENA_ARRAY(s->arena, struct spelling_pair, lines);
    hashmap_init(&s->words, &words_kind, s->arena, lines * 2);
    while (list_next(&text, &line))
        *bad += !take(s, str_trim(line));
    *out = s;
    return ST_OK;
}

void
spelling_free(struct spelling *s)
{
    if (s == NULL)
        return;
    arena_free(s->arena);
    memory_free(s);
}

uint32_t
spelling_pairs_n(const struct spelling *s)
{
    return s->n;
}

static bool
of_address(char c)
{
    return c == '@' || c == '/' || c == '_' || c == '\\';
}

/* The next run of letters; false: there is none.  *whole: it is no part of an
 * address or a file name. */
static bool
next_word(struct str text, size_t *at, struct str *word, bool *whole)
{
    size_t from, end;

    while (*at < text.n && !ascii_alpha(text.p[*at]))
        ++*at;
    from = end = *at;
    while (end < text.n && ascii_alpha(text.p[end]))
        end++;
    *at = end;
    *word = str_sub(text, from, end);
    *whole =
        !(from > 0 && (of_address(text.p[from - 1]) ||
                       (text.p[from - 1] == '.' && from > 1 &&
                        (ascii_alpha(text.p[from - 2]) ||
                         ascii_digit(text.p[from - 2]))))) &&
        !(end < text.n &&
          (of_address(text.p[end]) ||
           (text.p[end] == '.' && end + 1 < text.n &&
            (ascii_alpha(text.p[end + 1]) || ascii_digit(text.p[end + 1])))));
    return word->n > 0;
}

/* The pair of a word in any case, NULL: it is in none. */
static const struct spelling_pair *
look_up(const struct spelling *s, struct str word, enum spelling_side *side)
{
    char small[SPELLING_WORD_MAX];
    const struct spelling_slot *slot;

    if (word.n < 2 || word.n > SPELLING_WORD_MAX)
        return NULL;
    for (size_t i = 0; i < word.n; i++)
        small[i] = ascii_lower(word.p[i]);
    slot = find(s, str_n(small, word.n));
    if (slot->pair == 0)
        return NULL;
    *side = slot->side;
    return &s->pair[slot->pair - 1];
}

static bool
is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* Append `word` in the case of `like`: small, Capital or ALL CAPITALS; false
 * when that has another one. */
static bool
add_like(struct buf *out, struct str word, struct str like)
{
    size_t capitals = 0;

    for (size_t i = 0; i < like.n; i++)
        capitals += is_capital(like.p[i]);
    if (capitals != 0 && capitals != like.n &&
        !(capitals == 1 && is_capital(like.p[0])))
        return false;
    for (size_t i = 0; i < word.n; i++) {
        bool up = capitals == like.n || (capitals == 1 && i == 0);

        buf_char(out, up ? (char)(word.p[i] - 'a' + 'A') : word.p[i]);
    }
    return true;
}

struct str
spelling_turn(const struct spelling *s, struct arena *a, struct str text,
              enum spelling_side to)
{
    struct buf out = {.arena = a};
    size_t at = 0, done = 0;
    struct str word;
    bool whole;

    while (next_word(text, &at, &word, &whole)) {
        enum spelling_side side;
        const struct spelling_pair *p = whole ? look_up(s, word, &side) : NULL;
        size_t before = out.n;

        if (p == NULL || side == to)
            continue;
        buf_add(&out, text.p + done, at - word.n - done);
        if (add_like(&out, p->word[to], word))
            done = at;
        else
            out.n = before;
    }
    if (done == 0)
        return text;
    buf_add(&out, text.p + done, text.n - done);
    return buf_keep(&out);
}

void
spelling_count(const struct spelling *s, struct str text, uint32_t n[3])
{
    size_t at = 0;
    struct str word;
    bool whole;

    while (next_word(text, &at, &word, &whole)) {
        enum spelling_side side;
        const struct spelling_pair *p = whole ? look_up(s, word, &side) : NULL;

        if (p != NULL && !p->one_way &&
            !(p->also_british && side == SPELLING_AMERICAN))
            n[side]++;
    }
}

enum spelling_side
spelling_decide(const uint32_t n[3])
{
    if (n[SPELLING_BRITISH] > 2 * n[SPELLING_AMERICAN])
        return SPELLING_BRITISH;
    if (n[SPELLING_AMERICAN] > 2 * n[SPELLING_BRITISH])
        return SPELLING_AMERICAN;
    return SPELLING_UNKNOWN;
}
