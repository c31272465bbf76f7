/* hyphens.c -- see hyphens.h. */
#include "hyphens.h"

#include <unicode/uchar.h>

#include "base/hash.h"
#include "clean/chain/codepoint.h"

#define WORD_MAX 128u /* bytes; longer ones are not learnt */

#define SOFT_HYPHEN "\xc2\xad"
#define HYPHEN "\xe2\x80\x90"

static bool
is_used(const void *slot)
{
    return *(const uint64_t *)slot != 0;
}

static bool
is_equal(const void *none, const void *slot, const void *key)
{
    (void)none;
    return *(const uint64_t *)slot == *(const uint64_t *)key;
}

static uint64_t
hash_of(const void *none, const void *slot)
{
    (void)none;
    return hash_mix(*(const uint64_t *)slot);
}

static const struct hashmap_kind kind = {.size = sizeof(uint64_t),
                                         .used = is_used,
                                         .equal = is_equal,
                                         .hash = hash_of};

void
hyphens_init(struct hyphens *h, struct arena *a)
{
    hashmap_init(&h->words, &kind, a, 1024);
}

/* In lower case; 0: too long, or nothing. */
static uint64_t
key_of(struct str word)
{
    char low[2 * WORD_MAX + 8];
    size_t n = 0;

    if (word.n == 0 || word.n > WORD_MAX)
        return 0;
    for (size_t i = 0; i < word.n && n < sizeof low - 4;)
        n += codepoint_put(
            low + n, (uint32_t)u_tolower((UChar32)codepoint_next(word, &i)));
    return hash64(str_n(low, n)) | 1;
}

static bool
has(const struct hyphens *h, struct str word)
{
    uint64_t key = key_of(word);

    return key != 0 &&
           is_used(hashmap_find(&h->words, &kind, NULL, hash_mix(key), &key));
}

static void
learn_word(struct hyphens *h, struct str word)
{
    uint64_t key;

    while (word.n > 0 && word.p[0] == '-')
        word = str_sub(word, 1, word.n);
    if (word.n == 0 || word.p[word.n - 1] == '-' || (key = key_of(word)) == 0)
        return;
    *(uint64_t *)hashmap_put(&h->words, &kind, NULL, hash_mix(key), &key) = key;
}

void
hyphens_learn(struct hyphens *h, struct str line)
{
    size_t from = 0, at = 0;

    while (at < line.n) {
        size_t here = at;
        uint32_t c = codepoint_next(line, &at);

        if (u_isalpha((UChar32)c) || c == '-')
            continue;
        learn_word(h, str_sub(line, from, here));
        from = at;
    }
    learn_word(h, str_sub(line, from, line.n));
}

/* ---- joints ---- */

/* Bytes of the hyphen that it ends with; 0: none. */
static size_t
hyphen_n(struct str s)
{
    if (str_ends(s, S("-")))
        return 1;
    if (str_ends(s, S(SOFT_HYPHEN)))
        return 2;
    return str_ends(s, S(HYPHEN)) ? 3 : 0;
}

/* The letters at the end, hyphens inside of them included. */
static struct str
last_word(struct str s)
{
    size_t at = s.n;

    while (at > 0) {
        size_t to = at, here;

        do
            at--;
        while (at > 0 && ((unsigned char)s.p[at] & 0xc0) == 0x80);
        here = at;
        if (s.p[at] != '-' && !u_isalpha((UChar32)codepoint_next(s, &here)))
            return str_sub(s, to, s.n);
    }
    return s;
}

static struct str
first_word(struct str s)
{
    size_t at = 0;

    while (at < s.n) {
        size_t here = at;
        uint32_t c = codepoint_next(s, &at);

        if (!u_isalpha((UChar32)c) &&
            !(c == '-' && at < s.n && ascii_alpha(s.p[at])))
            return str_sub(s, 0, here);
    }
    return s;
}

bool
hyphens_end(struct str text)
{
    size_t n = hyphen_n(text);

    return n > 0 && last_word(str_sub(text, 0, text.n - n)).n > 0;
}

/* "ein- und", "pre- and": the hyphen stands for what both words share. */
static bool
is_conjunction(struct str word)
{
    static const struct str words[] = {
        STR("und"),   STR("oder"), STR("bzw"), STR("sowie"), STR("and"),
        STR("or"),    STR("en"),   STR("of"),  STR("och"),   STR("og"),
        STR("eller"), STR("et"),   STR("ou"),  STR("oraz"),  STR("lub")};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_eq(word, words[i]))
            return true;
    return false;
}

bool
hyphens_lower(struct str s)
{
    size_t at = 0;

    return s.n > 0 && u_islower((UChar32)codepoint_next(s, &at));
}

static struct str
glued(char out[2 * WORD_MAX + 2], struct str a, const char *between,
      struct str b)
{
    size_t n = strlen(between);

    if (a.n > WORD_MAX || b.n > WORD_MAX)
        return S("");
    memcpy(out, a.p, a.n);
    memcpy(out + a.n, between, n);
    memcpy(out + a.n + n, b.p, b.n);
    return str_n(out, a.n + n + b.n);
}

/* The hyphen is only the line's. */
static bool
is_of_line(const struct hyphens *h, struct str before, struct str after)
{
    char whole[2 * WORD_MAX + 2], parts[2 * WORD_MAX + 2];

    if (!hyphens_lower(after))
        return false;
    if (has(h, glued(whole, before, "", after)))
        return true;
    return !has(h, glued(parts, before, "-", after));
}

void
hyphens_append(const struct hyphens *h, struct buf *text, struct str line)
{
    struct str s = buf_view(text), after = first_word(line);
    size_t n = hyphen_n(s);

    if (s.n == 0 || line.n == 0) {
        buf_str(text, line);
        return;
    }
    if (!hyphens_end(s) || (n != 2 && is_conjunction(after)))
        buf_char(text, ' ');
    else if (n == 2 || is_of_line(h, last_word(str_sub(s, 0, s.n - n)), after))
        text->n -= n;
    buf_str(text, line);
}
