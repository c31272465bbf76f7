/* letters.c -- the only file of the language stages that calls ICU (its
 * character properties and its normalizer).
 *
 * ICU because it follows Unicode's tables for every script and is what Debian
 * ships; its calls per character (some 5 to 10 ns) would be half the time of
 * splitting words, so they are asked once, range by range (about 1 ms, 260,000
 * code points), and pages of 256 answers kept.  Equal pages are stored once:
 * ideograph pages, unassigned ones.  The usual table is one for the process. */
#include "letters.h"

#include <pthread.h>
#include <stdlib.h>
#include <unicode/uchar.h>
#include <unicode/ucpmap.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/uset.h>
#include <unicode/ustring.h>

#include "clean/chain/codepoint.h"
#include "clean/markup/scan.h"

#define MARKS_MAX 30u /* in a row */

bool
letters_mark(uint32_t cp)
{
    return cp >= 0x300 && (U_GET_GC_MASK((UChar32)cp) & U_GC_M_MASK) != 0;
}

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

/* By general category, for u_enumCharTypes(): class[] of a range. */
static UBool
add_types(const void *context, UChar32 start, UChar32 limit, UCharCategory type)
{
    uint8_t *class = *(uint8_t *const *)context;
    uint32_t mask = U_MASK(type);

    if (limit > (UChar32)LETTERS_END)
        limit = LETTERS_END;
    for (UChar32 cp = start; cp < limit; cp++)
        if (mask & U_GC_M_MASK)
            class[cp] =
                LETTER_MARK | (u_getCombiningClass(cp) ? LETTER_CHECK_NFC : 0);
        else if (mask & U_GC_L_MASK)
            class[cp] =
                letters_blankless((uint32_t)cp) ? LETTER_SINGLE : LETTER_WORD;
    return limit < (UChar32)LETTERS_END;
}

/* For each range of a binary property. */
static void
each_range(UProperty property,
           void (*range)(void *self, uint32_t first, uint32_t last), void *self)
{
    UErrorCode e = U_ZERO_ERROR;
    const USet *set = u_getBinaryPropertySet(property, &e);
    int32_t n = U_SUCCESS(e) ? uset_getItemCount(set) : 0;

    for (int32_t i = 0; i < n; i++) {
        UChar32 first, last;
        UErrorCode item = U_ZERO_ERROR;

        if (uset_getItem(set, i, &first, &last, NULL, 0, &item) != 0 ||
            first >= (UChar32)LETTERS_END)
            break; /* strings are last; there are none */
        range(self, (uint32_t)first,
              last < (UChar32)LETTERS_END ? (uint32_t)last : LETTERS_END - 1);
    }
}

static void
set_class(uint8_t *class, uint32_t cp, enum letter_class to)
{
    class[cp] = (uint8_t)((class[cp] & LETTER_CHECK_NFC) | to);
}

static void
add_silent(void *self, uint32_t first, uint32_t last)
{
    for (uint32_t cp = first; cp <= last; cp++)
        if (cp != 0x115f && cp != 0x1160) /* Hangul fillers are letters */
            set_class(self, cp, LETTER_SILENT);
}

static void
add_check_nfc(uint8_t *class)
{
    UErrorCode e = U_ZERO_ERROR;
    const UCPMap *map = u_getIntPropertyMap(UCHAR_NFC_QUICK_CHECK, &e);
    UChar32 first = 0, last;
    uint32_t value;

    while (U_SUCCESS(e) && first < (UChar32)LETTERS_END &&
           (last = ucpmap_getRange(map, first, UCPMAP_RANGE_NORMAL, 0, NULL,
                                   NULL, &value)) >= 0) {
        for (; first <= last && first < (UChar32)LETTERS_END; first++)
            if (value != UNORM_YES)
                class[first] |= LETTER_CHECK_NFC;
    }
}

/* What is in a range counts as a letter whatever Unicode says. */
static void
limit_to(uint8_t *class, const struct letter_range *ranges, size_t n)
{
    for (uint32_t cp = 0; cp < LETTERS_END; cp++) {
        if (!within(ranges, n, cp))
            set_class(class, cp, LETTER_NONE);
        else if ((class[cp] & ~LETTER_CHECK_NFC) == LETTER_NONE)
            set_class(class, cp, LETTER_WORD);
    }
}

static void
fill_classes(struct letters *l, uint8_t *class,
             const struct letter_range *ranges, size_t n)
{
    uint16_t pages_n = 0;

    u_enumCharTypes(add_types, &class);
    add_check_nfc(class);
    each_range(UCHAR_DEFAULT_IGNORABLE_CODE_POINT, add_silent, class);
    set_class(class, 0xdf, LETTER_SHARP_S);
    set_class(class, 0x1e9e, LETTER_SHARP_S);
    if (n > 0)
        limit_to(class, ranges, n);
    for (uint32_t hi = 0; hi < LETTERS_END >> 8; hi++) {
        memcpy(l->class_page[pages_n], class + (hi << 8), 256);
        l->page[hi] = find_page(l->class_page, pages_n, class + (hi << 8), 256);
        if (l->page[hi] == pages_n)
            pages_n++;
    }
}

/* Upper page 0: nothing to change. */
static void
add_upper(void *self, uint32_t first, uint32_t last)
{
    struct letters *l = self;

    for (uint32_t cp = first; cp <= last; cp++) {
        uint32_t upper = (uint32_t)u_toupper((UChar32)cp), hi = cp >> 8;

        if (upper == cp)
            continue;
        if (l->upper_page[hi] == 0) {
            l->upper_page[hi] = ++l->uppers_n;
            for (uint32_t lo = 0; lo < 256; lo++)
                l->upper[l->uppers_n][lo] = hi << 8 | lo;
        }
        l->upper[l->upper_page[hi]][cp & 0xff] = upper;
    }
}

static bool
fill(struct letters *l, const struct letter_range *ranges, size_t n)
{
    uint8_t *class = calloc(LETTERS_END, 1);

    if (class == NULL)
        return false;
    fill_classes(l, class, ranges, n);
    free(class);
    each_range(UCHAR_CHANGES_WHEN_UPPERCASED, add_upper, l);
    for (uint32_t cp = 0; cp < 128; cp++)
        l->ascii_upper[cp] = letters_class(l, cp) == LETTER_WORD
                                 ? (uint8_t)u_toupper((UChar32)cp)
                                 : 0;
    return true;
}

static void
free_table(struct letters *l)
{
    free(l->class_page);
    free(l->upper);
    free(l);
}

static struct letters *
make(const struct letter_range *ranges, size_t n)
{
    const size_t pages_n = (LETTERS_END >> 8) + 1;
    struct letters *l = calloc(1, sizeof *l);

    if (l == NULL)
        return NULL;
    l->class_page = calloc(pages_n, sizeof *l->class_page);
    l->upper = calloc(pages_n, sizeof *l->upper);
    if (l->class_page == NULL || l->upper == NULL || !fill(l, ranges, n)) {
        free_table(l);
        return NULL;
    }
    return l;
}

/* The table without ranges, and how many have it. */
static pthread_mutex_t usual_lock = PTHREAD_MUTEX_INITIALIZER;
static struct letters *usual;
static unsigned usual_n;

struct letters *
letters_new(void)
{
    struct letters *l;

    pthread_mutex_lock(&usual_lock);
    if (usual == NULL)
        usual = make(NULL, 0);
    l = usual;
    usual_n += l != NULL;
    pthread_mutex_unlock(&usual_lock);
    return l;
}

struct letters *
letters_new_of(const struct letter_range *ranges, size_t n)
{
    return n == 0 ? letters_new() : make(ranges, n);
}

void
letters_free(struct letters *l)
{
    bool last = true;

    if (l == NULL)
        return;
    pthread_mutex_lock(&usual_lock);
    if (l == usual && (last = --usual_n == 0))
        usual = NULL;
    pthread_mutex_unlock(&usual_lock);
    if (last)
        free_table(l);
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

        run = letters_class(l, cp) == LETTER_MARK ? run + 1 : 0;
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
