/* tokens.c -- see tokens.h.
 *
 * At each place the first that fits: an address, an emoji, a number, a word,
 * a sign.  A word is a run of letters and digits with hyphens, apostrophes,
 * stops and the like between them; clitics are then cut off it by the list, so
 * the next call begins at the clitic; where the run ends is kept until then, as
 * it may have any number of clitics.  What begins at a place depends on the
 * sentence alone. */
#include "tokens.h"

#include "language_words_inside.h"
#include "text_scan.h"
#include "token_spans.h"

enum { CLITIC_MAX = 16, ACRONYM_PART = 3, UNKNOWN_MAX = 8 }; /* bytes */

void
tokens_begin(struct token_reader *it, const struct language_words *words,
             struct str sentence, const size_t *cuts)
{
    *it = (struct token_reader){.words = words, .text = sentence, .cuts = cuts};
}

static enum scan_case
case_at(const struct token_reader *it, size_t at, size_t *next)
{
    *next = at;
    return at < it->text.n ? scan_case(language_words_letters(it->words),
                                       scan_next(it->text, next))
                           : CASE_NONE;
}

static bool
is_blankless(const struct token_reader *it, size_t at)
{
    if ((unsigned char)it->text.p[at] < 0xe0)
        return false;
    return letters_class(language_words_letters(it->words),
                         scan_next(it->text, &at)) == LETTER_SINGLE;
}

/* Does the character belong to the letter before it: a mark, a joiner, a
 * variation selector? */
static bool
goes_with_letter(const struct token_reader *it, uint32_t cp)
{
    enum letter_class class =
        letters_class(language_words_letters(it->words), cp);

    return class == LETTER_MARK ||
           (class == LETTER_SILENT && !scan_unseen(cp)) ||
           (cp >= 0xe0100 && cp <= 0xe01ef);
}

/* Behind all of those that stand at `at`. */
static size_t
letter_end(const struct token_reader *it, size_t at)
{
    size_t next = at;

    while (at < it->text.n && (unsigned char)it->text.p[at] >= 0x80 &&
           goes_with_letter(it, scan_next(it->text, &next)))
        at = next;
    return at;
}

/* The end of a word of a script without blanks: at the next cut, or after one
 * letter with its marks. */
static size_t
blankless_end(struct token_reader *it, size_t at)
{
    size_t end = at;

    while (it->cuts != NULL && *it->cuts <= at && *it->cuts < it->text.n)
        it->cuts++;
    do {
        size_t next = end;

        (void)scan_next(it->text, &next);
        end = letter_end(it, next);
    } while (it->cuts != NULL && end < *it->cuts && is_blankless(it, end));
    return end;
}

static size_t
unseen_end(struct str s, size_t at)
{
    size_t next = at;

    while (at < s.n && scan_unseen(scan_next(s, &next)))
        at = next;
    return at;
}

/* What holds a word together when letters stand on both sides; where it ends.
 */
static size_t
joiner_end(const struct token_reader *it, size_t at)
{
    size_t next = at;
    uint32_t cp = scan_next(it->text, &next);
    bool hyphens = !(language_words_traits(it->words) & TRAIT_SPLIT_HYPHENS);

    switch (cp) {
    case '\'':
    case 0x2019:
    case '.':
    case '_':
    case '&': return next;
    case '-':
    case 0x2010:
    case 0x2011: return hyphens ? next : at;
    default: return scan_unseen(cp) ? unseen_end(it->text, next) : at;
    }
}

/* The run of letters, digits and what joins them that begins at `at`. */
static size_t
run_end(const struct token_reader *it, size_t at)
{
    size_t end = at, next;

    while (end < it->text.n) {
        size_t joined;

        if (case_at(it, end, &next) != CASE_NONE) {
            if (is_blankless(it, end))
                break;
            end = next;
            continue;
        }
        if (end == at)
            break;
        if ((unsigned char)it->text.p[end] >= 0x80 &&
            (next = letter_end(it, end)) > end) {
            end = next;
            continue;
        }
        joined = joiner_end(it, end);
        if (joined == end || case_at(it, joined, &next) == CASE_NONE ||
            is_blankless(it, joined))
            break;
        end = next;
    }
    return end;
}

static bool
listed(const struct token_reader *it, size_t from, size_t to, unsigned flags)
{
    return to > from &&
           (language_words_flags(it->words, str_sub(it->text, from, to)) &
            flags);
}

/* Whether byte i of the text begins an apostrophe; its length. */
static size_t
apostrophe(struct str s, size_t i)
{
    if (s.p[i] == '\'')
        return 1;
    return s.n - i >= 3 && memcmp(s.p + i, "\xe2\x80\x99", 3) == 0 ? 3 : 0;
}

/* "n't" at the end of a word. */
static size_t
not_begins(const struct token_reader *it, size_t at, size_t end)
{
    size_t sign = end > at + 1 ? end - 1 : at, begin = sign;

    if (!(language_words_traits(it->words) & TRAIT_SPLIT_NOT) ||
        ascii_lower(it->text.p[end - 1]) != 't' || sign == at)
        return end;
    (void)scan_before(it->text, sign, &begin);
    if (apostrophe(it->text, begin) == 0 || begin <= at + 1 ||
        ascii_lower(it->text.p[begin - 1]) != 'n')
        return end;
    return begin - 1;
}

/* Where the first part of the word [at, end) ends. */
static size_t
cut_clitics(const struct token_reader *it, size_t at, size_t end)
{
    struct str s = it->text;
    size_t low;

    if (listed(it, at, end, WORD_WHOLE))
        return end;
    for (size_t i = at; i < end && i < at + CLITIC_MAX; i++) {
        size_t n = apostrophe(s, i);

        if (n > 0 && i + n < end && listed(it, at, i + n, WORD_CLITIC))
            return i + n;
    }
    low = not_begins(it, at, end);
    if (low < end)
        return low;
    low = end - at > CLITIC_MAX ? end - CLITIC_MAX : at + 1;
    for (size_t i = low; i < end; i++)
        if (i > at && (apostrophe(s, i) > 0 || s.p[i] == '-') &&
            listed(it, i, end, WORD_CLITIC))
            return i;
    return end;
}

/* Parts of at most three letters with stops between them: "U.S", "z.B". */
static bool
is_acronym(struct str word)
{
    struct str part;
    bool stops = false;

    while (str_cut(&word, '.', &part)) {
        if (part.n == 0 || part.n > ACRONYM_PART)
            return false;
        stops |= word.n > 0;
    }
    return stops;
}

/* Whether the stop right behind the word belongs to it. */
static bool
takes_stop(const struct token_reader *it, size_t at, size_t end)
{
    struct str s = it->text, word = str_sub(s, at, end);
    unsigned flags;
    size_t next;
    bool last;

    if (end >= s.n || s.p[end] != '.' || (end + 1 < s.n && s.p[end + 1] == '.'))
        return false;
    last = end + 1 == s.n;
    flags = language_words_flags(it->words, word);
    if (flags & WORD_ABBREVIATION)
        return !last || (flags & (WORD_NEVER | WORD_MAY | WORD_ENDS));
    if (is_acronym(word))
        return true;
    if (last || word.n > UNKNOWN_MAX || is_blankless(it, at))
        return false;
    if (case_at(it, at, &next) == CASE_UPPER && next == end)
        return true;
    return s.p[end + 1] == ' ' && case_at(it, end + 2, &next) == CASE_LOWER;
}

static size_t
word_end(struct token_reader *it, size_t at)
{
    size_t end = at, n;

    if (is_blankless(it, at))
        return blankless_end(it, at);
    if (at >= it->run_end)
        it->run_end = run_end(it, at);
    end = it->run_end;
    n = end < it->text.n ? apostrophe(it->text, end) : 0;
    if (n > 0 && listed(it, at, end + n, WORD_WHOLE | WORD_CLITIC))
        return end + n; /* "po'" */
    end = cut_clitics(it, at, end);
    return takes_stop(it, at, end) ? end + 1 : end;
}

/* A number, with its stop where that makes it an ordinal; `at` if letters
 * follow, as in "3D" and "19th", which are words. */
static size_t
number_end(const struct token_reader *it, size_t at)
{
    struct str s = it->text;
    size_t end = span_number(s, at), next;

    if (end == at)
        return at;
    switch (case_at(it, end, &next)) {
    case CASE_UPPER:
    case CASE_LOWER: return at;
    default: break;
    }
    if ((language_words_traits(it->words) & TRAIT_ORDINALS) && end + 1 < s.n &&
        end - at <= 3 && s.p[end] == '.' && s.p[end + 1] != '.')
        end++;
    return end;
}

/* A clitic that begins with its apostrophe or hyphen: "'s", "-t-il". */
static size_t
clitic_end(const struct token_reader *it, size_t at)
{
    size_t n = it->text.p[at] == '-' ? 1 : apostrophe(it->text, at), end;

    if (n == 0 || at + n >= it->text.n)
        return at;
    end = run_end(it, at + n);
    return listed(it, at, end, WORD_CLITIC | WORD_WHOLE) ? end : at;
}

/* What begins at `at`, which is no blank. */
static size_t
token_end(struct token_reader *it, size_t at, enum token_kind *kind)
{
    const struct letters *l = language_words_letters(it->words);
    size_t end = span_url(l, it->text, at), next;

    *kind = TOKEN_URL;
    if (end > at)
        return end;
    *kind = TOKEN_EMOJI;
    if ((end = span_emoji(it->text, at)) > at)
        return end;
    *kind = TOKEN_NUMBER;
    if ((end = number_end(it, at)) > at)
        return end;
    *kind = TOKEN_WORD;
    if (case_at(it, at, &next) != CASE_NONE)
        return word_end(it, at);
    if ((end = clitic_end(it, at)) > at)
        return end;
    *kind = TOKEN_PUNCTUATION;
    if ((end = span_run(it->text, at)) > at)
        return end;
    if (memchr("$+<=>^`|~%", it->text.p[at], 10) != NULL)
        *kind = TOKEN_SYMBOL;
    return next;
}

bool
tokens_next(struct token_reader *it, struct token *t)
{
    struct str s = it->text;
    size_t at = it->at, next;
    bool glued = at > 0;

    for (; at < s.n; at = next) {
        uint32_t cp;

        next = at;
        cp = scan_next(s, &next);
        if (scan_unseen(cp))
            continue;
        if (!scan_blank(cp))
            break;
        glued = false;
    }
    if (at >= s.n)
        return false;
    t->glued = glued;
    it->at = token_end(it, at, &t->kind);
    t->text = str_sub(s, at, it->at);
    return true;
}
