/* vertical_words.c -- see vertical_words.h.
 *
 * A token is
 *   - an address: from http://, https:// or www. to the next blank, quote or
 *     sign of Chinese punctuation, without the punctuation at its end; a word
 *     with @ in it;
 *   - a run of letters, marks and digits, going on over one apostrophe,
 *     hyphen, point, colon, slash or the like between two letters, or one
 *     point, comma, colon or the like between two digits (after UAX #29, which
 *     has the hyphen apart; corpus linguists have it inside);
 *   - in scripts without blanks a letter with its marks, or, with cuts
 *     (segment.h), what lies between two of them;
 *   - a run of one and the same other character ("...", "--").
 * Other than for words.h (badness), nothing is left out but blanks, controls
 * and zero width spaces, which end a word to which the next one is glued.  ICU
 * answers what a character is: a table look-up, without state.  One pass, no
 * memory. */
#include "vertical_words.h"

#include <unicode/uchar.h>

#include "clean/chain/codepoint.h"
#include "clean/text/letters.h"
#include "clean/text/url_end.h"

enum char_kind { BLANK, ZERO_WIDTH, LETTER, SINGLE, MARK, DIGIT, OTHER };

static enum char_kind
kind_of(uint32_t cp)
{
    uint32_t mask;

    if (cp < 0x80) {
        if (ascii_alpha((char)cp))
            return LETTER;
        if (ascii_digit((char)cp))
            return DIGIT;
        return cp <= 0x20 || cp == 0x7f ? BLANK : OTHER;
    }
    if (cp == 0x200b)
        return ZERO_WIDTH;
    mask = U_GET_GC_MASK((UChar32)cp);
    if (mask & U_GC_L_MASK)
        return cp >= 0xe00 && letters_blankless(cp) ? SINGLE : LETTER;
    if (mask & U_GC_N_MASK)
        return DIGIT;
    if (mask & (U_GC_M_MASK | U_GC_CF_MASK)) /* soft hyphen, joiners */
        return MARK;
    if (mask & (U_GC_Z_MASK | U_GC_CC_MASK))
        return BLANK;
    return OTHER;
}

static enum char_kind
kind_at(struct str s, size_t at, size_t *after)
{
    uint32_t cp;

    if (at >= s.n) {
        *after = at;
        return BLANK;
    }
    cp = codepoint_next(s, &at);
    *after = at;
    return kind_of(cp);
}

static bool
joins(uint32_t cp, enum char_kind before, enum char_kind after)
{
    if (before == DIGIT && after == DIGIT)
        return cp == '.' || cp == ',' || cp == ':' || cp == '/' || cp == '-' ||
               cp == '\'' || cp == 0x2019;
    if ((before == LETTER || before == DIGIT) &&
        (after == LETTER || after == DIGIT))
        return cp == '\'' || cp == 0x2019 || cp == '-' || cp == 0x2010 ||
               cp == 0x2011 || cp == 0xb7 || cp == '.' || cp == '_' ||
               cp == '@';
    return false;
}

/* Where the word that begins at `at` ends. */
static size_t
word_end(struct str s, size_t at)
{
    size_t next;
    enum char_kind last = kind_at(s, at, &at);

    for (;;) {
        enum char_kind kind = kind_at(s, at, &next);
        size_t before = at;
        uint32_t cp;

        if (kind == LETTER || kind == DIGIT || kind == MARK) {
            last = kind == MARK ? last : kind;
            at = next;
            continue;
        }
        if (kind != OTHER)
            return at;
        cp = codepoint_next(s, &before);
        kind = kind_at(s, next, &before);
        if (!joins(cp, last, kind))
            return at;
        at = next;
    }
}

static bool
address(struct str s)
{
    return str_starts_nocase(s, S("http://")) ||
           str_starts_nocase(s, S("https://")) ||
           str_starts_nocase(s, S("www."));
}

static size_t
address_end(struct str s, size_t at)
{
    size_t end = at, next;

    while (end < s.n && kind_at(s, end, &next) != BLANK &&
           !url_ends_before(codepoint_next(s, &(size_t){end})))
        end = next;
    while (end > at && strchr(".,;:!?)]}'", s.p[end - 1]) != NULL)
        end--;
    return end;
}

static size_t
run_end(struct str s, size_t at)
{
    size_t end;
    uint32_t first = codepoint_next(s, &at);

    for (end = at; at < s.n; end = at)
        if (codepoint_next(s, &at) != first)
            break;
    return end;
}

/* Letters of scripts without blanks, up to the next cut. */
static size_t
segment_end(struct vertical_words *w, size_t end)
{
    size_t next;

    while (*w->cuts < end)
        w->cuts++;
    while (end < *w->cuts) {
        enum char_kind kind = kind_at(w->text, end, &next);

        if (kind != SINGLE && kind != MARK)
            break;
        end = next;
    }
    return end;
}

bool
vertical_words_next(struct vertical_words *w, struct str *token)
{
    struct str s = w->text;
    size_t start, end, next;
    enum char_kind kind;

    w->glued = w->at > 0;
    while (w->at < s.n && (kind = kind_at(s, w->at, &next)) <= ZERO_WIDTH) {
        w->at = next;
        w->glued &= kind == ZERO_WIDTH;
    }
    if (w->at >= s.n)
        return false;
    start = w->at;
    kind = kind_at(s, start, &end);
    if (kind == LETTER && address(str_sub(s, start, s.n)))
        end = address_end(s, start);
    else if (kind == LETTER || kind == DIGIT || kind == MARK)
        end = word_end(s, start);
    else if (kind == OTHER)
        end = run_end(s, start);
    else if (kind == SINGLE && w->cuts != NULL)
        end = segment_end(w, end);
    if (kind == OTHER || kind == SINGLE)
        while (kind_at(s, end, &next) == MARK)
            end = next;
    *token = str_sub(s, start, end);
    w->at = end;
    return true;
}
