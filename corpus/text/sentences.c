/* sentences.c -- see sentences.h: the places where a sentence may end.
 *
 * Bytes that cannot begin a stop are passed by a table.  What stands around a
 * stop is gathered into a struct stop_site (a bounded number of bytes on each
 * side, so the whole is linear), and sentence_ends() (sentence_end.c) decides.
 */
#include "sentences.h"

#include "language_words_inside.h"
#include "list_mark.h"
#include "quotes.h"
#include "sentence_end.h"
#include "text_scan.h"

/* First bytes of what may end a sentence, and of quotes. */
static const uint8_t may_stop[256] = {
    ['\n'] = 1, ['!'] = 1,  ['"'] = 1,  ['\''] = 1, ['-'] = 1,  ['.'] = 1,
    [';'] = 1,  ['?'] = 1,  ['`'] = 1,  [0xc2] = 1, [0xd6] = 1, [0xd8] = 1,
    [0xdb] = 1, [0xe0] = 1, [0xe1] = 1, [0xe2] = 1, [0xe3] = 1, [0xef] = 1};

enum {
    QUOTE_MAX = 400,  /* bytes that a quote is looked for */
    SPACED_MAX = 400, /* bytes of an ellipsis with blanks */
    NOTES_MAX = 4     /* numbers of notes behind a stop */
};

enum stop_kind {
    STOP_NONE,
    STOP_DASH, /* where somebody breaks off: "to--" */
    STOP_DOT,
    STOP_DOTS,   /* an ellipsis */
    STOP_HALF,   /* a semicolon */
    STOP_STRONG, /* ! ? and stops that nothing else is written with */
    STOP_FULL    /* the same of scripts without blanks */
};

static enum stop_kind
kind_of(uint32_t cp)
{
    switch (cp) {
    case '-':
    case 0x2014: return STOP_DASH;
    case '.': return STOP_DOT;
    case 0x2026: return STOP_DOTS;
    case ';': return STOP_HALF;
    case '!':
    case '?':
    case 0x589: /* Armenian */
    case 0x61f: /* Arabic */
    case 0x6d4: /* Urdu */
    case 0x964: /* Devanagari */
    case 0x965:
    case 0x203c: /* doubled marks */
    case 0x203d:
    case 0x2047:
    case 0x2048:
    case 0x2049: return STOP_STRONG;
    case 0x104a: /* Myanmar */
    case 0x104b:
    case 0x1362: /* Ethiopic */
    case 0x1367:
    case 0x1368:
    case 0x17d4: /* Khmer */
    case 0x17d5:
    case 0x3002: /* ideographic */
    case 0xff01:
    case 0xff0e:
    case 0xff1f:
    case 0xff61: return STOP_FULL;
    default: return STOP_NONE;
    }
}

void
sentences_begin(struct sentences *it, const struct language_words *words,
                struct str text, unsigned flags)
{
    *it = (struct sentences){.words = words, .text = text, .flags = flags};
}

static size_t
skip_blanks(struct str s, size_t at)
{
    while (at < s.n) {
        size_t next = at;

        if (!scan_blank(scan_next(s, &next)))
            break;
        at = next;
    }
    return at;
}

/* Behind all that no sentence begins with. */
static size_t
skip_gap(struct str s, size_t at)
{
    while (at < s.n) {
        size_t next = at;

        if (!scan_gap(scan_next(s, &next)))
            break;
        at = next;
    }
    return at;
}

/* The stops that begin at `at`; where they end. */
static size_t
take_stops(struct stop_site *site, size_t at)
{
    while (at < site->text.n) {
        size_t next = at;

        switch (kind_of(scan_next(site->text, &next))) {
        case STOP_DOT: site->dots++; break;
        case STOP_DOTS: site->dots += 3; break;
        case STOP_HALF: site->half = true; break;
        case STOP_STRONG: site->strong = true; break;
        case STOP_FULL: site->full = true; break;
        case STOP_DASH:
        case STOP_NONE: return at;
        }
        at = next;
    }
    return at;
}

/* A stop right behind a word and an ellipsis, up to `end`, that a capital
 * follows: something was left out behind the sentence. */
static bool
is_omission(const struct stop_site *site, size_t end)
{
    size_t next = skip_blanks(site->text, end);

    return site->dots == 1 && site->stop > site->from &&
           site->text.p[site->stop - 1] != ' ' && next > end &&
           next < site->text.n &&
           scan_case(language_words_letters(site->words),
                     scan_next(site->text, &next)) == CASE_UPPER;
}

/* An ellipsis that is written with blanks: ". . .", behind the stops before
 * `at`. */
static size_t
take_spaced_dots(struct stop_site *site, size_t at)
{
    struct str s = site->text;
    size_t end = at, next;

    if (site->dots == 0 || site->strong || site->half)
        return at;
    while (end + 1 < s.n && end - at < SPACED_MAX && s.p[end] == ' ' &&
           s.p[end + 1] == '.')
        end += 2;
    next = end;
    if (end - at == 6 && is_omission(site, end)) {
        site->omitted = true;
        return at;
    }
    if (end - at < 4 ||
        (end < s.n && scan_case(language_words_letters(site->words),
                                scan_next(s, &next)) != CASE_NONE))
        return at;
    site->dots += (unsigned)(end - at) / 2;
    return end;
}

/* Numbers of notes right behind the stop: "the end.11 12 The next". */
static size_t
take_note_numbers(const struct stop_site *site, size_t at)
{
    struct str s = site->text;
    size_t end = at, n;

    if (site->dots > 1 || site->half || site->stop == site->from ||
        ascii_digit(s.p[site->stop - 1]))
        return at;
    for (unsigned i = 0; i < NOTES_MAX; i++) {
        for (n = 0; end < s.n && n < 4 && ascii_digit(s.p[end]); n++)
            end++;
        if (n == 0 || n > 3)
            return at;
        if (end + 1 >= s.n || memchr(" ,-", s.p[end], 3) == NULL ||
            !ascii_digit(s.p[end + 1]))
            break;
        end++;
    }
    n = end;
    return n < s.n && scan_blank(scan_next(s, &n)) ? end : at;
}

/* "[12]" and the like behind a stop: a note. */
static size_t
take_note(struct str s, size_t at)
{
    size_t n = at + 1;

    while (n < s.n && n < at + 5 && ascii_digit(s.p[n]))
        n++;
    return n > at + 1 && n < s.n && s.p[n] == ']' ? n + 1 : at;
}

/* A quote that stands alone between blanks, as tokenised text and French have
 * it; at `at` is the blank.  The end of it, or `at`.  A straight quote closes
 * when an odd number of them stands before it in the sentence. */
static size_t
take_lone_quote(const struct stop_site *site, size_t at)
{
    struct str s = site->text;
    size_t next = at, odd = 0, low;
    uint32_t cp;

    (void)scan_next(s, &next);
    if (next >= s.n)
        return at;
    cp = scan_next(s, &next);
    if (cp == '\'' && next < s.n && s.p[next] == '\'')
        next++;
    else if (cp == '"') {
        low = at - site->from > QUOTE_MAX ? at - QUOTE_MAX : site->from;
        for (size_t i = low; i < at; i++)
            odd ^= s.p[i] == '"';
        if (!odd)
            return at;
    } else if (cp != 0xbb && cp != 0x201d)
        return at;
    return next == s.n || scan_blank(scan_next(s, &(size_t){next})) ? next : at;
}

/* Quotes and brackets that close behind the stops. */
static size_t
take_closers(struct stop_site *site, size_t at)
{
    struct str s = site->text;

    while (at < s.n) {
        size_t next = at;
        uint32_t cp = scan_next(s, &next);

        if (cp == '[' && take_note(s, at) > at) {
            at = take_note(s, at);
            continue;
        }
        if (cp == ' ' || cp == 0xa0 || cp == 0x202f) {
            next = take_lone_quote(site, at);
            if (next == at)
                break;
            site->closed = true;
        } else if (!scan_closes(cp)) {
            break;
        } else if (cp == ')' || cp == ']' || cp == '}')
            site->bracket = true;
        else
            site->closed = true;
        at = next;
    }
    return at;
}

/* Behind the dashes at `at`. */
static size_t
dashes_end(struct str s, size_t at)
{
    for (size_t next = at;
         at < s.n && kind_of(scan_next(s, &next)) == STOP_DASH;)
        at = next;
    return at;
}

/* A dash at `at` that is no hyphen, and a quote closed right behind it. */
static bool
breaks_off(struct str s, size_t at)
{
    size_t end = dashes_end(s, at);
    uint32_t cp = end - at > 1 && end < s.n ? scan_next(s, &end) : ' ';

    return scan_closes(cp) && cp != ')' && cp != ']' && cp != '}';
}

/* What the stops at `at` are for the sentence that begins at `from`: where the
 * next one would begin, and whether it does. */
static bool
ends_at(const struct sentences *it, struct quotation *q, size_t from, size_t at,
        size_t *end)
{
    struct stop_site site = {
        .text = it->text, .words = it->words, .from = from, .stop = at};
    size_t stops_end = dashes_end(site.text, at), closed;

    site.broken = stops_end > at;
    if (!site.broken)
        stops_end = take_spaced_dots(&site, take_stops(&site, at));
    closed = take_closers(&site, stops_end);

    *end = take_note_numbers(&site, closed);
    site.numbered = *end > closed;
    site.after = skip_blanks(it->text, *end);
    site.blank = site.after > *end;
    if (site.after == it->text.n)
        return true;
    quotation_take_all(q, it->text, stops_end, *end);
    return sentence_ends(&site) && !quotation_goes_on(q, it->text, *end);
}

/* The mark of a list at the beginning of a line: a bullet, "1." or "a)". */
static bool
is_list_mark(struct str s, size_t at)
{
    size_t next = at;
    uint32_t cp = scan_next(s, &next);

    if (cp == 0x2022 || cp == 0x25cf || cp == 0x25aa || cp == 0xb7 ||
        cp == 0x2023 || cp == 0x25e6)
        return true;
    if (cp == '*' || cp == '-' || cp == 0x2013 || cp == 0x2014)
        return next < s.n && s.p[next] == ' ';
    next = at;
    while (next < s.n && next < at + 3 && ascii_digit(s.p[next]))
        next++;
    if (next == at && ascii_alpha(s.p[at]) && at + 1 < s.n)
        return s.p[at + 1] == ')';
    return next > at && next + 1 < s.n &&
           (s.p[next] == ')' || (s.p[next] == '.' && s.p[next + 1] == ' '));
}

/* Whether the line end at `at` ends a sentence; *end moves over all line ends
 * and blanks there. */
static bool
line_ends(const struct sentences *it, size_t at, size_t *end)
{
    unsigned lines = 0;

    *end = skip_blanks(it->text, at);
    for (size_t i = at; i < *end; i++)
        lines += it->text.p[i] == '\n';
    return lines > 1 || (it->flags & SENTENCES_LINES) || *end == it->text.n ||
           is_list_mark(it->text, *end);
}

/* The end of the sentence that begins at `from`. */
static size_t
find_end(const struct sentences *it, size_t from)
{
    struct str s = it->text;
    size_t at = from, end, high = s.n;
    enum stop_kind kind;
    struct list_mark m;
    struct quotation q = {.longest = it->flags & SENTENCES_QUOTES
                                         ? QUOTATION_MAX
                                         : QUOTATION_SHORT};

    if (list_mark_read(&m, it->words, s, from)) {
        at = m.end;
        high = list_mark_next(&m, it->words, s, from);
    }
    while (at < high) {
        size_t next = at;

        if (!may_stop[(unsigned char)s.p[at]]) {
            at++;
            continue;
        }
        if (s.p[at] == '\n') {
            if (line_ends(it, at, &end))
                return at;
            at = end > at ? end : at + 1;
        } else if ((kind = kind_of(scan_next(s, &next))) == STOP_NONE) {
            quotation_take(&q, s, &at);
        } else if (kind == STOP_DASH && !breaks_off(s, at)) {
            at = dashes_end(s, at); /* nor does any other of them */
        } else {
            if (ends_at(it, &q, from, at, &end))
                return end;
            at = end;
        }
    }
    return high;
}

bool
sentences_next(struct sentences *it, struct str *sentence)
{
    size_t from = skip_gap(it->text, it->at), end, begin;

    if (from == it->text.n)
        return false;
    end = it->at = find_end(it, from);
    while (end > from && scan_gap(scan_before(it->text, end, &begin)))
        end = begin;
    *sentence = str_sub(it->text, from, end);
    return true;
}
