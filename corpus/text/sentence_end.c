/* sentence_end.c -- see sentence_end.h: the rules.
 *
 * A stop may belong to an abbreviation, an ordinal, an initial or a list's
 * number; then only a word that hardly stands with a capital inside a sentence
 * (WORD_STARTS) makes it an end as well.  Otherwise it is an end unless
 * a small letter comes next.  A semicolon is one before such a word only. */
#include "sentence_end.h"

#include "language_words_inside.h"
#include "text_scan.h"

enum {
    LOOK = 64,        /* bytes on each side */
    BRACKET_MAX = 200 /* bytes in brackets on each side */
};

/* The words on both sides. */
struct neighbours {
    struct str before; /* up to the stops, what opens it left out */
    struct str last;   /* its part behind the last hyphen or apostrophe */
    enum scan_case last_case; /* of its first letter */
    bool first;               /* nothing of the sentence stands before it */
    bool in_bracket;          /* a bracket is opened right before the stops */
    struct str after;
    enum scan_case after_case;
    uint32_t after_sign; /* what comes next when it is no letter or digit */
    bool opened;         /* a quote or bracket stands before `after` */
    unsigned flags, after_flags;
};

static bool
joins(uint32_t cp)
{
    return cp == '-' || cp == '\'' || cp == 0x2019 || cp == 0x2010 ||
           cp == 0x2011 || cp == '/' || cp == 0x2013;
}

/* The word before the stops, at most LOOK bytes of it. */
static void
look_back(struct neighbours *n, const struct stop_site *site)
{
    const struct letters *l = language_words_letters(site->words);
    struct str s = site->text;
    size_t at = site->stop, begin, low;

    low = at - site->from > LOOK ? at - LOOK : site->from;
    n->in_bracket = at > low && (s.p[at - 1] == '(' || s.p[at - 1] == '[');
    while (at > low && !scan_blank(scan_before(s, at, &begin)))
        at = begin;
    while (at < site->stop) { /* what opens it */
        begin = at;
        if (scan_case(l, scan_next(s, &begin)) != CASE_NONE)
            break;
        at = begin;
    }
    n->before = n->last = str_sub(s, at, site->stop);
    n->first = true;
    for (size_t i = site->from; i < at && n->first;) {
        uint32_t cp = scan_next(s, &i);

        n->first = scan_case(l, cp) == CASE_NONE && i - site->from < LOOK;
    }
    for (size_t i = 0; i < n->before.n;)
        if (joins(scan_next(n->before, &i)) && i < n->before.n)
            n->last = str_sub(n->before, i, n->before.n);
    begin = 0;
    n->last_case =
        n->last.n > 0 ? scan_case(l, scan_next(n->last, &begin)) : CASE_NONE;
}

/* The word that comes next. */
static void
look_ahead(struct neighbours *n, const struct stop_site *site)
{
    const struct letters *l = language_words_letters(site->words);
    struct str s = site->text;
    size_t at = site->after, high, from, next;

    high = s.n - at > LOOK ? at + LOOK : s.n;
    for (from = at; from < high; from = next) {
        next = from;
        n->after_sign = scan_next(s, &next);
        if (n->after_sign == ',' && next < high && s.p[next] == ',')
            n->opened = ++next > 0; /* two commas for a low quote */
        else if (!scan_opens(n->after_sign) && !scan_blank(n->after_sign))
            break;
        n->opened |= scan_opens(n->after_sign);
    }
    if (from >= high)
        return;
    n->after_case = scan_case(l, n->after_sign);
    for (at = from; at < high; at = next) {
        next = at;
        if (scan_case(l, scan_next(s, &next)) == CASE_NONE)
            break;
    }
    n->after = str_sub(s, from, at);
}

static size_t
letters_n(struct str s)
{
    size_t n = 0;

    for (size_t i = 0; i < s.n; i++)
        n += (s.p[i] & 0xc0) != 0x80;
    return n;
}

static bool
all_digits(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!ascii_digit(s.p[i]))
            return false;
    return s.n > 0;
}

static bool
all_letters(const struct language_words *words, struct str s)
{
    for (size_t at = 0; at < s.n;) {
        enum scan_case c =
            scan_case(language_words_letters(words), scan_next(s, &at));

        if (c != CASE_UPPER && c != CASE_LOWER)
            return false;
    }
    return s.n > 0;
}

static bool
is_roman(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (memchr("IVXLCDM", s.p[i], 7) == NULL)
            return false;
    return s.n > 0;
}

/* A single letter ("J", "z"), or several with stops between them ("U.S",
 * "z.B"). */
static bool
is_initials(struct str s)
{
    size_t run = 0;

    if (s.n == 0)
        return false;
    for (size_t at = 0; at < s.n;) {
        uint32_t cp = scan_next(s, &at);

        if (cp == '.' || (cp == '-' && run > 0))
            run = 0;
        else if ((cp < 0x80 && !ascii_alpha((char)cp)) || ++run > 1)
            return false;
    }
    return true;
}

static bool
starts(const struct neighbours *n)
{
    return n->after_case == CASE_UPPER && (n->after_flags & WORD_STARTS) != 0;
}

/* "3. Mai", "Ludwig XIV. von", "1. Treiben Sie": the number before a stop. */
static bool
number_ends(const struct stop_site *site, const struct neighbours *n)
{
    unsigned language = language_words_traits(site->words);
    size_t digits = n->last.n;

    if (n->first && digits <= 4)
        return false; /* the number of a list's item, or of a heading */
    if (n->after_case == CASE_DIGIT)
        return digits > 2 || !(language & TRAIT_ORDINALS);
    if (!(language & TRAIT_ORDINALS))
        return true;
    if (n->after_flags & (WORD_MONTH | WORD_UNIT))
        return digits > 3;
    if (starts(n) || n->opened)
        return true;
    return digits > 2;
}

/* A stop behind an abbreviation, what comes next has a capital or is no
 * letter. */
static bool
abbreviation_ends(const struct neighbours *n)
{
    if (n->flags & WORD_NEVER)
        return false;
    if (n->first && (n->flags & WORD_STARTS) && (n->after_flags & WORD_CAPITAL))
        return true; /* "No. I was." */
    if ((n->flags & WORD_NUMBER) &&
        (n->after_case == CASE_DIGIT || is_roman(n->after)))
        return false;
    if ((n->flags & WORD_ABBREVIATION) == WORD_NUMBER &&
        !is_initials(n->before)) /* a plain word, but for "Fig. A" */
        return letters_n(n->after) > 1;
    if (n->flags & WORD_ENDS) /* "5 p.m. Monday" */
        return (n->after_flags & WORD_UNIT) == 0 &&
               (n->after_case == CASE_UPPER || n->after_case == CASE_OTHER);
    return starts(n);
}

static bool
dot_ends(const struct stop_site *site, const struct neighbours *n)
{
    unsigned language = language_words_traits(site->words);

    if (n->flags & WORD_ABBREVIATION)
        return abbreviation_ends(n);
    if (all_digits(n->last))
        return number_ends(site, n);
    if (is_initials(n->before))
        return starts(n) && !n->first &&
               (n->last_case != CASE_LOWER || n->before.n > 1);
    if ((language & TRAIT_ORDINALS) && n->last.n > 1 && is_roman(n->last))
        return starts(n);
    return true;
}

/* A sign of addresses, paths and versions is in it. */
static bool
is_technical(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (memchr("./:@_\\", s.p[i], 6) != NULL)
            return true;
    return false;
}

/* The stop stands between a word and the number of a note: "the end.1 The". */
static bool
numbered_ends(const struct stop_site *site, const struct neighbours *n)
{
    bool nouns = language_words_traits(site->words) & TRAIT_NOUNS;
    bool closed = n->before.n > 0 && n->before.p[n->before.n - 1] == ')';

    return (n->flags & WORD_ABBREVIATION) == 0 && !is_technical(n->before) &&
           (closed || letters_n(n->before) > 2) &&
           (nouns ? starts(n) : n->after_case == CASE_UPPER);
}

/* "1,000": digits and commas. */
static bool
is_amount(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!ascii_digit(s.p[i]) && s.p[i] != ',')
            return false;
    return s.n > 2;
}

/* A title with its stop: "Mr. ", the word that comes next ends at `end`. */
static bool
is_title(const struct stop_site *site, const struct neighbours *n, size_t end)
{
    return (n->after_flags & WORD_NEVER) && end + 1 < site->text.n &&
           site->text.p[end] == '.' && site->text.p[end + 1] == ' ';
}

/* Stops that no blank follows: "the end.The next", not "example.com". */
static bool
run_on(const struct stop_site *site, const struct neighbours *n)
{
    size_t end = site->after + n->after.n;
    bool title = is_title(site, n, end);

    if (site->dots != 1 || site->strong || site->closed || site->bracket ||
        n->opened || n->after_case != CASE_UPPER || n->after.n < 2 ||
        (n->flags & WORD_ABBREVIATION) || is_technical(n->before))
        return false;
    if (n->last_case == CASE_LOWER || title ? letters_n(n->before) < 3
                                            : !is_amount(n->before))
        return false;
    return title || (starts(n) && end < site->text.n &&
                     (site->text.p[end] == ' ' || site->text.p[end] == ','));
}

/* 0 behind the end. */
static char
at_byte(struct str s, size_t at)
{
    return at < s.n ? s.p[at] : '\0';
}

/* "vom 1. - 3. Mai", "4. ___ Susi Deutsch?": the number before the stop and a
 * sign behind it. */
static bool
number_goes_on(const struct stop_site *site, const struct neighbours *n)
{
    struct str s = site->text;
    size_t at = site->after;

    if (site->strong || site->dots != 1 || !all_digits(n->last))
        return false;
    if (!joins(n->after_sign))
        return n->first && n->last.n <= 4; /* an item of a list */
    (void)scan_next(s, &at);
    at += at_byte(s, at) == ' ';
    return (language_words_traits(site->words) & TRAIT_ORDINALS) &&
           n->last.n <= 2 && ascii_digit(at_byte(s, at));
}

/* What comes next is no letter and no digit. */
static bool
sign_follows(const struct stop_site *site, const struct neighbours *n)
{
    if (number_goes_on(site, n))
        return false;
    switch (n->after_sign) {
    case '.':
        return at_byte(site->text, site->after + 1) == '.' &&
               at_byte(site->text, site->after + 3) != ' ';
    case ',':
    case ';':
    case ':':
    case ')':
    case ']':
    case '}':
    case '/':
    case '=':
    case '+':
    case '|':
    case '%': return false;
    case '-':
    case 0x2013:
    case 0x2014: return site->strong || !(n->flags & WORD_ABBREVIATION);
    default:
        return site->strong ||
               !((n->flags & WORD_ABBREVIATION) || is_initials(n->before));
    }
}

/* "Yahoo! in", "Wham! was": a capital inside the sentence, one mark. */
static bool
is_name_with_mark(const struct stop_site *site, const struct neighbours *n)
{
    struct str s = site->text;
    size_t second = 0;

    if (n->first || n->last_case != CASE_UPPER || s.p[site->stop] != '!' ||
        at_byte(s, site->stop + 1) != ' ' || n->last.n < 2)
        return false;
    (void)scan_next(n->last, &second);
    return second < n->last.n &&
           scan_case(language_words_letters(site->words),
                     scan_next(n->last, &second)) == CASE_LOWER;
}

/* "Go! he said", "Go! cried Alice": what comes next says who spoke. */
static bool
speech_follows(const struct stop_site *site, const struct neighbours *n)
{
    size_t at = site->after + n->after.n, end;
    struct str s = site->text;

    if (n->after_flags & WORD_SPEECH)
        return true;
    if ((n->after_flags & WORD_SPEAKER) == 0 || at_byte(s, at) != ' ')
        return false;
    for (end = ++at; end < s.n && end < at + LOOK && ascii_alpha(s.p[end]);)
        end++;
    return language_words_flags(site->words, str_sub(s, at, end)) & WORD_SPEECH;
}

/* A small letter comes next: mostly the stop is an abbreviation's that no list
 * knows, or the quote goes on; but a long word is no abbreviation. */
static bool
small_starts(const struct stop_site *site, const struct neighbours *n)
{
    bool common = language_words_traits(site->words) & TRAIT_SMALL_STARTS;

    if (site->closed || site->bracket || site->dots > 1)
        return false;
    if (site->strong)
        return common && !is_name_with_mark(site, n) &&
               !speech_follows(site, n);
    return all_letters(site->words, n->before) &&
           (n->flags & WORD_ABBREVIATION) == 0 &&
           letters_n(n->before) >= (common ? 3u : 4u);
}

/* The stop stands in brackets that were opened within the sentence: that goes
 * on behind them. */
static bool
is_in_brackets(const struct stop_site *site, char opens, char closes)
{
    struct str s = site->text;
    size_t low = site->stop - site->from > BRACKET_MAX
                     ? site->stop - BRACKET_MAX
                     : site->from;
    size_t left =
        s.n - site->after < BRACKET_MAX ? s.n - site->after : BRACKET_MAX;
    const char *open = memrchr(s.p + low, opens, site->stop - low), *close;

    if (open == NULL || open == s.p + site->from || open[-1] != ' ' ||
        memchr(open, closes, (size_t)(s.p + site->stop - open)) != NULL)
        return false;
    close = memchr(s.p + site->after, closes, left);
    return close != NULL &&
           memchr(open + 1, opens, (size_t)(close - open - 1)) == NULL &&
           memchr(open, '\n', (size_t)(close - open)) == NULL;
}

bool
sentence_ends(const struct stop_site *site)
{
    struct neighbours n = {0};

    look_back(&n, site);
    look_ahead(&n, site);
    n.flags = language_words_flags(site->words, n.before);
    if (n.last.n < n.before.n && letters_n(n.last) > 1) /* not of "'s" */
        n.flags |= language_words_flags(site->words, n.last);
    n.after_flags = language_words_flags(site->words, n.after);
    n.flags &= ~(unsigned)WORD_STOP; /* says nothing here */
    if (site->full)
        return true;
    if (site->broken || site->omitted)
        return site->omitted || (site->closed && site->blank && starts(&n));
    if (site->numbered)
        return numbered_ends(site, &n);
    if (site->half && !site->strong && site->dots == 0)
        return site->blank && starts(&n);
    if (!site->blank)
        return run_on(site, &n);
    if (n.in_bracket || is_in_brackets(site, '(', ')') ||
        is_in_brackets(site, '[', ']'))
        return false; /* "(!)", "(...)" */
    if (site->dots > 1 && !site->strong && site->stop == site->from)
        return false; /* an ellipsis begins the sentence */
    if (n.after_case == CASE_NONE)
        return sign_follows(site, &n);
    if (n.after_case == CASE_LOWER)
        return small_starts(site, &n);
    if (site->dots > 1 && !site->strong && !site->closed)
        return (n.after_flags & WORD_CAPITAL) == 0;
    if (site->strong || site->dots > 1)
        return true;
    return dot_ends(site, &n);
}
