/* language_id.c -- see language_id.h.
 *
 * Words are gathered letter by letter, in capitals; at the end of each its
 * n-grams of three and four letters (blanks around it count as letters) and
 * the word itself add a row of weights, one for each language of its script.
 * The weights of one script are in the same unit, so texts of several scripts
 * are first decided by their letters. */
#include "language_id.h"

#include <math.h>

#include "corpus/text/text_scan.h"
#include "ngram_scores.h"
#include "word_ngrams.h"

enum {
    LONG_TEXT = 6144, /* bytes; of longer ones SLICES are looked at */
    SLICES = 4,
    SLICE = 768,
    THINNED = 2,       /* words that are passed over where it seems decided */
    WHOLE = 100,       /* letters up to which none are */
    ENOUGH = 28,       /* letters before which nothing is decided */
    CERTAIN = 140,     /* a lead of the best that the rest will not turn */
    FEW = 3,           /* letters that are too few for any language */
    CODE_MIN = 3,      /* signs of programs that are too many ... */
    CODE_LETTERS = 14, /* ... when there is one for so many letters */
    SCALE = 12,        /* steps of a weight in a unit of the logarithm */
    OVERLAP = 3,       /* n-grams that say the same */
    KANA = 0x3041,     /* where they begin */
    HAN = 0x3400
};

/* How a text must fit the letters of its language: where it is clearly none of
 * the others, where it is not, and where a script has few languages, so that
 * the script says most.  Whether it is surely not the next language does not
 * count: noise does not fit, and near languages are told with what there is. */
static const double FITS_CLEAR = -0.2, FITS = -0.1, FITS_SCRIPT = -0.6,
                    CLEAR = 0.9;
/* How well a text with signs of programs must fit, as half of the others do. */
static const double PROSE_FITS = 1;
/* Less of its n-grams are known of a text in none of the languages. */
static const double KNOWN = 0.33, KNOWN_FITS = 0.2;
#define SCRIPT_LANGUAGES 4u

static const struct script {
    uint32_t first, last;
    const char *name, *language;
} scripts[] = {
#define SCRIPT(first, last, name, language) {first, last, name, language},
#include "scripts.tbl.h"
#undef SCRIPT
};

enum { SCRIPTS_N = sizeof scripts / sizeof *scripts, LATIN = 0 };

/* What was seen of a text. */
struct text_evidence {
    const struct language_model *m;
    int32_t scores[GROUPS_MAX][ROW];
    unsigned features[GROUPS_MAX], known[GROUPS_MAX]; /* n-grams */
    unsigned letters[SCRIPTS_N]; /* by the row of the table */
    unsigned letters_n, others;  /* others: neither letters nor blanks */
    unsigned words, mixed;       /* mixed: digits right beside letters */
    unsigned code;               /* signs that programs are full of */
    bool after_digit;            /* one stands right before */
    unsigned script;             /* of the word */
    int group;                   /* of the script; -1: it has none */
    struct open_word word;
    unsigned ended;                        /* n-grams of words before it */
    uint64_t ngrams[NGRAMS_MAX + RUN_MAX]; /* have not joined the scores */
};

static unsigned
script_of(uint32_t cp)
{
    unsigned low = 0, high = SCRIPTS_N;

    if (cp <= scripts[0].last)
        return 0;
    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (cp > scripts[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < SCRIPTS_N && cp >= scripts[low].first ? low : SCRIPTS_N;
}

static int
group_of(const struct language_model *m, unsigned script)
{
    for (unsigned i = 0; script < SCRIPTS_N && i < m->groups_n; i++)
        if (str_eq(m->groups[i].script, str_c(scripts[script].name)))
            return (int)i;
    return -1;
}

/* The n-grams of the words that have come to their end join the scores. */
static void
flush(struct text_evidence *e)
{
    if (e->group >= 0 && e->ended > 0)
        e->known[e->group] += ngram_scores_add(
            e->scores[e->group], &e->m->groups[e->group], e->ngrams, e->ended);
    e->ended = 0;
}

/* The word that has come to its end, as far as it is of a script with several
 * languages. */
static void
end_word(struct text_evidence *e)
{
    unsigned n = e->word.n;

    if (n == 0)
        return;
    e->words++;
    if (e->group >= 0) {
        e->ended += word_end(&e->word, e->ngrams + e->ended);
        e->features[e->group] += n + 2;
        if (e->ended > NGRAMS_MAX - WORD_NGRAMS_MAX)
            flush(e);
    }
    e->word = word_begin();
}

/* Before the first letter of a word. */
static inline void
enter_word(struct text_evidence *e, unsigned script)
{
    e->mixed += e->after_digit;
    e->after_digit = false;
    if (script != e->script) {
        flush(e);
        e->group = group_of(e->m, script);
    }
    e->script = script;
}

static void
add_letter(struct text_evidence *e, uint32_t cp, enum letter_class class)
{
    if (e->word.n == 0) {
        if (class == LETTER_MARK)
            return;
        enter_word(e, script_of(cp));
    }
    if (e->script < SCRIPTS_N)
        e->letters[class == LETTER_SINGLE ? script_of(cp) % SCRIPTS_N
                                          : e->script]++;
    e->letters_n++;
    word_letter(&e->word, e->ngrams + e->ended,
                (uint16_t)letters_upper(e->m->letters, cp));
}

/* Signs that prose has hardly any of. */
static const uint8_t of_code[128] = {
    ['#'] = 1, ['$'] = 1,  ['&'] = 1, ['*'] = 1, ['+'] = 1,
    [';'] = 1, ['<'] = 1,  ['='] = 1, ['>'] = 1, ['@'] = 1,
    ['['] = 1, ['\\'] = 1, [']'] = 1, ['^'] = 1, ['_'] = 1,
    ['`'] = 1, ['{'] = 1,  ['|'] = 1, ['}'] = 1, ['~'] = 1};

/* What is neither a letter nor silent. */
static void
add_other(struct text_evidence *e, uint32_t cp)
{
    bool digit = cp < 0x80 && ascii_digit((char)cp);

    e->others += !scan_blank(cp);
    e->code += cp < 0x80 ? of_code[cp] : 0;
    e->mixed += digit && e->word.n > 0;
    e->after_digit = digit;
}

/* Up to eight bytes of a text, in a number as they stand in memory. */
static inline uint64_t
bytes_at(struct str s, size_t at)
{
    uint64_t bytes = 0;

    if (s.n - at >= sizeof bytes)
        memcpy(&bytes, s.p + at, sizeof bytes);
    else
        memcpy(&bytes, s.p + at, s.n - at);
    return le64toh(bytes);
}

/* ASCII letters, up to eight of them, of a word or before one: how many. */
static inline unsigned
add_ascii(struct text_evidence *e, struct str s, size_t at)
{
    uint64_t bytes = bytes_at(s, at);
    unsigned n = word_run(bytes);

    if (n == 0)
        return 0;
    if (e->word.n == 0)
        enter_word(e, LATIN);
    if (e->script < SCRIPTS_N)
        e->letters[e->script] += n;
    e->letters_n += n;
    word_letters(&e->word, e->ngrams + e->ended, bytes, n);
    return n;
}

/* The best of a group and the next one. */
static void
two_best(const struct text_evidence *e, unsigned group, unsigned best[2])
{
    const int32_t *s = e->scores[group];
    unsigned n = e->m->groups[group].languages_n, first = 0, second = n;
    int32_t most = s[0], next = INT32_MIN;

    for (unsigned i = 1; i < n; i++)
        if (s[i] > most) {
            second = first;
            next = most;
            first = i;
            most = s[i];
        } else if (s[i] > next) {
            second = i;
            next = s[i];
        }
    best[0] = first;
    best[1] = second; /* n: none */
}

static bool
decided(struct text_evidence *e)
{
    unsigned best[2];

    flush(e);
    if (e->group < 0 || e->letters_n < ENOUGH)
        return e->letters_n > 4 * ENOUGH;
    two_best(e, (unsigned)e->group, best);
    return best[1] < e->m->groups[e->group].languages_n &&
           e->scores[e->group][best[0]] - e->scores[e->group][best[1]] >
               CERTAIN;
}

/* Behind the next words. */
static size_t
pass_over(struct str s, size_t at)
{
    for (unsigned i = 0; i < THINNED && at < s.n; i++)
        at = str_find(s, ' ', at) + 1;
    return at < s.n ? at : s.n;
}

/* When it seems decided, only some of the words that follow are looked at: a
 * text may have begun with a name or a headline in another language. */
static void
look_at(struct text_evidence *e, struct str s)
{
    unsigned asked = e->letters_n + ENOUGH;
    bool thinned = false;

    for (size_t at = 0; at < s.n;) {
        unsigned run = add_ascii(e, s, at);
        enum letter_class class;
        uint32_t cp;

        if ((at += run) == s.n || run == RUN_MAX)
            continue;
        cp = scan_next(s, &at);
        class = letters_class(e->m->letters, cp);
        if (class == LETTER_SILENT)
            continue;
        if (class == LETTER_NONE)
            add_other(e, cp);
        else
            add_letter(e, cp, class);
        if (class != LETTER_NONE && class != LETTER_SINGLE)
            continue;
        end_word(e);
        if (e->letters_n >= asked) {
            asked = e->letters_n + ENOUGH / 2;
            if (asked > WHOLE) /* else it is asked again before it matters */
                thinned = decided(e);
        }
        if (thinned && cp == ' ' && e->letters_n > WHOLE)
            at = pass_over(s, at);
    }
    end_word(e);
    flush(e);
}

/* The script that most letters are of.  Latin names and headlines stand in
 * texts of all scripts, so other letters count twice, ideographs three times;
 * these are Japanese beside some kana. */
static unsigned
main_script(const struct text_evidence *e)
{
    unsigned sums[SCRIPTS_N] = {0}, best = SCRIPTS_N;
    unsigned kana = SCRIPTS_N, han = SCRIPTS_N;

    for (unsigned i = 0; i < SCRIPTS_N; i++) {
        unsigned first = 0, n = e->letters[i];

        if (n == 0)
            continue;
        while (strcmp(scripts[first].name, scripts[i].name) != 0)
            first++;
        sums[first] += scripts[i].first == KANA || scripts[i].first == HAN
                           ? 3 * n
                       : strcmp(scripts[i].name, "Latn") == 0 ? n
                                                              : 2 * n;
        kana = scripts[i].first == KANA ? i : kana;
        han = scripts[i].first == HAN ? i : han;
    }
    if (kana < SCRIPTS_N && han < SCRIPTS_N && sums[kana] * 10 > sums[han]) {
        sums[kana] += sums[han];
        sums[han] = 0;
    }
    for (unsigned i = 0; i < SCRIPTS_N; i++)
        if (sums[i] > 0 && (best == SCRIPTS_N || sums[i] > sums[best]))
            best = i;
    return best;
}

/* Among the languages of a script. */
static void
choose(const struct text_evidence *e, unsigned group, struct language_guess *g)
{
    const struct language_group *of = &e->m->groups[group];
    unsigned best[2];
    double lead = 0;

    two_best(e, group, best);
    g->best = of->languages[best[0]];
    if (best[1] < of->languages_n) {
        g->second = of->languages[best[1]];
        lead = e->scores[group][best[0]] - e->scores[group][best[1]];
    }
    g->confidence = 2 / (1 + exp(-lead / (SCALE * OVERLAP))) - 1;
    if (e->features[group] == 0)
        return;
    g->fit = e->scores[group][best[0]] / (double)(SCALE * e->features[group]);
    g->known = e->known[group] / (double)e->features[group];
}

static bool
is_code(const struct text_evidence *e)
{
    return e->code >= CODE_MIN && e->code * CODE_LETTERS > e->letters_n;
}

/* Hardly an n-gram is one of any language: letters by chance, abbreviations. */
static bool
is_unheard_of(const struct language_guess *g)
{
    return g->known < KNOWN && g->fit < KNOWN_FITS;
}

static bool
is_language(const struct text_evidence *e, int group,
            const struct language_guess *g)
{
    double fits = g->confidence > CLEAR ? FITS_CLEAR : FITS;

    if (group >= 0 && e->m->groups[group].languages_n <= SCRIPT_LANGUAGES)
        fits = FITS_SCRIPT;
    else if (is_unheard_of(g))
        return false;
    return e->letters_n >= FEW && 2 * e->others <= e->letters_n &&
           e->mixed <= e->words / 2 + 1 && /* else part numbers and keys */
           !(is_code(e) && g->fit < PROSE_FITS) && g->fit >= fits;
}

void
language_guess(const struct language_model *m, struct str text,
               struct language_guess *g)
{
    struct text_evidence e;
    unsigned script;
    int group;

    memset(&e, 0, offsetof(struct text_evidence, ngrams));
    e.m = m;
    e.script = SCRIPTS_N;
    e.group = -1;
    e.word = word_begin();
    if (text.n <= LONG_TEXT) {
        look_at(&e, text);
    } else
        for (size_t i = 0; i < SLICES; i++) {
            size_t from = (text.n - SLICE) / (SLICES - 1) * i;

            look_at(&e, str_sub(text, from, from + SLICE));
        }
    *g = (struct language_guess){.language = S("und"), .best = S("und")};
    g->letters = e.letters_n;
    script = main_script(&e);
    if (script == SCRIPTS_N)
        return;
    group = group_of(m, script);
    if (group < 0) {
        if (scripts[script].language[0] == '\0')
            return;
        g->best = str_c(scripts[script].language);
        g->confidence = g->fit = g->known = 1;
    } else
        choose(&e, (unsigned)group, g);
    if (is_language(&e, group, g))
        g->language = g->best;
}
