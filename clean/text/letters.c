/* letters.c -- the only file of the language stages that calls ICU (its
 * character properties and its normalizer).
 *
 * ICU because it follows Unicode's tables for every script and is what Debian
 * ships; its calls per character (some 5 to 10 ns) would be half the time of
 * splitting words, so letters_new() asks them once (about 6 ms, 260,000 code
 * points) and keeps pages of 256 answers.  Equal pages are stored once:
 * ideograph pages, unassigned ones. */
#include "letters.h"

#include <stdlib.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/ustring.h>

#include "clean/chain/codepoint.h"
#include "clean/markup/scan.h"

#define MARKS_MAX 30u /* in a row */

bool
letters_blankless(uint32_t cp)
{
    UErrorCode e = U_ZERO_ERROR;

    switch (uscript_getScript((UChar32)cp, &e)) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_BOPOMOFO:
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR:
    case USCRIPT_TIBETAN: return true;
    default: return false;
    }
}

static enum letter_class
class_of(uint32_t cp)
{
    uint32_t mask = U_GET_GC_MASK((UChar32)cp);

    if (cp == 0xdf || cp == 0x1e9e)
        return LETTER_SHARP_S;
    if (u_hasBinaryProperty((UChar32)cp, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) &&
        cp != 0x115f && cp != 0x1160) /* Hangul fillers are letters */
        return LETTER_SILENT;
    if (mask & U_GC_M_MASK)
        return LETTER_MARK;
    if (!(mask & U_GC_L_MASK))
        return LETTER_NONE;
    return letters_blankless(cp) ? LETTER_SINGLE : LETTER_WORD;
}

/* The index of `page` among the n pages already there, or n. */
static uint16_t
find_page(const void *pages, uint16_t n, const void *page, size_t size)
{
    for (uint16_t i = 0; i < n; i++)
        if (memcmp((const char *)pages + i * size, page, size) == 0)
            return i;
    return n;
}

static bool
within(const struct letter_range *ranges, size_t n, uint32_t cp)
{
    for (size_t i = 0; i < n; i++)
        if (cp >= ranges[i].first && cp <= ranges[i].last)
            return true;
    return false;
}

/* What is in a range counts as a letter whatever Unicode says. */
static enum letter_class
class_within(const struct letter_range *ranges, size_t n, uint32_t cp)
{
    enum letter_class class = class_of(cp);

    if (n == 0)
        return class;
    if (!within(ranges, n, cp))
        return LETTER_NONE;
    return class == LETTER_NONE ? LETTER_WORD : class;
}

static void
fill(struct letters *l, const struct letter_range *ranges, size_t n)
{
    uint16_t class_n = 0, upper_n = 1; /* upper page 0: nothing to change */

    for (uint32_t hi = 0; hi < LETTERS_END >> 8; hi++) {
        uint8_t *class_page = l->class_page[class_n];
        uint32_t *upper = l->upper[upper_n];
        bool changes = false;

        for (uint32_t lo = 0; lo < 256; lo++) {
            uint32_t cp = hi << 8 | lo;

            class_page[lo] = (uint8_t)class_within(ranges, n, cp);
            if (u_getIntPropertyValue((UChar32)cp, UCHAR_NFC_QUICK_CHECK) !=
                    UNORM_YES ||
                u_getCombiningClass((UChar32)cp) != 0)
                class_page[lo] |= LETTER_CHECK_NFC;
            upper[lo] = (uint32_t)u_toupper((UChar32)cp);
            changes = changes || upper[lo] != cp;
        }
        l->page[hi] = find_page(l->class_page, class_n, class_page,
                                sizeof l->class_page[0]);
        if (l->page[hi] == class_n)
            class_n++;
        l->upper_page[hi] = changes ? upper_n++ : 0;
    }
    for (uint32_t cp = 0; cp < 128; cp++)
        l->ascii_upper[cp] = letters_class(l, cp) == LETTER_WORD
                                 ? (uint8_t)u_toupper((UChar32)cp)
                                 : 0;
}

struct letters *
letters_new_of(const struct letter_range *ranges, size_t n)
{
    const size_t pages_n = (LETTERS_END >> 8) + 1;
    struct letters *l = calloc(1, sizeof *l);

    if (l == NULL)
        return NULL;
    l->class_page = calloc(pages_n, sizeof *l->class_page);
    l->upper = calloc(pages_n, sizeof *l->upper);
    if (l->class_page == NULL || l->upper == NULL) {
        letters_free(l);
        return NULL;
    }
    fill(l, ranges, n);
    return l;
}

struct letters *
letters_new(void)
{
    return letters_new_of(NULL, 0);
}

void
letters_free(struct letters *l)
{
    if (l == NULL)
        return;
    free(l->class_page);
    free(l->upper);
    free(l);
}

uint32_t
letters_lower(uint32_t cp)
{
    return (uint32_t)u_tolower((UChar32)cp);
}

static bool
may_compose(const struct letters *l, uint32_t cp)
{
    return cp >= LETTERS_END ||
           (l->class_page[l->page[cp >> 8]][cp & 0xff] & LETTER_CHECK_NFC);
}

/* Below 0xCC no lead byte starts a combining mark or a character that
 * composes (and continuation bytes are below, too); of the others the tables
 * know which may. */
static bool
surely_nfc(const struct letters *l, struct str s)
{
    size_t again = 0; /* not below up to here: byte by byte */

    for (size_t at = 0; at < s.n;) {
        uint32_t cp;

        if (at >= again && s.n - at >= 16) {
            if (scan_bits(scan_load(s.p + at) >= 0xcc) == 0)
                at += 16;
            else
                again = at + 16;
        } else if ((unsigned char)s.p[at] < 0xcc)
            at++;
        else {
            cp = codepoint_next(s, &at);
            if (may_compose(l, cp))
                return false;
        }
    }
    return true;
}

/* Without what follows MARKS_MAX marks in a row: ordering them takes the square
 * of their number, and no writing has so many (Unicode UAX 15, 13: 30). */
static struct str
without_piles(const struct letters *l, struct arena *a, struct str s)
{
    char *out = arena_raw(a, s.n);
    size_t n = 0, run = 0;

    for (size_t at = 0; at < s.n;) {
        size_t from = at;
        uint32_t cp = codepoint_next(s, &at);

        run = cp < LETTERS_END && may_compose(l, cp) ? run + 1 : 0;
        if (run > MARKS_MAX)
            continue;
        memcpy(out + n, s.p + from, at - from);
        n += at - from;
    }
    return n < s.n ? str_n(out, n) : s;
}

struct str
letters_nfc(const struct letters *l, struct arena *a, struct str s)
{
    UErrorCode e = U_ZERO_ERROR;
    const UNormalizer2 *nfc;
    UChar *from, *to;
    int32_t from_n = 0, to_n, room, bytes_n = 0;
    char *out;

    if (s.n > INT32_MAX / 16 || surely_nfc(l, s))
        return s;
    s = without_piles(l, a, s);
    nfc = unorm2_getNFCInstance(&e);
    from = arena_raw(a, (s.n + 1) * sizeof *from);
    u_strFromUTF8(from, (int32_t)s.n + 1, &from_n, s.p, (int32_t)s.n, &e);
    if (U_FAILURE(e) || unorm2_quickCheck(nfc, from, from_n, &e) == UNORM_YES)
        return s;
    room = from_n * 3 + 16; /* the most that form C expands (UAX 15) */
    to = arena_raw(a, (size_t)room * sizeof *to);
    to_n = unorm2_normalize(nfc, from, from_n, to, room, &e);
    if (U_FAILURE(e))
        return s;
    out = arena_raw(a, (size_t)to_n * 3 + 1);
    u_strToUTF8(out, to_n * 3 + 1, &bytes_n, to, to_n, &e);
    return U_FAILURE(e) ? s : str_n(out, (size_t)bytes_n);
}
