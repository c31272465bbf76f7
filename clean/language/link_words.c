/* link_words.c -- see link_words.h.
 *
 * The table has every word of every profile without its accents, with a list of
 * (language, weight).  A link has a few words, so the scores of languages are
 * kept in an array and only those touched are looked at. */
#include "link_words.h"

#include <math.h>
#include <stdlib.h>
#include <unicode/unorm2.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/hashmap.h"
#include "clean/chain/codepoint.h"
#include "clean/charset/utf8.h"
#include "clean/text/letters.h"
#include "profiles.h"

#define UNKNOWN (-4.2f) /* log10 of the share of a word that no profile has */
#define SURE 1.5f       /* log10 of the ratio of likelihoods */
#define LIKELY 0.5f
#define RARE 1.0f /* log10 of how much less the Web has in other languages */
#define WORD_BYTES 48u /* longer words are in no profile */
#define LINK_WORDS_MAX 32u
#define PATH_BYTES 256u
#define PLAIN_END 0x600u   /* code points whose accents are taken away */
#define VOWELS_FROM 0x900u /* marks that a word is not written without */
#define PASSED_OVER UINT32_MAX

/* Languages that have much on the Web: a word that Catalan shares with Corsican
 * is Catalan. */
static const char common[] =
    "af ar bg ca cs da de el en es et fa fi fr ga gl hr hu id is it ja lt lv nl"
    " nn no pl pt ro ru sk sl sr sr-latn sv tr uk vi zh";

struct weight {
    struct weight *next;
    float more; /* than an unknown word */
    uint8_t language;
};

struct slot {
    uint64_t hash;
    struct weight *first;
};

struct link_words_model {
    struct arena *arena;
    struct profiles *profiles;
    struct letters *letters;
    struct hashmap words;
    bool wanted[PROFILES_MAX], rare[PROFILES_MAX];
    uint16_t plain[PLAIN_END]; /* capital without accents; 0: no letter */
};

static bool
is_word(const void *m, const void *slot, const void *hash)
{
    (void)m;
    return ((const struct slot *)slot)->hash == *(const uint64_t *)hash;
}

static bool
used(const void *slot)
{
    return ((const struct slot *)slot)->first != NULL;
}

static uint64_t
hash_of(const void *m, const void *slot)
{
    (void)m;
    return ((const struct slot *)slot)->hash;
}

static const struct hashmap_kind words_kind = {sizeof(struct slot), used,
                                               is_word, hash_of, NULL};

/* ---- letters without accents ---- */

static uint32_t
without_accents(const UNormalizer2 *nfd, uint32_t cp)
{
    UErrorCode error = U_ZERO_ERROR;
    UChar parts[8];
    int32_t n = unorm2_getDecomposition(nfd, (UChar32)cp, parts, 8, &error);

    return n > 0 && U_SUCCESS(error) ? parts[0] : cp;
}

static bool
make_plain(struct link_words_model *m)
{
    UErrorCode error = U_ZERO_ERROR;
    const UNormalizer2 *nfd = unorm2_getNFDInstance(&error);

    if (U_FAILURE(error))
        return false;
    for (uint32_t cp = 0; cp < PLAIN_END; cp++) {
        enum letter_class class = letters_class(m->letters, cp);

        if (class == LETTER_WORD || class == LETTER_SHARP_S)
            m->plain[cp] =
                (uint16_t)without_accents(nfd, letters_upper(m->letters, cp));
    }
    return true;
}

/* The capital of a letter, 0 of what separates words.  Scripts without blanks
 * have no words here.  PASSED_OVER: an accent, or a point of Hebrew or Arabic;
 * in scripts of India the marks are vowels.  `inside`: a word has begun. */
static uint32_t
plain(const struct link_words_model *m, uint32_t cp, bool inside)
{
    if (cp < PLAIN_END && m->plain[cp] != 0)
        return m->plain[cp];
    switch (letters_class(m->letters, cp)) {
    case LETTER_WORD: return letters_upper(m->letters, cp);
    case LETTER_MARK: return cp < VOWELS_FROM ? PASSED_OVER : inside ? cp : 0;
    case LETTER_SILENT: return PASSED_OVER;
    default: return 0;
    }
}

/* The next run of letters from *at on, as capitals without accents; its length
 * in bytes, 0 at the end.  What is too long is cut. */
static size_t
next_word(const struct link_words_model *m, struct str text, size_t *at,
          char word[static WORD_BYTES + 4])
{
    size_t n = 0;

    while (*at < text.n) {
        size_t here = *at;
        uint32_t cp = plain(m, codepoint_next(text, at), n > 0);

        if (cp == PASSED_OVER)
            continue;
        if (cp != 0) {
            if (n < WORD_BYTES)
                n += codepoint_put(word + n, cp);
        } else if (n > 0) {
            *at = here;
            break;
        }
    }
    return n;
}

/* ---- the table ---- */

static void
learn_word(struct link_words_model *m, struct str text, double share,
           uint8_t language)
{
    char word[WORD_BYTES + 4];
    size_t at = 0, n = next_word(m, text, &at, word);
    uint64_t hash = hash64(str_n(word, n));
    float more = (float)share - UNKNOWN;
    struct slot *s = hashmap_find(&m->words, &words_kind, NULL, hash, &hash);
    struct weight *w;

    if (n == 0 || !(more > 0))
        return;
    for (w = s->first; w != NULL && w->language != language; w = w->next)
        ;
    if (w == NULL) {
        w = ARENA_NEW(m->arena, struct weight);
        w->language = language;
        w->next = s->first;
        if (s->first == NULL)
            s = hashmap_put(&m->words, &words_kind, NULL, hash, &hash);
        s->hash = hash;
        s->first = w;
    }
    w->more = fmaxf(w->more, more);
}

static void
learn_profile(struct link_words_model *m, const struct profile *p,
              uint8_t language)
{
    for (uint32_t i = 0; i < p->types_n; i++)
        learn_word(m, p->types[i].text, p->types[i].mean, language);
    for (uint32_t i = 0; p->order != NULL && i < p->order->words_n; i++)
        learn_word(m, p->order->words[i].text, p->order->words[i].share,
                   language);
}

static bool
is_common(struct str language)
{
    struct str rest = S(common), word;

    while (str_word(&rest, &word))
        if (str_eq(word, language))
            return true;
    return false;
}

enum status
link_words_open(struct link_words_model **out, const struct opts *o)
{
    struct link_words_model *m;
    enum status st = ST_NOMEM;

    *out = NULL;
    if (o->clean_language.n == 0)
        return ST_OK;
    if ((m = calloc(1, sizeof *m)) == NULL)
        return ST_NOMEM;
    m->arena = arena_new();
    m->letters = letters_new();
    if (m->letters == NULL || !make_plain(m) ||
        (st = profiles_open(&m->profiles, o, m->arena)) != ST_OK)
        goto out;
    hashmap_init(&m->words, &words_kind, m->arena, 1u << 15);
    for (size_t i = 0; i < profiles_n(m->profiles); i++) {
        const struct profile *p = profiles_at(m->profiles, i);

        for (size_t k = 0; k < o->clean_language.n; k++)
            m->wanted[i] |= str_eq(p->language, o->clean_language.item[k]);
        m->rare[i] = !is_common(p->language);
        learn_profile(m, p, (uint8_t)i);
    }
    *out = m;
    return ST_OK;
out:
    link_words_close(m);
    return st;
}

void
link_words_close(struct link_words_model *m)
{
    if (m == NULL)
        return;
    profiles_free(m->profiles);
    letters_free(m->letters);
    arena_free(m->arena);
    free(m);
}

/* ---- a link ---- */

struct score {
    const struct link_words_model *m;
    float of[PROFILES_MAX];
    uint8_t touched[PROFILES_MAX];
    size_t touched_n;
    uint64_t seen[LINK_WORDS_MAX];
    size_t seen_n;
};

static void
count_word(struct score *s, uint64_t hash)
{
    const struct slot *slot;

    for (size_t i = 0; i < s->seen_n; i++)
        if (s->seen[i] == hash)
            return;
    slot = hashmap_find(&s->m->words, &words_kind, NULL, hash, &hash);
    s->seen[s->seen_n++] = hash;
    for (const struct weight *w = slot->first; w != NULL; w = w->next) {
        size_t i = 0;

        while (i < s->touched_n && s->touched[i] != w->language)
            i++;
        if (i == s->touched_n) {
            s->touched[s->touched_n++] = w->language;
            s->of[w->language] = 0;
        }
        s->of[w->language] += w->more;
    }
}

static void
count_words(struct score *s, struct str text, size_t bytes_min)
{
    char word[WORD_BYTES + 4];
    size_t n, at = 0;

    while (s->seen_n < LINK_WORDS_MAX &&
           (n = next_word(s->m, text, &at, word)) > 0)
        if (n >= bytes_min)
            count_word(s, hash64(str_n(word, n)));
}

static enum link_words
decide(const struct score *s)
{
    float own = 0, other = 0;

    if (s->touched_n == 0)
        return LINK_WORDS_NONE;
    for (size_t i = 0; i < s->touched_n; i++) {
        uint8_t language = s->touched[i];

        if (s->m->wanted[language])
            own = fmaxf(own, s->of[language]);
        else
            other = fmaxf(other,
                          s->of[language] - (s->m->rare[language] ? RARE : 0));
    }
    return own - other > SURE      ? LINK_WORDS_WANTED_SURE
           : own - other > LIKELY  ? LINK_WORDS_WANTED
           : own - other < -SURE   ? LINK_WORDS_OTHER_SURE
           : own - other < -LIKELY ? LINK_WORDS_OTHER
                                   : LINK_WORDS_EITHER;
}

/* A URL's path as text. */
static struct str
path_of(struct str url, char out[static PATH_BYTES])
{
    size_t host = str_find(url, ':', 0) + 3, n = 0, at, end;

    if (host >= url.n)
        return S("");
    end = str_find(url, '?', host);
    for (at = str_find(url, '/', host); at < end && n < PATH_BYTES; at++) {
        int byte = str_percent(str_n(url.p, end), at);

        out[n++] = byte < 0 ? url.p[at] : (char)byte;
        at += byte < 0 ? 0 : 2;
    }
    while (at < end && n > 0 && (out[n - 1] & 0x80) != 0)
        n--; /* it is cut: no half of a character */
    return str_n(out, n);
}

enum link_words
link_words_of(const struct link_words_model *m, struct str anchor,
              struct str url)
{
    char path[PATH_BYTES];
    struct score s;
    struct str of_url;

    if (m == NULL)
        return LINK_WORDS_NONE;
    s.m = m;
    s.touched_n = s.seen_n = 0;
    count_words(&s, anchor, 1);
    of_url = path_of(url, path);
    if (utf8_valid(of_url)) /* bytes of another encoding say nothing */
        count_words(&s, of_url, 2);
    return decide(&s);
}
