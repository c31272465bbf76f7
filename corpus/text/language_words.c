/* language_words.c -- see language_words.h.
 *
 * A hash table from words in small letters to their bits.  A file is lines
 * "KIND: word word ..."; a contraction is "contraction: im in dem"; '#' begins
 * a comment. */
#include "language_words.h"

#include <errno.h>
#include <stdio.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/hashmap.h"
#include "base/log.h"
#include "clean/chain/codepoint.h"
#include "language_words_inside.h"
#include "text_scan.h"

#define FILE_MAX ((size_t)4 << 20)
#define WORD_MAX ((size_t)64)

struct known_word {
    struct str word, contraction;
    uint64_t hash;
    unsigned flags;
};

struct language_words {
    struct arena *arena;
    struct letters *letters;
    struct hashmap index; /* numbers of entries */
    struct known_word *entries;
    uint32_t n, room;
    unsigned traits, has; /* has: flags of all its words */
};

struct word_key {
    struct str word;
    uint64_t hash;
};

static bool
is_word(const void *of, const void *slot, const void *key)
{
    const struct language_words *l = of;
    const struct word_key *k = key;
    const struct known_word *e = &l->entries[*(const uint32_t *)slot - 1];

    return e->hash == k->hash && str_eq(e->word, k->word);
}

static uint64_t
entry_hash(const void *of, const void *slot)
{
    const struct language_words *l = of;

    return l->entries[*(const uint32_t *)slot - 1].hash;
}

static const struct hashmap_kind entries_kind = {
    sizeof(uint32_t), hashmap_numbered, is_word, entry_hash, NULL};

/* What every list begins with. */
static const char common[] = "never: dr mr mrs ms prof st vs\n"
                             "number: no nr n\u00b0 n\u00ba vol fig art p pp\n"
                             "may: co inc ltd etc al ca jr sr\n";

static const struct {
    const char *name;
    unsigned flag;
} kinds[] =
    {
        {"never", WORD_NEVER},     {"number", WORD_NUMBER},
        {"may", WORD_MAY},         {"ends", WORD_ENDS},
        {"starts", WORD_STARTS},   {"month", WORD_MONTH},
        {"unit", WORD_UNIT},       {"clitic", WORD_CLITIC},
        {"whole", WORD_WHOLE},     {"stop", WORD_STOP},
        {"capital", WORD_CAPITAL}, {"speaker", WORD_SPEAKER},
        {"speech", WORD_SPEECH},
},
  traits[] = {
      {"ordinals", TRAIT_ORDINALS},
      {"nouns", TRAIT_NOUNS},
      {"split-not", TRAIT_SPLIT_NOT},
      {"split-hyphens", TRAIT_SPLIT_HYPHENS},
      {"small-starts", TRAIT_SMALL_STARTS},
};

/* In small letters, with one kind of apostrophe, into out; false: it is too
 * long to be a word of the list. */
static bool
make_key(struct word_key *k, struct str word, char out[WORD_MAX + 4])
{
    size_t n = 0;

    if (word.n == 0 || word.n > WORD_MAX)
        return false;
    for (size_t at = 0; at < word.n;) {
        size_t from = at;
        uint32_t cp = scan_next(word, &at);

        if (n > WORD_MAX)
            return false;
        if (cp < 0x80) {
            out[n++] = ascii_lower((char)cp);
        } else if (cp == 0x2019) {
            out[n++] = '\'';
        } else if (cp == 0xfffd) {
            memcpy(out + n, word.p + from, at - from);
            n += at - from;
        } else
            n += codepoint_put(out + n, letters_lower(cp));
    }
    k->word = str_n(out, n);
    k->hash = hash64(k->word);
    return true;
}

static const struct known_word *
find(const struct language_words *l, struct str word)
{
    char small[WORD_MAX + 4];
    struct word_key k;
    const uint32_t *slot;

    if (!make_key(&k, word, small))
        return NULL;
    slot = hashmap_find(&l->index, &entries_kind, l, k.hash, &k);
    return *slot != 0 ? &l->entries[*slot - 1] : NULL;
}

static struct known_word *
put(struct language_words *l, struct str word)
{
    char small[WORD_MAX + 4];
    struct word_key k;
    uint32_t *slot;

    if (!make_key(&k, word, small))
        return NULL;
    slot = hashmap_put(&l->index, &entries_kind, l, k.hash, &k);
    if (*slot != 0)
        return &l->entries[*slot - 1];
    if (l->n == l->room) {
        uint32_t room = l->room * 2;

        l->entries =
            arena_grow(l->arena, l->entries, l->room * sizeof *l->entries,
                       room * sizeof *l->entries);
        l->room = room;
    }
    l->entries[l->n] = (struct known_word){.word = arena_str(l->arena, k.word),
                                           .hash = k.hash};
    *slot = ++l->n;
    return &l->entries[l->n - 1];
}

unsigned
language_words_flags(const struct language_words *l, struct str word)
{
    const struct known_word *e = find(l, word);

    return e != NULL ? e->flags : 0;
}

struct str
language_words_contraction(const struct language_words *l, struct str word)
{
    const struct known_word *e = find(l, word);

    return e != NULL ? e->contraction : S("");
}

bool
language_words_has(const struct language_words *l, unsigned flags)
{
    return (l->has & flags) != 0;
}

unsigned
language_words_traits(const struct language_words *l)
{
    return l->traits;
}

const struct letters *
language_words_letters(const struct language_words *l)
{
    return l->letters;
}

/* Make a word known.  Its letters are taken small. */
static void
add_word(struct language_words *l, struct str word, unsigned flags)
{
    struct known_word *e = put(l, word);

    if (e != NULL)
        e->flags |= flags;
    l->has |= flags;
}

/* Words separated by blanks, so that a word may hold anything else. */
static bool
next_word(struct str *rest, struct str *word)
{
    do {
        if (!str_cut(rest, ' ', word))
            return false;
        *word = str_trim(*word);
    } while (word->n == 0);
    return true;
}

static bool
read_traits(struct language_words *l, struct str rest)
{
    struct str word;

    while (next_word(&rest, &word)) {
        size_t i = 0, n = sizeof traits / sizeof *traits;

        while (i < n && !str_eq(word, str_c(traits[i].name)))
            i++;
        if (i == n)
            return false;
        l->traits |= traits[i].flag;
    }
    return true;
}

static bool
read_contraction(struct language_words *l, struct str rest)
{
    struct str word;
    struct known_word *e;

    if (!next_word(&rest, &word) || str_trim(rest).n == 0)
        return false;
    if ((e = put(l, word)) == NULL)
        return false;
    e->contraction = arena_str(l->arena, str_trim(rest));
    return true;
}

static bool
read_line(struct language_words *l, struct str line)
{
    struct str rest = line, kind, word;

    line = str_trim(line);
    if (line.n == 0 || line.p[0] == '#')
        return true;
    if (str_find(line, ':', 0) == line.n || !str_cut(&rest, ':', &kind))
        return false;
    kind = str_trim(kind);
    if (str_eq(kind, S("traits")))
        return read_traits(l, rest);
    if (str_eq(kind, S("contraction")))
        return read_contraction(l, rest);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (str_eq(kind, str_c(kinds[i].name))) {
            while (next_word(&rest, &word))
                add_word(l, word, kinds[i].flag);
            return true;
        }
    return false;
}

enum status
language_words_read(struct language_words *l, struct str lines, unsigned *line)
{
    struct str one;

    for (*line = 1; str_cut(&lines, '\n', &one); ++*line)
        if (!read_line(l, one))
            return ST_INVALID;
    return ST_OK;
}

/* "de" of "de-AT". */
static struct str
base_language(struct str language)
{
    size_t n = 0;

    while (n < language.n && ascii_alpha(language.p[n]))
        n++;
    return str_n(language.p, n);
}

static enum status
read_file(struct language_words *l, struct str language, const char *folder)
{
    struct buf text = {0};
    unsigned line = 0;
    char path[4096];
    enum status st;

    snprintf(path, sizeof path, "%s/words/%.*s.txt", folder, STRF(language));
    st = file_read(&text, path, FILE_MAX);
    if (st == ST_OK)
        st = language_words_read(l, buf_view(&text), &line);
    else if (errno == ENOENT)
        st = ST_OK;
    if (st == ST_INVALID)
        log_error("language", "%s: line %u is none of a word list", path, line);
    else if (st != ST_OK)
        log_error("language", "%s: %s", path, strerror(errno));
    buf_free(&text);
    return st;
}

enum status
language_words_open(struct language_words **out, struct str language,
                    const char *folder)
{
    struct arena *a = arena_new();
    struct language_words *l = ARENA_NEW(a, struct language_words);
    enum status st = ST_OK;
    unsigned line;

    *out = NULL;
    l->arena = a;
    l->room = 1024;
    l->entries = ARENA_ARRAY(a, struct known_word, l->room);
    hashmap_init(&l->index, &entries_kind, a, l->room);
    if ((l->letters = letters_new()) == NULL) {
        arena_free(a);
        return ST_NOMEM;
    }
    (void)language_words_read(l, S(common), &line);
    language = base_language(language);
    if (folder != NULL && language.n > 0 && language.n <= 16)
        st = read_file(l, language, folder);
    if (st == ST_OK)
        *out = l;
    else
        language_words_free(l);
    return st;
}

void
language_words_free(struct language_words *l)
{
    if (l == NULL)
        return;
    letters_free(l->letters);
    arena_free(l->arena);
}
