/* words.c -- see words.h.
 *
 * One pass over the bytes: ASCII letters go through a table of 128, the rest is
 * decoded and looked up in the two-level tables of letters.h.  Capitals are
 * written where the text of the next new type will lie, so a word that was seen
 * before costs no memory.  A capital may need three bytes where the small
 * letter had two (never more, by the simple mappings), which sets the bound of
 * the memory. */
#include "words.h"

#include "base/hash.h"
#include "clean/chain/codepoint.h"

#define TYPES_FIRST 512

struct word_scan {
    const struct letters *letters;
    struct str text;
    size_t at;
    char *out;          /* where the next word is written, in capitals */
    const size_t *cuts; /* word boundaries in ascending order, the last one is
                           the end of the text; NULL: after every letter */
};

static bool
is_type(const void *words, const void *slot, const void *hash)
{
    const struct words *w = words;

    return w->types[*(const uint32_t *)slot - 1].hash ==
           *(const uint64_t *)hash;
}

static uint64_t
type_hash(const void *words, const void *slot)
{
    const struct words *w = words;

    return w->types[*(const uint32_t *)slot - 1].hash;
}

static const struct hashmap_kind types_kind = {
    sizeof(uint32_t), hashmap_numbered, is_type, type_hash, NULL};

void
words_init(struct words *w, const struct letters *l, struct arena *a)
{
    memset(w, 0, sizeof *w);
    w->letters = l;
    w->arena = a;
    hashmap_init(&w->index, &types_kind, a, TYPES_FIRST);
}

/* Whether a word of letters that stand alone ends at s->at. */
static bool
cut_here(struct word_scan *s)
{
    if (s->cuts == NULL)
        return true;
    while (*s->cuts < s->at)
        s->cuts++;
    return *s->cuts == s->at;
}

/* What the character at s->at does to the word of n bytes so far: it is
 * written (n grows) or it ends the word (false, nothing consumed). */
static bool
take_other(struct word_scan *s, size_t *n, bool *single)
{
    size_t next = s->at;
    uint32_t cp = codepoint_next(s->text, &next);
    enum letter_class class = letters_class(s->letters, cp);

    switch (class) {
    case LETTER_NONE: return false;
    case LETTER_SINGLE:
        if (*n > 0 && (!*single || cut_here(s)))
            return false;
        *single = true;
        break;
    case LETTER_WORD:
    case LETTER_SHARP_S:
        if (*single)
            return false;
        break;
    case LETTER_MARK:
        if (*n == 0)
            return false;
        break;
    case LETTER_SILENT:
        if (*n == 0)
            return false;
        s->at = next;
        return true;
    }
    s->at = next;
    if (class == LETTER_SHARP_S) {
        s->out[(*n)++] = 'S';
        s->out[(*n)++] = 'S';
    } else
        *n += codepoint_put(s->out + *n, letters_upper(s->letters, cp));
    return true;
}

/* Write the next run of letters to s->out; its length in bytes, 0 at the end.
 */
static size_t
next_run(struct word_scan *s)
{
    const unsigned char *p = (const unsigned char *)s->text.p;
    const uint8_t *upper = s->letters->ascii_upper;
    size_t n = 0, end = s->text.n;
    bool single = false;

    while (s->at < end) {
        unsigned char c = p[s->at];

        if (c < 0x80) {
            if (upper[c] != 0 && !single) {
                size_t at = s->at; /* not through s: out may be anywhere */
                char *out = s->out + n;

                do
                    *out++ = (char)upper[c];
                while (++at < end && (c = p[at]) < 0x80 && upper[c] != 0);
                n += at - s->at;
                s->at = at;
            } else if (n > 0)
                break;
            else
                s->at++;
        } else if (!take_other(s, &n, &single)) {
            if (n > 0)
                break;
            codepoint_next(s->text, &s->at);
        }
    }
    return n;
}

/* The same for the next word. */
static size_t
next_word(struct word_scan *s)
{
    size_t n;

    while ((n = next_run(s)) > WORD_LETTERS_MAX &&
           codepoint_count(str_n(s->out, n)) > WORD_LETTERS_MAX)
        ;
    return n;
}

/* Count a word n times; its index.  A new one is the last: its bytes must
 * stay. */
static uint32_t
count_type(struct words *w, struct str word, uint64_t hash, uint32_t n)
{
    uint32_t *number = hashmap_put(&w->index, &types_kind, w, hash, &hash);

    if (*number != 0) {
        w->types[*number - 1].count += n;
        return *number - 1;
    }
    if (w->types_n == w->types_room) {
        uint32_t room = w->types_room ? w->types_room * 2 : TYPES_FIRST;

        w->types =
            arena_grow(w->arena, w->types, w->types_room * sizeof *w->types,
                       room * sizeof *w->types);
        w->types_room = room;
    }
    w->types[w->types_n++] = (struct token_type){word, hash, n};
    *number = w->types_n;
    return *number - 1;
}

static void
keep_word(struct words *w, uint64_t hash, uint32_t type)
{
    if (w->hashes_n == w->hashes_room) {
        uint32_t room = w->hashes_room ? w->hashes_room * 2 : 1024;

        w->hashes =
            arena_grow(w->arena, w->hashes, w->hashes_room * sizeof *w->hashes,
                       room * sizeof *w->hashes);
        w->sequence = arena_grow(w->arena, w->sequence,
                                 w->hashes_room * sizeof *w->sequence,
                                 room * sizeof *w->sequence);
        w->hashes_room = room;
    }
    w->sequence[w->hashes_n] = type;
    w->hashes[w->hashes_n++] = hash;
}

static bool
has_single(const struct letters *l, struct str s)
{
    for (size_t at = 0; at < s.n;) {
        if ((unsigned char)s.p[at] < 0xe0) /* none is below U+0800 */
            at++;
        else if (letters_class(l, codepoint_next(s, &at)) == LETTER_SINGLE)
            return true;
    }
    return false;
}

static void
scan_init(struct word_scan *s, const struct words *w, struct str text)
{
    *s = (struct word_scan){.letters = w->letters, .text = text};
    s->out = arena_raw(w->arena, text.n + text.n / 2 + 8);
    if (w->segmenter != NULL && has_single(w->letters, text))
        s->cuts = segment_cuts(w->segmenter, w->arena, text);
}

uint32_t
words_add(struct words *w, struct str text)
{
    uint32_t hashes_before = w->hashes_n;
    struct word_scan s;
    size_t n;

    scan_init(&s, w, text);
    while (w->hashes_n < WORDS_MAX && (n = next_word(&s)) > 0) {
        struct str word = str_n(s.out, n);
        uint64_t hash = hash64(word);
        uint32_t before = w->types_n, type = count_type(w, word, hash, 1);

        keep_word(w, hash, type);
        if (w->types_n > before)
            s.out += n;
    }
    return w->hashes_n - hashes_before;
}

bool
words_have(const struct words *w, uint64_t hash)
{
    for (uint32_t i = 0; i < w->types_n; i++)
        if (w->types[i].hash == hash)
            return true;
    return false;
}

void
words_add_type(struct words *w, struct str word, uint32_t count)
{
    word = arena_str(w->arena, word);
    (void)count_type(w, word, hash64(word), count);
}

static uint32_t
count_segments(const struct words *w, struct str text)
{
    struct word_scan s;
    uint32_t n = 0;

    scan_init(&s, w, text);
    while (next_word(&s) > 0)
        n++;
    return n;
}

struct letter_tally {
    uint32_t words, overlong; /* letters */
};

/* The run of letters that just ended. */
static void
tally_run(struct letter_tally *t, uint32_t letters)
{
    if (letters > WORD_LETTERS_MAX)
        t->overlong += letters;
    else
        t->words += letters > 0;
}

static struct letter_tally
tally_of(const struct letters *l, struct str text)
{
    const unsigned char *p = (const unsigned char *)text.p;
    struct letter_tally t = {0};
    uint32_t run = 0;

    for (size_t at = 0; at < text.n;) {
        enum letter_class class = LETTER_NONE;

        if (p[at] < 0x80)
            class = l->ascii_upper[p[at++]] ? LETTER_WORD : LETTER_NONE;
        else
            class = letters_class(l, codepoint_next(text, &at));
        if (class == LETTER_WORD) {
            run++;
        } else if (class == LETTER_SHARP_S) {
            run += 2;
        } else if (class == LETTER_MARK) {
            run += run > 0;
        } else if (class != LETTER_SILENT) {
            tally_run(&t, run);
            run = 0;
            t.words += class == LETTER_SINGLE;
        }
    }
    tally_run(&t, run);
    return t;
}

uint32_t
words_count(const struct words *w, struct str text)
{
    if (w->segmenter != NULL)
        return count_segments(w, text);
    return tally_of(w->letters, text).words;
}

/* Whether there are more than WORD_LETTERS_MAX bytes without a blank. */
static bool
may_be_overlong(struct str s)
{
    for (size_t at = 0; s.n - at > WORD_LETTERS_MAX;) {
        size_t blank = at + WORD_LETTERS_MAX;

        while (blank > at && s.p[blank] != ' ')
            blank--;
        if (blank == at)
            return true;
        at = blank;
    }
    return false;
}

uint32_t
words_overlong(const struct words *w, struct str text)
{
    return may_be_overlong(text) ? tally_of(w->letters, text).overlong : 0;
}
