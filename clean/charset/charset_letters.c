/* charset_letters.c -- which single-byte encoding undeclared text is in.
 *
 * Every language is tried with every encoding it was written in, and what tells
 * is how usual the letters are that come out: the sum of the costs (-8 ln p) of
 * all letters, also those of ASCII, which tell much of the language.  A capital
 * is dearer than a small letter, since Cyrillic text in the wrong encoding is
 * mostly capitals; what is no letter of the language is dearest.  Languages
 * with the same encoding may be taken for one another without harm.
 *
 * One pass over the text counts its bytes; the rest is some 120 times as many
 * additions as there are different bytes. */
#include <stdlib.h>

#include "charset_impl.h"

#define ALPHABET 26
#define CHARSETS_MAX 6

struct letter_cost {
    uint16_t letter;
    uint8_t cost;
};

struct letter_row {
    const char *language;
    const char *charsets[CHARSETS_MAX];
    const struct letter_cost *other; /* than ASCII, by letter */
    size_t other_n;
    uint8_t ascii[ALPHABET];
};

#include "letters_table.h"

#define COST_CAPITAL 24 /* of ASCII, on top of the small letter's */
#define COST_SIGN 56    /* quotes, dashes, signs that stand in any text */
#define COST_BORROWED                                                          \
    64                  /* a small Latin letter, as in a name from elsewhere   \
                         */
#define COST_FOREIGN 96 /* any other letter that the language has not */
#define COST_CONTROL 120
#define COST_RARE 32 /* encodings of few pages, once */

/* Text of a language costs about 24 a letter, in a wrong encoding much more. */
#define COST_MEAN_MAX 36

static int
by_letter(const void *key, const void *row)
{
    uint16_t x = *(const uint16_t *)key;
    uint16_t y = ((const struct letter_cost *)row)->letter;

    return (x > y) - (x < y);
}

static bool
is_sign(uint16_t cp)
{
    switch (cp) {
    case 0xa0: /* no-break space */
    case 0xa3:
    case 0xa7:
    case 0xa9:
    case 0xab:
    case 0xae:
    case 0xb0:
    case 0xb7:
    case 0xbb:
    case 0xbd:
    case 0x20ac:
    case 0x2116:
    case 0x2122: return true;
    default: return cp >= 0x2010 && cp <= 0x2026;
    }
}

static bool
is_small_latin(uint16_t cp)
{
    return (cp >= 0xdf && cp <= 0xff && cp != 0xf7) ||
           (cp >= 0x100 && cp <= 0x17f && cp % 2 == 1);
}

/* Of the Macintosh, of DOS. */
static bool
is_rare(const char *charset)
{
    return strcmp(charset, "macintosh") == 0 ||
           strcmp(charset, "x-mac-cyrillic") == 0 ||
           strcmp(charset, "IBM866") == 0;
}

static uint32_t
cost_of(const struct letter_row *l, uint16_t cp)
{
    const struct letter_cost *found =
        bsearch(&cp, l->other, l->other_n, sizeof *l->other, by_letter);

    if (found != NULL)
        return found->cost;
    if (is_sign(cp))
        return COST_SIGN;
    if (is_small_latin(cp))
        return COST_BORROWED;
    return cp == 0xfffd || cp < 0xa0 ? COST_CONTROL : COST_FOREIGN;
}

static uint64_t
cost_ascii(const struct letter_row *l, const uint32_t count[256])
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < ALPHABET; i++)
        sum += (uint64_t)count['a' + i] * l->ascii[i] +
               (uint64_t)count['A' + i] * (l->ascii[i] + COST_CAPITAL);
    return sum;
}

static uint64_t
cost_high(const struct letter_row *l, const uint16_t table[128],
          const uint32_t count[256])
{
    uint64_t sum = 0;

    for (unsigned b = 0x80; b < 0x100; b++)
        if (count[b] > 0)
            sum += (uint64_t)count[b] * cost_of(l, table[b - 0x80]);
    return sum;
}

const char *
charset_by_letters(struct str text, bool *sure)
{
    uint32_t count[256] = {0}, n = 0;
    uint64_t best = UINT64_MAX;
    const char *name = NULL;

    for (size_t i = 0; i < text.n; i++)
        count[(unsigned char)text.p[i]]++;
    for (unsigned b = 0; b < 256; b++)
        n += b >= 0x80 || ascii_alpha((char)b) ? count[b] : 0;
    for (size_t i = 0; i < sizeof letters_table / sizeof *letters_table; i++) {
        const struct letter_row *l = &letters_table[i];
        uint64_t ascii = cost_ascii(l, count);

        for (size_t k = 0; k < CHARSETS_MAX && l->charsets[k] != NULL; k++) {
            const uint16_t *table = charset_single(l->charsets[k]);
            uint64_t cost;

            if (ascii >= best || table == NULL)
                continue;
            cost = ascii + cost_high(l, table, count) +
                   (is_rare(l->charsets[k]) ? COST_RARE : 0);
            if (cost < best) {
                best = cost;
                name = l->charsets[k];
            }
        }
    }
    *sure = n > 0 && best <= (uint64_t)n * COST_MEAN_MAX;
    return name;
}
